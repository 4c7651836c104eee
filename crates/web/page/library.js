// The library in this page, as WebAssembly in workers, for pages without a server. It has a server's interface. Each game
// and each analysis has its own worker, which ends with it.

/** The worker's script, passed as text: an instance of the library, and nothing of the page. */
function libraryWorker() {
  let library = null;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(library.memory.buffer, at, length));
  const page = {
    now: () => performance.now(),
    tell: (at, length) => postMessage(JSON.parse(text(at, length))),
  };
  const ask = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const at = library.reserve(bytes.length);
    new Uint8Array(library.memory.buffer, at, bytes.length).set(bytes);
    library.request();
  };
  let ready = null;
  onmessage = async ({ data: { module, request } }) => {
    try {
      ready ??= WebAssembly.instantiate(module, { page }).then((instance) => { library = instance.exports; });
      await ready;
      ask(request);
    } catch (error) {
      postMessage({ error: `The library failed: ${error.message}` });
    }
  };
}

/** The library, compiled once. Its file is a script, because a page that was opened as a file can load nothing else. */
function loadLibrary() {
  loadLibrary.once ??= new Promise((done, fail) => {
    const script = h('script', {
      src: 'library.js', load: () => {
        const bytes = Uint8Array.from(atob(globalThis.crownheadLibrary), (letter) => letter.charCodeAt(0));
        delete globalThis.crownheadLibrary;
        WebAssembly.compile(bytes).then(done, fail);
      },
      error: () => {
        loadLibrary.once = null;
        fail(new Error('library.js cannot be loaded. Is it still beside this page?'));
      },
    });
    document.head.append(script);
  });
  return loadLibrary.once;
}

/** A worker with the library in it. */
class LibraryWorker {
  /** `told` is called with each state. */
  constructor(told) {
    this.told = told;
    this.waiting = [];
    const url = URL.createObjectURL(new Blob([`(${libraryWorker})()`], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => this.reply(data);
  }

  reply({ answer, error, table, analysis }) {
    if (error !== undefined) this.waiting.shift()?.fail(new Error(error));
    else if (answer !== undefined) this.waiting.shift()?.done(answer);
    else this.told(table ?? analysis);
  }

  async ask(request) {
    const module = await loadLibrary();
    return new Promise((done, fail) => {
      this.waiting.push({ done, fail });
      this.worker.postMessage({ module, request });
    });
  }

  end() { this.worker.terminate(); }
}

/** The library behind the interface of `engine`. */
function libraryEngine() {
  const sessions = new Map();
  let lasting = null;
  const begin = async (request) => {
    const session = { state: null, told: null };
    session.worker = new LibraryWorker((state) => {
      session.state = state;
      session.told?.(state);
    });
    try {
      await session.worker.ask(request);
    } catch (error) {
      session.worker.end();
      throw error;
    }
    const name = crypto.getRandomValues(new Uint32Array(2)).join('-');
    sessions.set(name, session);
    return name;
  };
  return {
    async position(setup) {
      lasting ??= new LibraryWorker(() => {});
      return lasting.ask({ position: setup });
    },
    play: (challenge) => begin({ play: { challenge, seed: crypto.getRandomValues(new Uint32Array(1))[0] } }),
    analyse: (setup) => begin({ analysis: setup }),
    async order(name, order) {
      const session = sessions.get(name);
      if (!session) throw new Error('this game or analysis has ended');
      if (order !== 'stop') return session.worker.ask({ order });
      session.worker.end();
      sessions.delete(name);
      return null;
    },
    follow(name, told, ended, gone = () => {}) {
      const session = sessions.get(name);
      if (!session) {
        gone();
        return () => {};
      }
      session.told = told;
      if (session.state) told(session.state);
      return () => { session.told = null; };
    },
    played: async () => [],
    playedGame: async () => { throw new Error('Games played here are not kept.'); },
  };
}
