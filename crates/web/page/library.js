// The library in this page, as WebAssembly in workers: it judges moves, plays against people and searches. Each game and
// each analysis has its own worker, which ends with it.

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

/** A game or an analysis, which runs until it is ended. `told` is called with each state. */
class Session {
  constructor(told) {
    this.told = told;
    this.state = null;
    this.worker = new LibraryWorker((state) => {
      this.state = state;
      this.told(state);
    });
  }

  /** Begins; if it cannot, the session ends. */
  async begin(request) {
    try {
      await this.worker.ask(request);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Sends a command: `{ move }`, `'undo'` or `'redo'`. */
  order(order) { return this.worker.ask({ order }); }

  end() { this.worker.end(); }
}

/** The position after the moves of a setup (`game`, `rules`, `position`, `moves`): its board, legal moves, text, note, and the line that led to it. */
function askPosition(setup) {
  askPosition.worker ??= new LibraryWorker(() => {});
  return askPosition.worker.ask({ position: setup });
}
