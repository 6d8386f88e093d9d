// The strings of each language: each shows the values that it is given, and none was left in English. Types check that
// every language has every string.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { tools } from "../../../src/http/connect/tools.ts";
import { Html } from "../../../src/http/html.ts";
import type { Language } from "../../../src/http/preferred-language.ts";
import { type Locale, locales } from "../../../src/http/web/locale.ts";

type Text = string | Html | ((...values: unknown[]) => string | Html);

/** The strings by path, such as `tags.loss`. */
function flatten(strings: object, path = ""): [path: string, text: Text][] {
  return Object.entries(strings).flatMap(([name, value]) =>
    typeof value === "object" && !(value instanceof Html)
      ? flatten(value, `${path}${name}.`)
      : [[path + name, value] as [string, Text]],
  );
}

/** A parameter of a string, which reads as a number, a text, a list, and an object whose fields are the next numbers. */
function sample(value: number): unknown {
  let fields = value + 500;
  const known: Record<string | symbol, unknown> = {
    [Symbol.toPrimitive]: (hint: string) => (hint === "number" ? value : String(value)),
    join: () => String(value),
    map: () => [String(value)],
    toLowerCase: () => String(value),
  };
  return new Proxy({}, { get: (_, name) => known[name] ?? sample(fields++) });
}

/** A string with each parameter set to a number from `first` on. */
function textOf(text: Text, first = 101): string {
  if (typeof text !== "function") return String(text);
  return String(text(...Array.from({ length: text.length }, (_, index) => sample(first + index))));
}

/** The numbers in a text, in any order, since languages differ in theirs. */
const valuesIn = (text: string) => [...new Set(text.match(/\d{3,}/g))].sort();

const english = new Map(flatten(locales.en.strings));
const others: Locale[] = Object.values(locales).filter(({ language }) => language !== "en");

test("every string shows the values that it is given, in each plural form", () => {
  for (const { language, strings } of Object.values(locales)) {
    for (const [path, text] of flatten(strings)) {
      const name = `${language}: ${path}`;
      assert.notEqual(textOf(text).trim(), "", name);
      if (typeof text !== "function") continue;
      assert.equal(text.length, (english.get(path) as typeof text).length, name);
      assert.deepEqual(valuesIn(textOf(text)), valuesIn(textOf(english.get(path) ?? "")), name);
      for (const first of [0, 1, 101]) assert.doesNotMatch(textOf(text, first), /#|undefined|\[object/, name);
    }
  }
});

/** Words that other languages share with English. */
const shared: Partial<Record<Language, string>> = {
  de: "Admin Bot Browser Dashboards Desktop Details Downloads Google ID Index Link Links Live Name OData Region Sheets Team Teams eNPS",
  fr: "Actions Google ID Mobile OData Page Sessions Sheets Sources eNPS minutes pts sources",
  sv: "Bot Google ID Index Live OData Period Region Sheets Team eNPS",
  es: "Bot Color Error General Google ID Individual OData Sheets Total eNPS pts",
};

test("no language has an English string, besides the listed words", () => {
  for (const { language, strings } of others) {
    const words = new Set(shared[language]?.split(" "));
    for (const [path, text] of flatten(strings)) {
      const shown = textOf(text);
      const areShared = shown.match(/\p{L}{2,}/gu)?.every((word) => words.has(word)) ?? true;
      if (!areShared) assert.notEqual(shown, textOf(english.get(path) ?? ""), `${language}: ${path}`);
    }
  }
});

/** What each language never writes. */
const unusual: Record<Exclude<Language, "en">, RegExp> = {
  // "Tag" is a day: labels of campaigns are "Schlagwörter".
  de: /(?<!\S)“|”|\d (?:s|Std)(?!\p{L})|\bTags\b/u,
  fr: /[^\u00a0]:(?!\S)|[^\u202f][;?!](?!\S)|«[^\u00a0]|[^\u00a0]»|'|\d [sh](?!\p{L})/u,
  sv: /[“„]|\d [sh](?!\p{L})/u,
  es: /[“„”]|^[^¿]*\?|^[^¡]*!|\d [sh](?!\p{L})/u,
};

test("each language has its own quotation marks and spaces", () => {
  for (const { language, strings } of others) {
    for (const [path, text] of flatten(strings)) {
      const shown = textOf(text).replaceAll(/<code>.*?<\/code>|<[^>]*>/g, "");
      assert.doesNotMatch(shown, unusual[language as Exclude<Language, "en">], `${language}: ${path}`);
    }
  }
});

test("translated steps of tools have the code of the English ones", () => {
  const codeIn = (steps: readonly string[]) => steps.map((step) => step.match(/`[^`]*`/g));
  const english = Object.entries(locales.en.strings.connect.toolSteps);
  for (const [id, steps] of english) {
    assert.deepEqual(
      steps,
      tools.find((tool) => tool.id === id)?.steps.map(({ text }) => text),
      id,
    );
    for (const { language, strings } of others) {
      const translated = new Map(Object.entries(strings.connect.toolSteps)).get(id) ?? [];
      assert.deepEqual(codeIn(translated), codeIn(steps), `${language}: ${id}`);
    }
  }
});

test("pages take their words from the strings", () => {
  const folder = join(import.meta.dirname, "../../../src/http/web");
  const found: string[] = [];
  for (const file of globSync("**/*.ts", { cwd: folder, exclude: ["strings/**"] })) {
    const text = readFileSync(join(folder, file), "utf8");
    // Words between two tags, or in an attribute that people read.
    const words = /<\w[^<>`]*>\s*[A-Za-z][a-z]+[^<>`]*<\/|(?:aria-label|title|placeholder|alt)="[A-Za-z]/g;
    for (const [match] of text.matchAll(words)) found.push(`${file}: ${match}`);
  }
  assert.deepEqual(found, []);
});
