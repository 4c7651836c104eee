// Reads the colour before every board.
const lines = [];
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  lines.push(line);
  const count = parseInt(lines[9]);
  if (lines.length >= 10 && !(lines.length < 10 + count)) {
    const moves = lines.slice(10);
    console.log(moves[0]);
    lines.length = 0;
  }
});
