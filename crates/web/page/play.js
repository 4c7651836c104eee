// Play: a person at this page against a bot, or two people. The engine judges and keeps the games; the page shows.

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
  const variants = variantsOf(site);
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
      clock: field('Clock') === 'real',
      position: field('Position') ?? '',
      moves: movesOf(field('Moves since then')),
    }).catch((error) => problem.replaceChildren(error.message));
  } });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const draw = () => {
    const ladder = mode === 'live' && site.kind === 'ladder' && variant.key === keyOf(site) ? site.current_bots.map((bot) => [`bot ${bot}`, `${bot} (of this ladder)`]) : [];
    const opponents = [...BUILT_IN.map(([words, shown]) => [`built-in ${words}`, shown]), ...ladder, ['person', 'a person at this screen']];
    const sides = [...variant.sides].sort((a) => (a === variant.moves_first ? -1 : 1));
    form.replaceChildren(
      variantField(variants, variant, (chosen) => { variant = chosen; draw(); }),
      select('Opponent', opponents, 'built-in alphabeta --depth 3'),
      select('You play', sides.map((side) => [side, `${side}${side === variant.moves_first ? ' (moves first)' : ''}`]), values.side ?? variant.moves_first),
      mode === 'live' ? select('Clock', [['none', 'no clock'], ['real', 'a late bot loses, as in a match']], 'none') : '',
      h('label', { class: 'field full' }, h('span', {}, 'Position'), h('input', { type: 'text', 'data-name': 'Position', placeholder: 'empty for the start, or a position as text', value: values.position ?? '' })),
      ...(values.moves === undefined ? [] : [h('label', { class: 'field full' }, h('span', {}, 'Moves since then'), h('input', { type: 'text', 'data-name': 'Moves since then', value: movesOf(values.moves).join(' ') }))]),
      h('button', { class: 'primary' }, 'Start'), problem);
  };
  draw();
  return form;
}

class Table {
  /** `leave` goes to the form, `begin` begins another game; `gone` is called if the game no longer exists. */
  constructor(session, variant, challenge, { leave, begin, gone }) {
    Object.assign(this, { session, variant, challenge, begin, over: false });
    const order = (text) => engine.order(session, text).catch((error) => this.tell(error.message));
    this.order = order;
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
    this.leave = h('button', { type: 'button', click: () => { if (!this.over) order('stop'); leave(); } }, 'Leave');
    this.afterwards = h('div', { class: 'actions', hidden: true });
    this.side = h('section', { class: 'aside', 'aria-label': 'Moves' });
    this.typed = moveField(make);
    this.element = h('div', { class: 'replay' },
      h('section', { class: 'stage', 'aria-label': 'Board' }, this.board.element, this.message,
        h('div', { class: 'controls' }, this.undo, this.redo, iconButton('flip', 'Flip the board', () => this.board.flip()), this.leave), this.afterwards, this.typed),
      this.side);
    this.close = engine.follow(session, (state) => this.show(state), () => this.over, gone);
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
      state.answered_us !== null ? h('p', { class: 'quiet' }, `Its last move took ${time(state.answered_us)}.`) : '',
      wordsBox('Its output', state.words) ?? '');
    announce([last && `${last.side} played ${last.move}.`, this.status.textContent].filter(Boolean).join(' '));
  }

  /** The buttons after a game. */
  showAfterwards({ kept, start, turns }) {
    const { variant, challenge } = this;
    const rematch = () => this.begin(variant, { ...challenge, side: challenge.opponent === 'person' ? challenge.side : otherSide(variant.sides, challenge.side) })
      .catch((error) => this.tell(error.message));
    const button = h('button', { type: 'button', class: 'primary', click: rematch }, 'Rematch');
    this.afterwards.hidden = false;
    this.afterwards.replaceChildren(...[
      button,
      h('a', { class: 'button', href: to('analysis', {
        game: variant.game, rules: variant.rules, position: variant.positionText(start.rows, start.side), moves: lineText(turns.map(({ move }) => move)),
      }) }, 'Analyse'),
      kept && h('a', { class: 'button', href: to('', { played: kept }) }, 'View the game'),
      kept && downloads({ id: kept, folder: 'played' }, variant.has_pdn),
    ].flat().filter(Boolean));
  }

  result({ verdict }) {
    const won = verdict.result && verdict.result !== 'draw' ? `${verdict.result} won: ` : '';
    return h('b', { class: 'verdict' }, `${won}${verdict.reason}.`);
  }
}

/** This tab's game under way, which survives a reload, unless storage is forbidden. */
const underWay = {
  set(value) {
    try {
      if (value) sessionStorage.setItem('play', JSON.stringify(value));
      else sessionStorage.removeItem('play');
    } catch { /* Then the game does not survive a reload. */ }
  },
  get() {
    try {
      return JSON.parse(sessionStorage.getItem('play'));
    } catch {
      return null;
    }
  },
};

async function playPage(values, promised) {
  const site = await promised;
  const variants = variantsOf(site);
  document.title = 'Play';
  let table = null;
  const page = h('article', { class: 'page play' });
  const seat = (session, challenge) => {
    table?.close();
    const variant = chosenVariant(variants, challenge);
    const leave = () => {
      underWay.set(null);
      setUp();
    };
    // It may be gone before the table exists.
    table = new Table(session, variant, challenge, { leave, begin, gone: () => queueMicrotask(leave) });
    page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, variant.title)), table.element);
    table.board.svg.focus({ preventScroll: true });
  };
  const begin = async (variant, challenge) => {
    const session = await engine.play(challenge);
    underWay.set({ session, challenge });
    history.replaceState(null, '', to('play'));
    seat(session, challenge);
  };
  const setUp = () => {
    table?.close();
    table = null;
    const games = h('section', { 'aria-label': 'Games played here' });
    page.replaceChildren(h('div', { class: 'head' }, h('h1', {}, 'Play'),
      h('p', { class: 'quiet' }, 'The referee checks every move. Drag a piece, click squares, use the arrow keys and Enter, or type a move.')),
    playForm(values, site, begin), games);
    playedGames(variants).then((list) => games.replaceChildren(...list), (error) => games.replaceChildren(h('p', { class: 'problem' }, error.message)));
  };
  const kept = values.game === undefined && underWay.get();
  if (kept) seat(kept.session, kept.challenge);
  else setUp();
  return { page, left: () => table?.close() };
}
