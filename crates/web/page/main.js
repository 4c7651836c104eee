// The shown page, the keys, and the news.

/** The place that the address names: `#game=12&turn=31`, `#standings`. */
function place() {
  const values = {};
  for (const part of location.hash.slice(1).split('&').filter(Boolean)) {
    const [name, ...rest] = part.split('=');
    let value = rest.join('=');
    try {
      value = decodeURIComponent(value);
    } catch { /* As it stands. */ }
    values[name] = rest.length ? value : true;
  }
  return values;
}

const PAGES = [
  ['analysis', analysisPage], ['play', playPage], ['games', gamesPage], ['live', livePage], ['standings', standingsPage],
];

/** The page of a place; games and bots are named by number. */
function pageOf(values) {
  const named = PAGES.find(([name]) => values[name] === true);
  if (named) return named;
  if (values.game !== undefined) return ['games', gamePage];
  if (values.bot !== undefined) return ['standings', botPage];
  return ['standings', standingsPage];
}

/** The pages that need a board of a game that the library knows, with their titles. */
const STARTING = { play: 'Play', analysis: 'Analysis' };

/** Whether the library in this page plays a site's games. */
const isPlayed = ({ is_external: isExternal, variants, game }) => !isExternal && variants.some((one) => one.game === game && one.is_played);

let current = {};
let site = null;
/** The site's data, once loaded. */
let about = null;
let turns = 0;

function navigation(name) {
  const started = about && isPlayed(about);
  const links = [['standings', 'Standings'], mode === 'live' && about?.is_live && ['live', 'Live'], ['games', 'Games'], started && ['play', 'Play'], started && ['analysis', 'Analysis']];
  byId('nav').replaceChildren(...links.filter(Boolean).map(([page, title]) =>
    h('a', { href: `#${page}`, 'aria-current': page === name ? 'page' : null }, title)));
}

async function show() {
  const values = place();
  if (current.again?.(values)) return;
  turns += 1;
  const turn = turns;
  const main = byId('main');
  let next;
  try {
    const [name, make] = pageOf(values);
    if (mode === 'single') {
      next = lonePage();
    } else {
      // A page's data and the site's are loaded at the same time, so a page gets the site's promise.
      site ??= source.site();
      navigation(name);
      const known = site;
      known.then((told) => {
        about = told;
        navigation(name);
      }, () => {});
      const title = STARTING[name];
      if (title && !isPlayed(await site)) next = noBoardPage(title, await site);
      else next = await make(values, site);
    }
  } catch (error) {
    site = null;
    next = { page: h('article', { class: 'page' }, h('h1', {}, 'Something went wrong'), h('p', { class: 'problem', role: 'alert' }, error.message),
      h('p', {}, h('a', { href: '#standings' }, 'Go to the standings'))) };
  }
  // Another page may have been opened meanwhile.
  if (turn !== turns) return next.left?.();
  current.left?.();
  current = next;
  main.replaceChildren(next.page);
  if (turn > 1) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  next.shown?.();
}

addEventListener('hashchange', show);
addEventListener('pagehide', () => current.left?.());
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, select, textarea');
  const pressing = event.key === ' ' && event.target.closest?.('button, a');
  if (typing || pressing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (!current.key?.(event)) return;
  event.preventDefault();
});

/** The least time between two looks, in milliseconds, because games are played on the same machine. */
const LEAST = 3000;

function listen() {
  let generation = null;
  let busy = false;
  let waiting = false;
  const look = async () => {
    // A hidden page waits until it is shown.
    if (busy || document.hidden) {
      waiting = true;
      return;
    }
    busy = true;
    do {
      waiting = false;
      try {
        site = source.site();
        await current.news?.();
      } catch { /* The next change tells it again. */ }
      await new Promise((done) => { setTimeout(done, LEAST); });
    } while (waiting && !document.hidden);
    busy = false;
  };
  document.addEventListener('visibilitychange', () => { if (waiting) look(); });
  const events = new EventSource('data/events');
  events.onmessage = (event) => {
    const told = JSON.parse(event.data).generation;
    byId('live').hidden = false;
    if (told !== undefined && told !== generation) look();
    generation = told;
  };
  events.onerror = () => { byId('live').hidden = true; };
}

if (mode === 'single') document.querySelector('.brand').removeAttribute('href');
show();
if (mode === 'live') listen();
