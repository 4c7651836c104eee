// Tests of the referee: it is given all answers of a game, and what it says is looked at.

const assert = require("node:assert");
const { spawnSync } = require("node:child_process");
const test = require("node:test");

// 66 = 3 + 2 * 7 + 1 * 7**2 + 0 * 7**3: the first discs fall into the columns 3, 2, 1 and 0.
const SEED = 66;

function play(answers) {
  const told = [`###Seed ${SEED}`, "###Start 2", ...answers.split(" "), ""];
  const input = told.join("\n");
  return spawnSync("node", ["referee.js"], { input, encoding: "utf8" }).stdout;
}

test("the seed chooses the first discs", () => {
  assert.ok(
    play("").includes("###Show\n" + ".......\n".repeat(5) + "1010...\n"),
  );
});

test("four in a column win", () => {
  assert.ok(play("3 4 3 4 3").endsWith("###End 0 1\n"));
});

test("four in a row win", () => {
  assert.ok(play("4 0 5 1 4 2 5 3").endsWith("###End 1 0\n"));
});

test("an illegal answer loses and is told", () => {
  const said = play("3 seven");
  assert.ok(said.includes("answered `seven`, which is no free column\n"));
  assert.ok(said.endsWith("###End 0 1\n"));
});
