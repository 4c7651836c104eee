// The search box for bots, in the head of every page.

class BotSearch {
  constructor() {
    this.bots = [];
    this.names = h('datalist', { id: 'bots' });
    this.input = h('input', {
      type: 'search', list: 'bots', placeholder: 'Find a bot', 'aria-label': 'Find a bot', autocomplete: 'off', spellcheck: 'false',
      // Picking a name submits it at once.
      input: (event) => { if (!(event instanceof InputEvent) || event.inputType === 'insertReplacementText') this.go(); },
    });
    this.element = h('form', { class: 'find', role: 'search', 'aria-label': 'Bots', submit: (event) => { event.preventDefault(); this.go(); } }, this.input, this.names);
  }

  /** All bots; a bot's number is its index. */
  know(bots) {
    if (bots.join('\n') === this.bots.join('\n')) return;
    this.bots = bots;
    this.names.replaceChildren(...bots.map((name) => h('option', { value: name })));
  }

  /** Goes to the bot with this name, or with the only name that contains it; else to a list of the matches. */
  go() {
    const text = this.input.value.trim();
    if (!text) return;
    const lower = text.toLowerCase();
    const found = [...this.bots.keys()].filter((bot) => this.bots[bot].toLowerCase().includes(lower));
    const exact = found.find((bot) => this.bots[bot].toLowerCase() === lower);
    const one = exact ?? (found.length === 1 ? found[0] : undefined);
    this.input.value = '';
    this.input.blur();
    location.hash = one === undefined ? to('standings', { find: text }) : to('', { bot: one });
  }
}
