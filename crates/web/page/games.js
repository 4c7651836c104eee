// The page of all games, filtered and sorted.

const STEP = 100;

function gameRow(game, site) {
  return h('tr', { class: game.replayed ? 'past' : '' },
    h('td', { class: 'num' }, h('a', { href: to('', { game: game.id }) }, game.id)),
    site.is_external ? refereeRow(game) : boardRow(game, site),
    h('td', { class: FAULTLESS.includes(game.termination) ? 'mid' : 'mid faults' }, terminationName(game.termination) + (game.replayed ? ', played again' : '')),
    h('td', { class: 'num mid' }, game.turns),
    h('td', { class: 'wide opening' }, h('a', { href: to('games', { opening: game.opening || '-' }) }, game.opening || 'the start')));
}

/** Who played which side, and the result. */
function boardRow({ players, points: scored }, site) {
  const winner = (seat) => (scored?.[seat] === 1 ? 'winner' : '');
  return [
    h('td', { class: `player-cell ${winner(0)}` }, sideDot(site.sides, site.sides[0]), players[0]),
    h('td', { class: `player-cell ${winner(1)}` }, sideDot(site.sides, site.sides[1]), players[1]),
    h('td', { class: 'num result' }, scored === null ? '–' : scored.map((value) => (value === 0.5 ? '½' : value)).join(' : ')),
  ];
}

/** The possible results, for a bot or by winner; with several players, always for a bot. */
function resultOptions(bot, { sides, players }) {
  const several = players > 2;
  if (bot) return [['', 'any'], ['won', several ? 'came first' : 'won'], ['drawn', several ? 'in between' : 'drawn'], ['lost', several ? 'came last' : 'lost']];
  return several ? [['', 'any']] : [['', 'any'], [sides[0], `${sides[0]} won`], ['draw', 'drawn'], [sides[1], `${sides[1]} won`]];
}

/** The form that chooses the listed games; `changed` gets the choice. */
class GameFilterForm {
  constructor(site, changed) {
    Object.assign(this, { site, changed, fields: {} });
    const several = site.players > 2;
    const seats = several ? Array.from({ length: site.players }, (_, seat) => [String(seat + 1), `seat ${seat + 1}`])
      : site.sides.map((side) => [side, side]);
    const bots = (first) => [['', first], ...site.bots.map((bot) => [bot, bot])];
    const seed = site.is_external;
    this.more = h('details', { class: 'full' }, h('summary', {}, 'More: opening, length'), h('div', { class: 'filters' },
      this.text('opening', seed ? 'Seed' : 'Opening', { placeholder: seed ? 'seed 7' : 'A3B4 B6A5, or -', title: seed ? 'The seed of a game, such as seed 7' : 'The moves of an opening, or - for the start' }),
      this.text('min_turns', 'Turns, at least', { type: 'number', min: 0 }), this.text('max_turns', 'Turns, at most', { type: 'number', min: 0 })));
    this.clear = h('button', { type: 'button', click: () => this.changed({}) }, 'All games');
    this.element = h('form', { class: 'filters', role: 'search', 'aria-label': 'Which games', submit: (event) => event.preventDefault() },
      this.pick('bot', 'Bot', bots('any')), this.pick('opponent', 'Against', bots('anybody')),
      this.pick('side', 'It played', [['', several ? 'any seat' : 'either side'], ...seats]), this.pick('result', 'Result', []),
      this.pick('termination', 'Ended by', [['', 'anything'], ['fault', 'a fault'], ...Object.entries(TERMINATIONS)]), this.clear, this.more);
  }

  pick(name, label, options) {
    const field = select(label, options, '', () => this.change(name));
    this.fields[name] = field.querySelector('select');
    return field;
  }

  text(name, label, more) {
    this.fields[name] = h('input', { type: 'search', ...more, change: () => this.change(name) });
    return h('label', { class: 'field' }, h('span', {}, label), this.fields[name]);
  }

  change(name) {
    const chosen = Object.fromEntries(FILTERS.map((field) => [field, this.fields[field].value.trim()]));
    // Conditions about a bot mean nothing without the bot.
    if (name === 'bot') Object.assign(chosen, { result: '', ...(chosen.bot ? {} : { opponent: '', side: '' }) });
    this.changed(chosen);
  }

  /** Shows the choice. */
  show(filter) {
    const { fields } = this;
    fields.result.replaceChildren(...resultOptions(filter.bot, this.site).map(([value, shown]) => h('option', { value }, shown)));
    for (const name of FILTERS) fields[name].value = filter[name] ?? '';
    for (const name of ['opponent', 'side']) fields[name].disabled = !filter.bot;
    fields.result.disabled = fields.result.children.length === 1;
    if (['opening', 'min_turns', 'max_turns'].some((name) => filter[name])) this.more.open = true;
    this.clear.hidden = !FILTERS.some((name) => filter[name]);
  }
}

async function gamesPage(values, promised) {
  const site = await promised;
  let [all, found, filter, most] = [await allGames(), [], {}, STEP];
  const form = new GameFilterForm(site, (chosen) => { location.hash = to('games', { ...chosen, sort: place().sort }); });
  const count = h('p', { class: 'quiet', role: 'status' });
  const more = h('button', { type: 'button', class: 'more', click: () => {
    most += STEP;
    draw();
  } }, 'Show more');
  const players = site.is_external ? [{ title: 'Players, with points and scores', key: 'first' }]
    : [{ title: sideName(site.sides, site.sides[0]), key: 'first' }, { title: sideName(site.sides, site.sides[1]), key: 'second' }, { title: 'Result', kind: 'num', key: 'result' }];
  const columns = [{ title: 'Game', kind: 'num', key: 'game' }, ...players, { title: 'Ended by', kind: 'mid', key: 'termination' },
    { title: 'Turns', kind: 'num mid', key: 'turns' }, { title: site.is_external ? 'Seed' : 'Opening', kind: 'wide', key: 'opening' }];
  const rows = sortedTable('Games', columns, [], null, { order: '-game', ask: () => list() });
  const draw = () => {
    rows.body.replaceChildren(...found.slice(0, most).map((game) => gameRow(game, site)));
    count.textContent = found.length > 0 ? plural(found.length, 'game')
      : FILTERS.some((name) => filter[name]) ? 'No game matches.' : 'No game has been played yet.';
    rows.element.hidden = found.length === 0;
    more.hidden = found.length <= most;
  };
  const list = () => {
    found = sortGames(all.filter((game) => fits(game, filter, site.sides)), rows.order());
    draw();
  };
  const choose = (told) => {
    filter = Object.fromEntries(FILTERS.map((name) => [name, told[name]]));
    most = STEP;
    form.show(filter);
    list();
  };
  choose(values);
  document.title = `${site.title}: games`;
  return {
    page: h('article', { class: 'page games' }, h('div', { class: 'head' }, h('h1', {}, 'Games'), count), form.element, rows.element, more),
    again(told) {
      if (!told.games || (told.sort ?? '-game') !== rows.order()) return false;
      choose(told);
      return true;
    },
    async news() {
      all = await allGames();
      redraw(list);
    },
  };
}
