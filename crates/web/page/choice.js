// From clicks to moves: the chosen squares, and the legal moves that they mean.

const beginsWith = (squares, path) => path.every((square, step) => squares[step] === square);

class Choice {
  /** `legal` are moves with their names and squares. */
  constructor(legal = []) {
    Object.assign(this, { legal, path: [], options: [] });
  }

  /** The moves that go on from the squares chosen so far. */
  candidates() {
    const { path } = this;
    return path.length ? this.legal.filter(({ squares }) => squares.length > path.length && beginsWith(squares, path)) : [];
  }

  /** Whether a piece on this square can be moved to another one. */
  canMove(square) {
    return this.legal.some(({ squares }) => squares.length > 1 && squares[0] === square);
  }

  /** The squares where a click means something: the next and the last of a path. */
  targets() {
    return [...new Set(this.candidates().flatMap(({ squares }) => [squares[this.path.length], squares.at(-1)]))];
  }

  clear() {
    this.path = [];
    this.options = [];
  }

  /** Chooses a square. Returns `{ play }` (a move's name), `{ tried }` (squares of no move) or `{ say }` (a hint). */
  choose(square, isEmpty) {
    this.options = [];
    if (this.legal.length === 0) return {};
    if (this.path.length) return this.goOn(square);
    // If the piece cannot move, the referee says why at the second square.
    if (!isEmpty) this.path = [square];
    return {};
  }

  goOn(square) {
    const { path } = this;
    const whole = this.legal.filter(({ squares }) => squares.length === path.length && beginsWith(squares, path));
    if (square === path.at(-1) && whole.length) return this.decide(whole);
    const ways = this.candidates();
    const ends = ways.filter(({ squares }) => squares.at(-1) === square);
    const steps = ways.filter(({ squares }) => squares[path.length] === square);
    const isOne = ends.length && ends.every(({ squares }) => squares.join() === ends[0].squares.join());
    if (isOne) return this.decide(ends);
    if (steps.length) {
      path.push(square);
      const done = steps.filter(({ squares }) => squares.length === path.length);
      if (done.length) return this.decide(done);
      return steps.length > 1 ? { say: 'Several moves go this way: choose the next square.' } : {};
    }
    if (ends.length) return { say: 'Several moves lead there: choose the next square.' };
    if (this.legal.some(({ squares }) => squares[0] === square) || square === path[0]) {
      this.path = square === path[0] ? [] : [square];
      return {};
    }
    this.path = [];
    return { tried: [...path, square] };
  }

  /** Plays a single move; among several, one must be chosen by name. */
  decide(moves) {
    this.path = [];
    if (moves.length === 1) return { play: moves[0].name };
    this.options = moves;
    return { say: `Which one: ${moves.map(({ name }) => name).join(', ')}?` };
  }
}
