// The words of the referee and the bots.

const TERMINATIONS = {
  goal: 'goal reached', 'no-moves': 'no legal move', 'without-capture': 'no capture for too long',
  'turn-limit': 'turn limit', scores: 'the referee’s scores', adjudicated: 'adjudicated', 'illegal-reply': 'illegal reply', 'unreadable-reply': 'unreadable reply',
  timeout: 'timeout', crash: 'crash', 'out-of-memory': 'out of memory', exit: 'left the game',
  'closed-output': 'closed its output', 'cannot-start': 'could not start', abandoned: 'not finished', 'not-stated': 'ending not stated',
  'referee-fault': 'referee fault',
};
const terminationName = (name) => TERMINATIONS[name] ?? name;

/** A side as the rules call it, with a disc of its colour. */
const sideName = (sides, side) => h('span', { class: 'side' }, sideDot(sides, side), side);

/** A bot's output from a record: text, or base64 for other bytes. */
function wordsOf(stderr) {
  if (stderr?.base64) {
    // Other bytes are shown one by one.
    const bytes = atob(stderr.base64);
    return bytes.replace(/[^\x20-\x7e\n]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  }
  return stderr?.text ?? '';
}

/** A bot's output from a record, with a note if a part was cut off. */
function recordedWords(title, stderr) {
  const text = wordsOf(stderr);
  if (!stderr?.cut) return wordsBox(title, text);
  const cut = plural(stderr.cut, 'byte');
  return wordsBox(`${title} (the first ${cut} ${stderr.cut === 1 ? 'was' : 'were'} cut off)`, text) ?? h('p', { class: 'quiet' }, `${title}: ${cut}, cut off`);
}

/** A bot's output. */
function wordsBox(title, text) {
  if (!text?.trim()) return null;
  const lines = h('pre', { tabindex: '0', 'aria-label': title }, text.replace(/\n+$/, ''));
  // The last output says the most.
  requestAnimationFrame(() => { lines.scrollTop = lines.scrollHeight; });
  return h('figure', { class: 'words' }, h('figcaption', {}, title), lines);
}

/** The figures that a bot said about itself, the most telling first. */
function saidText(said) {
  const order = ['depth', 'seldepth', 'score', 'nodes', 'nps'];
  const names = Object.keys(said ?? {});
  names.sort((a, b) => ((order.indexOf(a) + 99) % 99) - ((order.indexOf(b) + 99) % 99));
  return names.map((name) => [name, typeof said[name] === 'number' && Math.abs(said[name]) > 9999 ? whole(said[name]) : String(said[name])]);
}

/** The result of a game, as a sentence. */
function outcome(game) {
  if (!game.result) return `No result: ${game.reason}`;
  if (game.result === 'draw') return game.reason;
  return `${playerOf(game, game.result).name} (${game.result}) won: ${game.reason}`;
}

/** Who plays a side. */
const playerOf = (game, side) => game.players[game.sides.indexOf(side)];

/** `1`, `½` or `0` for a side. */
const points = (result, side) => (result === null ? '–' : result === 'draw' ? '½' : result === side ? '1' : '0');

/** Won, drawn and lost, in colours that everyone can distinguish, and in words. */
function tally({ won, drawn, lost }) {
  return h('span', { class: 'tally', title: `${won} won, ${drawn} drawn, ${lost} lost` },
    h('b', { class: 'won' }, `+${won}`), ' ', h('span', { class: 'drawn' }, `=${drawn}`), ' ',
    h('span', { class: 'lost' }, `−${lost}`));
}

const scoreOf = ({ won, drawn, lost, points: scored = won + drawn / 2 }) => (won + drawn + lost ? scored / (won + drawn + lost) : null);

/** The address of a place within the site; a key with the value `true` has no value there. */
const addressOf = (values) => {
  const parts = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return `#${parts.map(([key, value]) => (value === true ? key : `${key}=${encodeURIComponent(value)}`)).join('&')}`;
};

/** A link to a place within the site. */
const to = (page, values = {}) => addressOf(page ? { [page]: true, ...values } : values);
