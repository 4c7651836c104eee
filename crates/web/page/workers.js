// The page of workers: which machines play a ladder, and what they do.

/** A playing worker reports every second. */
const GONE = 60e6;

function seenAs({ doing, seen_us: seen }) {
  if (doing === null) return 'ended';
  return seen < GONE ? doing : `not seen for ${time(seen)}`;
}

function workersTable(workers) {
  const columns = [
    { title: 'Worker', key: 'name', value: ({ name }) => name }, { title: 'Does', kind: 'wide', key: 'does', value: seenAs },
    { title: 'At once', kind: 'num', help: 'Pairs played at once', key: 'at-once', value: ({ at_once: pairs }) => pairs },
    { title: 'Speed', kind: 'num', help: 'Millions of positions a second of the built-in search', key: 'speed', value: ({ speed }) => speed },
    { title: 'Games', kind: 'num', key: 'games', value: ({ games }) => games },
    { title: 'Void pairs', kind: 'num mid', help: 'Pairs that count for nobody: the machine may have made a bot late', key: 'void', value: (worker) => worker.void },
  ];
  return table('Workers', columns, workers, (worker) => h('tr', { class: worker.doing === null ? 'past' : '' },
    h('th', { scope: 'row' }, worker.name),
    h('td', { class: 'wide' }, seenAs(worker)),
    h('td', { class: 'num' }, worker.at_once),
    h('td', { class: 'num' }, (worker.speed / 1e6).toFixed(2)),
    h('td', { class: 'num' }, whole(worker.games)),
    h('td', { class: 'num mid' }, whole(worker.void))));
}

async function workersPage(values, promised) {
  const [first, site] = await Promise.all([source.workers(), promised]);
  const list = h('div');
  const draw = (workers) => list.replaceChildren(workers.length === 0
    ? h('p', { class: 'lone' }, 'No worker has joined yet. Start “crownhead worker” on any machine.') : workersTable(workers));
  draw(first);
  document.title = `${site.title}: workers`;
  return {
    page: h('article', { class: 'page' }, h('h1', {}, 'Workers'), list),
    async news() {
      const workers = await source.workers();
      redraw(() => draw(workers));
    },
  };
}
