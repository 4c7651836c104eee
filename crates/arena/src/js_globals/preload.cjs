// The global functions that CodinGame's site gives to bots in JavaScript and TypeScript: readline(), print() and
// printErr(). An interpreter runs this before the bot. Nothing is read before the bot first calls readline().
"use strict";

(() => {
  const fs = require("fs");

  const STDIN = 0;
  const LINE_FEED = 0x0a;
  const CARRIAGE_RETURN = 0x0d;

  // What has been read and not given yet is between `start` and `end`.
  let buffer;
  let start = 0;
  let end = 0;

  // Reads what there is, and waits for at least a byte; false at the end of input.
  function readMore() {
    buffer ??= Buffer.allocUnsafe(1 << 16);
    if (start > 0) {
      buffer.copyWithin(0, start, end);
      end -= start;
      start = 0;
    }
    if (end === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    for (;;) {
      try {
        const length = fs.readSync(STDIN, buffer, end, buffer.length - end, null);
        end += length;
        return length > 0;
      } catch (error) {
        // A bot that has touched `process.stdin` made it one that does not wait.
        if (error.code !== "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }

  // The text up to `until`, after which reading goes on at `next`.
  function take(until, next) {
    if (until > start && buffer[until - 1] === CARRIAGE_RETURN) until -= 1;
    const line = buffer.toString("utf8", start, until);
    start = next;
    return line;
  }

  // The next line without its end, as text; null at the end of input.
  function readline() {
    let searched = start;
    for (;;) {
      const length = buffer === undefined ? -1 : buffer.subarray(searched, end).indexOf(LINE_FEED);
      if (length >= 0) return take(searched + length, searched + length + 1);
      const seen = end - start;
      if (!readMore()) return end > start ? take(end, end) : null;
      searched = start + seen;
    }
  }

  const globals = {
    readline,
    print: (...words) => console.log(...words),
    printErr: (...words) => console.error(...words),
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
})();
