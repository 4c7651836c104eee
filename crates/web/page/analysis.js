// Analysis: a position that is set up, pasted or played to, and the best moves that the built-in search finds there.

class Analysis {
  constructor(values, site) {
    const variants = variantsOf(site);
    this.variant = chosenVariant(variants, values.game ? values : site);
    this.past = [];
    this.session = null;
    this.text = h('input', { type: 'text', 'aria-label': 'Position', spellcheck: 'false', autocomplete: 'off' });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.note = h('p', { class: 'turn-status', role: 'status' });
    this.lines = h('ol', { class: 'lines', 'aria-label': 'Best moves' });
    this.effort = h('p', { class: 'quiet effort' });
    this.go = h('button', { type: 'button', class: 'primary', click: () => (this.session ? this.stop() : this.start()) }, 'Go');
    this.back = h('button', { type: 'button', click: () => this.undo(), disabled: true }, 'Undo');
    this.editor = h('div', { class: 'editor', hidden: true });
    this.stage = h('section', { class: 'stage', 'aria-label': 'Board' });
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
        this.note, h('div', { class: 'controls' }, this.go, this.back, h('button', { type: 'button', click: () => this.set('') }, 'Start'),
          h('button', { type: 'button', click: () => this.edit() }, 'Set up'), iconButton('flip', 'Flip the board', () => this.board.flip())),
        this.editor, this.effort, this.lines,
        h('h2', {}, 'Position'), form, this.problem, h('div', { class: 'actions' }, h('button', { type: 'button', click: (event) => copy(event.target, this.text.value) }, 'Copy FEN')))));
    this.newBoard();
  }

  newBoard() {
    this.editor.hidden = true;
    const play = (name) => this.play(name);
    const tried = (text) => this.play(text);
    this.board = new Board({ variant: this.variant, play, tried });
    this.stage.replaceChildren(this.board.element, moveField(play));
  }

  ask(question) {
    const { game, rules } = this.variant;
    return engine.position({ game, rules, ...question });
  }

  /** Shows the position that a text describes. */
  async set(position) {
    await this.stop();
    try {
      this.show(await this.ask({ position }), []);
      this.past = [];
      this.back.disabled = true;
      this.problem.replaceChildren();
    } catch (error) {
      this.problem.replaceChildren(error.message);
    }
  }

  async play(name) {
    const going = Boolean(this.session);
    const before = this.state;
    try {
      const state = await this.ask({ position: before.text, move: name });
      await this.stop();
      this.past.push(before);
      this.back.disabled = false;
      this.problem.replaceChildren();
      this.show(state, state.played.squares);
      if (going && state.legal.length) this.start();
    } catch (error) {
      this.problem.replaceChildren(error.message);
      this.board.show(before.board.rows, { legal: before.legal, marks: this.marks });
    }
  }

  async undo() {
    await this.stop();
    const before = this.past.pop();
    this.back.disabled = this.past.length === 0;
    if (before) this.show(before, []);
  }

  show(state, marks) {
    Object.assign(this, { state, marks });
    this.board.show(state.board.rows, { legal: state.legal, marks });
    this.text.value = state.text;
    this.note.replaceChildren(sideName(this.variant.sides, state.board.side), ' to move', state.note ? ` – ${state.note}` : '');
    if (state.legal.length === 0) this.note.replaceChildren(state.note ?? 'The game is over.');
    this.go.disabled = state.legal.length === 0;
    this.lines.replaceChildren();
    this.effort.textContent = state.legal.length ? plural(state.legal.length, 'legal move') : '';
    const { game, rules } = this.variant;
    history.replaceState(null, '', to('analysis', { game, rules, position: state.text }));
  }

  async start() {
    const { game, rules } = this.variant;
    try {
      const session = await engine.analyse({ game, rules, position: this.state.text });
      this.session = session;
      this.go.textContent = 'Stop';
      let done = false;
      this.close = engine.follow(session, (found) => {
        if (this.session !== session || !found.lines) return;
        done = found.done;
        this.found(found);
      }, () => done);
    } catch (error) {
      this.problem.replaceChildren(error.message);
    }
  }

  async stop() {
    const { session } = this;
    this.session = null;
    this.go.textContent = 'Go';
    this.close?.();
    this.close = null;
    if (session) await engine.order(session, 'stop').catch(() => {});
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
    if (done) this.stop();
  }

  /** Pieces are put on the board one by one. */
  edit() {
    this.stop();
    const { variant } = this;
    let [chosen, rows, side] = [variant.pieces[0]?.letter ?? '.', this.state.board.rows, this.state.board.side];
    const board = new Board({ variant, put: (square) => {
      if (!variant.isPlaying(square)) return;
      const place = variant.placeOf(square);
      rows = rows.slice(0, place) + (rows[place] === chosen ? '.' : chosen) + rows.slice(place + 1);
      board.show(rows);
    } });
    board.flipped = this.board.flipped;
    const pick = (letter, content, name) => h('button', {
      type: 'button', class: 'pick', 'aria-label': name, title: name, 'aria-pressed': String(letter === chosen),
      click: (event) => {
        chosen = letter;
        for (const other of this.editor.querySelectorAll('.pick')) other.setAttribute('aria-pressed', String(other === event.currentTarget));
      },
    }, content);
    const picture = (piece) => s('svg', { viewBox: '0 0 100 100', width: 34, height: 34 }, drawPiece(variant.sides, piece));
    const pieces = [...variant.ofLetter.values()].map((piece) => pick(piece.letter, picture(piece), variant.describePiece(piece)));
    const action = (text, act, kind) => h('button', { type: 'button', class: kind, click: act }, text);
    this.editor.hidden = false;
    this.editor.replaceChildren(
      h('p', { class: 'quiet' }, 'Choose a piece, then squares; a second time takes it off.'),
      h('div', { class: `picks ${variant.ground}` }, pieces, pick('.', '✕', 'nothing')),
      select('To move', ['black', 'white'].map((own) => [own, variant.sides[own]]), side, (value) => { side = value; }),
      h('div', { class: 'controls' },
        action('Done', () => this.leaveEditor(variant.rowsText(rows, side)), 'primary'),
        action('Empty board', () => { rows = variant.emptyRows; board.show(rows); }),
        action('Cancel', () => this.leaveEditor(this.state.text))));
    this.stage.replaceChildren(board.element);
    board.show(rows);
  }

  async leaveEditor(position) {
    const flipped = this.board.flipped;
    try {
      const state = await this.ask({ position });
      this.newBoard();
      this.board.flipped = flipped;
      this.past = [];
      this.back.disabled = true;
      this.problem.replaceChildren();
      this.show(state, []);
    } catch (error) {
      this.problem.replaceChildren(error.message);
    }
  }
}

async function analysisPage(values, promised) {
  document.title = 'Analysis';
  const analysis = new Analysis(values, await promised);
  return {
    page: analysis.element,
    shown: () => analysis.set(values.position ?? ''),
    left: () => analysis.stop(),
    /** The page writes its own position into the address. */
    again: (next) => next.position === analysis.state?.text,
  };
}
