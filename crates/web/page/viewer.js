// A contest's own viewer: the engine's player in a frame that has no rights of this page. They speak by messages, as the
// player and the page of the engine's runner do (`player.html`, `player.js` and `app.js`, 4.5.0). The frame's
// messages are foreign data: numbers are used, texts become text.

/** When to request the first frame, in milliseconds. */
const REPEATS = [0, 200, 600, 1500, 3000];
/** The longest message of the frame to show. */
const LONGEST_ERROR = 500;

/**
 * A game for the player, like the output of `convertFrameFormat` in the runner's `app.js`. The first line of a frame's
 * view says whether it is drawn as a separate step (`GameManager.java` of the engine).
 */
function viewerGame({ players, referee, turns }) {
  return {
    agents: players.map(({ name }, index) => ({ index, agentId: index, name, avatarUrl: portrait(name, index) })),
    frames: referee.frames.map(({ turn, view = '', summary = [] }) => ({
      view: view.replace(/^(KEY_FRAME|INTERMEDIATE_FRAME)/, ''), keyframe: isKey(view), gameSummary: summary.join('\n'), referee: {},
      // Whose reply follows, as the player's console shows it.
      ...(turns[turn] && { agentId: turns[turn].player, stdout: turns[turn].reply ?? undefined }),
    })),
    // Each is JSON inside JSON.
    tooltips: referee.frames.flatMap(({ tooltips = [] }, turn) => tooltips.map((told) => {
      const [, event, text] = /^(\d+) ([^]*)$/.exec(told) ?? [];
      return event && JSON.stringify({ text, event: Number(event), turn });
    })).filter(Boolean),
  };
}

const isKey = (view) => view.startsWith('KEY_FRAME');

/** A picture of a player, because viewers need one: its first letter on its colour, as a PNG in an address. */
function portrait(name, seat) {
  const side = 128;
  const canvas = h('canvas', { width: side, height: side });
  const brush = canvas.getContext('2d');
  brush.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--c${seat % 7}`);
  brush.fillRect(0, 0, side, side);
  Object.assign(brush, { fillStyle: '#fff', font: '600 76px sans-serif', textAlign: 'center', textBaseline: 'middle' });
  brush.fillText([...name][0]?.toUpperCase() ?? '', side / 2, side / 2 + 5);
  return canvas.toDataURL();
}

class ContestViewer {
  /** `moved(frame)` is called when the frame shows another of its frames, as one looks on there. */
  constructor(game, moved) {
    Object.assign(this, { game, moved, shown: 0, ready: false });
    this.message = h('p', { class: 'quiet', role: 'status' }, 'Loading the contest’s viewer.');
    this.box = h('div', { class: 'viewer' });
    this.element = h('div', {}, this.box, this.message);
    this.listener = (event) => this.heard(event);
    this.begin().catch((error) => this.tell(error.message));
  }

  async begin() {
    const { viewer } = this.game;
    const base = new URL(viewer.folder, location.href);
    this.base = base.href;
    if (mode === 'static') await this.check(new URL(viewer.drawer, base));
    addEventListener('message', this.listener);
    this.frame = h('iframe', { title: 'The game as the contest draws it', sandbox: 'allow-scripts', src: new URL(viewer.player, base).href });
    this.box.replaceChildren(this.frame);
  }

  /** A frame without rights gets files only from a host that allows it. */
  async check(file) {
    const answer = await fetch(file, { method: 'HEAD' });
    if (answer.ok && answer.headers.get('access-control-allow-origin') === '*') return;
    throw new Error('The contest’s viewer needs a web server that sends “Access-Control-Allow-Origin: *” with the files in viewer/. “crownhead serve” does, this server does not.');
  }

  tell(text) {
    this.message.textContent = text;
    this.message.hidden = !text;
  }

  /** An error of the viewer; the first probably causes the others. */
  complain(error) {
    if (this.failed) return;
    this.failed = true;
    const told = [error?.message, error?.cause?.message].filter((text) => typeof text === 'string').join(' ');
    this.tell(`The viewer says: ${told.trim().slice(0, LONGEST_ERROR)}`);
  }

  send(message) { this.frame?.contentWindow?.postMessage(message, '*'); }

  heard({ source: from, data }) {
    if (!this.frame || from !== this.frame.contentWindow) return;
    if (data?.type === 'ready' && !this.ready) this.load();
    else if (data?.type === 'parsedGameInfo') this.begins();
    else if (data?.type === 'progress' && Number.isInteger(data.frame)) this.follow(data.frame);
    else if (data?.type === 'error') this.complain(data.error);
  }

  load() {
    this.ready = true;
    const { viewer } = this.game;
    const libraries = Object.entries(viewer.libraries).map(([name, file]) => [name, this.base + file]);
    this.send({ type: 'libraries', libraries: Object.fromEntries(libraries) });
    this.send({ type: 'language', lang: 'en' });
    this.send({ type: 'viewer', viewerUrl: this.base + viewer.drawer });
    this.send({ type: 'options', options: {
      showConsole: false, showRankings: false, showSmallRankings: false, asyncRendering: true, shareable: false, showReplayPrompt: false,
    } });
    this.send({ type: 'frames', gameInfo: viewerGame(this.game) });
  }

  /** The game is loaded. Pictures load before it is drawn, and nothing reports when that is done. */
  begins() {
    if (!this.failed) this.tell('');
    for (const later of REPEATS) setTimeout(() => { if (!this.looked) this.show(this.shown); }, later);
  }

  follow(frame) {
    if (frame === this.shown) return;
    this.looked = true;
    this.shown = frame;
    this.moved(frame);
  }

  /** Shows a frame, counted among those that are drawn. */
  show(frame) {
    this.shown = frame;
    if (this.ready) this.send({ type: 'frame', frame, progress: 100 });
  }

  close() {
    removeEventListener('message', this.listener);
    this.frame?.remove();
  }
}
