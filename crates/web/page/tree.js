// A tree of variations: a position, the moves that were tried from it, and those that were tried after them. The
// engine lists the moves.

/** A line of moves in an address, and as people write it. */
const lineText = (moves) => moves.join('~');
const movesOf = (text) => String(text ?? '').split(/[\s~]+/).filter(Boolean);

class Tree {
  /** `rows` is the first position, `text` the same as text. */
  constructor(rows, text) {
    this.text = text;
    this.root = { move: null, rows, squares: [], parent: null, children: [], state: null, found: null };
    this.current = this.root;
  }

  /** The node after a move from `parent`, created if missing; `rows` is its position. */
  add(parent, { move, side, squares }, rows) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = { move, side, rows, squares, parent, children: [], state: null, found: null };
    parent.children.push(node);
    return node;
  }

  /** The nodes that lead to one, without the first position. */
  path(node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  moves(node) { return this.path(node).map(({ move }) => move); }

  /** The last node of the line from a node. */
  end(node) {
    let at = node;
    while (at.children.length) [at] = at.children;
    return at;
  }

  /** The tree as lists, in which variations stand after the move that they replace; `go(node)` is called for one that is chosen. */
  list(sides, go) {
    const entry = (node, number) => h('li', {}, h('button', {
      type: 'button', class: 'turn', 'aria-current': node === this.current ? 'true' : null,
      'aria-label': `Move ${number}, ${node.side}: ${node.move}`, click: () => go(node),
    }, h('span', { class: 'number' }, number), sideDot(sides, node.side), h('span', { class: 'move' }, node.move)));
    const line = (first, number) => {
      const entries = [];
      let [at, count] = [first, number];
      while (at) {
        entries.push(entry(at, count));
        // The other moves that were tried instead of the first choice.
        if (at !== first || at.parent.children[0] === first) {
          const others = at.parent.children.slice(1);
          for (const other of others)
            entries.push(h('li', { class: 'variation' }, h('ol', { 'aria-label': `Variation from move ${count}` }, line(other, count))));
        }
        [at] = at.children;
        count += 1;
      }
      return entries;
    };
    const [first] = this.root.children;
    return h('ol', { class: 'moves tree', 'aria-label': 'Moves and variations' }, first ? line(first, 1) : []);
  }
}
