// The page of standings: the table, the rating history, who beat whom.

/** Which version of a bot a row is: shown only where the bot has several rows. */
function versionOf(row, rows) {
  const isAlone = rows.filter((other) => other.bot === row.bot).length === 1;
  return row.version && row.version !== 'unknown' && !isAlone ? h('small', { class: 'quiet' }, ` ${row.version.slice(0, 8)}`) : null;
}

function standingsTable({ rows }, isTimed, several) {
  if (several) return pointsTable(rows);
  const rated = rows.filter((row) => row.pairs > 0);
  const low = Math.min(...rated.map((row) => row.rating - row.margin), 0);
  const high = Math.max(...rated.map((row) => row.rating + row.margin), 0);
  const columns = [
    ['#', 'num'], ['Bot', ''], ['Rating', 'num', 'On the familiar scale: 400 more is ten to one'],
    ['', 'bars wide'], ['Stronger than next', 'num wide', 'The likelihood that it is stronger than the one below'],
    ['Score', 'num'], ['Games', 'num mid'], ['Won, drawn, lost', 'wide'], ['Faults', 'num mid', 'Games lost by a fault of its own'], isTimed && ['Time used', 'num wide'],
  ].filter(Boolean);
  return table('Standings', columns, rows.map((row) => {
    const faults = Object.values(row.faults).reduce((sum, count) => sum + count, 0);
    const remark = row.disabled ? `disabled: ${row.disabled}` : row.retired ? 'retired' : null;
    const played = row.pairs > 0;
    const below = remark && h('tr', { class: 'below' }, h('td'), h('td', { class: 'remark', colspan: columns.length - 1 }, remark));
    return [h('tr', { class: row.retired || row.current === false ? 'past' : '' },
      h('td', { class: 'num quiet' }, row.rank),
      h('th', { scope: 'row' }, row.id === null ? row.bot : h('a', { href: to('', { bot: row.id }) }, row.bot), versionOf(row, rows)),
      h('td', { class: 'num' }, played ? [h('b', {}, signed(row.rating).replace('+', '')), h('span', { class: 'quiet margin' }, ` ±${whole(row.margin)}`)] : '–'),
      h('td', { class: 'bars wide' }, played ? interval(row, low, high) : null),
      h('td', { class: 'num wide' }, played ? likelihood(row.superiority) : '–'),
      h('td', { class: 'num' }, percent(scoreOf(row))),
      h('td', { class: 'num mid' }, whole(row.won + row.drawn + row.lost)),
      h('td', { class: 'wide' }, tally(row)),
      h('td', { class: 'num mid' }, faults === 0 ? h('span', { class: 'quiet' }, 0)
        : h('a', { class: 'faults', href: to('games', { bot: row.name, result: 'lost', termination: 'fault' }) }, whole(faults))),
      isTimed && h('td', { class: 'num wide' }, time(row.time_us))), below].filter(Boolean);
  }));
}

/** The bots of games of several players, by points. */
function pointsTable(rows) {
  const columns = [['#', 'num'], ['Bot', ''], ['Points a game', 'num', 'A point for leaving all others behind, half of one for half of them'],
    ['Games', 'num'], ['First, between, last', '']];
  return table('Standings', columns, rows.map((row) => h('tr', { class: row.retired ? 'past' : '' },
    h('td', { class: 'num quiet' }, row.rank),
    h('th', { scope: 'row' }, row.id === null ? row.bot : h('a', { href: to('', { bot: row.id }) }, row.bot)),
    h('td', { class: 'num' }, percent(scoreOf(row))), h('td', { class: 'num' }, whole(row.won + row.drawn + row.lost)), h('td', {}, tally(row)))));
}

/** Points of each bot against each other, colours apart. */
function crosstable({ rows, crosstable: meetings }, { sides, players }) {
  const several = players > 2;
  const bots = rows.filter((row) => row.id !== null);
  const met = new Map(meetings.map((meeting) => [`${meeting.bot} ${meeting.opponent}`, meeting]));
  const half = (score) => score.won + score.drawn / 2;
  const games = (score) => score.won + score.drawn + score.lost;
  const cell = (one, other) => {
    const meeting = met.get(`${one.id} ${other.id}`);
    if (one === other) return h('td', { class: 'self', 'aria-label': 'itself' });
    if (!meeting) return h('td', { class: 'cell quiet' }, '–');
    const [points, all] = [half(meeting.black) + half(meeting.white), games(meeting.black) + games(meeting.white)];
    const colours = several ? ['who came before whom'] : ['black', 'white'].filter((side) => games(meeting[side]) > 0)
      .map((side) => `as ${sides[side]}: ${half(meeting[side])} of ${games(meeting[side])}`);
    return h('td', { class: 'cell', css: { '--share': points / all } },
      h('a', { href: to('games', { bot: one.name, opponent: other.name }), title: `${one.name} against ${other.name}; ${colours.join(', ')}` },
        h('b', {}, points), h('small', {}, `of ${all}`),
        h('span', { class: 'colours' }, several ? null : ['black', 'white'].map((side) => h('span', {}, sideDot(sides, side), half(meeting[side]))))));
  };
  return h('div', { class: 'scroll' }, h('table', { class: 'cross', 'aria-label': 'Crosstable' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Points', h('span', {}, ' of … against')), bots.map((bot) => h('th', { scope: 'col', class: 'num', title: bot.name }, bot.rank)))),
    h('tbody', {}, bots.map((one) => h('tr', {}, h('th', { scope: 'row', title: one.name }, h('span', { class: 'quiet' }, one.rank), ' ', h('a', { href: to('', { bot: one.id }) }, one.bot), versionOf(one, rows)), bots.map((other) => cell(one, other)))))));
}

async function standingsPage(values, promised) {
  const [first, site] = await Promise.all([source.standings(), promised]);
  const [title, facts, current, said, now, course, cross] = [h('h1', {}, site.title), h('p', { class: 'quiet' }), h('div'), h('div'), h('div', { class: 'under-way' }), h('div'), h('div')];
  let seen = '';
  const draw = (standings) => {
    facts.textContent = [site.is_external ? [site.game, site.rules].filter(Boolean).join(' · ') : `${site.rules} ${site.game}`, site.turn_us === undefined ? 'times not told' : `${time(site.turn_us)} a turn`, plural(new Set(standings.rows.map(({ bot }) => bot)).size, site.kind === 'pdn' ? 'player' : 'bot'),
      plural(standings.games, 'game'), site.players > 2 ? null : plural(standings.pairs, 'whole pair'),
      site.unreadable ? `${plural(site.unreadable, 'game')} of the file cannot be read` : null].filter(Boolean).join(' · ');
    const focused = document.activeElement?.getAttribute?.('href');
    const content = standings.games === 0
      ? h('p', { class: 'lone' }, site.kind === 'ladder'
        ? 'No game has been played yet. “crownhead ladder run” plays them, and this page follows.' : 'No game has been played yet. This page follows as they come.') : standingsTable(standings, site.turn_us !== undefined, site.players > 2);
    current.replaceChildren(content);
    cross.replaceChildren(...(standings.games === 0 ? [] : [h('h2', {}, 'Who beat whom'),
      h('p', { class: 'quiet' }, site.players > 2 ? 'Points of the bot on the left: one for each game in which it came before the other.'
        : ['Points of the bot on the left, then as ', sideName(site.sides, 'black'), ' and as ', sideName(site.sides, 'white'), '.']), crosstable(standings, site)]));
    now.replaceChildren(...(standings.under_way.length === 0 ? [] : [h('h2', {}, 'Under way'),
      h('ul', {}, standings.under_way.map(([one, other]) => h('li', {}, one, h('small', {}, ' against '), other)))]));
    said.replaceChildren(...(standings.remarks ?? []).map((remark) => h('p', { class: 'remark' }, remark)));
    if (focused && document.activeElement === document.body) document.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
    seen = standings.rows.filter((row) => row.pairs > 0 && row.current !== false).map((row) => row.bot);
  };
  let drawn = 0;
  const drawHistory = async () => {
    if (seen.length < 2) return;
    const told = await source.history();
    if (told.points.length < 2) return;
    drawn = Date.now();
    course.replaceChildren(h('h2', {}, 'Ratings over pairs'), historyChart(told, seen.slice(0, 28)), legend(seen.slice(0, 28)));
  };
  draw(first);
  document.title = `${site.title}: standings`;
  return {
    page: h('article', { class: 'page standings' }, h('div', { class: 'head' }, title, facts), current, said, now, course, cross),
    shown: () => drawHistory(),
    async news() {
      draw(await source.standings());
      if (Date.now() - drawn > 10000) await drawHistory();
    },
  };
}
