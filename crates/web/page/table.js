// Tables, which are sorted by the columns that have a key. The order is kept in the address: `sort=-games`.

/** Whether one text is before another. */
const compareTexts = (one, other) => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : one < other ? -1 : one > other ? 1 : 0;
};

/** Which of two values is first; missing values are last in either order. */
function compareValues(one, other, isDescending) {
  const [a, b] = [one ?? null, other ?? null];
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === 'string' ? compareTexts(a, b) : a - b;
  return isDescending ? -order : order;
}

/** Changes parts of the address without changing the page or the history. */
const keepInAddress = (changes) => history.replaceState(null, '', addressOf({ ...place(), ...changes }));

/** `-games` as a column's key and whether the highest come first. */
const readOrder = (text) => ({ key: text.replace(/^-/, ''), isDescending: text.startsWith('-') });

/**
 * A table. A column is `{ title, kind, help, key, value }`: `kind` is its class, `value(row)` a number or a text that rows
 * are sorted by. `draw(row)` gives the row, or several. `name` is what the order is called in the address, `order` the one
 * in which the table is at first. If the rows are drawn elsewhere, `ask(order)` draws them.
 */
function sortedTable(label, columns, rows, draw, { name = 'sort', order: first = '', kind, ask } = {}) {
  const kept = place()[name];
  let order = columns.some(({ key }) => key && key === readOrder(String(kept)).key) ? kept : first;
  const body = h('tbody');
  const choose = ({ key, kind: column = '' }, head) => {
    const now = readOrder(order);
    // People look for the highest first; names begin with A.
    const isDescending = now.key === key ? !now.isDescending : column.includes('num');
    order = (isDescending ? '-' : '') + key;
    keepInAddress({ [name]: order === first ? null : order });
    announce(`Sorted by ${head.textContent}, ${isDescending ? 'descending' : 'ascending'}`);
    fillBody();
    ask?.(order);
  };
  const heads = columns.map((column) => h('th', { class: column.kind, scope: 'col', title: column.help },
    column.key ? h('button', { type: 'button', class: 'sort', 'data-sort': `${name} ${column.key}`, click: (event) => choose(column, event.currentTarget) }, column.title) : column.title));
  const fillBody = () => {
    const { key, isDescending } = readOrder(order);
    columns.forEach((column, at) => {
      if (column.key && column.key === key) heads[at].setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else heads[at].removeAttribute('aria-sort');
    });
    if (ask) return;
    const value = columns.find((column) => column.key === key)?.value;
    const sorted = value ? [...rows].sort((one, other) => compareValues(value(one), value(other), isDescending)) : rows;
    body.replaceChildren(...sorted.map(draw).flat().filter(Boolean));
  };
  fillBody();
  const element = h('div', { class: 'scroll' }, h('table', { 'aria-label': label, class: kind }, h('thead', {}, h('tr', {}, heads)), body));
  return { element, body, order: () => order };
}

/** The same, for a value that is only shown. */
const table = (...told) => sortedTable(...told).element;

/** Redraws the page, and keeps the focus on a link or on the head of a column. */
function redraw(draw) {
  const focused = document.activeElement;
  const [link, sort] = [focused?.getAttribute?.('href'), focused?.dataset?.sort];
  draw();
  if (document.activeElement !== document.body) return;
  const found = sort ? `[data-sort="${CSS.escape(sort)}"]` : link && `[href="${CSS.escape(link)}"]`;
  if (found) document.querySelector(found)?.focus();
}
