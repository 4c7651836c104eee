// Which games are listed, and in which order. `replay --list` has the same filters, in Rust: GameFilter.

/** The endings in their order: first those by the rules, of which the first so many are no fault, then faults. */
const ENDINGS = Object.keys(TERMINATIONS);
const FAULTLESS = ['goal', 'no-moves', 'without-capture', 'turn-limit', 'scores', 'adjudicated', 'abandoned', 'not-stated'];

/** The parts of an address that say which games are listed. */
const FILTERS = ['bot', 'opponent', 'side', 'result', 'termination', 'opening', 'min_turns', 'max_turns'];

/** Whether a game is one that a filter asks for; `sides` is what the game calls its seats. */
function fits(game, filter, sides) {
  const { players, points, termination: ended, opening: began, turns } = game;
  const { bot, opponent, side, result, termination, opening } = filter;
  const seat = players.indexOf(bot);
  if (bot && seat < 0) return false;
  if (opponent && !players.includes(opponent)) return false;
  const isSeat = (word, own) => word === sides[own] || word === String(own + 1);
  if (bot && side && !isSeat(side, seat)) return false;
  if (opening && began !== (opening === '-' ? '' : opening)) return false;
  if (termination === 'fault' ? FAULTLESS.includes(ended) : termination && ended !== termination) return false;
  if (filter.min_turns && turns < Number(filter.min_turns)) return false;
  if (filter.max_turns && turns > Number(filter.max_turns)) return false;
  return !result || cameOut(points, seat, result, isSeat);
}

/** Whether a game came out so, for the bot in this seat where the result is a bot's. */
function cameOut(points, seat, result, isSeat) {
  if (points === null) return result === 'none';
  const own = { won: (value) => value === 1, lost: (value) => value === 0, drawn: (value) => value > 0 && value < 1 }[result];
  if (own) return seat >= 0 && own(points[seat]);
  const best = Math.max(...points);
  const isDraw = points.filter((value) => value === best).length > 1;
  return isDraw ? result === 'draw' : isSeat(result, points.indexOf(best));
}

/** What games are sorted by in each column. */
const GAME_VALUES = {
  game: ({ id }) => id, first: ({ players }) => players[0], second: ({ players }) => players[1],
  result: ({ points }) => (points ? points[0] : -1), termination: ({ termination }) => ENDINGS.indexOf(termination),
  turns: ({ turns }) => turns, opening: ({ opening }) => opening,
};

/** Puts games into an order, of equal ones the newest first. */
function sortGames(games, order) {
  const { key, isDescending } = readOrder(order);
  const value = GAME_VALUES[key];
  return games.sort((one, other) => compareValues(value(one), value(other), isDescending) || other.id - one.id);
}
