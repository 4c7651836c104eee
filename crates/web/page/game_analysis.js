// The analysis of a whole game: the mistakes with the better moves, and how often each bot found the best move. The server makes it, or the game's file has it; this only draws it.

/** The marks of mistakes, as books on chess have them. */
const GLYPHS = { inaccuracy: '?!', mistake: '?', blunder: '??' };
const JUDGEMENTS = Object.keys(GLYPHS);

/** A game's analysis on its page; `show(analysis)` of the replay is called when there is one. */
class GameAnalysis {
  constructor(replay, show) {
    Object.assign(this, { replay, show, running: null });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.body = h('div', { class: 'analysed' });
    this.element = h('section', { class: 'game-analysis', 'aria-label': 'Analysis of the whole game' }, this.heading = h('h2', { tabindex: '-1' }, 'Analysis'), this.body, this.problem);
  }

  /** Draws the analysis in the game's file, or offers to make one. */
  begin() {
    const { game } = this.replay;
    if (game.analysis) this.draw(game.analysis);
    else if (mode !== 'live') this.element.hidden = true;
    else this.body.replaceChildren(h('div', { class: 'controls' },
      h('button', { type: 'button', class: 'primary', click: () => this.start() }, 'Analyse the whole game')));
  }

  async start() {
    const running = new AbortController();
    this.running = running;
    const cancel = h('button', { type: 'button', click: () => this.cancel() }, 'Cancel');
    this.problem.replaceChildren();
    this.body.replaceChildren(h('div', { class: 'controls' }, h('progress', { 'aria-label': 'Searching each position' }), cancel));
    cancel.focus();
    try {
      const analysis = await load(`analysis/${this.replay.game.id}.json`, running.signal);
      if (this.running !== running) return;
      const focused = this.body.contains(document.activeElement);
      this.draw(analysis);
      if (focused) this.heading.focus();
      announce(`Analysis finished: ${plural(analysis.mistakes.length, 'mistake')}.`);
    } catch (error) {
      if (this.running !== running) return;
      this.begin();
      this.problem.replaceChildren(error.message);
    }
  }

  cancel() {
    this.close();
    this.begin();
    this.body.querySelector('button')?.focus();
  }

  /** Stops a running analysis, for example when the page is left. */
  close() {
    this.running?.abort();
    this.running = null;
  }

  draw(analysis) {
    const { replay } = this;
    const { game } = replay;
    const { mistakes } = analysis;
    this.show(analysis);
    const jump = (turn) => replay.go(turn);
    const players = game.sides.map((own, player) => ({ own, player, ...analysis.best[player] }));
    const draw = ({ own, player, found, of: choices }) => {
      const counts = JUDGEMENTS.map((name) => mistakes.filter((mistake) => mistake.player === player && mistake.judgement === name).length);
      return h('tr', {}, h('th', { scope: 'row' }, sideDot(game.sides, own), ' ', game.players[player].name),
        h('td', { class: 'num', title: `${found} of ${plural(choices, 'turn')} with a choice` }, choices ? percent(found / choices, 0) : '–'),
        counts.map((count) => h('td', { class: 'num' }, count)));
    };
    const summary = table('Best moves and mistakes of each bot',
      [{ title: 'bot' }, { title: 'best moves', kind: 'num', help: 'Share of the turns with a choice in which the bot played the best move, or one as good' },
        ...[['inaccuracies', '?!'], ['mistakes', '?'], ['blunders', '??']].map(([name, glyph]) => (
          { title: [glyph, h('span', { class: 'wide' }, ` ${name}`)], kind: 'num', help: name }))], players, draw);
    const list = mistakes.map((mistake) => h('li', {}, h('button', { type: 'button', click: () => jump(mistake.turn) },
      h('span', { class: 'number' }, mistake.turn), sideDot(game.sides, game.sides[mistake.player]),
      h('b', { class: `move ${mistake.judgement}` }, `${mistake.move}${GLYPHS[mistake.judgement]}`),
      h('span', { class: 'quiet' }, betterText(mistake)))));
    this.body.replaceChildren(summary,
      mistakes.length ? h('ol', { class: 'mistakes', 'aria-label': 'Mistakes' }, list) : h('p', { class: 'quiet' }, 'The built-in bot found no mistake.'));
  }
}

/** The better move instead of a mistake, and the scores of both for the player. */
const betterText = ({ better, before, after }) =>
  `${before} to ${after}; better ${better.join(' ')}`.replaceAll(/-(?=\d)/g, '−');
