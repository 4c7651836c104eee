// A bot for the referee beside it: drops its disc into any column that has room.

const lines = [];

// A turn is eight lines: which player this bot is, six rows, and the columns with room.
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    lines.push(line);
    if (lines.length < 8) return;
    const [me, ...board] = lines.splice(0); // the top row first; "." is an empty square
    const columns = board.pop().split(" ");
    console.log(columns[Math.floor(Math.random() * columns.length)]);
  });
