// The evaluation bar beside a board: which side is ahead, and how far.

/** The score, in hundredths of a man or pawn, that stands for 1 on the logistic curve of the bar. */
const STEEPNESS = 130;

class EvaluationBar {
  constructor() {
    this.part = h('i', {});
    this.told = h('span', {});
    this.element = h('div', { class: 'evaluation', role: 'meter', 'aria-label': 'Evaluation', 'aria-valuemin': 0, 'aria-valuemax': 100 }, this.part, this.told);
  }

  /** Shows the best line (`score`, `worth`) for the side to move, or none; `below` is the side at the bottom of the board. */
  show(line, mover, below, sides) {
    const isProven = line && /^(wins|loses)/.test(line.worth);
    const own = !line ? 0.5 : isProven ? Number(line.score > 0) : 1 / (1 + Math.exp(-line.score / STEEPNESS));
    const share = mover === below ? own : 1 - own;
    const ahead = !line || line.score === 0 ? null : (line.score > 0) === (mover === below) ? below : otherSide(sides, below);
    const told = !line ? 'not analysed' : !ahead ? 'equal' : isProven ? `${ahead} wins in ${line.worth.split(' ').at(-1)}`
      : `${ahead} is ahead by ${line.worth.slice(1)}`;
    this.element.className = `evaluation ${colourClass(sides, otherSide(sides, below))}${line ? '' : ' none'}`;
    this.part.className = colourClass(sides, below);
    this.part.style.setProperty('height', `${(100 * share).toFixed(1)}%`);
    this.told.className = share >= 0.5 ? 'low' : 'high';
    this.told.textContent = !line ? '' : isProven ? `#${line.worth.split(' ').at(-1)}` : line.worth.slice(1);
    this.element.setAttribute('aria-valuenow', Math.round(100 * share));
    this.element.setAttribute('aria-valuetext', told);
    this.element.title = told;
  }
}
