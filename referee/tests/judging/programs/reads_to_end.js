// Waits for the end of input.
let text = '';
process.stdin.on('data', chunk => { text += chunk; });
process.stdin.on('end', () => {
  const lines = text.split('\n');
  console.log(lines[10]);
});
