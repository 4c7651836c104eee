// A first checkers bot in JavaScript (Node), for Crownhead and for the contest on CodinGame.
//
// It takes as many pieces as one move can; otherwise it prefers a move after which fewer of its own pieces
// are in danger; equals are decided at random. The place to make it stronger is `worth`.

// CodinGame and Crownhead hand their bots a function `readline()`; elsewhere this one reads standard input.
const readLine = typeof readline === 'function' ? readline : lineReader();

function nextLine() {
  const line = readLine();
  if (line == null) process.exit(0); // the input has ended: the game is over
  return line;
}

function lineReader() {
  const fs = require('fs');
  const chunk = Buffer.alloc(4096);
  let text = '';
  return () => {
    while (!text.includes('\n')) {
      const length = fs.readSync(0, chunk);
      if (length === 0) return null;
      text += chunk.toString('latin1', 0, length);
    }
    const end = text.indexOf('\n');
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
}

// The squares a move visits, as [row, column] of the board as it is read, row 8 first: "A3C5" is
// [[5, 0], [3, 2]].
const squares = (move) =>
  move.match(/../g).map(([column, row]) => [8 - Number(row), 'ABCDEFGH'.indexOf(column)]);

// The board after a move: the piece is on the last square, and what it jumped over is gone.
function play(board, move) {
  const after = board.map((row) => [...row]);
  const path = squares(move);
  const [[firstRow, firstColumn]] = path;
  const [lastRow, lastColumn] = path[path.length - 1];
  after[firstRow][firstColumn] = '.';
  for (let i = 1; i < path.length; i++) {
    const [row, column] = path[i - 1];
    const [nextRow, nextColumn] = path[i];
    if (Math.abs(nextRow - row) === 2) after[(row + nextRow) / 2][(column + nextColumn) / 2] = '.';
  }
  after[lastRow][lastColumn] = board[firstRow][firstColumn];
  return after;
}

// In how many ways the opponent could jump over a piece of mine.
function dangers(board, mine) {
  const at = (row, column) => board[row]?.[column] ?? '#'; // '#' is outside
  let count = 0;
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const piece = at(row, column);
      if (piece === '.' || mine.includes(piece)) continue;
      // Kings go both ways; red's men go down the board, away from row 8, and black's men up.
      for (const down of { r: [1], b: [-1] }[piece] ?? [1, -1]) {
        for (const right of [1, -1]) {
          const over = at(row + down, column + right);
          const behind = at(row + 2 * down, column + 2 * right);
          if (mine.includes(over) && behind === '.') count++;
        }
      }
    }
  }
  return count;
}

// The greater, the better. When one listed move is a jump, all are; so the longest name takes the most
// pieces. Fewer than 100 dangers fit on a board, and a random number is less than 1.
const worth = (board, mine, move) =>
  100 * move.length - dangers(play(board, move), mine) + Math.random();

const mine = nextLine().trim() === 'b' ? 'bB' : 'rR'; // red is told "r" or "w"
while (true) {
  const board = Array.from({ length: 8 }, () => [...nextLine().trim()]);
  const moves = Array.from({ length: Number(nextLine()) }, () => nextLine().trim());
  const scored = moves.map((move) => ({ move, score: worth(board, mine, move) }));
  console.log(scored.reduce((best, next) => (next.score > best.score ? next : best)).move);
}
