// Analysis: a position that is pasted or reached by moves, its variations, and the best moves of the built-in search.

class Analysis {
  constructor(values, site) {
    const variants = playedVariants(site);
    this.variant = chosenVariant(variants, values.game ? values : site);
    this.session = null;
    this.text = h('input', { type: 'text', 'aria-label': 'Position', spellcheck: 'false', autocomplete: 'off' });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.note = h('p', { class: 'turn-status', role: 'status' });
    this.lines = h('ol', { class: 'lines', 'aria-label': 'Best moves' });
    this.effort = h('p', { class: 'quiet effort' });
    this.moves = h('div', { class: 'tree-box' });
    this.stage = h('section', { class: 'stage', 'aria-label': 'Board' });
    const button = (text, click) => h('button', { type: 'button', click }, text);
    this.go = h('button', { type: 'button', class: 'primary', click: () => (this.session ? this.stop() : this.start()) }, 'Go');
    this.back = iconButton('back', 'One move back (left arrow)', () => this.step(-1));
    this.next = iconButton('next', 'One move forward (right arrow)', () => this.step(1));
    const form = h('form', { class: 'position', submit: (event) => {
      event.preventDefault();
      this.set(this.text.value);
    } }, this.text, h('button', {}, 'Set'));
    this.element = h('article', { class: 'page analysis' }, h('div', { class: 'head' }, h('h1', {}, 'Analysis')),
      h('div', { class: 'setup slim' }, variantField(variants, this.variant, (variant) => {
        this.variant = variant;
        this.newBoard();
        this.set('');
      })),
      h('div', { class: 'replay' }, this.stage, h('section', { class: 'aside', 'aria-label': 'Analysis' },
        this.note, h('div', { class: 'controls' }, this.go, this.back, this.next, button('Start', () => this.set('')),
          iconButton('flip', 'Flip the board', () => this.board.flip())),
        this.effort, this.lines, this.moves,
        h('h2', {}, 'Position'), form, this.problem, h('div', { class: 'actions' },
          h('button', { type: 'button', click: (event) => copy(event.target, this.text.value) }, 'Copy FEN'),
          h('button', { type: 'button', click: (event) => copy(event.target, location.href) }, 'Copy link to this variation'),
          button('Play from here', () => { location.hash = to('play', { ...this.setup(lineText(this.path())), side: this.state.board.side }); })))));
    this.newBoard();
  }

  newBoard() {
    const play = (name) => this.play(name);
    this.board = new Board({ variant: this.variant, play, tried: play });
    this.stage.replaceChildren(this.board.element, moveField(play));
  }

  ask(question) {
    const { game, rules } = this.variant;
    return askPosition({ game, rules, ...question });
  }

  /** The moves that lead to the shown position. */
  path() { return this.tree.moves(this.tree.current); }

  /** The part of an address for this game and its first position. */
  setup(moves, turn) {
    const { game, rules } = this.variant;
    return { game, rules, position: this.tree.text, moves, turn };
  }

  /** Shows the position that a text describes, after the first `turn` of these moves. */
  async set(position, moves = [], turn = moves.length) {
    this.stop();
    try {
      const [state, first] = await Promise.all([this.ask({ position, moves }), moves.length ? this.ask({ position }) : null]);
      this.problem.replaceChildren();
      this.tree = new Tree(state.start.rows, (first ?? state).text);
      let node = this.tree.root;
      let { rows } = state.start;
      for (const ply of state.line) {
        rows = this.variant.after(rows, ply.set);
        node = this.tree.add(node, ply, rows);
      }
      node.state = state;
      this.tree.root.state ??= first;
      await this.visit(this.tree.path(node)[turn - 1] ?? this.tree.root);
    } catch (error) {
      this.problem.replaceChildren(error.message);
    }
  }

  async play(name) {
    const { tree } = this;
    const parent = tree.current;
    try {
      const state = await this.ask({ position: parent.state.text, moves: [name] });
      // Another position may be shown by now.
      if (tree !== this.tree || parent !== tree.current) return;
      const node = tree.add(parent, state.line[0], state.board.rows);
      node.state = state;
      this.problem.replaceChildren();
      await this.visit(node);
    } catch (error) {
      this.problem.replaceChildren(error.message);
      this.board.show(parent.rows, { legal: parent.state.legal, marks: parent.squares });
    }
  }

  step(by) {
    const { current } = this.tree;
    const node = by < 0 ? current.parent : current.children[0];
    if (node) this.visit(node);
  }

  /** Shows a position of the tree; a running search continues with it. */
  async visit(node) {
    const { tree } = this;
    const going = Boolean(this.session);
    tree.current = node;
    this.stop();
    node.state ??= await this.ask({ position: tree.text, moves: tree.moves(node) });
    if (tree !== this.tree || tree.current !== node) return;
    this.show(node.state, node);
    if (going && node.state.legal.length) this.start();
  }

  show(state, node) {
    this.state = state;
    this.board.show(state.board.rows, { legal: state.legal, marks: node.squares });
    this.text.value = state.text;
    this.note.replaceChildren(sideName(this.variant.sides, state.board.side), ' to move', state.note ? ` – ${state.note}` : '');
    if (state.legal.length === 0) this.note.replaceChildren(state.note ?? 'The game is over.');
    this.go.disabled = state.legal.length === 0;
    this.back.disabled = node.parent === null;
    this.next.disabled = node.children.length === 0;
    const list = this.tree.list(this.variant.sides, (chosen) => this.visit(chosen));
    this.moves.replaceChildren(list);
    const current = list.querySelector('[aria-current]');
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    this.lines.replaceChildren();
    this.effort.textContent = state.legal.length ? plural(state.legal.length, 'legal move') : '';
    if (node.found) this.found(node.found);
    this.tell();
  }

  /** Writes the shown variation into the address. */
  tell() {
    const line = this.tree.moves(this.tree.end(this.tree.current));
    const turn = this.path().length;
    this.address = to('analysis', this.setup(lineText(line), line.length > turn ? turn : ''));
    history.replaceState(null, '', this.address);
  }

  async start() {
    const { game, rules } = this.variant;
    const node = this.tree.current;
    try {
      const session = new Session((found) => {
        if (this.session !== session) return;
        if (found.lines.length) node.found = found;
        this.found(found);
      });
      this.session = session;
      this.go.textContent = 'Stop';
      await session.begin({ analysis: { game, rules, position: this.state.text } });
    } catch (error) {
      this.stop();
      this.problem.replaceChildren(error.message);
    }
  }

  stop() {
    this.session?.end();
    this.session = null;
    this.go.textContent = 'Go';
  }

  found({ lines, depth, nodes, done, why }) {
    this.effort.textContent = `depth ${depth} · ${whole(nodes)} nodes${done && why ? ` · ${why}` : ''}`;
    const current = document.activeElement?.closest?.('.lines li');
    const focused = current ? [...this.lines.children].indexOf(current) : -1;
    this.lines.replaceChildren(...lines.map((line, rank) => h('li', {}, h('button', {
      type: 'button', title: `Play ${line.moves[0]}`, click: () => this.play(line.moves[0]),
    }, h('b', { class: line.score > 0 ? 'won' : line.score < 0 ? 'lost' : '' }, line.worth.replace('-', '−')),
    h('span', { class: `first rank${rank}` }, line.moves[0]), h('span', { class: 'quiet' }, line.moves.slice(1, 12).join(' '))))));
    if (focused >= 0) this.lines.children[focused]?.querySelector('button')?.focus();
    const arrows = lines.map((line, rank) => ({ squares: line.squares, rank })).reverse();
    if (this.board.choice.path.length === 0 && !this.board.dragged) {
      this.board.arrows = arrows;
      this.board.draw();
    }
    if (done && this.session) this.stop();
  }
}

async function analysisPage(values, promised) {
  document.title = 'Analysis';
  const analysis = new Analysis(values, await promised);
  const moves = movesOf(values.moves);
  return {
    page: analysis.element,
    shown: () => analysis.set(values.position ?? '', moves, values.turn === undefined ? moves.length : Number(values.turn)),
    left: () => analysis.stop(),
    key(event) {
      const keys = {
        ArrowLeft: () => analysis.step(-1), ArrowRight: () => analysis.step(1),
        Home: () => analysis.visit(analysis.tree.root), End: () => analysis.visit(analysis.tree.end(analysis.tree.current)),
        f: () => analysis.board.flip(),
      };
      keys[event.key]?.();
      return event.key in keys;
    },
    /** The page writes its own position into the address. */
    again: () => location.hash === analysis.address,
  };
}
