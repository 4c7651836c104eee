// The parts of the page's one script, in the order of src/assets.rs. This one: elements, and numbers for people.
// Foreign data become text nodes or attributes, never markup.

'use strict';

const SVG = 'http://www.w3.org/2000/svg';

/** Fills an element: attributes (functions are listeners, null and false are left out), then children. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (name === 'css') for (const [key, to] of Object.entries(value)) element.style.setProperty(key, to);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const byId = (id) => document.getElementById(id);

/** A time in microseconds, as the program prints it: `85.3 ms`, `1.20 s`, `4 min 43 s`, `3 h 10 min`. */
function time(us) {
  if (us === null || us === undefined) return '–';
  if (us < 1000) return `${us} µs`;
  if (us < 999.95e3) return `${(us / 1e3).toFixed(1)} ms`;
  if (us < 119.995e6) return `${(us / 1e6).toFixed(2)} s`;
  const [seconds, minutes] = [Math.round(us / 1e6), Math.round(us / 60e6)];
  if (us < 3599.5e6) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${whole(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

const percent = (share, digits = 1) =>
  share === null || share === undefined ? '–' : `${(100 * share).toFixed(digits)} %`;

/** The chance of being stronger, never shown as certain. */
function likelihood(chance) {
  if (chance === null || chance === undefined) return '–';
  return chance > 0.9995 ? '> 99.9 %' : chance < 0.0005 ? '< 0.1 %' : percent(chance);
}

/** A whole number, its thousands separated by commas. */
const whole = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');

const signed = (number) => (number > 0 ? '+' : number < 0 ? '−' : '') + whole(Math.abs(number));

const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;

/** Announces something to people who cannot see it change. */
const announce = (text) => { byId('status').textContent = text; };

/** A button with a symbol and a name. */
const iconButton = (symbol, name, click) =>
  h('button', { type: 'button', class: 'icon', title: name, 'aria-label': name, click }, icon(symbol));

/** The symbols of buttons, 24 by 24. */
const ICONS = {
  first: 'M6 5v14M19 5 9 12l10 7z', back: 'M16 5 7 12l9 7z', play: 'M8 5v14l11-7z', pause: 'M8 5v14M16 5v14',
  next: 'M8 5l9 7-9 7z', last: 'M18 5v14M5 5l10 7-10 7z', flip: 'M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4',
};
const icon = (name) => s('svg', { class: `symbol ${name}`, viewBox: '0 0 24 24', width: 20, height: 20, 'aria-hidden': 'true' }, s('path', { d: ICONS[name] }));

/** Copies text, and says so on the button for a moment. */
async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    const field = h('textarea', { class: 'unseen' }, text);
    document.body.append(field);
    field.select();
    button.textContent = document.execCommand('copy') ? 'Copied' : 'Could not copy';
    field.remove();
  }
  announce(button.textContent);
  setTimeout(() => { button.textContent = before; }, 1200);
}

/** Downloads a text as a file. */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  h('a', { href: url, download: name }).click();
  // By then, the browser has it.
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** A list to choose from; `options` are pairs of a value and what is shown. */
const select = (label, options, chosen, change) =>
  h('label', { class: 'field' }, h('span', {}, label),
    h('select', { change: (event) => change?.(event.target.value), 'data-name': label },
      options.map(([value, shown]) => h('option', { value, selected: value === chosen }, shown))));
