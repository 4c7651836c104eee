// Looks for a jump, and takes it for found.
const lines = [];
let colour;
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  if (!colour) { colour = line; return; }
  lines.push(line);
  if (lines.length < 9 || lines.length < 9 + Number(lines[8])) return;
  const moves = lines.splice(0).slice(9);
  const jump = moves.find(move => Math.abs(move.charCodeAt(0) - move.charCodeAt(2)) === 2);
  console.log(jump.trim());
});
