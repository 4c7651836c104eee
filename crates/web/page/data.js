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
  if (game.referee) return game;
  game.sides = game.players.map(({ side }) => side);
  const [one, other] = game.scores ?? [];
  game.result = one === undefined ? null : one === other ? 'draw' : game.sides[Number(other > one)];
  const opening = game.opening.length;
  const count = Math.max(game.plies.length, opening + game.turns.length);
  game.turns = Array.from({ length: count }, (_, index) => {
    const { player, us, ...turn } = index < opening ? {} : game.turns[index - opening];
    const ply = game.plies[index];
    return { ...turn, ...(ply ?? { asked: game.sides[player] }), us: game.isTimed ? us : undefined };
  });
  return game;
}

/** Calls `told` with each new state; returns a function that stops it. */
function follow(path, told) {
  const source = new EventSource(`data/${path}`);
  source.onmessage = (event) => told(JSON.parse(event.data));
  return () => source.close();
}

const query = (filter) => new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();

/** A server answers each request separately. */
const server = {
  site: () => load('site.json'),
  standings: () => load('standings.json'),
  history: () => load('history.json'),
  workers: () => load('workers.json'),
  bot: (id) => load(`bot/${id}.json`),
  game: async (id) => gameOf(await load(`game/${id}.json`)),
  games: (filter) => load(`games.json?${query(filter)}`),
};

/** The chunk of a game; each chunk is named by its first game. */
function chunkOf(chunks, id) {
  let chunk = chunks.length - 1;
  while (chunk > 0 && chunks[chunk] > id) chunk -= 1;
  return chunk;
}

/** In a folder, games are in chunks and lists, which are loaded when needed and kept. */
const folder = {
  kept: new Map(),
  once(path) {
    if (!this.kept.has(path)) this.kept.set(path, load(path));
    return this.kept.get(path);
  },
  /** In the page itself, because a page that was opened as a file loads nothing. */
  async site() { return JSON.parse(byId('site').textContent); },
  standings() { return this.once('standings.json'); },
  history() { return this.once('history.json'); },
  bot(id) { return this.once(`bot/${id}.json`); },
  async game(id) {
    const { chunks } = await this.once('contents.json');
    const game = chunks.length ? (await this.once(`games/${chunkOf(chunks, id)}.json`))[id] : null;
    if (!game) throw new Error(`There is no game ${id}.`);
    return gameOf(game);
  },
  async games({ sort = '-game', offset = 0, limit = 100, ...filter }) {
    const [contents, site] = await Promise.all([this.once('contents.json'), this.site()]);
    const lists = await Promise.all(Array.from({ length: contents.lists }, (_, list) => this.once(`list/${list}.json`)));
    const games = lists.flat().map((row) => this.listed(row, contents, site));
    const found = sortGames(games.filter((game) => fits(game, filter, site.sides)), sort);
    return { total: found.length, games: found.slice(offset, offset + limit), remarks: [] };
  },
  listed([id, players, points, scores, termination, turns, opening], contents, site) {
    return {
      id, points, scores, turns,
      players: players.map((bot) => site.bots[bot]),
      termination: contents.terminations[termination],
      opening: contents.openings[opening],
    };
  },
};

const source = mode === 'static' ? folder : server;
