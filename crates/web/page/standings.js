// The page of standings: the table, the rating history, who beat whom.

/** Which version of a bot a row is: shown only where the bot has several rows. */
function versionOf(row, rows) {
  const isAlone = rows.filter((other) => other.bot === row.bot).length === 1;
  return row.version && row.version !== 'unknown' && !isAlone ? h('small', { class: 'quiet' }, ` ${row.version.slice(0, 8)}`) : null;
}

const gamesOf = ({ won, drawn, lost }) => won + drawn + lost;
const faultsOf = ({ faults }) => Object.values(faults).reduce((sum, count) => sum + count, 0);

/** The column of bots' names, and a cell of it. */
const NAMES = { title: 'Bot', key: 'bot', value: ({ bot }) => bot };
const nameCell = (row, rows) => h('th', { scope: 'row' }, row.id === null ? row.bot : h('a', { href: to('', { bot: row.id }) }, row.bot), versionOf(row, rows));

function standingsTable({ rows }, several) {
  const isTimed = rows.some(({ time_us: used }) => used > 0);
  const rated = rows.filter((row) => row.pairs > 0);
  const low = Math.min(...rated.map((row) => row.rating - row.margin), 0);
  const high = Math.max(...rated.map((row) => row.rating + row.margin), 0);
  const ofRated = (value) => (row) => (row.pairs > 0 ? value(row) : null);
  const columns = [
    { title: '#', kind: 'num', key: 'rank', value: ({ rank }) => rank }, NAMES,
    { title: 'Rating', kind: 'num', help: 'On the scale of Elo: 400 more means ten points to one', key: 'rating', value: ofRated(({ rating }) => rating) },
    { title: 'Interval', kind: 'bars wide num', help: 'The 95 % interval of the rating', key: 'margin', value: ofRated(({ margin }) => margin) },
    { title: 'Stronger than next', kind: 'num wide', help: 'The chance that it is stronger than the bot below it', key: 'superiority', value: ofRated(({ superiority }) => superiority) },
    { title: 'Score', kind: 'num', key: 'score', value: scoreOf }, { title: 'Games', kind: 'num mid', key: 'games', value: gamesOf },
    { title: several ? 'First, between, last' : 'Won, drawn, lost', kind: 'wide', key: 'won', value: ({ won }) => won },
    { title: 'Faults', kind: 'num mid', help: 'Games lost by its own fault', key: 'faults', value: faultsOf },
    isTimed && { title: 'Time used', kind: 'num wide', key: 'time', value: ({ time_us: used }) => used },
  ].filter(Boolean);
  return table('Standings', columns, rows, (row) => {
    const faults = faultsOf(row);
    const remark = row.disabled ? `disabled: ${row.disabled}` : row.retired ? 'retired' : null;
    const played = row.pairs > 0;
    const below = remark && h('tr', { class: 'below' }, h('td'), h('td', { class: 'remark', colspan: columns.length - 1 }, remark));
    return [h('tr', { class: row.retired || row.current === false ? 'past' : '' },
      h('td', { class: 'num quiet' }, row.rank), nameCell(row, rows),
      h('td', { class: 'num' }, played ? [h('b', {}, signed(row.rating).replace('+', '')), h('span', { class: 'quiet margin' }, ` ±${whole(row.margin)}`)] : '–'),
      h('td', { class: 'bars wide' }, played ? interval(row, low, high) : null),
      h('td', { class: 'num wide' }, played ? likelihood(row.superiority) : '–'),
      h('td', { class: 'num' }, percent(scoreOf(row))),
      h('td', { class: 'num mid' }, whole(gamesOf(row))),
      h('td', { class: 'wide' }, tally(row)),
      h('td', { class: 'num mid' }, faults === 0 ? h('span', { class: 'quiet' }, 0)
        : h('a', { class: 'faults', href: to('games', { bot: row.name, result: 'lost', termination: 'fault' }) }, whole(faults))),
      isTimed && h('td', { class: 'num wide' }, time(row.time_us))), below];
  }, { order: 'rank' });
}

/** The bots of games of several players, by points: no round is whole. */
function pointsTable({ rows }) {
  const columns = [{ title: '#', kind: 'num', key: 'rank', value: ({ rank }) => rank }, NAMES,
    { title: 'Points a game', kind: 'num', help: '1 for leaving all others behind, a half for half of them', key: 'points', value: scoreOf },
    { title: 'Games', kind: 'num', key: 'games', value: gamesOf }, { title: 'First, between, last', key: 'won', value: ({ won }) => won }];
  return table('Standings', columns, rows, (row) => h('tr', { class: row.retired ? 'past' : '' },
    h('td', { class: 'num quiet' }, row.rank), nameCell(row, rows),
    h('td', { class: 'num' }, percent(scoreOf(row))), h('td', { class: 'num' }, whole(gamesOf(row))), h('td', {}, tally(row))), { order: 'rank' });
}

/** Points of each bot against each other, by colour, or its mean places; sorted by those against one bot, or by rank. */
function crosstable({ rows, crosstable: meetings }, { sides, players }) {
  const several = players > 2;
  const bots = rows.filter((row) => row.id !== null);
  const met = new Map(meetings.map((meeting) => [`${meeting.bot} ${meeting.opponent}`, meeting]));
  const half = (score) => score.won + score.drawn / 2;
  const between = (one, other) => {
    const meeting = one === other ? null : met.get(`${one.id} ${other.id}`);
    if (!meeting) return null;
    const [points, games] = [half, gamesOf].map((of) => meeting.by_seat.map(of).reduce((a, b) => a + b));
    return { ...meeting, points, games, share: several ? (players - meeting.mean_place) / (players - 1) : points / games };
  };
  const cell = (one, other) => {
    if (one === other) return h('td', { class: 'self', 'aria-label': 'itself' });
    const meeting = between(one, other);
    if (!meeting) return h('td', { class: 'cell quiet' }, '–');
    const colours = several ? [`finished ahead in ${meeting.points} of ${meeting.games}`] : sides.map((side, seat) => [side, meeting.by_seat[seat]])
      .filter(([, score]) => gamesOf(score) > 0).map(([side, score]) => `as ${side}: ${half(score)} of ${gamesOf(score)}`);
    return h('td', { class: 'cell', css: { '--share': meeting.share } },
      h('a', { href: to('games', { bot: one.name, opponent: other.name }), title: `${one.name} against ${other.name}; ${colours.join(', ')}` },
        h('b', {}, several ? meeting.mean_place.toFixed(2) : meeting.points), h('small', {}, `${several ? 'in' : 'of'} ${meeting.games}`),
        h('span', { class: 'colours' }, several ? null : sides.map((side, seat) => h('span', {}, sideDot(sides, side), half(meeting.by_seat[seat]))))));
  };
  const share = (other) => (one) => between(one, other)?.share ?? null;
  const columns = [{ title: several ? 'Mean place against' : h('span', {}, 'Points', h('span', { class: 'of' }, ' of … against')), key: 'rank', value: ({ rank }) => rank },
    ...bots.map((bot) => ({ title: bot.rank, kind: 'num', help: bot.name, key: String(bot.id), value: share(bot) }))];
  return table('Crosstable', columns, bots, (one) => h('tr', {},
    h('th', { scope: 'row', title: one.name }, h('span', { class: 'quiet' }, one.rank), ' ', h('a', { href: to('', { bot: one.id }) }, one.bot), versionOf(one, rows)),
    bots.map((other) => cell(one, other))), { name: 'cross', order: 'rank', kind: 'cross' });
}

async function standingsPage(values, promised) {
  const [first, site] = await Promise.all([source.standings(), promised]);
  const [title, facts, current, said, now, course, cross] = [h('h1', {}, site.title), h('p', { class: 'quiet' }), h('div'), h('div'), h('div', { class: 'under-way' }), h('div'), h('div')];
  let seen = '';
  const draw = (standings) => {
    facts.textContent = [site.is_external ? [site.game, site.rules].filter(Boolean).join(' · ') : `${site.rules} ${site.game}`, site.turn_us === undefined ? 'times unknown' : `${time(site.turn_us)} a turn`, plural(new Set(standings.rows.map(({ bot }) => bot)).size, site.kind === 'pdn' ? 'player' : 'bot'),
      plural(standings.games, 'game'), plural(standings.pairs, site.players > 2 ? 'whole round' : 'whole pair'),
      site.unreadable ? `${plural(site.unreadable, 'game')} of the file cannot be read` : null].filter(Boolean).join(' · ');
    const content = standings.games === 0
      ? h('p', { class: 'lone' }, site.kind === 'ladder'
        ? 'No game has been played yet. Start “crownhead ladder run”; results appear here.' : 'No game has been played yet. Results appear here.') : site.players > 2 && standings.pairs === 0 ? pointsTable(standings) : standingsTable(standings, site.players > 2);
    current.replaceChildren(content);
    cross.replaceChildren(...(standings.games === 0 ? [] : [h('h2', {}, 'Who beat whom'),
      h('p', { class: 'quiet' }, site.players > 2 ? 'The mean place of the bot on the left, and in how many games with the other.'
        : ['Points of the bot on the left, then as ', sideName(site.sides, site.sides[0]), ' and as ', sideName(site.sides, site.sides[1]), '.']), crosstable(standings, site)]));
    now.replaceChildren(...(standings.under_way.length === 0 ? [] : [h('h2', {}, 'Under way'),
      h('ul', {}, standings.under_way.map((bots) => h('li', {}, bots.map((bot, place) => [place > 0 && h('small', {}, ' against '), bot]))))]));
    said.replaceChildren(...(standings.remarks ?? []).map((remark) => h('p', { class: 'remark' }, remark)));
    seen = standings.rows.filter((row) => row.pairs > 0 && row.current !== false).map((row) => row.bot);
  };
  let drawn = 0;
  const drawHistory = async () => {
    if (seen.length < 2) return;
    const told = await source.history();
    if (told.points.length < 2) return;
    drawn = Date.now();
    course.replaceChildren(h('h2', {}, `Ratings over ${site.players > 2 ? 'rounds' : 'pairs'}`), historyChart(told, seen.slice(0, 28)), legend(seen.slice(0, 28)));
  };
  draw(first);
  document.title = `${site.title}: standings`;
  return {
    page: h('article', { class: 'page standings' }, h('div', { class: 'head' }, title, facts), current, said, now, course, cross),
    shown: () => drawHistory(),
    async news() {
      const standings = await source.standings();
      redraw(() => draw(standings));
      if (Date.now() - drawn > 10000) await drawHistory();
    },
  };
}
