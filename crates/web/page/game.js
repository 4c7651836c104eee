// The page of one game.

/** The game's head: the players, the game, its end, and its downloads. */
function gameHead(game) {
  const facts = [`${game.rules} ${game.game}`, plural(game.turns.length, 'turn'), terminationName(game.termination)];
  return h('div', { class: 'head' },
    h('h1', {}, h('span', { class: 'number' }, `Game ${game.id}`), h('span', { class: 'versus' },
      sideName(game.sides, game.sides[0]), ` ${game.players[0].name} `, h('small', {}, 'against'), ' ', sideName(game.sides, game.sides[1]), ` ${game.players[1].name}`)),
    h('p', { class: 'quiet' }, facts.join(' · ')),
    h('p', { class: game.fault === null ? 'verdict' : 'verdict fault' }, `${outcome(game)}.`));
}

/** Buttons for what to do from a turn. */
function takeAway(replay, link) {
  const { game } = replay;
  const fen = () => {
    const next = game.turns[replay.turn];
    const side = next?.side ?? next?.asked ?? nextSide(game.turns.at(-1), game);
    return replay.variant.positionText(replay.rows[replay.turn], side);
  };
  const button = (text, act) => h('button', { type: 'button', click: act }, text);
  const { start, turns } = game;
  const line = turns.map(({ move }) => move).filter((move) => move !== undefined);
  const setup = { game: game.game, rules: game.rules, position: replay.variant.positionText(start.rows, start.side) };
  const analyse = () => { location.hash = to('analysis', { ...setup, moves: lineText(line), turn: Math.min(replay.turn, line.length) }); };
  const play = () => {
    const moves = line.slice(0, replay.turn);
    location.hash = to('play', { ...setup, moves: lineText(moves), side: turns[moves.length]?.side ?? nextSide(turns[moves.length - 1], game) });
  };
  return h('div', { class: 'actions' },
    button('Copy FEN', (event) => copy(event.target, fen())),
    link && copyLink(),
    downloads(game),
    mode !== 'single' && replay.variant.is_played && [button('Analyse from here', analyse), button('Play from here', play)]);
}

const copyLink = () => h('button', { type: 'button', click: (event) => copy(event.target, location.href) }, 'Copy link to this turn');

/** The game's downloads: its record, and PDN if it can be written. */
function downloads({ id, line, pdn }) {
  const button = (kind, text, file) => h('button', { type: 'button', click: () => save(`game-${id}.${kind}`, file) }, text);
  return [button('jsonl', 'JSON line', `${line}\n`), pdn && button('pdn', 'PDN', pdn)];
}

/** Who is to move after the last turn. */
function nextSide(last, game) {
  if (!last) return game.start.side;
  if (last.move === undefined) return last.asked;
  return otherSide(game.sides, last.side);
}

/**
 * What a page of a game is made of, whoever judged it: `head`, `replay`, `actions`, `title`. Of a game on a board,
 * `variant` tells the board.
 */
function gameParts(game, variant, turned, link) {
  const title = game.players.map((player) => player.name).join(' against ');
  if (game.referee) {
    const replay = new RefereeReplay(game, turned);
    const actions = h('div', { class: 'actions' }, link && copyLink(), downloads(game));
    return { head: refereeHead(game), replay, actions, title };
  }
  const replay = new Replay(game, variant, turned);
  return { head: gameHead(game), replay, actions: takeAway(replay, link), title };
}

async function gamePage(values, promised) {
  const [game, site] = await Promise.all([source.game(Number(values.game)), promised]);
  const neighbours = h('nav', { class: 'neighbours', 'aria-label': 'Other games' },
    game.id > 1 ? h('a', { href: to('', { game: game.id - 1 }) }, '← previous game') : h('span'),
    game.id < site.games && h('a', { href: to('', { game: game.id + 1 }) }, 'next game →'));
  const { head, replay, actions, title } = gameParts(game, chosenVariant(variantsOf(site), game), (turn) => {
    keepInAddress({ turn });
  }, true);
  document.title = `Game ${game.id}: ${title}`;
  const page = h('article', { class: 'page game' }, head, replay.element, actions, neighbours,
    h('p', { class: 'quiet keys' }, h('kbd', {}, '←'), ' ', h('kbd', {}, '→'), ' turn by turn, ', h('kbd', {}, 'Home'), ' ', h('kbd', {}, 'End'),
      ', ', h('kbd', {}, 'Space'), ' plays', !game.referee && [', ', h('kbd', {}, 'f'), ' flips the board']));
  return {
    page,
    shown: () => replay.go(values.turn === undefined ? 0 : Number(values.turn), true),
    key: (event) => replay.key(event),
    left: () => replay.close(),
    /** The same game at another turn: no new page. */
    again(next) {
      if (Number(next.game) !== game.id) return false;
      replay.go(Number(next.turn ?? 0), true);
      return true;
    },
  };
}

/** The page with only one game. */
function lonePage() {
  const game = gameOf(JSON.parse(byId('game').textContent));
  const told = JSON.parse(byId('variant').textContent);
  const { head, replay, actions, title } = gameParts(game, told && new Variant(told), (turn) => history.replaceState(null, '', `#turn=${turn}`), false);
  document.title = title;
  const { turn } = place();
  return {
    page: h('article', { class: 'page game' }, head, replay.element, actions),
    shown: () => replay.go(Number(turn ?? 0), true),
    key: (event) => replay.key(event),
    again(next) {
      replay.go(Number(next.turn ?? 0), true);
      return true;
    },
  };
}
