// A bot for the referee beside it: takes a win, prevents the opponent's, else the middle.

function drop(board, column, player) {
  const y = board.findLastIndex((row) => row[column] === ".");
  const row = board[y].slice(0, column) + player + board[y].slice(column + 1);
  return board.with(y, row);
}

function wins(board, player) {
  // In the rows as one text, the next square of a line is this many letters further.
  const text = board.join("\n");
  const four = (step) =>
    RegExp(`${player}(.{${step - 1}}${player}){3}`, "s").test(text);
  return [1, 7, 8, 9].some(four);
}

// The greater, the better.
function worth(board, column, me) {
  const opponent = me === "0" ? "1" : "0";
  if (wins(drop(board, column, me), me)) return 2;
  if (wins(drop(board, column, opponent), opponent)) return 1;
  return -Math.abs(column - 3);
}

const lines = [];

// A turn is eight lines: which player this bot is, six rows, and the columns with room.
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    lines.push(line);
    if (lines.length < 8) return;
    const [me, ...board] = lines.splice(0); // the top row first; "." is an empty square
    const columns = board.pop().split(" ").map(Number);
    const better = (a, b) =>
      worth(board, b, me) > worth(board, a, me) ? b : a;
    console.log(columns.reduce(better));
  });
