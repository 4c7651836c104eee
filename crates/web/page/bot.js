// The page of one bot.

function botOpponents(bot, { sides, players }) {
  const seats = players > 2 ? ['In an earlier seat', 'In a later seat'] : [sideName(sides, 'black'), sideName(sides, 'white')];
  const columns = [['Opponent', ''], ['Score', 'num'], ...seats.map((seat) => [seat, ''])];
  return table('Against each opponent', columns, bot.opponents.map(({ id, name, black, white }) => {
    const all = { won: black.won + white.won, drawn: black.drawn + white.drawn, lost: black.lost + white.lost };
    return h('tr', {}, h('th', { scope: 'row' }, h('a', { href: to('', { bot: id }) }, name)),
      h('td', { class: 'num' }, h('a', { href: to('games', { bot: bot.name, opponent: name }) }, percent(scoreOf(all)))),
      h('td', {}, tally(black)), h('td', {}, tally(white)));
  }));
}

function botOpenings(bot) {
  const rows = bot.openings.slice(0, 40).map((opening) => h('tr', {},
    h('th', { scope: 'row', class: 'opening' }, h('a', { href: to('games', { bot: bot.name, opening: opening.opening || '-' }) }, opening.opening || 'the start')),
    h('td', { class: 'num' }, percent(scoreOf(opening))), h('td', {}, tally(opening))));
  const more = bot.openings.length > 40 ? h('p', { class: 'quiet' }, `The 40 most frequent of ${bot.openings.length >= 200 ? 'many' : bot.openings.length}.`) : null;
  return [table('From each opening', [['Opening', ''], ['Score', 'num'], ['Won, drawn, lost', '']], rows), more];
}

function botFaults(bot) {
  if (bot.faults.length === 0) return h('p', { class: 'quiet' }, 'It has lost no game by a fault of its own.');
  return h('ol', { class: 'fault-list' }, bot.faults.map((fault) => h('li', {},
    h('p', {}, h('a', { href: to('', { game: fault.id, turn: 9999 }) }, `Game ${fault.id}`), ` against ${fault.opponents.join(', ')}: `,
      h('b', {}, terminationName(fault.termination)), `. ${fault.reason}.`),
    recordedWords('Its last words', fault.words))));
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

async function botPage(values, promised) {
  const [bot, site] = await Promise.all([source.bot(Number(values.bot)), promised]);
  document.title = `${bot.name} in ${site.title}`;
  const { times } = bot;
  const endings = Object.entries(bot.endings).sort(([, a], [, b]) => (b.won + b.drawn + b.lost) - (a.won + a.drawn + a.lost));
  const part = (title, ...content) => h('section', {}, h('h2', {}, title), content);
  return {
    page: h('article', { class: 'page bot' },
      h('div', { class: 'head' }, h('h1', {}, bot.name), h('p', { class: 'quiet' },
        bot.command && ['plays by ', h('code', {}, bot.command), ' · '], bot.retired && 'retired · ',
        h('a', { href: to('games', { bot: bot.name }) }, plural(bot.score.won + bot.score.drawn + bot.score.lost, 'game')), ' · ', percent(scoreOf(bot.score)), ' · ', tally(bot.score)),
        bot.versions && botVersions(bot)),
      h('div', { class: 'columns' }, h('div', {},
        part('Against each opponent', botOpponents(bot, site)),
        part('How its games ended', table('Endings', [['Ending', ''], ['Won, drawn, lost', '']], endings.map(([name, score]) => h('tr', {},
          h('th', { scope: 'row' }, h('a', { href: to('games', { bot: bot.name, termination: name }) }, terminationName(name))), h('td', {}, tally(score)))))),
        !site.is_external && part('From each opening', botOpenings(bot))), h('div', {},
        part('How long it thought', times ? [
          h('dl', { class: 'facts row' }, [['median', times.median_us], ['99 %', times.p99_us], ['99.9 %', times.p999_us], ['worst', times.worst_us]]
            .map(([name, us]) => [h('dt', {}, name), h('dd', {}, time(us))])),
          histogramChart(bot.histogram),
          h('p', { class: 'quiet' }, `${plural(times.answers, 'answer')} of its latest ${plural(bot.timed_games, 'game')}.`)]
          : h('p', { class: 'quiet' }, site.turn_us === undefined ? 'The file does not tell times.' : 'It has not answered yet.')),
        part('Faults', botFaults(bot))))),
  };
}
