// Renders the lists of tests in docs/conformance.md from the titles of the tests.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "./markdown.ts";

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

/** The tests whose title names a section of the specification, sorted by section. */
export function specificationTests(): string {
  const rows: string[][] = [];
  for (const [path, titles] of testTitles()) {
    for (const title of titles) {
      const sections = sectionsInTitle.exec(title)?.[1]?.split(", ") ?? [];
      const link = `[${path.replace(/^test\//, "")}](../${path})`;
      for (const section of sections) rows.push([section, title.replace(sectionsInTitle, ""), link]);
    }
  }
  return table(
    ["Section", "Test", "File"],
    rows.sort(([a = ""], [b = ""]) => Number(a) - Number(b)),
  );
}

/** The tests of the emails endpoint, by status. */
export function endpointTests(): string {
  const files = [...testTitles()].filter(([path]) => path.startsWith("test/http/api/emails."));
  return files
    .map(([path, titles]) => {
      const heading = `### [${path.replace("test/http/api/", "")}](../${path})`;
      return [heading, "", ...titles.map((title) => `- ${title.replace(sectionsInTitle, "")}`)].join("\n");
    })
    .join("\n\n");
}
