// Manage: adds and changes bots, starts and stops a run, by the commands of “crownhead ladder”.

/** How often the log is asked for while the page is open, in milliseconds. */
const LOG_LOOK = 2000;

/** Why a ladder cannot be managed from this page; empty if it can. */
function whyNotManaged() {
  if (!steers) return 'This ladder can be managed only on its own machine, or with “crownhead serve --allow-manage”.';
  return token ? '' : 'To manage the ladder, open the link that Crownhead printed.';
}

/** A text field with its label. */
const textField = (label, attributes) => h('label', { class: 'field' }, h('span', {}, label),
  h('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'data-name': label, ...attributes }));

/** A form whose fields are read by their labels. */
function orderForm(fields, button, give) {
  const form = h('form', { class: 'setup', submit: (event) => {
    event.preventDefault();
    give((label) => form.querySelector(`[data-name="${label}"]`).value.trim());
  } }, fields, h('button', {}, button));
  return form;
}

async function steeringPage(values, promised) {
  const site = await promised;
  const heading = h('div', { class: 'head' }, h('h1', {}, 'Manage'), h('p', { class: 'quiet' }, `${site.title}: the commands of “crownhead ladder”.`));
  document.title = `${site.title}: manage`;
  if (whyNotManaged()) return { page: h('article', { class: 'page' }, heading, h('p', { class: 'lone' }, whyNotManaged())) };
  const said = h('pre', { class: 'said', role: 'status' });
  const log = h('pre', { class: 'log', role: 'log', 'aria-label': 'Log of the run', tabindex: '0' });
  const state = h('p', {});
  const begin = h('button', { type: 'button', click: () => give('run') }, 'Start a run');
  const stop = h('button', { type: 'button', click: () => give('stop') }, 'Stop the run');
  const bots = h('div');

  const show = (told, isLook) => {
    if (!isLook) {
      said.textContent = told.said || 'Done.';
      said.classList.toggle('problem', !told.done);
    }
    state.textContent = told.is_running ? 'A run started here is under way.' : 'No run started here is under way.';
    begin.disabled = told.is_running;
    stop.disabled = !told.is_running;
    if (log.textContent === told.log) return;
    log.textContent = told.log;
    log.scrollTop = log.scrollHeight;
  };
  const give = async (order) => {
    try {
      const told = await send('steering', order);
      show(told, order === 'look');
      if (order !== 'look') await draw();
    } catch (error) {
      said.textContent = error.message;
      said.classList.add('problem');
    }
  };
  const draw = async () => {
    const { rows } = await source.standings();
    const current = rows.filter((row) => row.current !== false);
    const order = (kind, row) => h('button', { type: 'button', 'aria-label': `${kind} ${row.bot}`, click: () => give({ [kind.toLowerCase()]: { name: row.bot } }) }, kind);
    const focused = document.activeElement?.getAttribute?.('aria-label');
    const plays = (row) => (row.retired ? 'retired' : row.disabled ? `disabled: ${row.disabled}` : 'yes');
    const columns = [{ title: 'Bot', key: 'bot', value: ({ bot }) => bot }, { title: 'Plays', key: 'plays', value: plays }, { title: '' }];
    bots.replaceChildren(table('Bots', columns, current, (row) => h('tr', { class: row.retired ? 'past' : '' },
      h('th', { scope: 'row' }, row.bot),
      h('td', {}, plays(row)),
      h('td', {}, h('div', { class: 'actions' }, row.retired ? null : [order(row.disabled ? 'Enable' : 'Disable', row), order('Remove', row)])))));
    if (focused && document.activeElement === document.body) document.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  };
  const required = { required: true };
  const page = h('article', { class: 'page manage' }, heading, said,
    h('section', {}, h('h2', {}, 'Run'), state, h('div', { class: 'actions' }, begin, stop), log),
    h('section', {}, h('h2', {}, 'Bots'), bots, h('p', { class: 'quiet' }, '“Remove” retires a bot that has played, and keeps its games.')),
    h('section', {}, h('h2', {}, 'Add a bot'), orderForm([textField('Name', required),
      textField('Command', { ...required, placeholder: 'python3 bot.py, or alphabeta --depth 4' }),
      textField('Folder', { placeholder: 'the folder it runs in' })], 'Add',
    (of) => give({ add: { name: of('Name'), command: of('Command'), folder: of('Folder') } }))),
    h('section', {}, h('h2', {}, 'Rename a bot that has not played'), orderForm([textField('Bot', required), textField('New name', required)], 'Rename',
      (of) => give({ rename: { name: of('Bot'), to: of('New name') } }))),
    h('section', {}, h('h2', {}, 'Number of pairs'), orderForm([textField('Pairs', { ...required, inputmode: 'numeric', pattern: '[1-9][0-9]*' })], 'Set',
      (of) => give({ pairs: { pairs: Number(of('Pairs')) } }))));
  await draw();
  give('look');
  const looking = setInterval(() => { if (!document.hidden) give('look'); }, LOG_LOOK);
  return { page, left: () => clearInterval(looking), news: draw };
}
