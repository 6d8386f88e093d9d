// Formats of numbers and dates in a language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hourMs, minuteMs } from "../../src/campaign/calendar/durations.ts";
import { type Formatter, makeFormatter } from "../../src/locale/formatter.ts";
import { localeOf, locales } from "../../src/locale/locale.ts";
import { languages } from "../../src/locale/preferred-language.ts";

const english = makeFormatter("en");
const inLanguages = (format: (of: Formatter) => string) =>
  Object.fromEntries(
    languages.map((language) => [language, format(makeFormatter(language)).replaceAll(/\s/g, " ")]),
  );

test("has the formats of the browser's region, unless the user chose a language or Intl lacks the region", () => {
  type Request = Parameters<typeof localeOf>[0];
  const of = (header: string, chosen?: string) =>
    localeOf({ headers: { "accept-language": header } } as Request, chosen);
  const day = { year: 2026, month: 11, day: 10 };
  const british = of("en-GB,en;q=0.9");
  assert.equal(british.format.date(day), "10 Nov 2026");
  assert.equal(british.language, "en");
  assert.equal(of("en-GB"), british);
  assert.equal(of("es-419").format.count(12_345), "12,345");
  assert.equal(of("es").format.count(12_345), "12.345");
  assert.equal(of("en-XX"), locales.en);
  assert.equal(of("en-GB", "en"), locales.en);
});

test("formats a rate with one decimal and rounds its decimal digits half up", () => {
  const rates = [0, 0.2905, 0.5208, 0.1235, 1, 1.5].map((rate) => english.rate(rate));
  assert.deepEqual(rates, ["0.0%", "29.1%", "52.1%", "12.4%", "100.0%", "150.0%"]);
  // Every rate with four decimals, compared with integer arithmetic.
  for (let parts = 5; parts <= 9_994; parts++) {
    const tenths = Math.floor((parts + 5) / 10);
    assert.equal(english.rate(parts / 10_000), `${Math.floor(tenths / 10)}.${tenths % 10}%`);
  }
});

test("never rounds a few to 0% or almost all to 100%", () => {
  const rates = (...given: number[]) => given.map((rate) => english.rate(rate));
  assert.deepEqual(rates(0.0001, 0.00049, 0.0005), ["<0.1%", "<0.1%", "0.1%"]);
  assert.deepEqual(rates(0.9994, 0.9995, 0.99999), ["99.9%", ">99.9%", ">99.9%"]);
  assert.equal(makeFormatter("de").rate(0.9999), ">99,9\u00a0%");
});

test("formats the round steps of axes without needless decimals, and days without their year", () => {
  assert.deepEqual(
    [0, 0.2, 0.025, 1].map((rate) => english.roundRate(rate)),
    ["0%", "20%", "2.5%", "100%"],
  );
  assert.equal(english.shortDate({ year: 2026, month: 11, day: 3 }), "Nov 3");
});

test("formats means with up to two decimals and an index with its sign", () => {
  const means = [7.333333333, 8, 8.25, 1.005].map((mean) => english.mean(mean));
  assert.deepEqual(means, ["7.33", "8.0", "8.25", "1.01"]);
  const indexes = [-3.4, 0, -0.2, 12.5].map((index) => english.index(index));
  assert.deepEqual(indexes, ["−3", "0", "0", "+13"]);
});

test("formats whole numbers with the separators of the language", () => {
  const counts = [0, 1_234, 9_007_199_254_740_991].map((count) => english.count(count));
  assert.deepEqual(counts, ["0", "1,234", "9,007,199,254,740,991"]);
  assert.deepEqual(
    inLanguages(
      (format) => `${format.count(12_345)} ${format.rate(0.521)} ${format.mean(8)} ${format.index(-3)}`,
    ),
    {
      en: "12,345 52.1% 8.0 −3",
      de: "12.345 52,1 % 8,0 −3",
      fr: "12 345 52,1 % 8,0 −3",
      sv: "12 345 52,1 % 8,0 −3",
      es: "12.345 52,1 % 8,0 −3",
    },
  );
});

test("formats dates and times in the language, with the time zone", () => {
  const date = { year: 2026, month: 10, day: 5 };
  const at = Date.parse("2026-10-05T13:04:00Z");
  assert.deepEqual(
    inLanguages((format) => `${format.date(date)} | ${format.month(date)} | ${format.dateTime(at, "UTC")}`),
    {
      en: "Oct 5, 2026 | Oct 2026 | Oct 5, 2026, 1:04 PM UTC",
      de: "5. Okt. 2026 | Okt. 2026 | 5. Okt. 2026, 13:04 UTC",
      fr: "5 oct. 2026 | oct. 2026 | 5 oct. 2026, 13:04 UTC",
      sv: "5 okt. 2026 | okt. 2026 | 5 okt. 2026 13:04 UTC",
      es: "5 oct 2026 | oct 2026 | 5 oct 2026, 13:04 UTC",
    },
  );
  assert.equal(english.dateTime(at, "America/New_York"), "Oct 5, 2026, 9:04 AM EDT");
  assert.equal(makeFormatter("sv").dateTime(at, "Europe/Stockholm"), "5 okt. 2026 15:04 CEST");
});

test("labels an hour of the day without the word that some languages add", () => {
  const german = makeFormatter("de");
  assert.equal(german.hourOfDay(9), "09 Uhr");
});

test("formats a wait that is never too short, and an age that is never too long", () => {
  const shown = (...times: number[]) => times.map((ms) => english.relativeTime(ms));
  assert.deepEqual(shown(1, 1_000, 1_001, 89_000, 90_000, 900_000, 91 * minuteMs, 36 * hourMs + 1), [
    "in 1 second",
    "in 1 second",
    "in 2 seconds",
    "in 89 seconds",
    "in 2 minutes",
    "in 15 minutes",
    "in 2 hours",
    "in 2 days",
  ]);
  assert.deepEqual(shown(0, -999, -1_999, -90_000, -170_000, -2.5 * hourMs, -36 * hourMs - 1), [
    "1 second ago",
    "1 second ago",
    "1 second ago",
    "1 minute ago",
    "2 minutes ago",
    "2 hours ago",
    "1 day ago",
  ]);
  assert.deepEqual(shown(-48 * hourMs - 3 * minuteMs, -100 * hourMs), ["2 days ago", "4 days ago"]);
  const ages = [60, 61, 365, 731].map((days) => -days * 24 * hourMs);
  assert.deepEqual(shown(...ages, 365 * 24 * hourMs), [
    "60 days ago",
    "2 months ago",
    "11 months ago",
    "2 years ago",
    "in 12 months",
  ]);
});
