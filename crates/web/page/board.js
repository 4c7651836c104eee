// The board of all games, drawn as SVG. People move by clicks, by dragging, or by keys.

/** The side of a square, and the room for coordinates beside a board whose squares are too small to hold them. */
const CELL = 100;
const MARGIN = 60;
/** The most columns or rows of a board with coordinates inside its squares. */
const ROOMY = 10;

class Board {
  /**
   * `options`: variant; `play(name)` and `tried(text)` for a board on which moves are made.
   */
  constructor(options) {
    Object.assign(this, { marks: [], arrows: [] }, options);
    const { variant } = this;
    this.choice = new Choice();
    this.flipped = false;
    this.cursor = null;
    this.margin = Math.max(variant.columns, variant.rows) > ROOMY ? MARGIN : 0;
    this.across = variant.columns * CELL + this.margin;
    this.down = variant.rows * CELL + this.margin;
    this.svg = s('svg', {
      class: 'board', viewBox: `${-this.margin} 0 ${this.across} ${this.down}`, role: 'img', 'aria-label': 'The board',
      pointerdown: (event) => this.pressed(event), pointermove: (event) => this.moved(event),
      pointerup: (event) => this.released(event), pointercancel: () => this.drop(),
      keydown: (event) => this.key(event), blur: () => this.showCursor(null),
    });
    const frame = h('div', { class: `board-frame ${variant.ground}`, css: { '--across': this.across, '--down': this.down } }, this.svg);
    this.choices = h('div', { class: 'choices', role: 'group', 'aria-label': 'Moves by name' });
    this.element = h('div', { class: 'board-box' }, frame, this.choices);
    if (this.play) {
      this.svg.setAttribute('tabindex', '0');
      this.svg.setAttribute('role', 'application');
    }
  }

  /** Shows these rows; `marks` are the squares of the last move, `legal` the moves that can be made. */
  show(rows, { marks = [], legal = [], arrows = [] } = {}) {
    Object.assign(this, { rows, marks, arrows, choice: new Choice(legal) });
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** The side at the bottom. */
  get below() { return this.flipped ? otherSide(this.variant.sides, this.variant.bottom) : this.variant.bottom; }

  /** If row 1 is on top, lines are swapped; flipping also swaps columns. */
  get isMirrored() { return this.flipped !== this.variant.row_1_on_top; }

  /** The square shown in this column and line, from the upper left. The mapping is its own inverse. */
  turned(column, line) {
    const { columns, rows } = this.variant;
    return (this.isMirrored ? rows - 1 - line : line) * columns + (this.flipped ? columns - 1 - column : column);
  }

  /** The upper left corner of a place. */
  at(place) {
    const { columns } = this.variant;
    const seen = this.turned(place % columns, Math.floor(place / columns));
    return [(seen % columns) * CELL, Math.floor(seen / columns) * CELL];
  }

  atSquare(square) { return this.at(this.variant.placeOf(square)); }

  draw() {
    const { variant, choice } = this;
    const parts = [];
    const places = Array.from({ length: variant.size }, (_, place) => place);
    for (const place of places) {
      const [x, y] = this.at(place);
      parts.push(s('rect', { class: `square ${variant.shadeOf(place)}`, x, y, width: CELL, height: CELL, 'data-square': variant.squareOf(place) }));
    }
    this.marks.forEach((square, step) => {
      const [x, y] = this.atSquare(square);
      const name = step === this.marks.length - 1 ? 'mark end' : 'mark';
      parts.push(s('rect', { class: name, x, y, width: CELL, height: CELL }));
    });
    parts.push(...this.coordinates());
    for (const square of choice.path) parts.push(this.outline(square, 'chosen'));
    parts.push(...places.map((place) => this.piece(place)).filter(Boolean));
    for (const square of choice.targets()) {
      const place = variant.placeOf(square);
      parts.push(this.rows[place] === '.' ? this.circle(place, 'target', 15) : this.circle(place, 'target taken', 44));
    }
    for (const arrow of this.arrows) parts.push(this.arrow(arrow));
    if (this.cursor) parts.push(this.outline(this.cursor, 'cursor'));
    this.svg.replaceChildren(...parts.filter(Boolean));
    this.svg.setAttribute('aria-label', this.describe());
    this.showChoices();
  }

  /** Buttons for moves by name. Existing buttons stay, because one may be pressed just now. */
  showChoices() {
    const names = this.choice.options.map(({ name }) => name);
    const shown = [...this.choices.children].map((button) => button.textContent);
    if (names.join() === shown.join()) return;
    this.choices.replaceChildren(...names.map((name) => h('button', { type: 'button', click: () => this.finish(name) }, name)));
  }

  circle(place, name, r) {
    const [x, y] = this.at(place);
    return s('circle', { class: name, cx: x + CELL / 2, cy: y + CELL / 2, r });
  }

  /** The piece on a square. */
  piece(place) {
    const piece = this.variant.pieceOf(this.rows[place]);
    if (!piece) return null;
    const drawn = drawPiece(this.variant.sides, piece);
    drawn.setAttribute('transform', `translate(${this.at(place)})`);
    drawn.dataset.place = place;
    if (this.choice.canMove(this.variant.squareOf(place))) drawn.classList.add('free');
    return drawn;
  }

  outline(square, name) {
    const [x, y] = this.atSquare(square);
    return s('rect', { class: name, x: x + 3, y: y + 3, width: 94, height: 94 });
  }

  /** The path of a move. */
  arrow({ squares, rank }) {
    const points = squares.map((square) => this.atSquare(square).map((side) => side + 50));
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const way = Math.atan2(y2 - y1, x2 - x1);
    const turn = (way * 180) / Math.PI;
    // The line ends within the head, whose tip is the end.
    points.splice(-1, 1, [x2 - 20 * Math.cos(way), y2 - 20 * Math.sin(way)]);
    return s('g', { class: `arrow rank${rank}` },
      s('polyline', { points: points.join(' ') }),
      s('path', { d: 'M-30 -22 4 0 -30 22z', transform: `translate(${x2} ${y2}) rotate(${turn})` }));
  }

  /** The columns below and the rows at the left: in the squares, or beside them where these are small. */
  coordinates() {
    const { variant, margin } = this;
    const { columns, rows } = variant;
    const bottom = this.down - margin;
    const font = margin * 0.65;
    const text = (place, more, told) => s('text', { class: `coordinate on-${margin ? 'page' : variant.shadeOf(place)}`, ...more }, told);
    const css = margin ? { 'font-size': `${font}px` } : {};
    const texts = [];
    for (let column = 0; column < columns; column += 1) {
      const place = this.turned(column, rows - 1);
      const [x] = this.at(place);
      const at = margin ? { x: x + 50, y: bottom + margin * 0.75, 'text-anchor': 'middle', css } : { x: x + 92, y: bottom - 6, 'text-anchor': 'end' };
      texts.push(text(place, at, variant.files[place % columns]));
    }
    for (let line = 0; line < rows; line += 1) {
      const place = this.turned(0, line);
      const [, y] = this.at(place);
      const at = margin ? { x: -margin / 8, y: y + 50 + font / 3, 'text-anchor': 'end', css } : { x: 6, y: y + 22 };
      texts.push(text(place, at, String(rows - Math.floor(place / columns))));
    }
    return texts;
  }

  /** The position in words, for people who cannot see it. */
  describe() {
    const { variant } = this;
    const pieces = Object.fromEntries(variant.sides.map((side) => [side, []]));
    [...this.rows].forEach((letter, place) => {
      const piece = variant.pieceOf(letter);
      pieces[piece?.side]?.push(`${piece.name} ${variant.spelled(variant.squareOf(place))}`);
    });
    const list = (side) => `${side}: ${pieces[side].join(', ') || 'nothing'}`;
    return `The board. ${variant.sides.map(list).join('. ')}.`;
  }

  /** A square is chosen: as the piece to move, as the next step, or as the end of a move. */
  choose(square) {
    const { choice, variant } = this;
    const { play, tried, say } = choice.choose(square, this.rows[variant.placeOf(square)] === '.');
    if (play !== undefined) return this.finish(play);
    if (tried) this.tried?.(variant.spelledAll(tried).join(''));
    this.draw();
    const { path } = choice;
    if (say) announce(say);
    else if (path.length) announce(`${variant.spelledAll(path).join(' ')}: ${variant.spelledAll(choice.targets()).join(', ') || 'no move'}`);
  }

  finish(name) {
    // There is nothing to choose until the move is confirmed.
    this.choice = new Choice();
    this.draw();
    this.play?.(name);
  }

  squareUnder(event) {
    const { columns, rows } = this.variant;
    const box = this.svg.getBoundingClientRect();
    const column = Math.floor((((event.clientX - box.left) / box.width) * this.across - this.margin) / CELL);
    const row = Math.floor((((event.clientY - box.top) / box.height) * this.down) / CELL);
    if (column < 0 || column >= columns || row < 0 || row >= rows) return null;
    return this.variant.squareOf(this.turned(column, row));
  }

  pressed(event) {
    if (!this.play || event.button > 0) return;
    const square = this.squareUnder(event);
    if (!square) return;
    const { choice } = this;
    if (choice.canMove(square) && !choice.targets().includes(square)) {
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
      const again = choice.path[0] === square;
      choice.clear();
      choice.path = [square];
      this.draw();
      this.dragged = { square, again, from: [event.clientX, event.clientY] };
      this.svg.setPointerCapture(event.pointerId);
    } else {
      this.dragged = { square, press: true };
    }
  }

  moved(event) {
    if (!this.dragged?.from) return;
    const scale = this.across / this.svg.getBoundingClientRect().width;
    const [dx, dy] = [event.clientX - this.dragged.from[0], event.clientY - this.dragged.from[1]];
    if (Math.hypot(dx, dy) < 5 && !this.dragged.going) return;
    this.dragged.going = true;
    const place = this.variant.placeOf(this.dragged.square);
    const piece = this.svg.querySelector(`[data-place="${place}"]`);
    const [x, y] = this.at(place);
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
      if (dragged.again) this.choice.clear();
      this.draw();
    }
  }

  drop() {
    this.dragged = null;
    this.draw();
  }

  /** Arrow keys move the cursor over the board, Enter chooses. */
  key(event) {
    if (!this.play) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === 'Escape') {
      this.choice.clear();
      this.draw();
    } else if (steps[event.key]) {
      this.walk(steps[event.key]);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.choose(this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The first step shows where the cursor is. */
  walk([right, down]) {
    const { columns, rows } = this.variant;
    const step = this.cursor ? 1 : 0;
    const place = this.variant.placeOf(this.cursor ?? 'A1');
    const within = (value, most) => Math.max(0, Math.min(most - 1, value));
    const column = within((place % columns) + (this.flipped ? -step : step) * right, columns);
    const row = within(Math.floor(place / columns) + (this.isMirrored ? -step : step) * down, rows);
    this.showCursor(this.variant.squareOf(row * columns + column));
  }

  showCursor(square) {
    this.cursor = square;
    if (this.rows) this.draw();
    if (!square) return;
    const piece = this.variant.pieceOf(this.rows[this.variant.placeOf(square)]);
    announce(`${this.variant.spelled(square)}, ${piece ? this.variant.describePiece(piece) : 'empty'}`);
  }
}
