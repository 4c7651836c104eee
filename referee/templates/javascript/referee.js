// Connect Four for Crownhead: discs fall into seven columns, and four in a line win.
//
// Change `legal`, `drop`, `wins` and what `play` sends, and it is a game of your own. The
// seed chooses the first discs: the same bots play other games with other seeds.

const [WIDTH, HEIGHT, OPENING] = [7, 6, 4];

const input = require("readline").createInterface({ input: process.stdin });
const received = input[Symbol.asyncIterator]();
const readLine = async () => (await received.next()).value ?? "";
const say = (...lines) => console.log(lines.join("\n"));

const legal = (board) => [..."0123456"].filter((x) => board[0][x] === ".");

function drop(board, column, player) {
  const y = board.findLastIndex((row) => row[column] === ".");
  board[y] = board[y].slice(0, column) + player + board[y].slice(column + 1);
}

function wins(board, player) {
  // In the rows as one text, the next square of a line is this many letters further.
  const text = board.join("\n");
  const four = (step) =>
    RegExp(`${player}(.{${step - 1}}${player}){3}`, "s").test(text);
  return [1, WIDTH, WIDTH + 1, WIDTH + 2].some(four);
}

// Asks the players in turn; gives the winner, -1 in a draw, and the reason.
async function play(board) {
  for (let turn = OPENING; turn < WIDTH * HEIGHT; turn++) {
    const [player, moves] = [turn % 2, legal(board)];
    const list = moves.join(" ");
    say("###Show", ...board, "0123456");
    say(`###Input ${player}`, player, ...board, list);
    say("###Legal", ...moves, `###Output ${player} 1`);
    const answer = await readLine();
    if (!moves.includes(answer)) {
      say(`###Error ${player} answered \`${answer}\`, which is no free column`);
      return [1 - player, "an illegal answer"];
    }
    drop(board, Number(answer), player);
    if (wins(board, player)) return [player, "four in a line"];
  }
  return [-1, "the board is full"];
}

async function main() {
  let seed = BigInt((await readLine()).split(" ")[1]);
  if ((await readLine()) !== "###Start 2") throw Error("a game for 2 players");
  const board = Array(HEIGHT).fill(".".repeat(WIDTH));
  for (let turn = 0; turn < OPENING; turn++, seed /= 7n)
    drop(board, Number(seed % 7n), turn % 2);
  const [winner, reason] = await play(board);
  say("###Show", ...board, "0123456", `###Reason ${reason}`);
  for (const player of [0, 1])
    say(`###Score ${player} ${winner < 0 ? 0.5 : Number(player === winner)}`);
  say(winner < 0 ? "###End 01" : `###End ${winner} ${1 - winner}`);
  input.close();
}

main();
