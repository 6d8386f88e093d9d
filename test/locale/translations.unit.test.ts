// The texts of the web application: each message parses, is used, and gets the arguments that it names. Prints how much
// of each language is translated: what it lacks is shown in English.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import test from "node:test";
import { parse } from "acorn";
import { IntlMessageFormat } from "intl-messageformat";
import { auditActions } from "../../src/access/audit-actions.ts";
import { verdictMeanings } from "../../src/campaign/events/activity.ts";
import { feedFields } from "../../src/campaign/feed/feed-fields.ts";
import { formulaCounts, roundings, units } from "../../src/campaign/record-fields.ts";
import { problems } from "../../src/counting/events/problems.ts";
import { tools } from "../../src/http/connect/tools.ts";
import { html } from "../../src/locale/html.ts";
import { locales } from "../../src/locale/locale.ts";
import type { Language } from "../../src/locale/preferred-language.ts";
import { makeTranslations, messagesOf } from "../../src/locale/translations.ts";

/** A part of a parsed message. */
interface Part {
  /** As in `TYPE` of the parser: 0 is text, 7 the `#` of a plural, 8 an element. */
  type: number;
  /** The text, or the name of the argument or the element. */
  value: string;
  children?: Part[];
  options?: Record<string, { value: Part[] }>;
}

const languagesWith = Object.entries(messagesOf) as [Language, Record<string, string>][];
const parsed = new Map<string, Part[]>();

/** @throws SyntaxError if the message does not parse */
function partsOf(message: string): Part[] {
  const parts = parsed.get(message) ?? (new IntlMessageFormat(message, "en").getAst() as unknown as Part[]);
  parsed.set(message, parts);
  return parts;
}

/** All parts of a message, with those inside of others. */
function flatten(parts: readonly Part[]): Part[] {
  const inside = ({ children = [], options = {} }: Part) => [
    ...children,
    ...Object.values(options).flatMap(({ value }) => value),
  ];
  return parts.flatMap((part) => [part, ...flatten(inside(part))]);
}

function argumentsOf(message: string): string[] {
  const names = flatten(partsOf(message)).flatMap(({ type, value }) => {
    if (type === 8) return value === "a" ? "href" : [];
    return type === 0 || type === 7 ? [] : value;
  });
  return [...new Set(names)].sort();
}

/** The English texts in the tables of the code, by the keys of their translations. */
const tableTexts: Record<string, string> = Object.fromEntries([
  ...Object.entries(feedFields).flatMap(([name, field]) => [
    [`fields.${name}`, field.title],
    [`help.meanings.${name}`, field.description],
    ...("nullMeans" in field ? [[`help.nullMeanings.${field.nullMeans}`, field.nullMeans]] : []),
  ]),
  ...Object.entries(verdictMeanings).flatMap(([name, { title, meaning }]) => [
    [`verdicts.${name}.title`, title],
    [`verdicts.${name}.meaning`, meaning],
  ]),
  ...Object.entries(auditActions).map(([name, meaning]) => [`auditActions.${name}`, meaning]),
  ...Object.entries(problems).map(([name, { meaning }]) => [`problems.${name}`, meaning]),
  ...Object.keys(units).map((name) => [`help.units.${name}`, name]),
  ...Object.keys(formulaCounts).map((name) => [`help.counts.${name}`, name]),
  ...Object.keys(roundings).map((name) => [`help.roundings.${name}`, name]),
  ...tools.flatMap(({ id, steps }) =>
    steps.map(({ text }, index) => [`connect.toolSteps.${id}.${index + 1}`, text]),
  ),
]);

test("prints how much of each language is translated", (t) => {
  const keys = [...Object.keys(messagesOf.en), ...Object.keys(tableTexts)];
  for (const [language, messages] of languagesWith) {
    if (language === "en") continue;
    const missing = keys.filter((key) => !(key in messages));
    t.diagnostic(`${language}: ${keys.length - missing.length} of ${keys.length} texts`);
    assert.deepEqual(
      Object.keys(messages).filter((key) => !keys.includes(key)),
      [],
      `${language} has keys that English does not have`,
    );
  }
});

test("every message parses, with the arguments and elements that the English one has", () => {
  for (const [language, messages] of languagesWith) {
    for (const [key, message] of Object.entries(messages)) {
      const name = `${language}: ${key}`;
      assert.notEqual(message.trim(), "", name);
      const elements = flatten(partsOf(message)).filter(({ type }) => type === 8);
      for (const { value } of elements) assert.match(value, /^(?:a|code|strong)$/, name);
      const english = messagesOf.en[key];
      assert.deepEqual(argumentsOf(message), english === undefined ? [] : argumentsOf(english), name);
    }
  }
});

interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

interface Call {
  name: string;
  file: string;
  /** What the keys look like. */
  keys: RegExp;
  /** Undefined if they are not listed one by one. */
  args: string[] | undefined;
}

const folder = join(import.meta.dirname, "../../src");
const files = globSync("{http/web/**/*,http/tracking/*,locale/**/*,letters/**/*}.ts", { cwd: folder });
const sourceOf = (file: string) => readFileSync(join(folder, file), "utf8");

/** The calls of `t`, `rich`, `texts` and `translate` in the pages. */
const calls: Call[] = files.flatMap((file) => {
  const program = parse(stripTypeScriptTypes(sourceOf(file)), {
    ecmaVersion: "latest",
    sourceType: "module",
  });
  return nodesIn(program).flatMap((node) => {
    if (node.type !== "CallExpression") return [];
    const callee = node.callee as SyntaxNode;
    const name = ((callee.property as SyntaxNode | undefined) ?? callee).name as string;
    const [key, values] = node.arguments as SyntaxNode[];
    if (!key || !/^(?:t|rich|texts|translate)$/.test(name)) return [];
    return {
      name,
      file,
      keys: new RegExp(`^${patternOf(key)}${name === "texts" ? "\\..*" : ""}$`),
      args: namesIn(values),
    };
  });
});

function nodesIn(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (!(value instanceof Object) || !("type" in value)) return [];
  return [value as SyntaxNode, ...Object.values(value).flatMap(nodesIn)];
}

/** The names that an object literal gives to its values. */
function namesIn(values: SyntaxNode | undefined): string[] | undefined {
  const properties = (values?.properties ?? []) as SyntaxNode[];
  if (properties.some(({ type }) => type === "SpreadElement")) return undefined;
  return properties.map(({ key }) => (key as SyntaxNode).name as string).sort();
}

function escaped(text: string): string {
  return text.replaceAll(".", "\\.");
}

/** A part of a key that varies has no dots, except the English texts that are keys themselves. */
function patternOf(key: SyntaxNode): string {
  if (key.type === "Literal") return escaped(key.value as string);
  if (key.type === "ConditionalExpression")
    return `(?:${patternOf(key.consequent as SyntaxNode)}|${patternOf(key.alternate as SyntaxNode)})`;
  if (key.type !== "TemplateLiteral") return "[^.]+";
  const texts = (key.quasis as { value: { cooked: string } }[]).map(({ value }) => escaped(value.cooked));
  const between = (key.expressions as SyntaxNode[]).map(patternOf);
  return texts.map((text, index) => text + (between[index] ?? "")).join("");
}

test("the code uses every key", () => {
  const isUsed = (key: string) => calls.some(({ name, keys }) => name !== "translate" && keys.test(key));
  assert.deepEqual(
    Object.keys(messagesOf.en).filter((key) => !isUsed(key)),
    [],
  );
});

test("the code gives each message the arguments that it names", () => {
  for (const { name, file, keys, args } of calls) {
    if (name === "translate") continue;
    const found = Object.keys(messagesOf.en).filter((key) => keys.test(key));
    assert.notEqual(found.length, 0, `${file}: ${keys}`);
    for (const key of found) {
      const message = messagesOf.en[key] ?? "";
      const expected = name === "texts" ? [] : args;
      if (expected) assert.deepEqual(argumentsOf(message), expected, `${file}: ${key}`);
      const hasElements = flatten(partsOf(message)).some(({ type }) => type === 8);
      assert.equal(hasElements, name === "rich", `${file}: ${key}`);
    }
  }
});

test("a text has the plural and the separators of its language, and the English words where it is missing", () => {
  const campaigns = (language: Language, count: number) =>
    locales[language].t("overview.campaignCount", { count }).replaceAll(/\s/g, " ");
  assert.deepEqual(
    [0, 1, 2, 1_234].map((count) => campaigns("en", count)),
    ["0 campaigns", "1 campaign", "2 campaigns", "1,234 campaigns"],
  );
  assert.deepEqual(
    [0, 2, 1_000_000].map((count) => campaigns("fr", count)),
    ["0 campagne", "2 campagnes", "1 000 000 de campagnes"],
  );
  const { t, translate } = makeTranslations({ "tags.tagTitle": "Schlagwort {name}" }, "de");
  assert.equal(t("tags.tagTitle", { name: "IT" }), "Schlagwort IT");
  assert.equal(t("links.caption", { links: 1_234 }), "1.234 links, by clicks");
  assert.equal(translate("fields.subject", "Subject"), "Subject");
  assert.equal(locales.de.translate("fields.subject", "Subject"), "Betreff");
});

test("a text with elements escapes its values, but not the HTML in them", () => {
  const { rich, t } = locales.en;
  assert.match(
    rich("connect.receivedFrom", { time: "noon", client: "<b> & {x}" }).text,
    /on noon from <strong>&lt;b&gt; &amp; \{x\}<\/strong>/,
  );
  const element = { time: "noon", client: html`<i>x</i>` };
  assert.match(rich("connect.receivedFrom", element).text, /<strong><i>x<\/i><\/strong>/);
  assert.match(rich("overview.noMatches", { href: "/?a=1&b=2" }).text, /<a href="\/\?a=1&amp;b=2">view all/);
  assert.equal(t("tags.tagTitle", { name: "<b> & {x}" }), "Tag <b> & {x}");
});

/** Words that other languages share with English. */
const shared: Partial<Record<Language, string>> = {
  de: "Admin Bot Browser Dashboards Desktop Details Downloads Google ID Index Link Links Live Name OData Region Sheets Team Teams eNPS min",
  fr: "Actions Audience Google ID Mobile OData Page Sessions Sheets Sources eNPS min minute minutes pts source sources",
  sv: "Bot Google ID Index Live OData Period Region Sheets Team eNPS min",
  es: "Bot Color Error General Google ID Individual OData Series Sheets Total eNPS min pts",
};

/** The words that readers see, with a number for each argument, without what help quotes and links to. */
const shownIn = (message: string) =>
  flatten(partsOf(message))
    .map(({ type, value }) => (type === 0 ? value : type === 8 ? "" : "1"))
    .join("")
    .replaceAll(/\[\[.*?\]\]|\]\(.*?\)/g, "");

test("no language repeats an English text, besides the listed words", () => {
  for (const [language, messages] of languagesWith) {
    const words = new Set(shared[language]?.split(" "));
    for (const [key, message] of Object.entries(messages)) {
      const areShared =
        shownIn(message)
          .match(/\p{L}{2,}/gu)
          ?.every((word) => words.has(word)) ?? true;
      const english = messagesOf.en[key] ?? tableTexts[key];
      if (!areShared && language !== "en") assert.notEqual(message, english, `${language}: ${key}`);
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
  for (const [language, messages] of languagesWith) {
    for (const [key, message] of Object.entries(messages)) {
      if (language === "en") continue;
      const shown = shownIn(message.replaceAll(/<code>.*?<\/code>/g, ""));
      assert.doesNotMatch(shown, unusual[language], `${language}: ${key}`);
    }
  }
});

test("translated steps of tools have the code of the English ones", () => {
  const codeIn = (step: string) => step.match(/`[^`]*`/g);
  for (const { language, translate } of Object.values(locales)) {
    for (const [key, english] of Object.entries(tableTexts)) {
      if (!key.startsWith("connect.toolSteps.")) continue;
      assert.deepEqual(codeIn(translate(key, english)), codeIn(english), `${language}: ${key}`);
    }
  }
});

test("pages take their words from the messages", () => {
  const found: string[] = [];
  for (const file of files) {
    // It is in English, as the document that it shows.
    if (file.endsWith("/api-reference.ts")) continue;
    // Words between two tags, or in an attribute that people read.
    const words = /<\w[^<>`]*>\s*[A-Za-z][a-z]+[^<>`]*<\/|(?:aria-label|title|placeholder|alt)="[A-Za-z]/g;
    for (const [match] of sourceOf(file).matchAll(words)) found.push(`${file}: ${match}`);
  }
  assert.deepEqual(found, []);
});

/** How what a field accepts begins, so that it completes "… is not …", or its translation. */
const acceptedStarts: Record<Language, RegExp> = {
  en: /^(an?|the|one of|accepted:|\d+-\d+-\d+ or) /,
  de: /^(eine?|der|die|das|1 bis|\d+-\d+-\d+ oder) |^de, en/,
  fr: /^(une?|le|la|de 1|\d+-\d+-\d+ ou) |^(l’|de, en)/,
  es: /^(una?|el|la|de 1|\d+-\d+-\d+ o) |^de, en/,
  sv: /^(ett|en|JSON|URL:en|1 till|något|organisationens|\d+-\d+-\d+ eller) /,
};

test("each rule of a field completes the sentence that rejects a value, in each language", () => {
  const uses = files.flatMap((file) => [
    ...sourceOf(file).matchAll(/(?:rejectField\(|\b\w*[rR]ule[:=]? =?)[^;]*?\bt\(\s*"([\w.]+Rule)"/g),
  ]);
  const rules = new Set(uses.map(([, key = ""]) => key));
  assert.ok(rules.size >= 14, [...rules].join());
  const values = { max: 9, min: 1, start: "2026-01-31", service: "Slack", name: "Acme", languages: "de, en" };
  for (const [language, { t }] of Object.entries(locales) as [
    Language,
    { t: (...given: unknown[]) => string },
  ][]) {
    for (const key of rules) {
      const accepted = t(key, values);
      assert.match(accepted, acceptedStarts[language], `${language}: ${key}`);
      const sentence = t("ui.fieldRejected", { label: "Day", value: '"x"', accepted });
      assert.match(sentence, /^Day.*"x".*[^.]\.$/s, sentence);
    }
  }
});
