// Notes what a page reads of the program's answers that is not in them. Runs before the page's own scripts.
(() => {
  /** Where each text stands that is parsed later. */
  const texts = new Map();
  const proxies = new WeakMap();
  const targets = new WeakMap();
  const missing = new Set();
  globalThis.missingReads = () => [...missing];

  // A promise, JSON and the console ask these of every object.
  const asked = ['then', 'toJSON', 'nodeType', 'tagName'];
  const isNumber = (key) => /^-?\d+$/.test(key);

  function watched(value, place) {
    if (value === null || typeof value !== 'object' || targets.has(value)) return value;
    if (proxies.has(value)) return proxies.get(value);
    const proxy = new Proxy(value, {
      get(target, key, receiver) {
        const found = Reflect.get(target, key, Array.isArray(target) ? receiver : target);
        if (typeof key === 'symbol' || typeof found === 'function') return found;
        if (!(key in target) && !asked.includes(key) && !isNumber(key)) missing.add(`${place}.${key}`);
        // A game's record, which the page reads as JSON.
        if (key === 'line') texts.set(found, 'game');
        if (isNumber(key)) return watched(found, place === 'chunk' ? 'game' : `${place}[]`);
        return watched(found, `${place}.${key}`);
      },
    });
    proxies.set(value, proxy);
    targets.set(proxy, value);
    return proxy;
  }

  /** The same without proxies, which cannot be sent to workers. */
  function plain(value) {
    if (value === null || typeof value !== 'object') return value;
    if (targets.has(value)) return plain(targets.get(value));
    if (Array.isArray(value)) return value.map(plain);
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  }

  /** What is asked for at this address: one name for each kind of answer. */
  function kindOf(url) {
    const path = new URL(url).pathname.replace(/^.*\/data\//, '').replace(/\.json$/, '');
    if (/^games\/\d+$/.test(path)) return 'chunk';
    return path.replace(/\/\d+/g, '');
  }

  const json = Response.prototype.json;
  Response.prototype.json = async function () {
    const kind = kindOf(this.url);
    return watched(await json.call(this), kind);
  };

  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
  Object.defineProperty(MessageEvent.prototype, 'data', {
    ...data,
    get() {
      const value = data.get.call(this);
      if (this.target instanceof EventSource) texts.set(value, kindOf(this.target.url));
      return this.target instanceof Worker ? watched(value, 'library') : value;
    },
  });

  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const value = parse(text, ...more);
    const embedded = [...document.querySelectorAll('script[type="application/json"]')].find((one) => one.textContent === text);
    const place = texts.get(text) ?? embedded?.id;
    texts.delete(text);
    return place ? watched(value, place) : value;
  };

  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) { return post.call(this, plain(message), ...more); };
  const clone = globalThis.structuredClone;
  globalThis.structuredClone = (value, ...more) => clone(plain(value), ...more);
})();
