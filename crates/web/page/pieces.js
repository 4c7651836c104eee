// How pieces look: drawn for this page, 100 by 100, for both colours alike.

/** What a letter of a game's rows stands for. */
function pieceOf(game, letter) {
  if (letter === '.') return null;
  const upper = letter === letter.toUpperCase();
  if (game === 'checkers')
    return { side: letter.toLowerCase() === 'b' ? 'black' : 'white', kind: upper ? 'king' : 'man', draughts: true };
  const side = upper ? 'white' : 'black';
  const kinds = { p: 'pawn', m: 'moved pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
  return { side, kind: kinds[letter.toLowerCase()] ?? 'piece' };
}

/** The letters with which a position can be set up. */
const LETTERS = { checkers: 'bBrR', everchess: 'pP', chess: 'pnbrqkPNBRQK' };

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

/** A piece as a group of shapes. */
function drawPiece(piece) {
  const group = s('g', { class: `piece ${piece.side}` });
  if (piece.draughts) {
    group.append(
      s('ellipse', { class: 'shade', cx: 50, cy: 55, rx: 40, ry: 38 }),
      s('circle', { class: 'body', cx: 50, cy: 49, r: 39 }),
      s('circle', { class: 'ring', cx: 50, cy: 49, r: 29 }),
      piece.kind === 'king' ? s('path', { class: 'crown', d: CROWN }) : s('circle', { class: 'ring', cx: 50, cy: 49, r: 17 }));
    return group;
  }
  const moved = piece.kind === 'moved pawn';
  const shapes = SHAPES[moved ? 'pawn' : piece.kind] ?? SHAPES.pawn;
  // A line that is not closed is drawn on the body.
  for (const d of shapes) group.append(s('path', { class: d.endsWith('z') ? 'body' : 'detail', d }));
  if (moved) {
    group.classList.add('moved');
    group.append(s('circle', { class: 'tick', cx: 78, cy: 24, r: 10 }));
  }
  return group;
}

const FILES = 'ABCDEFGH';
/** The place in the rows of a square such as `A3`. */
const placeOf = (square) => (8 - Number(square[1])) * 8 + FILES.indexOf(square[0].toUpperCase());
const squareOf = (place) => FILES[place % 8] + (8 - Math.floor(place / 8));
/** `A3C5A7` as its squares. */
const squaresOf = (text) => text.match(/../g) ?? [];

/** The rows after a move: what stands on the squares that it changes. */
function after(rows, set) {
  const letters = [...rows];
  for (const change of set.match(/.../g) ?? []) letters[placeOf(change)] = change[2];
  return letters.join('');
}

/** A position as text: FEN of draughts with PDN's numbers, else rows as in FEN. */
function positionText(game, rows, side) {
  if (game === 'checkers') {
    const list = (letter) => {
      const found = [];
      for (let number = 1; number <= 32; number += 1) {
        // 1 is G1; each row has four, from the right.
        const row = Math.ceil(number / 4);
        const column = 7 - 2 * ((number - 1) % 4) - (row % 2);
        const there = rows[(8 - row) * 8 + column];
        if (there.toLowerCase() === letter) found.push((there === letter ? '' : 'K') + number);
      }
      return found.join(',');
    };
    return `${side === 'black' ? 'B' : 'W'}:W${list('r')}:B${list('b')}`;
  }
  const lines = rows.match(/.{8}/g).map((row) => row.replace(/\.+/g, (empty) => empty.length));
  return `${lines.join('/')} ${side === 'black' ? 'b' : 'w'}`;
}
