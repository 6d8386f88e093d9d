// The components of pages: what they say to people and to screen readers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { csvFile, csvNumber, csvTime } from "../../../../src/http/web/frame/csv-file.ts";
import { emptyState } from "../../../../src/http/web/ui/lists/empty-state.ts";
import { fold, menu, menuLinks, switchLinks } from "../../../../src/http/web/ui/lists/menu.ts";
import {
  barCell,
  columnsTable,
  numberCell,
  type PageColumn,
  sortableHeader,
} from "../../../../src/http/web/ui/lists/table.ts";
import { tabs } from "../../../../src/http/web/ui/lists/tabs.ts";
import { keyMetrics, renderChange } from "../../../../src/http/web/ui/numbers/key-metrics.ts";
import { badge, scoreBadge } from "../../../../src/http/web/ui/texts/badge.ts";
import { commentList } from "../../../../src/http/web/ui/texts/comment-list.ts";
import { outsideLink } from "../../../../src/http/web/ui/texts/outside-link.ts";
import { html } from "../../../../src/locale/html.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { rateDifference } from "../../../../src/locale/rate-difference.ts";
import { textOf } from "../../../support/pages.ts";

const styleOf = (part: string) =>
  readFileSync(new URL(`../../../../src/http/web/ui/assets/${part}.css`, import.meta.url), "utf8");

/** The words of a component. */
const wordsOf = ({ text }: { text: string }) => textOf(text);

test("shows a key metric with its change and what it rests on", () => {
  const metrics = keyMetrics([
    {
      name: "Open rate",
      value: "61.8%",
      change: { text: "+4.1 pts", direction: "up", comparedWith: "than a year before" },
      note: "from 9 of 12 campaigns",
      url: "/?metric=open_rate",
      isCurrent: true,
    },
    { name: "Click rate", value: "2%", change: { text: "−1 pts", direction: "down" } },
    { name: "eNPS", value: "too few", isText: true },
    { name: "eNPS", value: "-10" },
    { name: "Clicks", value: "7", change: { text: "+5%", direction: "flat" } },
  ]);
  assert.equal(
    wordsOf(metrics),
    "Open rate 61.8% +4.1 pts (than a year before) from 9 of 12 campaigns Click rate 2% −1 pts eNPS too few eNPS -10 Clicks 7 +5%",
  );
  assert.match(metrics.text, /<a class="metric" href="\/\?metric=open_rate" aria-current="true">/);
  const tones = [...metrics.text.matchAll(/class="change ([a-z]+)"/g)].map(([, tone]) => tone);
  assert.deepEqual(tones, ["better", "worse"]);
});

test("says whether a difference is more than chance, also without its color", () => {
  const around = (value: number) => ({ value, low: value - 0.02, high: value + 0.02 });
  const shown = (rate: number) =>
    renderChange(rateDifference(locales.en, "openRate", around(rate), around(0.4))).text;
  assert.match(
    shown(0.6),
    /^<span class="change better"><svg [^>]* role="img" aria-label="more than chance">/,
  );
  assert.match(shown(0.2), /aria-label="more than chance"/);
  const chance = shown(0.41);
  assert.match(chance, /^<span class="change">\+1\.0.pts<\/span>$/);
});

test("marks the current choice of menus, switches and tabs", () => {
  const links = [
    { url: "/?period=30d", name: "Last 30 days" },
    { url: "/?period=90d", name: "Last 90 days", isCurrent: true },
  ];
  const current = /href="\/\?period=90d" aria-current="(true|page)"/;
  const opened = menu({ label: "Last 90 days", isActive: true }, menuLinks(links));
  assert.match(opened.text, /^<details class="menu pick on" name="menu"><summary>/);
  assert.match(opened.text, current);
  assert.match(switchLinks("period", "Period", links).text, current);
  const sections = links.map((link) => ({ count: "12", isCurrent: false, ...link }));
  assert.match(tabs("Sections", sections).text, current);
  assert.equal(wordsOf(tabs("Sections", sections)), "Last 30 days 12 Last 90 days 12");
});

test("says how many of the controls behind a button differ from the default", () => {
  const options = { id: "filters", icon: "filter", name: "Filters" } as const;
  const changed = fold(locales.en, { ...options, active: 2 }, html`<a href="/">All teams</a>`);
  assert.equal(wordsOf(changed), "Filters 2 Filters All teams");
  assert.match(
    changed.text,
    /<button [^>]*popovertarget="filters">.*<div class="fold" id="filters" popover/s,
  );
  assert.equal(wordsOf(fold(locales.en, { ...options, active: 0 })), "Filters Filters");
});

test("says how a column is sorted, and keeps bars within their cells", () => {
  const sorting = {
    url: "?sort=open_rate",
    sorted: "descending",
    hint: "lowest first",
    isNumber: true,
  } as const;
  const header = sortableHeader("Open rate", sorting);
  const start = '<th scope="col" class="number" aria-sort="descending"><a href="?sort=open_rate"';
  assert.ok(header.text.startsWith(start), header.text);
  assert.equal(wordsOf(header), "Open rate");
  assert.match(header.text, / title="lowest first"/);
  const widths = [0.5, 1.2, -1, null].map((share) => /width="([^"]*)"/.exec(barCell(share, "x").text)?.[1]);
  assert.deepEqual(widths, ["50%", "100%", "0%", undefined], "no value has no bar");
});

test("says in words that a number is unknown, which screen readers do not read from a dash", () => {
  const cell = numberCell(locales.en, null, "Clicks");
  assert.equal(wordsOf(cell), "– no value");
  assert.match(cell.text, /<span aria-hidden="true">–<\/span> <span class="visually-hidden">no value</);
  assert.equal(wordsOf(numberCell(locales.en, 0)), "0");
});

test("escapes comments and shows ratings as detractors, passives and promoters", () => {
  const list = commentList([{ text: "<b>\nBye", reaction: scoreBadge(locales.en, 6), source: "News" }]);
  assert.match(list.text, /<blockquote lang="" dir="auto">&lt;b&gt;<br>Bye<\/blockquote>/);
  const tones = [0, 6, 7, 8, 9, 10].map(
    (score) => /class="score (\w+)"/.exec(scoreBadge(locales.en, score).text)?.[1],
  );
  assert.deepEqual(tones, ["low", "low", "middle", "middle", "high", "high"]);
  assert.match(scoreBadge(locales.en, 8).text, /aria-hidden="true">8<.*>Rating 8 of 10</);
  assert.equal(badge("Silent", "warn").text, '<span class="badge warn">Silent</span>');
});

test("gives an empty state its reason and the next step", () => {
  const actions = html`<a class="button" href="/?period=all">Show all time</a>`;
  const state = emptyState({
    icon: "comments",
    title: "No comments",
    text: "They come with surveys.",
    actions,
  });
  assert.equal(wordsOf(state), "No comments They come with surveys. Show all time");
});

test("shows the columns of a file as a table, with a dash where there is no value", () => {
  const columns: PageColumn<{ name: string; answer: string | null }>[] = [
    { title: "Name", className: "text", csv: ({ name }) => name, cell: ({ name }) => html`<i>${name}</i>` },
    { title: "Id", csv: () => 7, cell: false },
    { title: "Answer", csv: ({ answer }) => answer },
  ];
  const rows = Object.entries({ Ann: "<Yes>", Bob: null }).map(([name, answer]) => ({ name, answer }));
  const table = columnsTable(locales.en, "Answers", columns, rows);
  assert.match(table.text, /<th scope="row" class="text"><i>Ann<\/i><\/th><td>&lt;Yes&gt;<\/td>/);
  assert.equal(wordsOf(table), "Answers Name Answer Ann <Yes> Bob – no value");
});

test("writes CSV with a byte order mark, one unit and times of the time zone, and escapes formulas", async () => {
  const columns: PageColumn<{ name: string; text: string | null; share: number | undefined }>[] = [
    { title: "Naïve", csv: ({ name }) => name },
    { title: "=b", csv: ({ text }) => text },
    { title: "c\u00a0d", csv: ({ share }) => share, unit: "%" },
  ];
  const batches = [[{ name: "=1", text: null, share: -1.5 }], [{ name: 'a"b', text: "", share: undefined }]];
  const { body } = csvFile("a.csv", columns, batches);
  const bytes = Buffer.concat((await body.toArray()).map((chunk) => Buffer.from(chunk)));
  assert.equal(bytes.toString(), `\ufeffNaïve,'=b,c d (%)\r\n'=1,,-1.5\r\n"a""b","",\r\n`);
  assert.equal(csvNumber("rate", 0.07), 7);
  assert.equal(csvNumber("rate", 1 / 3), 33.3333333333333);
  assert.equal(csvNumber("mean", 7.123456), 7.123456);
  assert.equal(csvNumber("rate", null), null);
  const at = Date.UTC(2026, 5, 30, 22, 30, 5, 678);
  assert.equal(csvTime(at, "Europe/Stockholm"), "2026-07-01 00:30:05");
  assert.equal(csvTime(at, "America/New_York"), "2026-06-30 18:30:05");
  assert.equal(csvTime(null, "UTC"), null);
});

test("shows the letters of a link instead of their encoding, where they cannot mislead", () => {
  for (const [path, shown] of [
    ["caf%C3%A9/%e6%96%b0", "café/新"],
    ["%D0%BE%D1%82%D1%87%D1%91%D1%82-2026", "отчёт-2026"],
    ["%E0%A4%B9%E0%A4%BF%E0%A4%82%E0%A4%A6%E0%A5%80", "हिंदी"],
    // ASCII, invalid UTF-8, a lone mark, spaces, a slash of another script, direction, invisible letters.
    ["%41%2F%3F%20", "%41%2F%3F%20"],
    ["%E9t%E9", "%E9t%E9"],
    ["a%CC%88", "a%CC%88"],
    ["%C2%A0%E3%80%80", "%C2%A0%E3%80%80"],
    ["%EF%BC%8F%E2%81%84", "%EF%BC%8F%E2%81%84"],
    ["%C3%A9%E2%80%AE%D9%85", "é%E2%80%AEم"],
    ["%E3%85%A4%E2%80%8B", "%E3%85%A4%E2%80%8B"],
  ] as const) {
    const url = `https://example.com/${path}`;
    const { text } = outsideLink(url);
    assert.equal(wordsOf({ text: text.replaceAll(/<wbr>|<\/?bdi[^>]*>/g, "") }), `example.com/${shown}`);
  }
  const arabic = "https://example.com/%D8%A3/%D8%A8";
  const { text } = outsideLink(arabic);
  assert.match(text, /com<wbr>\/<bdi lang="">أ<\/bdi><wbr>\/<bdi lang="">ب<\/bdi><\/bdi><\/a>$/);
  const long = outsideLink(`${arabic}/${"a".repeat(20)}`).text;
  assert.match(long, / title="\u2068example\.com\/أ\/ب\/a{20}\u2069">/);
  assert.match(outsideLink("javascript:alert(1)").text, /^<span>/);
  assert.match(outsideLink("https://example.com/leave/…").text, /^<span>/);
});

test("sets the chosen half of a switch apart from its ground in both themes", () => {
  /** Relative luminance, as in WCAG 2.2. */
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/gi) ?? []).map((part) => {
      const share = Number.parseInt(part, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const tokenOf = (name: string) =>
    new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\)`).exec(styleOf("tokens"));
  const [, ...chosen] = tokenOf("chosen") ?? [];
  const [, ...ground] = tokenOf("sunken") ?? [];
  assert.equal(chosen.length, 2);
  for (const [theme, color] of chosen.entries()) {
    const [a, b] = [luminance(color), luminance(ground[theme] ?? "")];
    assert.ok((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) > 1.1, color);
  }
  assert.match(styleOf("controls"), /\.switch a\[aria-current\] \{\s*background: var\(--chosen\)/);
});
