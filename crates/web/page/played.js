// The games played here: their list, and the page of one.

/** The list, or nothing before the first game. */
async function playedGames(variants) {
  const games = await engine.played();
  if (games.length === 0) return [];
  const player = (game, side, name) => h('td', { class: `player-cell ${game.result === side ? 'winner' : ''}` }, sideDot(game.sides, side), name);
  const draw = (game) => h('tr', {},
    h('td', { class: 'num' }, h('a', { href: to('', { played: game.id }) }, game.id)),
    h('td', { class: 'mid' }, variants.find(({ key }) => key === keyOf(game))?.title ?? game.game),
    game.sides.map((side, seat) => player(game, side, game.players[seat])),
    h('td', { class: 'num result' }, game.result === null ? '–' : game.sides.map((side) => points(game.result, side)).join(' : ')),
    h('td', { class: 'mid' }, terminationName(game.termination)),
    h('td', { class: 'num mid' }, game.turns));
  const columns = [
    { title: 'Game', kind: 'num', key: 'game', value: (game) => game.id },
    { title: 'Played', kind: 'mid', key: 'played', value: (game) => keyOf(game) },
    { title: 'First side', key: 'first', value: (game) => game.players[0] },
    { title: 'Second side', key: 'second', value: (game) => game.players[1] },
    { title: 'Result', kind: 'num' },
    { title: 'Ended by', kind: 'mid', key: 'ended', value: (game) => terminationName(game.termination) },
    { title: 'Turns', kind: 'num mid', key: 'turns', value: (game) => game.turns },
  ];
  return [h('h2', {}, 'Games played here'), table('Games played here', columns, games, draw, { order: '-game' })];
}

/** A game played here, shown like a game of a match. */
async function playedPage(values, promised) {
  const [game, site] = await Promise.all([engine.playedGame(Number(values.played)), promised]);
  game.folder = 'played';
  return replayPage(game, site, 'played', values, h('p', {}, h('a', { href: to('play') }, 'All games played here')));
}
