// Stepping through the turns of a game: by buttons, by keys, and automatically.

const PACES = [['real', 'real pace'], ['250', '¼ s a move'], ['500', '½ s a move'], ['1000', '1 s a move'], ['2000', '2 s a move']];

/**
 * What every replay has. One of a kind of game shows a turn by `go(turn)`, lists them in `moves` and `entries`, knows
 * the time limit of a turn as `limit(turn)`, and has colours: `colourOf(turn)`, and `seats()` with a name and a colour
 * each.
 */
class Turns {
  /** `turned(turn)` is called with the shown turn. */
  constructor(game, turned = () => {}) {
    Object.assign(this, { game, turned, turn: 0, timer: null, pace: 'real', charts: [] });
  }

  get last() { return this.game.turns.length; }

  /** The buttons; `shown` is what is gone through, such as `position`. */
  controls(shown, ...more) {
    this.playButton = iconButton('play', 'Play (space)', () => this.toggle());
    this.playButton.classList.add('primary');
    return h('div', { class: 'controls' },
      iconButton('first', `First ${shown} (Home)`, () => this.go(0)),
      iconButton('back', 'One turn back (left arrow)', () => this.go(this.turn - 1)),
      this.playButton,
      iconButton('next', 'One turn forward (right arrow)', () => this.go(this.turn + 1)),
      iconButton('last', `Last ${shown} (End)`, () => this.go(this.last)),
      more,
      select('Pace', PACES, this.pace, (pace) => { this.pace = pace; }));
  }

  /** Marks the shown turn in the list, and scrolls to it. */
  mark() {
    this.entries.forEach((entry, index) => {
      const button = entry.firstChild;
      if (index === this.turn) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    });
    const chosen = this.entries[this.turn];
    const { moves } = this;
    // The list is positioned, so that its entries know their offsets within it.
    moves.scrollTop = chosen.offsetTop - (moves.clientHeight - chosen.offsetHeight) / 2;
  }

  /** A graph with its title and the colours of the players. */
  graph(title, box) {
    this.charts.push(box);
    const swatches = this.seats().map(({ colour, name }) => h('span', {}, h('i', { class: `swatch ${colour}` }), name));
    return h('figure', {}, h('figcaption', {}, title, swatches), box);
  }

  /** The time of each turn; nothing if the game has no times. */
  timeGraph() {
    const timed = this.game.turns.map((turn, index) => ({ turn: index + 1, value: turn.us, limit: this.limit(turn), side: this.colourOf(turn) }));
    const asked = timed.filter(({ value }) => value > 0);
    return asked.length > 0 && this.graph(h('span', {}, 'Time of each turn, against its limit (logarithmic)'), turnChart('Time of each turn', this.last, asked,
      { kind: 'log', shown: time, jump: (turn) => this.go(turn) }));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.turn === this.last) this.go(0);
    this.playButton.replaceChildren(icon('pause'));
    this.playButton.setAttribute('aria-label', 'Pause (space)');
    this.step();
  }

  step() {
    const next = this.game.turns[this.turn];
    const real = Math.max(40, Math.min(10000, (next?.us ?? 300000) / 1000));
    this.timer = setTimeout(() => {
      this.go(this.turn + 1);
      if (this.timer) this.step();
    }, this.pace === 'real' ? real : Number(this.pace));
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playButton.replaceChildren(icon('play'));
    this.playButton.setAttribute('aria-label', 'Play (space)');
  }

  /** Called when the page is left. */
  close() { this.stop(); }

  /** The keys of a replay; whether this was one. */
  key(event) {
    const keys = {
      ArrowLeft: () => this.go(this.turn - 1), ArrowRight: () => this.go(this.turn + 1),
      Home: () => this.go(0), End: () => this.go(this.last), ' ': () => this.toggle(),
    };
    const act = keys[event.key];
    if (!act) return false;
    if (event.key !== ' ') this.stop();
    act();
    return true;
  }
}
