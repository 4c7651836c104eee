// Play: a person at this page against a built-in bot, or two people. The library judges; the page shows.

const BUILT_IN = [
  ['random', 'random: any legal move'], ['greedy', 'greedy: takes what it can'],
  ['alphabeta --depth 1', 'alphabeta, 1 turn ahead'], ['alphabeta --depth 3', 'alphabeta, 3 turns ahead'],
  ['alphabeta --depth 6', 'alphabeta, 6 turns ahead'], ['alphabeta', 'alphabeta, 0.1 s a move'],
  ['alphabeta --time 1s', 'alphabeta, 1 s a move'],
];

/** A list of moves as they are played. */
function moveList(turns, sides) {
  const entries = turns.map((turn, index) => h('li', {}, h('span', { class: 'turn plain' },
    h('span', { class: 'number' }, index + 1), sideDot(sides, turn.side), h('span', { class: 'move' }, turn.move))));
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
  const variants = playedVariants(site);
  let variant = chosenVariant(variants, values.game ? values : site);
  const form = h('form', { class: 'setup', submit: (event) => {
    event.preventDefault();
    const field = (name) => form.querySelector(`[data-name="${name}"]`)?.value;
    const [kind, ...name] = field('Opponent').split(' ');
    begin(variant, {
      game: variant.game,
      rules: variant.rules,
      opponent: kind === 'person' ? 'person' : { [kind]: name.join(' ') },
      side: field('You play'),
      position: field('Position') ?? '',
      moves: movesOf(field('Moves since then')),
    }).catch((error) => problem.replaceChildren(error.message));
  } });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const draw = () => {
    const opponents = [...BUILT_IN.map(([words, shown]) => [`built-in ${words}`, shown]), ['person', 'a person at this screen']];
    const sides = [...variant.sides].sort((a) => (a === variant.moves_first ? -1 : 1));
    form.replaceChildren(
      variantField(variants, variant, (chosen) => { variant = chosen; draw(); }),
      select('Opponent', opponents, 'built-in alphabeta --depth 3'),
      select('You play', sides.map((side) => [side, `${side}${side === variant.moves_first ? ' (moves first)' : ''}`]), values.side ?? variant.moves_first),
      h('label', { class: 'field full' }, h('span', {}, 'Position'), h('input', { type: 'text', 'data-name': 'Position', placeholder: 'empty for the start, or a position as text', value: values.position ?? '' })),
      ...(values.moves === undefined ? [] : [h('label', { class: 'field full' }, h('span', {}, 'Moves since then'), h('input', { type: 'text', 'data-name': 'Moves since then', value: movesOf(values.moves).join(' ') }))]),
      h('button', { class: 'primary' }, 'Start'), problem);
  };
  draw();
  return form;
}

class Table {
  /** `leave` goes to the form, `begin` begins another game. */
  constructor({ session, variant, challenge }, { leave, begin }) {
    Object.assign(this, { variant, challenge, begin, over: false });
    const order = (text) => session.order(text).catch((error) => this.tell(error.message));
    const make = (text) => {
      this.message.replaceChildren();
      order({ move: text });
    };
    this.board = new Board({ variant, play: make, tried: make });
    if (variant.is_facing && challenge.opponent !== 'person' && this.board.below !== challenge.side) this.board.flipped = !this.board.flipped;
    this.message = h('p', { class: 'message', role: 'alert' });
    this.status = h('p', { class: 'turn-status', role: 'status' });
    this.undo = h('button', { type: 'button', click: () => order('undo'), disabled: true }, 'Undo');
    this.redo = h('button', { type: 'button', click: () => order('redo'), disabled: true }, 'Redo');
    this.leave = h('button', { type: 'button', click: leave }, 'Leave');
    this.afterwards = h('div', { class: 'actions', hidden: true });
    this.side = h('section', { class: 'aside', 'aria-label': 'Moves' });
    this.typed = moveField(make);
    this.element = h('div', { class: 'replay' },
      h('section', { class: 'stage', 'aria-label': 'Board' }, this.board.element, this.message,
        h('div', { class: 'controls' }, this.undo, this.redo, iconButton('flip', 'Flip the board', () => this.board.flip()), this.leave), this.afterwards, this.typed),
      this.side);
    session.told = (state) => this.show(state);
    if (session.state) this.show(session.state);
  }

  tell(text) {
    this.message.replaceChildren(text);
  }

  show(state) {
    if (!state.start) return;
    let rows = state.start.rows;
    for (const { set } of state.turns) rows = this.variant.after(rows, set);
    const last = state.turns.at(-1);
    this.over = Boolean(state.verdict);
    this.board.show(rows, { marks: last?.squares, legal: state.legal });
    this.tell(state.message ?? '');
    this.undo.disabled = !state.can_undo;
    this.redo.disabled = !state.can_redo;
    this.typed.hidden = this.over;
    const mover = state.players[state.sides.indexOf(state.side)];
    const status = this.over ? this.result(state)
      : state.legal.length ? [sideName(state.sides, state.side), mover === 'you' ? ': your move.' : ' to move.', state.note && ` ${state.note[0].toUpperCase()}${state.note.slice(1)}.`]
        : [sideName(state.sides, state.side), `: ${mover} thinks …`];
    this.status.replaceChildren(...[status].flat().filter(Boolean));
    this.leave.textContent = this.over ? 'New game' : 'Leave';
    if (this.over && this.afterwards.hidden) this.showAfterwards(state);
    this.side.replaceChildren(
      h('div', { class: 'players' }, [1, 0].map((index) => h('p', {}, sideName(state.sides, state.sides[index]), ' ', h('b', {}, state.players[index])))),
      this.status, moveList(state.turns, state.sides),
      state.answered_us !== null ? h('p', { class: 'quiet' }, `Its last move took ${time(state.answered_us)}.`) : '');
    announce([last && `${last.side} played ${last.move}.`, this.status.textContent].filter(Boolean).join(' '));
  }

  /** The buttons after a game. */
  showAfterwards({ start, turns }) {
    const { variant, challenge } = this;
    const rematch = () => this.begin(variant, { ...challenge, side: challenge.opponent === 'person' ? challenge.side : otherSide(variant.sides, challenge.side) })
      .catch((error) => this.tell(error.message));
    const button = h('button', { type: 'button', class: 'primary', click: rematch }, 'Rematch');
    this.afterwards.hidden = false;
    this.afterwards.replaceChildren(
      button,
      h('a', { class: 'button', href: to('analysis', {
        game: variant.game, rules: variant.rules, position: variant.positionText(start.rows, start.side), moves: lineText(turns.map(({ move }) => move)),
      }) }, 'Analyse'));
  }

  result({ verdict }) {
    const won = verdict.result && verdict.result !== 'draw' ? `${verdict.result} won: ` : '';
    return h('b', { class: 'verdict' }, `${won}${verdict.reason}.`);
  }
}

/** The game under way: its session, variant and challenge. It goes on while other pages are shown. */
let underWay = null;

async function playPage(values, promised) {
  const site = await promised;
  document.title = 'Play';
  const page = h('article', { class: 'page play' });
  const leave = () => {
    underWay?.session.end();
    underWay = null;
    page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, 'Play'),
      h('p', { class: 'quiet' }, 'The referee checks every move. Drag a piece, click squares, use the arrow keys and Enter, or type a move.')),
    playForm(values, site, begin));
  };
  const sit = () => {
    const table = new Table(underWay, { leave, begin });
    page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, underWay.variant.title)), table.element);
    table.board.svg.focus({ preventScroll: true });
  };
  const begin = async (variant, challenge) => {
    const session = new Session(() => {});
    await session.begin({ play: { challenge, seed: crypto.getRandomValues(new Uint32Array(1))[0] } });
    underWay?.session.end();
    underWay = { session, variant, challenge };
    history.replaceState(null, '', to('play'));
    sit();
  };
  if (underWay && values.game === undefined) sit();
  else leave();
  return { page };
}
