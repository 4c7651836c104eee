// The page of one bot: its rating, its games by opponent, its times and faults.

const both = ({ by_seat: [one, other] }) => ({ won: one.won + other.won, drawn: one.drawn + other.drawn, lost: one.lost + other.lost });

function botOpponents(bot, { sides, players }) {
  const seats = players > 2 ? ['In an earlier seat', 'In a later seat'] : sides.map((side) => sideName(sides, side));
  const scores = bot.opponents.map((opponent) => ({ ...opponent, score: both(opponent) }));
  const columns = [{ title: 'Opponent', key: 'name', value: ({ name }) => name }, { title: 'Score', kind: 'num', key: 'score', value: ({ score }) => scoreOf(score) },
    { title: 'Games', kind: 'num mid', key: 'games', value: ({ score }) => gamesOf(score) },
    ...seats.map((title, seat) => ({ title, key: `seat-${seat + 1}`, value: (opponent) => scoreOf(opponent.by_seat[seat]) }))];
  return table('Against each opponent', columns, scores, ({ id, name, by_seat: bySeat, score }) => h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: to('', { bot: id }) }, name)),
    h('td', { class: 'num share', css: { '--share': scoreOf(score) ?? 0 } },
      h('a', { href: to('games', { bot: bot.name, opponent: name }) }, percent(scoreOf(score)))),
    h('td', { class: 'num mid' }, whole(gamesOf(score))), bySeat.map((own) => h('td', {}, tally(own)))), { name: 'opponents', order: '-games' });
}

function botFaults(bot) {
  if (bot.faults.length === 0) return h('p', { class: 'quiet' }, 'No game was lost by its own fault.');
  return h('ol', { class: 'fault-list' }, bot.faults.map((fault) => h('li', {},
    h('p', {}, h('a', { href: to('', { game: fault.id, turn: 9999 }) }, `Game ${fault.id}`), ` against ${fault.opponents.join(', ')}: `,
      h('b', {}, terminationName(fault.termination)), `. ${fault.reason}.`),
    recordedWords('Its last words', fault.words))));
}

/** The rating of a bot and its rank. */
function botRating(bot, standings) {
  const row = standings.rows.find(({ id }) => id === bot.id);
  if (!row || !(row.pairs > 0)) return null;
  return h('p', {}, h('b', {}, signed(row.rating).replace('+', '')), h('span', { class: 'quiet' }, ` ±${whole(row.margin)}`), `, number ${row.rank} of ${standings.rows.length}`);
}

/** The versions of a bot, each with a link to its page. */
function botVersions({ id, versions }) {
  const links = versions.map((version) => {
    const name = version.version.slice(0, 8) + (version.current ? ' (plays now)' : '');
    return version.id === id || version.id === null ? h('b', { class: version.id === id ? '' : 'quiet' }, name)
      : h('a', { href: to('', { bot: version.id }) }, name);
  });
  return h('p', { class: 'quiet' }, 'Versions: ', links.flatMap((link, place) => (place ? [' · ', link] : [link])));
}

function botTimes({ times, timed_games: games }) {
  if (!times) return h('p', { class: 'quiet' }, games > 0 ? 'Its games have no times.' : 'It has not replied yet.');
  return [
    h('dl', { class: 'facts row' }, [['median', times.median_us], ['99 %', times.p99_us], ['99.9 %', times.p999_us], ['worst', times.worst_us]]
      .map(([name, us]) => [h('dt', {}, name), h('dd', {}, time(us))])),
    h('p', { class: 'quiet' }, `${plural(times.answers, 'reply', 'replies')} of its latest ${plural(games, 'game')}.`),
  ];
}

async function botPage(values, promised) {
  const [bot, standings, site] = await Promise.all([source.bot(Number(values.bot)), source.standings(), promised]);
  document.title = `${bot.name} in ${site.title}`;
  const part = (title, ...content) => h('section', {}, h('h2', {}, title), content);
  return {
    page: h('article', { class: 'page bot' },
      h('div', { class: 'head' }, h('h1', {}, bot.name), botRating(bot, standings), h('p', { class: 'quiet' },
        bot.command && ['command ', h('code', {}, bot.command), ' · '], bot.retired && 'retired · ',
        h('a', { href: to('games', { bot: bot.name }) }, plural(gamesOf(bot.score), 'game')), ' · ', percent(scoreOf(bot.score)), ' · ', tally(bot.score)),
        bot.versions && botVersions(bot)),
      h('div', { class: 'columns' }, h('div', {},
        part('Against each opponent', botOpponents(bot, site))), h('div', {},
        part('Reply times', botTimes(bot)),
        part('Faults', botFaults(bot))))),
  };
}
