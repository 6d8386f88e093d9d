// Renders the lists of tests in docs/conformance.md from the titles of the tests.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The titles of all tests, by file. A `${…}` in a title is kept as written. */
export function testTitles(): Map<string, string[]> {
  const files = globSync("test/**/*.test.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return new Map(
    files.sort().map((path) => {
      const titles = readFileSync(join(root, path), "utf8").matchAll(
        /^ *(?:test|sqliteTest)\(\s*(["`])((?:\\.|(?!\1).)+)\1/gm,
      );
      return [path, [...titles].map(([, , title = ""]) => title)];
    }),
  );
}

const sectionsInTitle = / \(specification ([\d., ]+)\)$/;

/** The tests whose title names a section of the specification, by file. */
export function specificationTests(): string {
  return [...testTitles()]
    .map(([path, titles]) => ({ path, titles: titles.filter((title) => sectionsInTitle.test(title)) }))
    .filter(({ titles }) => titles.length > 0)
    .map(({ path, titles }) => {
      const lines = titles.map((title) => `- ${title.replace(sectionsInTitle, " ($1)")}`);
      return `[${path.replace(/^test\//, "")}](../${path})\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
}
