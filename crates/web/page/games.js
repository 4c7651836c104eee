// The page of all games, filtered.

const STEP = 100;

function gameRow(game, site) {
  return h('tr', { class: game.replayed ? 'past' : '' },
    h('td', { class: 'num' }, h('a', { href: to('', { game: game.id }) }, game.id)),
    site.is_external ? refereeRow(game) : boardRow(game, site),
    h('td', { class: FAULTLESS.includes(game.termination) ? 'mid' : 'mid faults' }, terminationName(game.termination) + (game.replayed ? ', played again' : '')),
    h('td', { class: 'num mid' }, game.turns),
    h('td', { class: 'wide opening' }, game.opening || h('span', { class: 'quiet' }, 'the start')));
}

/** Who played black and white, and the result. */
function boardRow({ players, points: scored }, site) {
  const winner = (seat) => (scored?.[seat] === 1 ? 'winner' : '');
  return [
    h('td', { class: `player-cell ${winner(0)}` }, sideDot(site.sides, 'black'), players[0]),
    h('td', { class: `player-cell ${winner(1)}` }, sideDot(site.sides, 'white'), players[1]),
    h('td', { class: 'num result' }, scored === null ? '–' : scored.map((value) => (value === 0.5 ? '½' : value)).join(' : ')),
  ];
}

async function gamesPage(values, promised) {
  const site = await promised;
  const filter = Object.fromEntries(['bot', 'opponent', 'side', 'result', 'termination', 'opening'].map((name) => [name, values[name]]));
  const change = (name) => (value) => { location.hash = to('games', { ...filter, [name]: value }); };
  const bots = (first) => [['', first], ...site.bots.map((bot) => [bot, bot])];
  const several = site.players > 2;
  const results = filter.bot ? [['', 'any'], ['won', several ? 'it came first' : 'it won'], ['drawn', several ? 'in between' : 'drawn'], ['lost', several ? 'it came last' : 'it lost']]
    : [['', 'any'], ['black', `${site.sides.black} won`], ['draw', 'drawn'], ['white', `${site.sides.white} won`]];
  const seats = several ? Array.from({ length: site.players }, (_, seat) => [String(seat + 1), `seat ${seat + 1}`]) : [['black', site.sides.black], ['white', site.sides.white]];
  const form = h('form', { class: 'filters', role: 'search', 'aria-label': 'Which games', submit: (event) => event.preventDefault() },
    select('Bot', bots('any'), filter.bot ?? '', change('bot')),
    filter.bot && select('Against', bots('anybody'), filter.opponent ?? '', change('opponent')),
    filter.bot && select('It played', [['', several ? 'any seat' : 'either side'], ...seats], filter.side ?? '', change('side')),
    (filter.bot || !several) && select('Result', results, filter.result ?? '', change('result')),
    select('Ended by', [['', 'anything'], ['fault', 'a fault'], ...Object.entries(TERMINATIONS)], filter.termination ?? '', change('termination')),
    h('label', { class: 'field' }, h('span', {}, site.is_external ? 'Seed' : 'Opening'), h('input', {
      type: 'search', value: filter.opening ?? '', placeholder: site.is_external ? 'seed 7' : 'A3B4 B6A5, or -',
      title: site.is_external ? 'The seed of a game, such as seed 7' : 'The moves of an opening, or - for the start', change: (event) => change('opening')(event.target.value.trim()),
    })));
  const [body, count] = [h('tbody'), h('p', { class: 'quiet', role: 'status' })];
  const more = h('button', { type: 'button', class: 'more', click: () => add() }, 'Show more');
  let shown = [];
  const isFiltered = Object.values(filter).some(Boolean);
  const rows = h('div', { class: 'scroll' });
  const tell = (total) => {
    count.textContent = total > 0 ? `${plural(total, 'game')}, the newest first`
      : isFiltered ? 'No game is like that.' : 'No game has been played yet.';
    rows.hidden = total === 0;
  };
  const ask = (extra) => source.games({ ...filter, limit: STEP, ...extra });
  const add = async () => {
    const found = await ask(shown.length ? { before: Math.min(...shown.map((game) => game.id)) } : {});
    shown = [...shown, ...found.games];
    body.append(...found.games.map((game) => gameRow(game, site)));
    tell(found.total);
    more.hidden = shown.length >= found.total || found.games.length === 0;
  };
  await add();
  document.title = `${site.title}: games`;
  const players = site.is_external ? [['Players, with points and scores', '']] : [[sideName(site.sides, 'black'), ''], [sideName(site.sides, 'white'), ''], ['Result', 'num']];
  const columns = [['Game', 'num'], ...players, ['Ended by', 'mid'], ['Turns', 'num mid'], [site.is_external ? 'Seed' : 'Opening', 'wide']];
  rows.append(h('table', { 'aria-label': 'Games' },
    h('thead', {}, h('tr', {}, columns.map(([title, kind]) => h('th', { scope: 'col', class: kind }, title)))), body));
  return {
    page: h('article', { class: 'page games' }, h('div', { class: 'head' }, h('h1', {}, 'Games'), count), form,
      rows, more),
    async news() {
      // New games come on top; what is already shown stays where it is.
      const newest = Math.max(0, ...shown.map((game) => game.id));
      const found = await ask({});
      const fresh = found.games.filter((game) => game.id > newest);
      shown = [...fresh, ...shown];
      body.prepend(...fresh.map((game) => gameRow(game, site)));
      tell(found.total);
    },
  };
}
