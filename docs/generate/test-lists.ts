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

/** The other tests whose title names a section of the specification. */
export function specificationTests(): string {
  return listTests((path, title) => !isOfEndpoint(path) && sectionsInTitle.test(title));
}

/** The tests of the emails endpoint, by status. */
export function endpointTests(): string {
  return listTests(isOfEndpoint);
}

const isOfEndpoint = (path: string) => path.startsWith("test/http/api/emails.");

function listTests(isListed: (path: string, title: string) => boolean): string {
  return [...testTitles()]
    .map(([path, titles]) => ({ path, titles: titles.filter((title) => isListed(path, title)) }))
    .filter(({ titles }) => titles.length > 0)
    .map(({ path, titles }) => {
      const lines = titles.map((title) => `- ${title.replace(sectionsInTitle, " ($1)")}`);
      return `[${path.replace(/^test\//, "")}](../${path})\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
}
