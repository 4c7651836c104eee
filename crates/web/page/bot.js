// The page of one bot: its rating, its games by opponent, opening and ending, its times and faults.

/** A share of points, as a number and as a bar beside it. */
const shareCell = (score, link) => h('td', { class: 'num share', css: { '--share': scoreOf(score) ?? 0 } },
  link ? h('a', { href: link }, percent(scoreOf(score))) : percent(scoreOf(score)));

const both = ({ by_seat: [one, other] }) => ({ won: one.won + other.won, drawn: one.drawn + other.drawn, lost: one.lost + other.lost });

/** The score of a bot in some games, with one more win and one more loss, so that few games count less. */
const cautiousScore = ({ won, drawn, lost }) => (won + drawn / 2 + 1) / (won + drawn + lost + 2);

/** The opponents and openings with which a bot does better or worse than overall; nothing for fewer than two. */
function extremes(what, scores, linked) {
  const played = scores.filter(({ score }) => gamesOf(score) > 0);
  const sorted = played.sort((one, other) => cautiousScore(other.score) - cautiousScore(one.score));
  const many = Math.min(3, Math.floor(sorted.length / 2));
  const sum = (key) => played.reduce((all, { score }) => all + score[key], 0);
  const usual = scoreOf({ won: sum('won'), drawn: sum('drawn'), lost: sum('lost') });
  const best = sorted.slice(0, many).filter(({ score }) => scoreOf(score) > usual);
  const worst = sorted.slice(sorted.length - many).filter(({ score }) => scoreOf(score) < usual).reverse();
  const list = (title, found) => found.length > 0 && [h('dt', {}, title), h('dd', {}, found.map((one, place) => [place > 0 && ', ', linked(one),
    h('span', { class: 'quiet' }, `\u00a0${percent(scoreOf(one.score), 0).replace(' ', '\u00a0')}`)]))];
  if (best.length + worst.length === 0) return null;
  return h('dl', { class: 'facts' }, list(`Best ${what}`, best), list(`Worst ${what}`, worst));
}

function botOpponents(bot, { sides, players }) {
  const seats = players > 2 ? ['In an earlier seat', 'In a later seat'] : sides.map((side) => sideName(sides, side));
  const scores = bot.opponents.map((opponent) => ({ ...opponent, score: both(opponent) }));
  const columns = [{ title: 'Opponent', key: 'name', value: ({ name }) => name }, { title: 'Score', kind: 'num', key: 'score', value: ({ score }) => scoreOf(score) },
    { title: 'Games', kind: 'num mid', key: 'games', value: ({ score }) => gamesOf(score) },
    ...seats.map((title, seat) => ({ title, key: `seat-${seat + 1}`, value: (opponent) => scoreOf(opponent.by_seat[seat]) }))];
  return [
    extremes('against', scores, ({ id, name }) => h('a', { href: to('', { bot: id }) }, name)),
    table('Against each opponent', columns, scores, ({ id, name, by_seat: bySeat, score }) => h('tr', {},
      h('th', { scope: 'row' }, h('a', { href: to('', { bot: id }) }, name)),
      shareCell(score, to('games', { bot: bot.name, opponent: name })), h('td', { class: 'num mid' }, whole(gamesOf(score))),
      bySeat.map((own) => h('td', {}, tally(own)))), { name: 'opponents', order: '-games' }),
  ];
}

const MOST_OPENINGS = 40;

function botOpenings(bot) {
  const scores = bot.openings.map((opening) => ({ opening: opening.opening, score: opening }));
  const link = ({ opening }) => h('a', { href: to('games', { bot: bot.name, opening: opening || '-' }) }, opening || 'the start');
  const columns = [{ title: 'Opening', key: 'opening', value: ({ opening }) => opening }, { title: 'Score', kind: 'num', key: 'score', value: ({ score }) => scoreOf(score) },
    { title: 'Games', kind: 'num mid', key: 'games', value: ({ score }) => gamesOf(score) }, { title: 'Won, drawn, lost', key: 'won', value: ({ score }) => score.won }];
  return [
    extremes('from', scores, link),
    table('From each opening', columns, scores.slice(0, MOST_OPENINGS), (row) => h('tr', {},
      h('th', { scope: 'row', class: 'opening' }, link(row)), shareCell(row.score), h('td', { class: 'num mid' }, whole(gamesOf(row.score))),
      h('td', {}, tally(row.score))), { name: 'openings', order: '-games' }),
    scores.length > MOST_OPENINGS && h('p', { class: 'quiet' }, `The ${MOST_OPENINGS} most frequent of ${bot.opening_count}.`),
  ];
}

function botEndings(bot) {
  const columns = [{ title: 'Ending', key: 'ending', value: ([name]) => terminationName(name) }, { title: 'Score', kind: 'num', key: 'score', value: ([, score]) => scoreOf(score) },
    { title: 'Games', kind: 'num mid', key: 'games', value: ([, score]) => gamesOf(score) }, { title: 'Won, drawn, lost', key: 'won', value: ([, score]) => score.won }];
  return table('Endings', columns, Object.entries(bot.endings), ([name, score]) => h('tr', {},
    h('th', { scope: 'row' }, h('a', { href: to('games', { bot: bot.name, termination: name }) }, terminationName(name))),
    shareCell(score), h('td', { class: 'num mid' }, whole(gamesOf(score))), h('td', {}, tally(score))), { name: 'endings', order: '-games' });
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

function botTimes({ times, histogram, timed_games: games }, site) {
  if (!times) return h('p', { class: 'quiet' }, site.turn_us === undefined ? 'The file has no times.' : 'It has not replied yet.');
  return [
    h('dl', { class: 'facts row' }, [['median', times.median_us], ['99 %', times.p99_us], ['99.9 %', times.p999_us], ['worst', times.worst_us]]
      .map(([name, us]) => [h('dt', {}, name), h('dd', {}, time(us))])),
    histogramChart(histogram),
    h('p', { class: 'quiet' }, `${plural(times.answers, 'reply', 'replies')} of its latest ${plural(games, 'game')}.`),
  ];
}

async function botPage(values, promised) {
  const [bot, standings, site] = await Promise.all([source.bot(Number(values.bot)), source.standings(), promised]);
  document.title = `${bot.name} in ${site.title}`;
  const part = (title, ...content) => h('section', {}, h('h2', {}, title), content);
  const course = h('section');
  const several = site.players > 2;
  return {
    page: h('article', { class: 'page bot' },
      h('div', { class: 'head' }, h('h1', {}, bot.name), !several && botRating(bot, standings), h('p', { class: 'quiet' },
        bot.command && ['command ', h('code', {}, bot.command), ' · '], bot.retired && 'retired · ',
        h('a', { href: to('games', { bot: bot.name }) }, plural(gamesOf(bot.score), 'game')), ' · ', percent(scoreOf(bot.score)), ' · ', tally(bot.score)),
        bot.versions && botVersions(bot)),
      h('div', { class: 'columns' }, h('div', {},
        part('Against each opponent', botOpponents(bot, site)),
        part('How its games ended', botEndings(bot)),
        !site.is_external && part('From each opening', botOpenings(bot))), h('div', {},
        course,
        part('Reply times', botTimes(bot, site)),
        part('Faults', botFaults(bot))))),
    async shown() {
      if (several) return;
      const told = await source.history();
      // Each version has its own line.
      const lines = told.bots.filter((name) => name === bot.name || (bot.versions && name.split('@')[0] === bot.name.split('@')[0]));
      if (lines.length === 0 || told.points.length < 2) return;
      course.replaceChildren(h('h2', {}, 'History of its rating'), historyChart(told, lines), lines.length > 1 ? legend(lines) : '');
    },
  };
}
