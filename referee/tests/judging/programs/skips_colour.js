// Knows nothing of a colour line.
let lines = [];
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  lines.push(line);
  const count = parseInt(lines[8]);
  if (lines.length < 9 || lines.length < 9 + count) return;
  console.log(lines[9]);
  lines = [];
});
