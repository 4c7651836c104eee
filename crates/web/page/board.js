// The board: one for all games, drawn as SVG; pieces are moved by clicks, by dragging, or by keys.

class Board {
  /**
   * `options`: game, sides, rowOneOnTop; `play(name)` and `tried(text)` for a board on which moves are made; `put(square)`
   * for one on which pieces are placed.
   */
  constructor(options) {
    Object.assign(this, { game: 'checkers', legal: [], path: [], marks: [], sides: null }, options);
    this.flipped = Boolean(options.rowOneOnTop);
    this.cursor = null;
    this.svg = s('svg', {
      class: 'board', viewBox: '0 0 800 800', role: 'img', 'aria-label': 'The board',
      pointerdown: (event) => this.pressed(event), pointermove: (event) => this.moved(event),
      pointerup: (event) => this.released(event), pointercancel: () => this.drop(),
      keydown: (event) => this.key(event), blur: () => this.showCursor(null),
    });
    this.element = h('div', { class: `board-frame ${this.sides?.white ?? ''}` }, this.svg);
    if (this.play || this.put) {
      this.svg.setAttribute('tabindex', '0');
      this.svg.setAttribute('role', 'application');
    }
  }

  /** Shows these rows; `marks` are the squares of the last move, `legal` the moves that can be made. */
  show(rows, { marks = [], legal = [], arrows = [] } = {}) {
    Object.assign(this, { rows, marks, legal, arrows, path: [] });
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** The upper left corner of a place. */
  at(place) {
    const [column, row] = [place % 8, Math.floor(place / 8)];
    return this.flipped ? [(7 - column) * 100, (7 - row) * 100] : [column * 100, row * 100];
  }

  draw() {
    const parts = [];
    for (let place = 0; place < 64; place += 1) {
      const [x, y] = this.at(place);
      const dark = (place + Math.floor(place / 8)) % 2 === 1;
      const shade = dark ? 'dark' : 'light';
      parts.push(s('rect', { class: `square ${shade}`, x, y, width: 100, height: 100, 'data-square': squareOf(place) }));
    }
    this.marks.forEach((square, step) => {
      const [x, y] = this.at(placeOf(square));
      const end = step === this.marks.length - 1 ? ' end' : '';
      parts.push(s('rect', { class: `mark${end}`, x, y, width: 100, height: 100 }));
    });
    parts.push(...this.coordinates());
    for (const square of this.path) parts.push(this.outline(square, 'chosen'));
    const targets = this.targets();
    for (let place = 0; place < 64; place += 1) {
      const piece = pieceOf(this.game, this.rows[place]);
      if (!piece) continue;
      const [x, y] = this.at(place);
      const drawn = drawPiece(piece);
      drawn.setAttribute('transform', `translate(${x} ${y})`);
      drawn.dataset.place = place;
      if (this.legal.some((move) => placeOf(move.squares) === place)) drawn.classList.add('free');
      parts.push(drawn);
    }
    for (const square of targets) {
      const [x, y] = this.at(placeOf(square));
      const taken = this.rows[placeOf(square)] !== '.';
      parts.push(s('circle', { class: taken ? 'target taken' : 'target', cx: x + 50, cy: y + 50, r: taken ? 44 : 15 }));
    }
    for (const arrow of this.arrows) parts.push(this.arrow(arrow));
    if (this.cursor) parts.push(this.outline(this.cursor, 'cursor'));
    this.svg.replaceChildren(...parts);
    this.svg.setAttribute('aria-label', this.describe());
  }

  outline(square, name) {
    const [x, y] = this.at(placeOf(square));
    return s('rect', { class: name, x: x + 3, y: y + 3, width: 94, height: 94 });
  }

  arrow({ squares, rank }) {
    const points = squares.map((square) => this.at(placeOf(square)).map((side) => side + 50));
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const way = Math.atan2(y2 - y1, x2 - x1);
    const turn = (way * 180) / Math.PI;
    // The line ends within the head, whose tip is the end.
    points.splice(-1, 1, [x2 - 20 * Math.cos(way), y2 - 20 * Math.sin(way)]);
    return s('g', { class: `arrow rank${rank}` },
      s('polyline', { points: points.join(' ') }),
      s('path', { d: 'M-30 -22 4 0 -30 22z', transform: `translate(${x2} ${y2}) rotate(${turn})` }));
  }

  coordinates() {
    const texts = [];
    for (let index = 0; index < 8; index += 1) {
      const [x] = this.at(this.flipped ? index : 56 + index);
      const [, y] = this.at(index * 8 + (this.flipped ? 7 : 0));
      const file = this.game === 'checkers' ? FILES[index] : FILES[index].toLowerCase();
      const shade = (dark) => (dark ? 'on-dark' : 'on-light');
      const bottom = this.flipped ? index : 56 + index;
      const left = index * 8 + (this.flipped ? 7 : 0);
      const isDark = (place) => (place + Math.floor(place / 8)) % 2 === 1;
      texts.push(s('text', { class: `coordinate ${shade(isDark(bottom))}`, x: x + 92, y: 794, 'text-anchor': 'end' }, file));
      texts.push(s('text', { class: `coordinate ${shade(isDark(left))}`, x: 6, y: y + 22 }, String(8 - index)));
    }
    return texts;
  }

  /** The position in words, for those who do not see it. */
  describe() {
    const pieces = { black: [], white: [] };
    [...this.rows].forEach((letter, place) => {
      const piece = pieceOf(this.game, letter);
      if (piece) pieces[piece.side].push(`${piece.kind} ${squareOf(place)}`);
    });
    const name = (side) => this.sides?.[side] ?? side;
    const list = (side) => `${name(side)}: ${pieces[side].join(', ') || 'nothing'}`;
    return `The board. ${list('black')}. ${list('white')}.`;
  }

  /** The moves that go on from the squares chosen so far. */
  candidates() {
    const begun = this.path.join('');
    return begun ? this.legal.filter((move) => move.squares.startsWith(begun) && move.squares !== begun) : [];
  }

  /** The squares to which the chosen piece can go: the next on the way, and the last. */
  targets() {
    const ends = this.candidates().flatMap((move) => {
      const squares = squaresOf(move.squares);
      return [squares[this.path.length], squares.at(-1)];
    });
    return [...new Set(ends)];
  }

  /** A square is chosen: as the piece to move, as the next step, or as the end of a move. */
  choose(square) {
    if (this.put) return this.put(square);
    const ways = this.candidates();
    const ends = ways.filter((move) => move.squares.endsWith(square));
    const steps = ways.filter((move) => squaresOf(move.squares)[this.path.length] === square);
    if (ends.length === 1) return this.finish(ends[0].name);
    if (steps.length === 1 && ends.length === 0) {
      this.path.push(square);
    } else if (steps.length > 0) {
      this.path.push(square);
      const whole = steps.find((move) => move.squares === this.path.join(''));
      if (whole) return this.finish(whole.name);
      announce('There are several ways: choose the next square.');
    } else if (this.legal.some((move) => move.squares.startsWith(square))) {
      this.path = this.path[0] === square ? [] : [square];
    } else if (this.path.length > 0 && this.path[0] !== square) {
      const text = this.path.join('') + square;
      this.path = [];
      this.tried?.(this.game === 'checkers' ? text : text.toLowerCase());
    } else {
      // Not a piece that can move: the referee says why at the second square.
      this.path = this.legal.length > 0 && this.rows[placeOf(square)] !== '.' && this.path[0] !== square ? [square] : [];
    }
    this.draw();
    if (this.path.length > 0) announce(`${this.path.join(' ')}: ${this.targets().join(', ') || 'no move'}`);
  }

  finish(name) {
    // Until the move is answered there is nothing to choose.
    Object.assign(this, { path: [], legal: [] });
    this.draw();
    this.play?.(name);
  }

  squareUnder(event) {
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    const place = row * 8 + column;
    return squareOf(this.flipped ? 63 - place : place);
  }

  pressed(event) {
    if (!(this.play || this.put) || event.button > 0) return;
    const square = this.squareUnder(event);
    if (!square) return;
    const movable = this.legal.some((move) => move.squares.startsWith(square));
    if (!this.put && movable && !this.targets().includes(square)) {
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
      const again = this.path[0] === square;
      this.path = [square];
      this.draw();
      this.dragged = { square, again, from: [event.clientX, event.clientY] };
      this.svg.setPointerCapture(event.pointerId);
    } else {
      this.dragged = { square, press: true };
    }
  }

  moved(event) {
    if (!this.dragged?.from) return;
    const box = this.svg.getBoundingClientRect();
    const scale = 800 / box.width;
    const [dx, dy] = [event.clientX - this.dragged.from[0], event.clientY - this.dragged.from[1]];
    if (Math.hypot(dx, dy) < 5 && !this.dragged.going) return;
    this.dragged.going = true;
    const piece = this.svg.querySelector(`[data-place="${placeOf(this.dragged.square)}"]`);
    const [x, y] = this.at(placeOf(this.dragged.square));
    piece?.setAttribute('transform', `translate(${x + dx * scale} ${y + dy * scale})`);
    piece?.parentNode.append(piece);
    piece?.classList.add('dragged');
  }

  released(event) {
    const dragged = this.dragged;
    this.dragged = null;
    if (!dragged) return;
    const square = this.squareUnder(event);
    if (dragged.press) {
      if (square === dragged.square) this.choose(square);
    } else if (dragged.going && square && square !== dragged.square) {
      this.choose(square);
    } else {
      if (dragged.again) this.path = [];
      this.draw();
    }
  }

  drop() {
    this.dragged = null;
    this.draw();
  }

  /** Arrow keys walk over the board, Enter chooses. */
  key(event) {
    if (!(this.play || this.put)) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === 'Escape') {
      this.path = [];
      this.draw();
    } else if (steps[event.key]) {
      const way = this.flipped ? -1 : 1;
      const place = placeOf(this.cursor ?? 'A1');
      const clamp = (value) => Math.max(0, Math.min(7, value));
      const column = clamp((place % 8) + way * steps[event.key][0] * (this.cursor ? 1 : 0));
      const row = clamp(Math.floor(place / 8) + way * steps[event.key][1] * (this.cursor ? 1 : 0));
      this.showCursor(squareOf(row * 8 + column));
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.choose(this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  showCursor(square) {
    this.cursor = square;
    if (this.rows) this.draw();
    if (!square) return;
    const piece = pieceOf(this.game, this.rows[placeOf(square)]);
    const there = piece ? `${this.sides?.[piece.side] ?? piece.side} ${piece.kind}` : 'empty';
    announce(`${square}, ${there}`);
  }
}
