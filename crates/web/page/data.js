// The source of data: a server, a folder of files, or this page itself.

const mode = document.body.dataset.mode;

/** Why the page cannot load its data. */
function whyNotLoaded() {
  if (mode === 'live') return 'The server does not respond. Is it still running?';
  if (location.protocol === 'file:') return 'This page was opened as a file, so the browser does not let it read the files beside it. Play and analysis work. For the rest, run “python3 -m http.server” in its folder and open localhost:8000.';
  return 'The files of this page cannot be loaded. Is its web server running, and is the folder “data” beside the page?';
}

/** Loads a file of the server or folder; an error says what is wrong. `signal` ends the request early. */
async function load(path, signal) {
  let answer;
  try {
    answer = await fetch(`data/${path}`, { signal });
  } catch {
    throw new Error(whyNotLoaded());
  }
  if (answer.ok) return answer.json();
  const told = await answer.json().catch(() => null);
  throw new Error(told?.error ?? `${path}: status ${answer.status}`);
}

/**
 * A game as pages show it: its record, and what the program told in addition. Of a game on a board, `turns` begin with
 * those of the opening, and have the moves; `asked` is the side of a turn without a move.
 */
function gameOf(told) {
  const game = Object.assign(JSON.parse(told.line), told);
  game.isTimed = game.turns.some(({ us }) => us > 0);
  if (!game.isTimed) game.turns.forEach((turn) => { turn.us = undefined; });
  if (game.referee) return game;
  game.sides = game.players.map(({ side }) => side);
  const [one, other] = game.scores ?? [];
  game.result = one === undefined ? null : one === other ? 'draw' : game.sides[Number(other > one)];
  const opening = game.opening.length;
  const count = Math.max(game.plies.length, opening + game.turns.length);
  game.turns = Array.from({ length: count }, (_, index) => {
    const { player, us, ...turn } = index < opening ? {} : game.turns[index - opening];
    const ply = game.plies[index];
    return { ...turn, ...(ply ?? { asked: game.sides[player] }), us };
  });
  return game;
}

/** Calls `told` with each new state; returns a function that stops it. */
function follow(path, told) {
  const source = new EventSource(`data/${path}`);
  source.onmessage = (event) => told(JSON.parse(event.data));
  return () => source.close();
}

/** All games, as they were loaded: `lists` of rows, each with room for `size` of them. */
const loaded = { edition: null, lists: [] };

/** All games of the site, in no order. A full list does not change within an edition. */
async function allGames() {
  const { edition, size, lists, bots, openings } = await load('contents.json');
  if (edition !== loaded.edition) Object.assign(loaded, { edition, lists: [] });
  loaded.lists = await Promise.all(Array.from({ length: lists }, (_, number) => (
    loaded.lists[number]?.length === size ? loaded.lists[number] : load(`list/${number}.json`))));
  const games = loaded.lists.flat().map(([id, players, points, scores, termination, turns, opening, replayed]) => ({
    id, points, scores, termination, turns, replayed, players: players.map((bot) => bots[bot]), opening: openings[opening],
  }));
  // A game that was added meanwhile is shown at the next look.
  return games.filter(({ players, opening }) => opening !== undefined && !players.includes(undefined));
}

/** The chunk of a game; each chunk is named by its first game. */
function chunkOf(chunks, id) {
  let chunk = chunks.length - 1;
  while (chunk > 0 && chunks[chunk] > id) chunk -= 1;
  return chunk;
}

/** What pages load. An exported site has its games in chunks, and its data in the page, because a page that was opened as a file loads nothing. */
const source = {
  site: async () => (mode === 'static' ? JSON.parse(byId('site').textContent) : load('site.json')),
  standings: () => load('standings.json'),
  history: () => load('history.json'),
  bot: (id) => load(`bot/${id}.json`),
  async game(id) {
    if (mode !== 'static') return gameOf(await load(`game/${id}.json`));
    const { chunks = [] } = await load('contents.json');
    const game = chunks.length ? (await load(`games/${chunkOf(chunks, id)}.json`))[id] : null;
    if (!game) throw new Error(`There is no game ${id}.`);
    return gameOf(game);
  },
};
