// Charts, drawn at their width, and again when it changes.

/** A chart of this height; `draw(width)` gives its parts. */
function chart(height, label, draw, more = {}) {
  const svg = s('svg', { class: 'chart', height, role: 'img', 'aria-label': label, ...more });
  const box = h('div', { class: 'chart-frame' }, svg);
  let width = 0;
  box.redraw = () => {
    if (!width) return;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.replaceChildren(...draw(width).flat(3).filter(Boolean));
  };
  new ResizeObserver(([entry]) => {
    if (Math.round(entry.contentRect.width) === width) return;
    width = Math.round(entry.contentRect.width);
    box.redraw();
  }).observe(box);
  return box;
}

/** Round numbers that cover a range, at most `most` of them. */
function ticks(low, high, most) {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) found.push(tick);
  return found;
}

/** A rating with its interval, on a scale that all rows share. */
function interval(row, low, high) {
  const at = (rating) => `${((100 * (rating - low)) / (high - low || 1)).toFixed(2)}%`;
  return s('svg', { class: 'interval', height: 18, 'aria-hidden': 'true' },
    s('line', { class: 'range', x1: at(row.rating - row.margin), x2: at(row.rating + row.margin), y1: 9, y2: 9 }),
    s('circle', { cx: at(row.rating), cy: 9, r: 4.5 }));
}

/** Lines differ in colour and dashes. */
const lineClass = (index) => `line c${index % 7} d${Math.floor(index / 7) % 4}`;

/** Ratings over pairs. */
function historyChart(history, shown) {
  const last = history.points.at(-1);
  const lines = shown.filter((bot) => history.bots.includes(bot)).map((bot) => history.bots.indexOf(bot));
  const ratings = history.points.flatMap(([, all]) => lines.map((bot) => all[bot]));
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  return chart(260, 'Ratings over the games played', (width) => {
    const [left, right, top, bottom] = [48, 12, 10, 234];
    const x = (pairs) => left + ((width - left - right) * pairs) / (last[0] || 1);
    const y = (rating) => bottom - ((bottom - top) * (rating - low)) / (high - low || 1);
    return [
      ticks(low, high, 5).map((tick) => [
        s('line', { class: 'grid', x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
        s('text', { x: left - 6, y: y(tick) + 4, 'text-anchor': 'end' }, signed(tick).replace('+', '')),
      ]),
      ticks(0, last[0], Math.max(2, width / 120)).map((tick) =>
        s('text', { x: x(tick), y: bottom + 18, 'text-anchor': 'middle' }, whole(tick))),
      lines.map((bot, index) => s('polyline', {
        class: lineClass(index),
        points: history.points.map(([pairs, all]) => `${x(pairs).toFixed(1)},${y(all[bot]).toFixed(1)}`).join(' '),
      }, s('title', {}, history.bots[bot]))),
    ];
  });
}

const legend = (names) => h('ul', { class: 'legend' }, names.map((name, index) =>
  h('li', {}, s('svg', { width: 26, height: 10, 'aria-hidden': 'true' },
    s('line', { class: lineClass(index), x1: 1, x2: 25, y1: 5, y2: 5 })), name)));

/**
 * A graph over the turns of a game: `values` are `{ turn, value, side }`; a click jumps to a turn. If they have a
 * `limit`, a line shows it. With the kind `log`, each step is ten times the one below.
 */
function turnChart(label, turns, values, { kind, shown, jump }) {
  const limited = values.filter(({ limit }) => limit);
  const sizes = [...values.map(({ value }) => value), ...limited.map(({ limit }) => limit)];
  const power = (size, round) => 10 ** round(Math.log10(size));
  const low = kind === 'log' ? power(Math.min(...sizes), Math.floor) : 0;
  const high = kind === 'log' ? power(Math.max(...sizes, 10 * low), Math.ceil) : Math.max(...sizes) || 1;
  // The part of the axis for a value.
  const part = (size) => (kind === 'log' ? Math.log10(size / low) / Math.log10(high / low) : size / high);
  let now = 0;
  const [left, right, top, bottom] = [62, 6, 8, 92];
  const box = chart(112, label, (width) => {
    const room = (width - left - right) / Math.max(1, turns);
    const middle = bottom;
    const axis = bottom - top;
    const steps = kind === 'log' ? Array.from({ length: Math.round(Math.log10(high / low)) - 1 }, (_, step) => middle - part(low * 10 ** (step + 1)) * axis) : [];
    return [
      s('rect', { class: 'now', x: left + (now - 1) * room, y: top, width: now ? Math.max(2, room) : 0, height: bottom - top }),
      s('line', { class: 'grid', x1: left, x2: width - right, y1: middle, y2: middle }),
      steps.map((y) => s('line', { class: 'grid', x1: left, x2: width - right, y1: y, y2: y })),
      limited.length > 0 && s('polyline', { class: 'limit', points: limited.flatMap(({ turn, limit }) =>
        [turn - 1, turn].map((at) => `${(left + at * room).toFixed(1)},${(middle - part(limit) * axis).toFixed(1)}`)).join(' ') }),
      s('text', { x: left - 6, y: top + 9, 'text-anchor': 'end' }, shown(high)),
      kind && s('text', { x: left - 6, y: bottom, 'text-anchor': 'end' }, shown(low)),
      values.map(({ turn, value, side }) => {
        const size = Math.max(1, part(value) * axis);
        return s('rect', {
          class: `bar ${side}`, x: left + (turn - 1) * room + room * 0.1, y: middle - size,
          width: Math.max(1, room * 0.8), height: size,
        }, s('title', {}, `turn ${turn}: ${shown(value)}`));
      }),
      ticks(1, Math.max(2, turns), Math.max(2, width / 90)).map((tick) =>
        s('text', { x: left + (tick - 0.5) * room, y: bottom + 15, 'text-anchor': 'middle' }, whole(tick))),
    ];
  }, { click: (event) => jump(turnAt(event, turns, left, right)) });
  box.classList.add('clickable');
  box.at = (turn) => {
    now = turn;
    box.redraw();
  };
  return box;
}

/** The turn at which a chart was clicked, between its margins. */
function turnAt(event, turns, left, right) {
  const bounds = event.currentTarget.getBoundingClientRect();
  const at = event.clientX - bounds.left - left;
  return Math.max(1, Math.min(turns, Math.ceil((at / (bounds.width - left - right)) * turns)));
}
