// The page of workers: which machines play a ladder, what they do, and whether they can be trusted.

/** A worker that plays tells of itself every second. */
const GONE = 60e6;

function seenAs({ doing, seen_us: seen, excluded }) {
  if (excluded) return `excluded: ${excluded}`;
  if (doing === null) return 'ended';
  return seen < GONE ? doing : `not seen for ${time(seen)}`;
}

function workersTable(workers) {
  const columns = [
    ['Worker', ''], ['Does', 'wide'], ['At once', 'num', 'Pairs that it plays at once, and the games at once that are safe'],
    ['Speed', 'num', 'Millions of positions a second of the built-in search'], ['Games', 'num'],
    ['Void pairs', 'num mid', 'Pairs that a bot may have lost by what others did on the machine'],
    ['Faults', 'num mid', 'Games lost by a fault of a bot'], ['Replays', 'num mid', 'Pairs replayed elsewhere, and those that came out otherwise'],
    ['By chance', 'num', 'How often chance alone makes results differ so much from those of the other workers'],
  ];
  return table('Workers', columns, workers.map((worker) => h('tr', { class: worker.doing === null || worker.excluded ? 'past' : '' },
    h('th', { scope: 'row' }, worker.name),
    h('td', { class: 'wide' }, seenAs(worker)),
    h('td', { class: 'num' }, worker.at_once, h('span', { class: 'quiet' }, ` of ${worker.safe_games ?? '–'}`)),
    h('td', { class: 'num' }, (worker.speed / 1e6).toFixed(2)),
    h('td', { class: 'num' }, whole(worker.games)),
    h('td', { class: 'num mid' }, whole(worker.void)),
    h('td', { class: 'num mid' }, whole(worker.faults)),
    h('td', { class: 'num mid' }, worker.replayed === 0 ? '–' : [whole(worker.replayed), worker.different === 0 ? null
      : h('span', { class: 'faults' }, `, ${worker.different} differ`)]),
    h('td', { class: 'num' }, worker.residual ? likelihood(worker.residual.probability) : '–'))));
}

async function workersPage(values, promised) {
  const [first, site] = await Promise.all([source.workers(), promised]);
  const list = h('div');
  const draw = (workers) => list.replaceChildren(workers.length === 0
    ? h('p', { class: 'lone' }, 'No worker has joined yet: “crownhead worker” on any machine does.') : workersTable(workers));
  draw(first);
  document.title = `${site.title}: workers`;
  return {
    page: h('article', { class: 'page' }, h('h1', {}, 'Workers'), list),
    async news() { draw(await source.workers()); },
  };
}
