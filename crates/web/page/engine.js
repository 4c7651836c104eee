// Judges moves, plays against people and searches, behind one interface: of a server or, if pages are files, of the
// library in this page.

const serverEngine = {
  /** The position after the moves of a setup (`game`, `rules`, `position`, `moves`): its board, legal moves, text, note, and the line that led to it. */
  position: (setup) => send('position', setup),
  /** Starts a game; returns the name of its session. */
  play: async (challenge) => (await send('play', challenge)).session,
  /** Starts an analysis; returns the name of its session. */
  analyse: async (setup) => (await send('analysis', setup)).session,
  /** Sends a command to a session: `{ move }`, `'undo'`, `'redo'` or `'stop'`. */
  order: (session, order) => send(`session/${session}`, order),
  /** Calls `told` with each state of a session, the newest first; returns a function that stops it. `ended` says whether the last one has come; `gone` is called if the session no longer exists. */
  follow: (session, told, ended, gone) => follow(`session/${session}`, told, ended, gone),
  /** The games played here, the newest first, and one of them. */
  played: () => load('played.json'),
  playedGame: (id) => load(`played/${id}.json`),
};

const engine = mode === 'static' ? libraryEngine() : serverEngine;
