// A game under one of its rule books, from its program: the board, the sides, the pieces, and positions as text.
// This code knows no game by name. Squares are called A1 and so on; `spelled` is how the game writes them.

const otherSide = (sides, side) => sides.find((own) => own !== side);

class Variant {
  constructor(told) {
    Object.assign(this, told);
    this.key = keyOf(told);
    this.ofLetter = new Map(told.pieces.map((piece) => [piece.letter, { ...piece, name: pieceName(piece) }]));
    this.playing = told.playing_squares && new Set(told.playing_squares);
    this.ground = groundOf(told);
    this.darkParity = this.findDarkParity();
  }

  /** The number of squares. */
  get size() { return this.columns * this.rows; }

  /** A square's index in the rows; index 0 is the first square of the last row. */
  placeOf(square) {
    return (this.rows - Number(square.slice(1))) * this.columns + square.charCodeAt(0) - 65;
  }

  squareOf(place) {
    return String.fromCharCode(65 + (place % this.columns)) + (this.rows - Math.floor(place / this.columns));
  }

  spelled(square) { return this.files[square.charCodeAt(0) - 65] + square.slice(1); }

  /** A move's squares in words. */
  spelledAll(squares) { return squares.map((square) => this.spelled(square)); }

  /** The meaning of a letter; a letter that is no piece of a side is shown as it is. */
  pieceOf(letter) {
    if (letter === '.') return null;
    return this.ofLetter.get(letter) ?? { letter, side: null, symbol: letter, name: letter };
  }

  /** `red king`. */
  describePiece(piece) { return [piece.side, piece.name].filter(Boolean).join(' '); }

  /** Whether pieces may stand on a square. */
  isPlaying(square) { return !this.playing || this.playing.has(square); }

  parity(place) { return (Math.floor(place / this.columns) + (place % this.columns)) % 2; }

  /** A1 is dark, unless pieces stand only on squares of the other colour. */
  findDarkParity() {
    const parities = new Set([...(this.playing ?? [])].map((square) => this.parity(this.placeOf(square))));
    return parities.size === 1 ? [...parities][0] : this.parity(this.placeOf('A1'));
  }

  /** How a square looks. */
  shadeOf(place) {
    const isDark = this.parity(place) === this.darkParity;
    if (this.ground === 'chequered') return isDark && !this.isPlaying(this.squareOf(place)) ? 'off' : isDark ? 'dark' : 'light';
    return this.isPlaying(this.squareOf(place)) ? this.ground : 'off';
  }

  lines(rows) { return Array.from({ length: this.rows }, (_, line) => rows.slice(line * this.columns, (line + 1) * this.columns)); }

  /** The rows after a move; `set` has the new content of the changed squares. */
  after(rows, set) {
    const letters = [...rows];
    for (const [square, letter] of Object.entries(set)) letters[this.placeOf(square)] = letter;
    return letters.join('');
  }

  /** A position as text: FEN of draughts if the game has it, else rows as in FEN. */
  positionText(rows, side) {
    if (this.has_pdn) return draughtsFen(this, rows, side);
    const empty = (row) => (this.has_digits ? row : row.replace(/\.+/g, (run) => run.length));
    return this.rowsText(rows, side, empty);
  }

  /** Rows with slashes between, and the letter of the side to move. */
  rowsText(rows, side, write = (row) => row) {
    return `${this.lines(rows).map(write).join('/')} ${this.side_letters[this.sides.indexOf(side)]}`;
  }
}

/** FEN of draughts, with the numbers of PDN. */
function draughtsFen(variant, rows, side) {
  const list = (wanted) => {
    const found = [];
    for (let number = 1; number <= 32; number += 1) {
      // 1 is G1; each row has four, from the right.
      const row = Math.ceil(number / 4);
      const column = 7 - 2 * ((number - 1) % 4) - (row % 2);
      const piece = variant.pieceOf(rows[(8 - row) * 8 + column]);
      if (piece?.side === wanted) found.push((piece.name === 'king' ? 'K' : '') + number);
    }
    return found.join(',');
  };
  const [black, white] = variant.sides;
  return `${side === black ? 'B' : 'W'}:W${list(white)}:B${list(black)}`;
}

const keyOf = ({ game, rules }) => `${game} ${rules}`;

/** All variants of a site. */
const variantsOf = (site) => site.variants.map((told) => new Variant(told));

/** Those that the library in this page plays and analyses. */
const playedVariants = (site) => variantsOf(site).filter((variant) => variant.is_played);

/** The variant that is named, else the first. */
const chosenVariant = (variants, named) => variants.find(({ key }) => key === keyOf(named)) ?? variants[0];

/** The list of games to choose from. */
const variantField = (variants, chosen, change) => select('Game',
  variants.map(({ key, title, about }) => [key, about.startsWith(title) ? about : [title, about].filter(Boolean).join(': ')]), chosen.key,
  (key) => change(variants.find((variant) => variant.key === key)));
