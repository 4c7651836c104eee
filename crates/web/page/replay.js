// Replay: a recorded game with its board, moves, graphs and the bots' words.

class Replay extends Turns {
  constructor(game, variant, turned) {
    super(game, turned);
    this.variant = variant;
    this.rows = [game.start.rows];
    for (const { set } of game.turns) this.rows.push(set === undefined ? this.rows.at(-1) : variant.after(this.rows.at(-1), set));
    this.board = new Board({ variant });
    this.element = h('div', { class: 'replay' },
      h('section', { class: 'stage', 'aria-label': 'Board' },
        this.player('top'), this.board.element, this.player('bottom'), this.controls('position', iconButton('flip', 'Flip the board (f)', () => this.flip()))),
      h('section', { class: 'aside', 'aria-label': 'Moves' },
        this.detail = h('div', { class: 'detail', 'aria-live': 'polite' }),
        this.list()),
      h('section', { class: 'graphs', 'aria-label': 'Graphs' }, this.timeGraph()),
      (this.analysis = new GameAnalysis(this, (analysis) => this.judge(analysis))).element);
    this.mistakes = new Map();
    this.analysis.begin();
    this.names();
  }

  flip() {
    this.board.flip();
    this.names();
  }

  player(place) {
    this[place] = h('div', { class: 'player' });
    return this[place];
  }

  /** Names the players above and below the board, each on its side. */
  names() {
    const { game } = this;
    const { below } = this.board;
    for (const [place, side] of [['bottom', below], ['top', otherSide(game.sides, below)]]) {
      const won = game.result === side;
      this[place].replaceChildren(sideName(game.sides, side), h('b', { class: 'name' }, playerOf(game, side).name),
        h('span', { class: `points ${won ? 'won' : ''}` }, points(game.result, side)));
    }
  }

  list() {
    const opening = this.game.opening.length;
    this.entries = this.game.turns.map((turn, index) => {
      const side = turn.side ?? turn.asked;
      const name = turn.move ?? turn.reply?.slice(0, 24) ?? 'no answer';
      const fault = this.game.fault !== null && index === this.last - 1;
      const kind = `${index < opening ? 'opening' : ''} ${fault ? 'fault' : ''}`;
      return h('li', {}, h('button', {
        type: 'button', class: `turn ${kind}`, 'aria-label': `Turn ${index + 1}, ${side}: ${name}`,
        click: () => this.go(index + 1),
      }, h('span', { class: 'number' }, index + 1), sideDot(this.game.sides, side), h('span', { class: 'move' }, name)));
    });
    const start = h('li', {}, h('button', { type: 'button', class: 'turn start', click: () => this.go(0) },
      h('span', { class: 'number' }, 0), h('span', { class: 'move' }, 'start')));
    this.entries.unshift(start);
    this.moves = h('ol', { class: 'moves', 'aria-label': 'All turns' }, this.entries);
    return this.moves;
  }

  /** The colour class of the asked side. */
  colourOf(turn) { return colourClass(this.game.sides, turn.side ?? turn.asked); }

  seats() { return this.game.sides.map((side) => ({ colour: colourClass(this.game.sides, side), name: side })); }

  /** Marks the mistakes that an analysis found in the list of turns. */
  judge({ mistakes }) {
    this.mistakes = new Map(mistakes.map((mistake) => [mistake.turn, mistake]));
    for (const { turn, judgement, better } of mistakes) {
      const button = this.entries[turn].firstChild;
      button.append(h('b', { class: `glyph ${judgement}`, 'aria-hidden': 'true' }, GLYPHS[judgement]));
      button.setAttribute('aria-label', `${button.getAttribute('aria-label')}, ${judgement}`);
      button.title = `${judgement}; better ${better.join(' ')}`;
    }
    if (this.mistakes.has(this.turn)) this.go(this.turn, true);
  }

  /** Called when the page is left. */
  close() {
    super.close();
    this.analysis.close();
  }

  /** The analysis of the shown turn. */
  judged() {
    const mistake = this.mistakes.get(this.turn);
    return mistake && h('p', { class: 'judged' }, h('b', { class: mistake.judgement },
      `${mistake.judgement[0].toUpperCase()}${mistake.judgement.slice(1)} ${GLYPHS[mistake.judgement]}`), ` ${betterText(mistake)}`);
  }

  /** Shows the position after this many turns. */
  go(turn, quiet = false) {
    const { game } = this;
    this.turn = Math.max(0, Math.min(this.last, turn));
    const played = game.turns[this.turn - 1];
    this.board.show(this.rows[this.turn], { marks: played?.squares });
    this.mark();
    for (const box of this.charts) box.at(this.turn);
    this.detail.replaceChildren(...[this.describe(played)].flat(3).filter(Boolean));
    if (this.turn === this.last) this.stop();
    if (!quiet) this.turned(this.turn);
  }

  describe(turn) {
    const { game } = this;
    const ended = this.turn === this.last;
    if (!turn) {
      const before = game.players.map((player) =>
        recordedWords(`${player.name} wrote before its first turn`, player.stderr_before));
      return [h('h2', {}, 'The start'), h('p', {}, sideName(game.sides, game.start.side), ' moves first.'),
        ended && this.verdict(), before];
    }
    const side = turn.side ?? turn.asked;
    const { name } = playerOf(game, side);
    const limit = this.limit(turn);
    const title = h('h2', {}, `Turn ${this.turn}: `, turn.move ? h('span', { class: 'move' }, turn.move) : 'no move');
    if (this.turn <= game.opening.length) return [title, h('p', {}, sideName(game.sides, side), ' played this move as part of the opening.')];
    const share = Math.min(1, turn.us / limit);
    const facts = [
      turn.us !== undefined && ['Time', h('span', {}, `${time(turn.us)} of ${time(limit)} `, h('span', { class: 'meter', 'aria-hidden': 'true' },
        h('i', { class: turn.us > limit ? 'over' : '', css: { width: `${100 * share}%` } })))],
      turn.work_us !== undefined && ['Processor time', time(turn.work_us)],
      turn.asked && turn.reply && ['Reply', h('code', {}, turn.reply)],
      ...saidText(turn.said),
    ].filter(Boolean);
    const later = ended ? game.players.map((player) =>
      recordedWords(`${player.name} wrote after the game`, player.stderr_after)) : [];
    return [title, h('p', {}, sideName(game.sides, side), ` ${name}`), this.judged(),
      ended && this.verdict(),
      h('dl', { class: 'facts' }, facts.map(([fact, value]) => [h('dt', {}, fact), h('dd', {}, value)])),
      recordedWords(`${name} wrote`, turn.stderr), later];
  }

  /** How long the bot could think in a turn: the first of each side may have another limit. */
  limit(turn) {
    const side = turn.side ?? turn.asked;
    const first = this.game.turns.slice(this.game.opening.length).find((other) => (other.side ?? other.asked) === side);
    return turn === first ? this.game.limits.first_turn_us : this.game.limits.turn_us;
  }

  verdict() {
    const { game } = this;
    return h('p', { class: game.fault !== null ? 'verdict fault' : 'verdict' },
      'The game ends here: ', h('b', {}, terminationName(game.termination)), '.');
  }

  key(event) {
    if (event.key !== 'f') return super.key(event);
    this.flip();
    return true;
  }
}
