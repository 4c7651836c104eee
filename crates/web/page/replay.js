// Replay: a recorded game with its board, moves, graphs and the bots' words.

const PACES = [['real', 'real pace'], ['250', '¼ s a move'], ['500', '½ s a move'], ['1000', '1 s a move'], ['2000', '2 s a move']];

class Replay {
  /** `turned(turn)` is called with the turn that is shown. */
  constructor(game, turned = () => {}) {
    Object.assign(this, { game, turned, turn: 0, timer: null });
    this.rows = [game.start.rows];
    for (const { set } of game.turns) this.rows.push(set === undefined ? this.rows.at(-1) : after(this.rows.at(-1), set));
    this.board = new Board({ game: game.game, rowOneOnTop: game.row_1_on_top, sides: game.sides });
    this.element = h('div', { class: 'replay' },
      h('section', { class: 'stage', 'aria-label': 'Board' },
        this.player('top'), this.board.element, this.player('bottom'), this.controls()),
      h('section', { class: 'aside', 'aria-label': 'Moves' },
        this.detail = h('div', { class: 'detail', 'aria-live': 'polite' }),
        this.list()),
      h('section', { class: 'graphs', 'aria-label': 'Graphs' }, this.graphs()));
    this.names();
  }

  get last() { return this.game.turns.length; }

  player(place) {
    this[place] = h('div', { class: 'player' });
    return this[place];
  }

  /** Names the players above and below the board, each on its side. */
  names() {
    const { game } = this;
    const below = this.board.flipped ? 'white' : 'black';
    // Black begins on rows 1 to 3 in draughts, white on rows 1 and 2 in the other games.
    const bottom = game.game === 'checkers' ? below : below === 'black' ? 'white' : 'black';
    for (const [place, side] of [['bottom', bottom], ['top', bottom === 'black' ? 'white' : 'black']]) {
      const won = game.result === side;
      this[place].replaceChildren(sideName(game.sides, side), h('b', { class: 'name' }, game[side].name),
        h('span', { class: `points ${won ? 'won' : ''}` }, points(game.result, side)));
    }
  }

  controls() {
    this.playButton = iconButton('play', 'Play (space)', () => this.toggle());
    this.playButton.classList.add('primary');
    this.pace = 'real';
    return h('div', { class: 'controls' },
      iconButton('first', 'First position (Home)', () => this.go(0)),
      iconButton('back', 'One turn back (left arrow)', () => this.go(this.turn - 1)),
      this.playButton,
      iconButton('next', 'One turn on (right arrow)', () => this.go(this.turn + 1)),
      iconButton('last', 'Last position (End)', () => this.go(this.last)),
      iconButton('flip', 'Flip the board (f)', () => { this.board.flip(); this.names(); }),
      select('Pace', PACES, this.pace, (pace) => { this.pace = pace; }));
  }

  list() {
    const { opening } = this.game;
    this.entries = this.game.turns.map((turn, index) => {
      const side = turn.side ?? turn.asked;
      const name = turn.move ?? (turn.reply === undefined ? 'no answer' : turn.reply.slice(0, 24));
      const fault = this.game.fault && index === this.last - 1;
      const kind = `${index < opening ? 'opening' : ''} ${fault ? 'fault' : ''}`;
      return h('li', {}, h('button', {
        type: 'button', class: `turn ${kind}`, 'aria-label': `Turn ${index + 1}, ${this.game.sides[side]}: ${name}`,
        click: () => this.go(index + 1),
      }, h('span', { class: 'number' }, index + 1), h('i', { class: `dot ${side} ${this.game.sides.white}` }), h('span', { class: 'move' }, name)));
    });
    const start = h('li', {}, h('button', { type: 'button', class: 'turn start', click: () => this.go(0) },
      h('span', { class: 'number' }, 0), h('span', { class: 'move' }, 'start')));
    this.entries.unshift(start);
    this.moves = h('ol', { class: 'moves', 'aria-label': 'All turns' }, this.entries);
    return this.moves;
  }

  graphs() {
    const { game } = this;
    const jump = (turn) => this.go(turn);
    const timed = game.turns.map((turn, index) => ({ turn: index + 1, value: turn.us, side: turn.side ?? turn.asked }));
    const asked = timed.filter(({ value }) => value > 0);
    const scored = game.turns.map((turn, index) => ({ turn: index + 1, value: turn.said?.score, side: turn.side ?? turn.asked }));
    const scores = scored.filter(({ value }) => typeof value === 'number')
      .map((score) => ({ ...score, value: Math.max(-1500, Math.min(1500, score.value)) }));
    this.charts = [];
    const swatches = () => ['black', 'white'].map((side) => h('span', {}, h('i', { class: `swatch ${side}` }), game.sides[side]));
    const add = (title, box) => {
      this.charts.push(box);
      return h('figure', {}, h('figcaption', {}, h('span', {}, title), swatches()), box);
    };
    const names = new Set(game.turns.flatMap(({ said }) => Object.keys(said ?? {}).filter((name) => typeof said[name] === 'number')));
    const others = [...names].filter((name) => name !== 'score').sort();
    return [
      asked.length > 0 && add('Time of each turn, against its limit (logarithmic)', turnChart('Time of each turn', this.last, asked,
        { line: game.turn_us, kind: 'log', shown: time, jump })),
      scores.length > 0 && add('Score, as the bot to move said it', turnChart('Score of each turn', this.last, scores,
        { kind: 'signed', shown: (value) => signed(value), jump })),
      others.length > 0 && this.figureGraph(others, swatches(), jump),
    ];
  }

  /** A graph of one of the figures of these names, which is chosen. */
  figureGraph(names, swatches, jump) {
    const draw = (name) => {
      const values = this.game.turns.map((turn, index) => ({ turn: index + 1, value: turn.said?.[name], side: turn.side ?? turn.asked }))
        .filter(({ value }) => typeof value === 'number');
      const kind = values.some(({ value }) => value < 0) ? 'signed' : null;
      return turnChart(`${name} of each turn`, this.last, values, { kind, shown: (value) => saidText({ [name]: value })[0][1], jump });
    };
    let box = draw(names[0]);
    this.charts.push(box);
    const choose = (name) => {
      const chosen = draw(name);
      this.charts[this.charts.indexOf(box)] = chosen;
      box.replaceWith(chosen);
      box = chosen;
      box.at(this.turn);
    };
    const choice = select('Figure', names.map((name) => [name, name]), names[0], choose);
    return h('figure', {}, h('figcaption', {}, choice, swatches), box);
  }

  /** What was said of the whole game and of the bots in it. */
  figures() {
    const { game } = this;
    const told = [['The game', game.figures], ...['black', 'white'].map((side) => [game[side].name, game[side].figures])];
    const facts = told.filter(([, figures]) => figures).map(([who, figures]) =>
      [h('dt', {}, who), h('dd', {}, saidText(figures).map(([name, value]) => `${name} ${value}`).join(', '))]);
    return facts.length > 0 && h('dl', { class: 'facts' }, facts);
  }

  /** Shows the position after so many turns. */
  go(turn, quiet = false) {
    const { game } = this;
    this.turn = Math.max(0, Math.min(this.last, turn));
    const played = game.turns[this.turn - 1];
    this.board.show(this.rows[this.turn], { marks: squaresOf(played?.squares ?? '') });
    this.entries.forEach((entry, index) => {
      const button = entry.firstChild;
      if (index === this.turn) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    });
    const chosen = this.entries[this.turn];
    const { moves } = this;
    moves.scrollTop = chosen.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    for (const box of this.charts) box.at(this.turn);
    this.detail.replaceChildren(...[this.describe(played)].flat(3).filter(Boolean));
    if (this.turn === this.last) this.stop();
    if (!quiet) this.turned(this.turn);
  }

  describe(turn) {
    const { game } = this;
    const ended = this.turn === this.last;
    if (!turn) {
      const before = ['black', 'white'].map((side) =>
        wordsBox(`${game[side].name} wrote before its first turn`, wordsOf(game[side].stderr_before)));
      return [h('h2', {}, 'The start'), h('p', {}, sideName(game.sides, game.start.side), ' moves first.'),
        ended && this.verdict(), this.figures(), before];
    }
    const side = turn.side ?? turn.asked;
    const name = game[side].name;
    const limit = this.limit(side);
    const title = h('h2', {}, `Turn ${this.turn}: `, turn.move ? h('span', { class: 'move' }, turn.move) : 'no move');
    if (this.turn <= game.opening) return [title, h('p', {}, sideName(game.sides, side), ' played it as the opening has it.')];
    const share = Math.min(1, turn.us / limit);
    const facts = [
      turn.us !== undefined && ['Time', h('span', {}, `${time(turn.us)} of ${time(limit)} `, h('span', { class: 'meter', 'aria-hidden': 'true' },
        h('i', { class: turn.us > limit ? 'over' : '', css: { width: `${100 * share}%` } })))],
      turn.work_us !== undefined && ['Worked', time(turn.work_us)],
      turn.reply !== undefined && ['Answered', h('code', {}, turn.reply)],
      ...saidText(turn.said),
    ].filter(Boolean);
    const later = ended ? ['black', 'white'].map((own) =>
      wordsBox(`${game[own].name} wrote after the game`, wordsOf(game[own].stderr_after))) : [];
    return [title, h('p', {}, sideName(game.sides, side), ` ${name}`),
      ended && this.verdict(),
      h('dl', { class: 'facts' }, facts.map(([fact, value]) => [h('dt', {}, fact), h('dd', {}, value)])),
      ended && this.figures(),
      wordsBox(`${name} wrote`, wordsOf(turn.stderr)), later];
  }

  /** How long a side could think in the turn that is shown: its first one may have another limit. */
  limit(side) {
    const before = this.game.turns.slice(this.game.opening, this.turn - 1);
    const isFirst = !before.some((turn) => (turn.side ?? turn.asked) === side);
    return isFirst ? this.game.first_turn_us : this.game.turn_us;
  }

  verdict() {
    const { game } = this;
    return h('p', { class: game.fault ? 'verdict fault' : 'verdict' },
      'The game ends here: ', h('b', {}, terminationName(game.termination)), '.');
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

  /** The keys of a replay; whether this was one. */
  key(event) {
    const keys = {
      ArrowLeft: () => this.go(this.turn - 1), ArrowRight: () => this.go(this.turn + 1),
      Home: () => this.go(0), End: () => this.go(this.last), ' ': () => this.toggle(),
      f: () => { this.board.flip(); this.names(); },
    };
    const act = keys[event.key];
    if (!act) return false;
    if (event.key !== ' ' && event.key !== 'f') this.stop();
    act();
    return true;
  }
}
