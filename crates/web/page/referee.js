// A game of an external referee: the input and reply of each bot, and the referee's messages and pictures.

/** The class of a seat's colour. */
const seatClass = (seat) => `seat${seat % 7}`;
const seatDot = (seat) => h('i', { class: `dot ${seatClass(seat)}`, 'aria-hidden': 'true' });

/** Points or a share of them: `1`, `½`, `0.25`. */
const pointsText = (value) => (value === 0.5 ? '½' : String(+value.toFixed(2)));

/** Seats, the best first. */
function seatsByRank(players, points, scores) {
  const seats = players.map((_, seat) => seat);
  return seats.sort((one, other) => (points ? points[other] - points[one] : 0) || (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
}

/** The longest text that is not folded. */
const FOLDED_LINES = 12;

/** Text from or for a bot, folded if it is long. */
function textBox(title, text) {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const block = h('pre', { tabindex: '0', 'aria-label': title }, text);
  if (lines <= FOLDED_LINES) return h('figure', { class: 'words' }, h('figcaption', {}, title), block);
  return h('details', { class: 'words' }, h('summary', {}, `${title}, ${plural(lines, 'line')}`), block);
}

/** A line of a summary: `$0` is a player, `¤RED¤` to `§RED§` a colour (the engine's `GameManager` and its viewer, 4.5). */
function summaryLine(line, players) {
  const named = (text) => text.replace(/\$(\d)/g, (word, seat) => players[seat]?.name ?? word);
  const parts = line.split(/¤(RED|GREEN)¤(.*?)§\1§/);
  // In threes: the text before, the colour, the coloured text.
  return h('p', {}, parts.map((part, index) => [
    () => named(part), () => null, () => h('span', { class: parts[index - 1] === 'RED' ? 'lost' : 'won' }, named(part)),
  ][index % 3]()));
}

/** A tooltip is the number of a player and a text. */
function tooltipLine(told, players) {
  const [, seat, text] = told.match(/^(\d+) ([^]*)$/) ?? [null, null, told];
  return h('p', { class: 'quiet' }, seat !== null && players[seat] ? `${players[seat].name}: ${text}` : text);
}

/** The referee's board. A picture becomes an image, which runs no script and loads nothing. */
function boardShown(text) {
  const svg = text.trim();
  if (!svg.startsWith('<svg')) return h('pre', { class: 'shown', tabindex: '0', 'aria-label': 'The board' }, text);
  const named = /^<svg[^>]*\sxmlns=/.test(svg) ? svg : svg.replace('<svg', `<svg xmlns="${SVG}"`);
  const picture = h('img', {
    class: 'shown', alt: 'The board as the referee draws it', src: `data:image/svg+xml,${encodeURIComponent(named)}`,
    error: () => picture.replaceWith(h('p', { class: 'quiet no-viewer' }, 'The referee’s picture cannot be shown: it is not one complete SVG.')),
  });
  return picture;
}

/** For each turn, what was shown last. */
function boardsByTurn(frames, last) {
  let [next, board] = [0, ''];
  return Array.from({ length: last + 1 }, (_, turn) => {
    for (; next < frames.length && frames[next].turn <= turn; next += 1) board = frames[next].show ?? board;
    return board;
  });
}

class RefereeReplay extends Turns {
  constructor(game, turned) {
    super(game, turned);
    // For each turn, the last drawn frame after it, counted among drawn frames.
    const { frames = [] } = game.referee;
    const keys = frames.filter(({ view = '' }) => isKey(view));
    this.frameOf = Array.from({ length: this.last + 1 }, (_, turn) => Math.max(0, keys.findLastIndex((frame) => frame.turn <= turn)));
    this.turnOf = keys.map((frame) => frame.turn);
    this.viewer = game.viewer.folder && mode !== 'single' ? new ContestViewer(game, (frame) => this.moved(frame)) : null;
    this.boards = boardsByTurn(frames, this.last);
    this.board = this.boards[this.last] ? h('div', { class: 'shown-board' }) : null;
    this.element = h('div', { class: 'replay external' },
      h('section', { class: 'stage', 'aria-label': 'The game' },
        this.viewer?.element ?? this.board ?? h('p', { class: 'quiet no-viewer' }, `The contest’s viewer is not shown: ${game.viewer.why}.`),
        this.places(), this.controls('turn')),
      h('section', { class: 'aside', 'aria-label': 'Turns' },
        this.detail = h('div', { class: 'detail', 'aria-live': 'polite' }), this.list()),
      h('section', { class: 'graphs', 'aria-label': 'Graphs' }, this.timeGraph()));
  }

  /** Who played, the best first. */
  places() {
    const { players, scores: points } = this.game;
    const { scores = [] } = this.game.referee;
    const columns = [{ title: 'Seat', kind: 'num', key: 'seat', value: (seat) => seat }, { title: 'Bot', key: 'bot', value: (seat) => players[seat].name },
      { title: 'Points', kind: 'num', help: 'A point for each player left behind, half for a tie, divided by their number', key: 'points', value: (seat) => points?.[seat] },
      { title: 'Score', kind: 'num', help: 'The score that the referee gave', key: 'score', value: (seat) => scores[seat] }];
    return table('Players', columns, seatsByRank(players, points, scores), (seat) => h('tr', { class: points?.[seat] === 1 ? 'winner' : '' },
      h('td', { class: 'num quiet' }, seat + 1), h('td', {}, seatDot(seat), players[seat].name),
      h('td', { class: 'num' }, points ? pointsText(points[seat]) : '–'), h('td', { class: 'num' }, scores[seat] ?? '–')));
  }

  /** How a turn failed, if it did. */
  failed(index) { return this.game.referee.failed?.find(({ turn }) => turn === index); }

  list() {
    const { game } = this;
    this.entries = game.turns.map((turn, index) => {
      const given = turn.opening ?? turn.reply;
      const answer = given === null ? 'no answer' : given.split('\n')[0].slice(0, 40);
      return h('li', {}, h('button', {
        type: 'button', class: `turn ${this.failed(index) ? 'fault' : turn.opening ? 'opening' : ''}`,
        'aria-label': `Turn ${index + 1}, ${game.players[turn.player].name}: ${answer}`, click: () => this.go(index + 1),
      }, h('span', { class: 'number' }, index + 1), seatDot(turn.player), h('span', { class: 'move' }, answer)));
    });
    this.entries.unshift(h('li', {}, h('button', { type: 'button', class: 'turn start', click: () => this.go(0) },
      h('span', { class: 'number' }, 0), h('span', { class: 'move' }, 'start'))));
    this.moves = h('ol', { class: 'moves', 'aria-label': 'All turns' }, this.entries);
    return this.moves;
  }

  colourOf(turn) { return seatClass(turn.player); }

  seats() { return this.game.players.map(({ name }, seat) => ({ name, colour: seatClass(seat) })); }

  /** The limit of a turn: its referee's, or that of the match. */
  limit(turn) {
    if (turn.limit_us !== undefined) return turn.limit_us;
    const isFirst = this.game.turns.find((other) => other.player === turn.player) === turn;
    return isFirst ? this.game.limits.first_turn_us : this.game.limits.turn_us;
  }

  /** Shows the game after this many turns. */
  go(turn, quiet = false) {
    this.turn = Math.max(0, Math.min(this.last, turn));
    this.viewer?.show(this.frameOf[this.turn]);
    this.showBoard(this.boards[this.turn]);
    this.mark();
    for (const box of this.charts) box.at(this.turn);
    this.detail.replaceChildren(...[this.describe(this.game.turns[this.turn - 1])].flat(3).filter(Boolean));
    if (this.turn === this.last) this.stop();
    if (!quiet) this.turned(this.turn);
  }

  /** Shows the board, if it has changed. */
  showBoard(board) {
    if (!this.board || board === this.shown) return;
    this.shown = board;
    this.board.replaceChildren(...(board ? [boardShown(board)] : []));
  }

  /** The viewer shows another frame, and the rest of the page follows. */
  moved(frame) {
    const turn = this.turnOf[frame];
    if (turn === undefined || turn > this.last) return;
    this.stop();
    const { viewer } = this;
    this.viewer = null;
    this.go(turn);
    this.viewer = viewer;
  }

  describe(turn) {
    const { game } = this;
    const { players } = game;
    const frames = (game.referee.frames ?? []).filter((frame) => frame.turn === this.turn);
    const said = frames.flatMap((frame) => [
      ...(frame.summary ?? []).filter((line) => line.trim()).map((line) => summaryLine(line, players)),
      ...(frame.tooltips ?? []).map((told) => tooltipLine(told, players)),
    ]);
    const summary = said.length > 0 && h('section', { class: 'summary', 'aria-label': 'Messages of the referee' }, h('h3', {}, 'The referee'), said);
    const wrote = (when, of) => players.map((player) => recordedWords(`${player.name} wrote ${when}`, of(player)));
    const verdict = this.turn === this.last && h('p', { class: game.fault === null ? 'verdict' : 'verdict fault' },
      'The game ends here: ', h('b', {}, terminationName(game.termination)), '.');
    if (!turn) return [h('h2', {}, 'The start'), summary, verdict, wrote('before its first turn', (player) => player.stderr_before)];
    const { name } = players[turn.player];
    const [limit, failed] = [this.limit(turn), this.failed(this.turn - 1)];
    const facts = [
      turn.us !== undefined && ['Time', h('span', {}, `${time(turn.us)} of ${time(limit)} `, h('span', { class: 'meter', 'aria-hidden': 'true' },
        h('i', { class: turn.us > limit ? 'over' : '', css: { width: `${100 * Math.min(1, turn.us / limit)}%` } })))],
      turn.work_us !== undefined && ['Processor time', time(turn.work_us)], ...saidText(turn.said),
    ].filter(Boolean);
    return [h('h2', {}, `Turn ${this.turn}: `, seatDot(turn.player), name),
      failed && h('p', { class: 'verdict fault' }, h('b', {}, terminationName(failed.termination)), game.fault === this.turn - 1 && `: ${game.reason}.`), verdict,
      turn.reply === null ? h('p', {}, 'It did not reply.') : textBox(`${name} replied`, turn.reply),
      turn.opening && textBox('The referee got the opening’s reply', turn.opening),
      h('dl', { class: 'facts' }, facts.map(([fact, value]) => [h('dt', {}, fact), h('dd', {}, value)])),
      summary,
      turn.sent && textBox(`${name} was sent`, turn.sent),
      recordedWords(`${name} wrote`, turn.stderr),
      this.turn === this.last && wrote('after the game', (player) => player.stderr_after)];
  }

  close() {
    this.stop();
    this.viewer?.close();
  }
}

/** The head of such a game. */
function refereeHead(game) {
  const names = game.players.map((player, seat) => [seat > 0 && h('small', {}, ' against '), player.name]);
  const facts = [game.game, game.rules, `seed ${game.referee.seed}`, plural(game.turns.length, 'turn'), terminationName(game.termination)];
  return h('div', { class: 'head' },
    h('h1', {}, h('span', { class: 'number' }, `Game ${game.id}`), h('span', { class: 'versus' }, names)),
    h('p', { class: 'quiet' }, facts.filter(Boolean).join(' · ')),
    h('p', { class: game.fault === null ? 'verdict' : 'verdict fault' }, `${game.scores ? '' : 'No result: '}${game.reason}.`));
}

/** Such a game in a list: its players, the best first, with their scores. */
function refereeRow(game) {
  const scores = game.scores ?? [];
  const player = (seat) => h('span', { class: `seat ${game.points?.[seat] === 1 ? 'winner' : ''}` }, seatDot(seat), game.players[seat], ' ',
    h('small', { class: 'quiet' }, [game.points ? pointsText(game.points[seat]) : '–', scores[seat] !== undefined && ` (${scores[seat]})`].filter(Boolean)));
  return [h('td', { class: 'seats' }, seatsByRank(game.players, game.points, scores).map(player))];
}

/** Shown instead of a page that needs a board. */
function noBoardPage(title, site) {
  document.title = `${site.title}: ${title}`;
  return { page: h('article', { class: 'page' }, h('h1', {}, title),
    h('p', { class: 'lone' }, site.is_external ? `Only its referee knows the rules of ${site.game}, so there is no board to play on or analyse.`
      : `This page has no search for ${site.game}. “crownhead play” of the program that knows it plays it in a terminal.`)) };
}
