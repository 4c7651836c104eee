// The source of data: a server, a folder of files, or this page itself.

const mode = document.body.dataset.mode;
/** Whether this server starts games and analyses. */
const starts = 'starts' in document.body.dataset;
/** Whether this server's ladder can be managed from pages. */
const steers = 'steers' in document.body.dataset;
/** The token that a request needs to start something; empty if unknown. */
const token = starts || steers ? keptToken() : '';

/** The token of the printed link, kept for this server: storage is separate for each host and port. */
function keptToken() {
  const told = new URLSearchParams(location.search).get('token');
  // It must not be seen, copied or bookmarked.
  if (told) history.replaceState(null, '', location.pathname + location.hash);
  try {
    if (told) localStorage.setItem('token', told);
    return told ?? localStorage.getItem('token') ?? '';
  } catch {
    // If storage is forbidden, the token is forgotten when the page is left.
    return told ?? '';
  }
}

/** Forgets a token of an earlier server. */
function forgetToken() {
  try {
    localStorage.removeItem('token');
  } catch { /* There is none. */ }
}

/** Why the page cannot load its data. */
function whyNotLoaded() {
  if (mode === 'live') return 'The server does not respond. Is it still running?';
  if (location.protocol === 'file:') return 'This page was opened as a file, so the browser does not let it read the files beside it. Play and analysis work. For the rest, run “python3 -m http.server” in its folder and open localhost:8000.';
  return 'The files of this page cannot be loaded. Is its web server running, and is the folder “data” beside the page?';
}

/** Loads a file of the server or folder; an error says what is wrong. */
async function load(path) {
  let answer;
  try {
    answer = await fetch(`data/${path}`);
  } catch {
    throw new Error(whyNotLoaded());
  }
  if (answer.ok) return answer.json();
  const told = await answer.json().catch(() => null);
  throw new Error(told?.error ?? `${path}: status ${answer.status}`);
}

/** Asks the server to start or continue something. */
async function send(path, body) {
  const answer = await fetch(`data/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-crownhead-token': token },
    body: JSON.stringify(body),
  });
  if (answer.status === 204) return null;
  if (answer.status === 403) forgetToken();
  const told = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(told?.error ?? `status ${answer.status}`);
  return told;
}

/** Calls `told` with each new state; returns a function that stops it. Calls `gone` if there is nothing to follow. */
function follow(path, told, ended = () => {}, gone = () => {}) {
  const source = new EventSource(`data/${path}`);
  let heard = false;
  source.onmessage = (event) => {
    heard = true;
    told(JSON.parse(event.data));
  };
  source.onerror = () => {
    // A page that is left closes its streams.
    if (source.readyState === EventSource.CLOSED && !heard) gone();
    if (ended()) source.close();
  };
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
  game: (id) => load(`game/${id}.json`),
  views: (id) => load(`views/${id}.json`),
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
    return game;
  },
  /** A game's downloads, in separate chunks because they are rarely needed. */
  async download(id) {
    const { downloads } = await this.once('contents.json');
    return (await this.once(`downloads/${chunkOf(downloads, id)}.json`))[id];
  },
  /** A game's data for the contest's viewer. */
  async views(id) {
    const { views } = await this.once('contents.json');
    return (await this.once(`views/${chunkOf(views, id)}.json`))[id];
  },
  async games({ sort = '-game', offset = 0, limit = 100, ...filter }) {
    const [contents, site] = await Promise.all([this.once('contents.json'), this.site()]);
    const lists = await Promise.all(Array.from({ length: contents.lists }, (_, list) => this.once(`list/${list}.json`)));
    const games = lists.flat().map((row) => this.listed(row, contents, site));
    const conditions = conditionsOf(filter.where);
    const found = sortGames(games.filter((game) => fits(game, filter, conditions, site.sides)), sort);
    return { total: found.length, games: found.slice(offset, offset + limit), remarks: unknownFigures(games, conditions) };
  },
  listed([id, players, points, scores, termination, turns, opening, figures], contents, site) {
    return {
      id, points, scores, turns, figures,
      players: players.map((bot) => site.bots[bot]),
      termination: contents.terminations[termination],
      opening: contents.openings[opening],
    };
  },
};

const source = mode === 'static' ? folder : server;
