// Live: the games under way, side by side, and how far the run is.

/** The progress of a run: "29 of 60 games", and its sequential test. */
function runProgress({ unit, done, all, sprt }) {
  const count = h('p', {}, h('b', {}, `${whole(done)} of ${sprt ? 'at most ' : ''}${whole(all)}`), ` ${unit}`);
  const bar = h('progress', { max: Math.max(all, 1), value: done, 'aria-label': `${unit} played` });
  return sprt ? [count, sprtBox(sprt)] : [count, bar];
}

/** The likelihood ratio between its bounds. */
function sprtBox({ bots: [one, other], elo: [low, high], ratio, bounds: [lower, upper] }) {
  const share = Math.min(Math.max((ratio - lower) / (upper - lower), 0), 1);
  const shown = ratio.toFixed(2).replace('-', '−');
  const [from, to] = [lower, upper].map((bound) => bound.toFixed(2).replace('-', '−'));
  return h('section', { class: 'sprt', 'aria-label': 'Sequential test' },
    h('h2', {}, `Is ${one} better than ${other}?`),
    h('div', { class: 'ratio', role: 'meter', 'aria-label': 'Log likelihood ratio', 'aria-valuemin': lower, 'aria-valuemax': upper, 'aria-valuenow': ratio, 'aria-valuetext': `${shown} between ${from} and ${to}` },
      h('i', { css: { '--share': share, '--zero': -lower / (upper - lower) } })),
    h('div', { class: 'ends', 'aria-hidden': 'true' }, h('span', {}, `${from} not better`), h('b', {}, shown), h('span', {}, `better ${to}`)),
    h('dl', { class: 'facts' },
      h('dt', {}, 'Hypotheses'), h('dd', {}, `${signed(low)} against ${signed(high)} Elo`)));
}

/** A game under way: its board between its players. Only changes are redrawn. */
class LiveCard {
  constructor(variant, game) {
    this.board = new Board({ variant });
    this.players = [0, 1].map(() => h('p', { class: 'live-player' }));
    const below = variant.sides.indexOf(variant.bottom);
    const title = `${game.players[0].name} against ${game.players[1].name}`;
    this.turn = h('p', { class: 'quiet' });
    this.element = h('li', { class: 'live-game', 'aria-label': title },
      this.players[1 - below], this.board.element, this.players[below], this.turn);
  }

  show(game, sides) {
    if (game.turn !== this.shown) this.board.show(game.rows, { marks: game.last_move });
    this.shown = game.turn;
    game.players.forEach(({ name, last_us: last, used_us: used }, player) => {
      const isMover = player === game.mover;
      this.players[player].classList.toggle('mover', isMover);
      this.players[player].replaceChildren(sideDot(sides, sides[player]), h('b', { title: name }, name),
        h('span', { class: 'clock', title: 'The last reply, and the sum of all' }, isMover ? `thinks ${time(game.since_us)}` : time(last), h('span', { class: 'quiet' }, ` / ${time(used)}`)));
    });
    this.turn.textContent = `Game ${game.number}, turn ${game.turn}`;
  }
}

async function livePage(values, promised) {
  const site = await promised;
  const variants = new Map(variantsOf(site).map((variant) => [variant.key, variant]));
  const cards = new Map();
  const progress = h('div', { class: 'progress' });
  const list = h('ul', { class: 'live-games', 'aria-label': 'Games under way' });
  const nothing = h('p', { class: 'lone' }, 'Waiting for the server …');
  const what = site.is_external && 'Only the referee knows the board of this game. Its games appear here when they are over.';
  document.title = `${site.title}: live`;
  const draw = ({ runs = [] }) => {
    progress.replaceChildren(...runs.flatMap((run) => runProgress(run.progress)));
    const games = runs.flatMap((run) => run.games).filter((game) => variants.has(keyOf(game)));
    for (const [number, card] of cards) {
      if (games.some((game) => game.number === number)) continue;
      card.element.remove();
      cards.delete(number);
    }
    for (const game of games) {
      const variant = variants.get(keyOf(game));
      if (!cards.has(game.number)) {
        const card = new LiveCard(variant, game);
        cards.set(game.number, card);
        list.append(card.element);
      }
      cards.get(game.number).show(game, variant.sides);
    }
    nothing.hidden = games.length > 0;
    nothing.textContent = runs.length > 0 ? 'No game is under way right now.'
      : 'Nothing is running on this machine. Start “crownhead ladder run”, and its games appear here.';
  };
  const close = follow('live', draw);
  return {
    page: h('article', { class: 'page live-page' }, h('div', { class: 'head' }, h('h1', {}, site.title), what && h('p', { class: 'quiet' }, what)), progress, list, nothing),
    left: close,
  };
}
