// How pieces and boards look: drawn for this page, 100 by 100, by the symbols that Unicode has for the pieces.

const DRAUGHTS = { '⛀': 'man', '⛂': 'man', '⛁': 'king', '⛃': 'king' };
const CHESS = {
  '♔': 'king', '♕': 'queen', '♖': 'rook', '♗': 'bishop', '♘': 'knight', '♙': 'pawn',
  '♚': 'king', '♛': 'queen', '♜': 'rook', '♝': 'bishop', '♞': 'knight', '♟': 'pawn',
};
const DISCS = { '●': 'disc', '○': 'disc' };

/** The name of a piece; another symbol is its own name. */
function pieceName({ symbol, is_marked: marked }) {
  const name = DRAUGHTS[symbol] ?? CHESS[symbol] ?? DISCS[symbol] ?? symbol;
  return marked ? `marked ${name}` : name;
}

/** The kind of board: chequered, felt with lines between squares, or plain squares. */
function groundOf({ pieces }) {
  if (pieces.some(({ symbol }) => DRAUGHTS[symbol] ?? CHESS[symbol])) return 'chequered';
  if (pieces.length === 0 || !pieces.every(({ symbol }) => DISCS[symbol])) return 'plain';
  return 'felt';
}

const COLOURS = ['black', 'white', 'red', 'yellow', 'blue', 'green', 'orange', 'purple', 'brown', 'grey', 'pink'];

/** The class of the colour that a side is named after; a side with another name has the neutral one of its seat. */
function colourClass(sides, side) {
  const words = (side ?? '').toLowerCase().split(/[^a-z]+/);
  const colour = COLOURS.find((name) => words.includes(name));
  return `colour-${colour ?? (side ? `of-seat-${sides.indexOf(side)}` : 'none')}`;
}

/** A small disc in the colour of a side. */
const sideDot = (sides, side) => h('i', { class: `dot ${colourClass(sides, side)}`, 'aria-hidden': 'true' });

const BASE = 'M24 86h52v-7c0-5-5-8-10-9H34c-5 1-10 4-10 9z';
const SHAPES = {
  pawn: ['M50 18a14 14 0 0 1 9 25c6 3 7 8 1 9 1 9 4 14 8 19H32c4-5 7-10 8-19-6-1-5-6 1-9a14 14 0 0 1 9-25z', BASE],
  rook: ['M27 18h11v9h7v-9h10v9h7v-9h11v19l-8 6 2 27H33l2-27-8-6z', 'M33 44h34', BASE],
  bishop: ['M50 8a6 6 0 0 1 4 10c11 8 17 18 13 29-2 5-6 7-8 9l3 14H38l3-14c-2-2-6-4-8-9-4-11 2-21 13-29a6 6 0 0 1 4-10z', 'M50 28v18M42 37h16', BASE],
  knight: ['M34 70c0-16 15-20 15-32-5 5-12 5-15 10-4 2-9 0-10-6 6-9 8-20 19-25l3-8 7 8c15 2 22 17 20 35-1 8-3 12-3 18z', 'M43 29h.1', BASE],
  queen: ['M20 30l12 18 5-27 13 24 13-24 5 27 12-18-8 40H28z', 'M31 59h38', BASE],
  king: ['M50 36c8-12 30-12 30 5 0 12-9 19-10 29H30c-1-10-10-17-10-29 0-17 22-17 30-5z', 'M47 36V21h-8v-6h8V7h6v8h8v6h-8v15z', 'M32 60h36', BASE],
};

const CROWN = 'M29 63l-3-26 13 11 11-19 11 19 13-11-3 26z';

/** The parts of a piece. */
function pieceParts({ symbol }) {
  const draughts = DRAUGHTS[symbol];
  const shade = s('ellipse', { class: 'shade', cx: 50, cy: 55, rx: 40, ry: 38 });
  if (draughts)
    return [shade, s('circle', { class: 'body', cx: 50, cy: 49, r: 39 }), s('circle', { class: 'ring', cx: 50, cy: 49, r: 29 }),
      draughts === 'king' ? s('path', { class: 'crown', d: CROWN }) : s('circle', { class: 'ring', cx: 50, cy: 49, r: 17 })];
  if (DISCS[symbol]) return [shade, s('circle', { class: 'body', cx: 50, cy: 50, r: 39 })];
  // An open line is drawn on the body.
  if (CHESS[symbol]) return SHAPES[CHESS[symbol]].map((d) => s('path', { class: d.endsWith('z') ? 'body' : 'detail', d }));
  return [s('text', { class: 'letter', x: 50, y: 50, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, symbol)];
}

/** A piece as a group of shapes, in the colour of its side. */
function drawPiece(sides, piece) {
  const group = s('g', { class: `piece ${colourClass(sides, piece.side)}`, 'data-side': piece.side }, pieceParts(piece));
  if (piece.is_marked) group.append(s('circle', { class: 'tick', cx: 78, cy: 24, r: 10 }));
  return group;
}
