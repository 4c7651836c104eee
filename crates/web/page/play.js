// Play: a person at this page against a bot, or two people. The server judges; the page shows.

const VARIANTS = [
  { game: 'checkers', rules: 'contest', title: 'Checkers, contest rules', sides: { black: 'black', white: 'red' }, first: 'black' },
  { game: 'checkers', rules: 'classroom', title: 'Checkers, classroom rules', sides: { black: 'black', white: 'white' }, first: 'white' },
  { game: 'everchess', rules: 'standard', title: 'EverChess', sides: { black: 'black', white: 'white' }, first: 'white' },
  { game: 'chess', rules: 'two-player', title: 'Chess, no castling or promotion', sides: { black: 'black', white: 'white' }, first: 'white' },
];

const BUILT_IN = [
  ['random', 'random: any legal move'], ['greedy', 'greedy: takes what it can'],
  ['alphabeta --depth 1', 'alphabeta, one turn ahead'], ['alphabeta --depth 3', 'alphabeta, three turns ahead'],
  ['alphabeta --depth 6', 'alphabeta, six turns ahead'], ['alphabeta', 'alphabeta, a tenth of a second'],
  ['alphabeta --time 1s', 'alphabeta, a second'],
];

const keyOf = ({ game, rules }) => `${game} ${rules}`;
const variantOf = (values) => VARIANTS.find((variant) => keyOf(variant) === keyOf(values)) ?? VARIANTS[0];

/** The list of games to choose from. */
const variantField = (chosen, change) => select('Game', VARIANTS.map((variant) => [keyOf(variant), variant.title]), keyOf(chosen), change);

/** A list of moves as they are played. */
function moveList(turns, white) {
  const entries = turns.map((turn, index) => h('li', {}, h('span', { class: 'turn plain' },
    h('span', { class: 'number' }, index + 1), h('i', { class: `dot ${turn.side} ${white}` }), h('span', { class: 'move' }, turn.move))));
  const list = h('ol', { class: 'moves', 'aria-label': 'Moves played' }, entries);
  requestAnimationFrame(() => { list.scrollTop = list.scrollHeight; });
  return list;
}

/** A field in which a move can be typed. */
function moveField(make) {
  const input = h('input', { type: 'text', 'aria-label': 'A move', placeholder: 'or type a move', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
  const form = h('form', { class: 'type-move', submit: (event) => {
    event.preventDefault();
    if (input.value.trim()) make(input.value.trim());
    input.value = '';
  } }, input, h('button', {}, 'Move'));
  return form;
}

function playForm(values, site, begin) {
  const own = { game: site.game, rules: site.rules };
  let variant = variantOf(values.game ? values : own);
  const form = h('form', { class: 'setup', submit: (event) => {
    event.preventDefault();
    const field = (name) => form.querySelector(`[data-name="${name}"]`)?.value;
    const [kind, ...name] = field('Opponent').split(' ');
    begin({
      ...variant,
      opponent: kind === 'person' ? 'person' : { [kind]: name.join(' ') },
      side: field('You play'),
      clock: field('Clock') === 'real',
      position: field('Position') ?? '',
    }).catch((error) => problem.replaceChildren(error.message));
  } });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const draw = () => {
    const ladder = site.kind === 'ladder' && keyOf(variant) === keyOf(own) ? site.bots.map((bot) => [`bot ${bot}`, `${bot} (of this ladder)`]) : [];
    const opponents = [...BUILT_IN.map(([words, shown]) => [`built-in ${words}`, shown]), ...ladder, ['person', 'a person at this page']];
    const sides = ['black', 'white'].sort((a) => (a === variant.first ? -1 : 1));
    form.replaceChildren(
      variantField(variant, (key) => { variant = VARIANTS.find((other) => keyOf(other) === key); draw(); }),
      select('Opponent', opponents, 'built-in alphabeta --depth 3'),
      select('You play', sides.map((side) => [side, `${variant.sides[side]}${side === variant.first ? ', who moves first' : ''}`]), variant.first),
      select('Clock', [['none', 'no clock'], ['real', 'the bot loses if it is late, as in a match']], 'none'),
      h('label', { class: 'field full' }, h('span', {}, 'Position'), h('input', { type: 'text', 'data-name': 'Position', placeholder: 'the start; or FEN', value: values.position ?? '' })),
      h('button', { class: 'primary' }, 'Begin'), problem);
  };
  draw();
  return form;
}

class Table {
  constructor(session, challenge, leave) {
    Object.assign(this, { session, challenge, over: false });
    const order = (text) => send(`session/${session}`, text).catch((error) => this.tell(error.message));
    this.order = order;
    const make = (text) => {
      this.message.replaceChildren();
      order({ move: text });
    };
    this.board = new Board({
      game: challenge.game, sides: challenge.sides, play: make, tried: make, rowOneOnTop: challenge.rules === 'classroom',
    });
    const white = challenge.game === 'checkers' ? 'black' : 'white';
    const below = this.board.flipped ? (white === 'black' ? 'white' : 'black') : white;
    if (challenge.opponent !== 'person' && below !== challenge.side) this.board.flipped = !this.board.flipped;
    this.message = h('p', { class: 'message', role: 'alert' });
    this.status = h('p', { class: 'turn-status', role: 'status' });
    this.undo = h('button', { type: 'button', click: () => order('undo'), disabled: true }, 'Undo');
    this.redo = h('button', { type: 'button', click: () => order('redo'), disabled: true }, 'Redo');
    this.leave = h('button', { type: 'button', click: () => { if (!this.over) order('stop'); leave(); } }, 'Leave');
    this.side = h('section', { class: 'aside', 'aria-label': 'Moves' });
    this.typed = moveField(make);
    this.element = h('div', { class: 'replay' },
      h('section', { class: 'stage', 'aria-label': 'Board' }, this.board.element, this.message,
        h('div', { class: 'controls' }, this.undo, this.redo, iconButton('flip', 'Flip the board', () => this.board.flip()), this.leave), this.typed),
      this.side);
    this.close = follow(`session/${session}`, (state) => this.show(state), () => this.over);
  }

  tell(text) {
    this.message.replaceChildren(text);
  }

  show(state) {
    if (!state.start) return;
    let rows = state.start.rows;
    for (const { set } of state.turns) rows = after(rows, set);
    const last = state.turns.at(-1);
    this.over = Boolean(state.verdict);
    this.board.show(rows, { marks: squaresOf(last?.squares ?? ''), legal: state.legal });
    this.tell(state.message ?? '');
    this.undo.disabled = !state.can_undo;
    this.redo.disabled = !state.can_redo;
    this.typed.hidden = this.over;
    const mover = state.players[state.side === 'black' ? 0 : 1];
    const status = this.over ? this.result(state)
      : state.legal.length ? [sideName(state.sides, state.side), mover === 'you' ? ': your move.' : ' to move.', state.note && ` ${state.note[0].toUpperCase()}${state.note.slice(1)}.`]
        : [sideName(state.sides, state.side), `: ${mover} thinks …`];
    this.status.replaceChildren(...[status].flat().filter(Boolean));
    this.leave.textContent = this.over ? 'New game' : 'Leave';
    this.side.replaceChildren(
      h('div', { class: 'players' }, [1, 0].map((index) => h('p', {}, sideName(state.sides, index ? 'white' : 'black'), ' ', h('b', {}, state.players[index])))),
      this.status, moveList(state.turns, state.sides.white),
      state.answered_us !== null ? h('p', { class: 'quiet' }, `It took ${time(state.answered_us)} for its last move.`) : '',
      wordsBox('What it thought', state.words) ?? '');
    announce([last && `${state.sides[last.side]} played ${last.move}.`, this.status.textContent].filter(Boolean).join(' '));
  }

  result({ verdict, sides }) {
    const won = verdict.result && verdict.result !== 'draw' ? `${sides[verdict.result]} has won: ` : '';
    return h('b', { class: 'verdict' }, `${won}${verdict.reason}.`);
  }
}

async function playPage(values, promised) {
  const site = await promised;
  document.title = 'Play';
  let table = null;
  const page = h('article', { class: 'page play' }, h('div', { class: 'head' }, h('h1', {}, 'Play')));
  const setUp = () => {
    table?.close();
    table = null;
    page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, 'Play'),
      h('p', { class: 'quiet' }, 'By the rules of the referee, against the bots that play here. Drag, click, use the arrow keys and Enter on the board, or type a move.')),
    playForm(values, site, async (challenge) => {
      const { session } = await send('play', challenge);
      table = new Table(session, challenge, setUp);
      page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, challenge.title)), table.element);
      table.board.svg.focus({ preventScroll: true });
    }));
  };
  setUp();
  return {
    page,
    left() {
      if (table && !table.over) table.order('stop');
      table?.close();
    },
  };
}
