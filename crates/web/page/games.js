// The page of all games, filtered.

const STEP = 100;

function gameRow(game, site) {
  const winner = (side) => (game.result === side ? 'winner' : '');
  return h('tr', { class: game.replayed ? 'past' : '' },
    h('td', { class: 'num' }, h('a', { href: to('', { game: game.id }) }, game.id)),
    h('td', { class: `player-cell ${winner('black')}` }, h('i', { class: 'dot black' }), game.black),
    h('td', { class: `player-cell ${winner('white')}` }, h('i', { class: `dot white ${site.sides.white}` }), game.white),
    h('td', { class: 'num result' }, game.result === null ? '–' : game.result === 'draw' ? '½ : ½' : game.result === 'black' ? '1 : 0' : '0 : 1'),
    h('td', { class: FAULTLESS.includes(game.termination) ? 'mid' : 'mid faults' }, terminationName(game.termination) + (game.replayed ? ', played again' : '')),
    h('td', { class: 'num mid' }, game.turns),
    h('td', { class: 'wide opening' }, game.opening || h('span', { class: 'quiet' }, 'the start')));
}

async function gamesPage(values, promised) {
  const site = await promised;
  const filter = Object.fromEntries(['bot', 'opponent', 'side', 'result', 'termination', 'opening'].map((name) => [name, values[name]]));
  const change = (name) => (value) => { location.hash = to('games', { ...filter, [name]: value }); };
  const bots = (first) => [['', first], ...site.bots.map((bot) => [bot, bot])];
  const results = filter.bot ? [['', 'any'], ['won', 'it won'], ['drawn', 'drawn'], ['lost', 'it lost']]
    : [['', 'any'], ['black', `${site.sides.black} won`], ['draw', 'drawn'], ['white', `${site.sides.white} won`]];
  const form = h('form', { class: 'filters', role: 'search', 'aria-label': 'Which games', submit: (event) => event.preventDefault() },
    select('Bot', bots('any'), filter.bot ?? '', change('bot')),
    filter.bot && select('Against', bots('anybody'), filter.opponent ?? '', change('opponent')),
    filter.bot && select('It played', [['', 'either side'], ['black', site.sides.black], ['white', site.sides.white]], filter.side ?? '', change('side')),
    select('Result', results, filter.result ?? '', change('result')),
    select('Ended by', [['', 'anything'], ['fault', 'a fault'], ...Object.entries(TERMINATIONS)], filter.termination ?? '', change('termination')),
    h('label', { class: 'field' }, h('span', {}, 'Opening'), h('input', {
      type: 'search', value: filter.opening ?? '', placeholder: 'A3B4 B6A5, or -', title: 'The moves of an opening, or - for the start', change: (event) => change('opening')(event.target.value.trim()),
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
  const columns = [['Game', 'num'], [sideName(site.sides, 'black'), ''], [sideName(site.sides, 'white'), ''], ['Result', 'num'], ['Ended by', 'mid'], ['Turns', 'num mid'], ['Opening', 'wide']];
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
