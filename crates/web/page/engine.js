// What judges moves, plays against people and searches, behind one interface: a server's, or where pages are files that
// of the library in this page.

const serverEngine = {
  /** The position after the moves of a setup (`game`, `rules`, `position`, `moves`): its board, legal moves, text, note, and the line that led to it. */
  position: (setup) => send('position', setup),
  /** Begins a game; gives the name of its session. */
  play: async (challenge) => (await send('play', challenge)).session,
  /** Begins an analysis; gives the name of its session. */
  analyse: async (setup) => (await send('analysis', setup)).session,
  /** Says what is wanted of a session: `{ move }`, `'undo'`, `'redo'` or `'stop'`. */
  order: (session, order) => send(`session/${session}`, order),
  /** Calls `told` with each state of a session, the newest first; returns a function that stops it. `ended` says whether the last one has come; `gone` is called where there is no such session any more. */
  follow: (session, told, ended, gone) => follow(`session/${session}`, told, ended, gone),
  /** The games that were played here, the newest first, and one of them. */
  played: () => load('played.json'),
  playedGame: (id) => load(`played/${id}.json`),
};

const engine = mode === 'static' ? libraryEngine() : serverEngine;
