// docs/conformance.md is generated from the titles of tests: titles are unique, and every section has a test.

import assert from "node:assert/strict";
import test from "node:test";
import { testTitles } from "../docs/generate/test-lists.ts";

const titles = [...testTitles().values()].flat();

/** The sections of the specification that make a promise. */
const sections = ["1", "2.1", "2.2", "2.3", "4.1", "5", "7", "8", "9"];

test("every section of the specification has a test that names it", () => {
  for (const section of sections) {
    const hasTest = titles.some((title) =>
      / \(specification ([\d., ]+)\)$/.exec(title)?.[1]?.split(", ").includes(section),
    );
    assert.ok(hasTest, `no test names section ${section}`);
  }
});

test("no two tests have the same title, so that a title means one test", () => {
  const found = titles.filter((title, index) => titles.indexOf(title) !== index);
  assert.deepEqual(found, []);
});
