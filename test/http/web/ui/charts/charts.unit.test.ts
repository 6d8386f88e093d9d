// Charts: round steps, labels that do not overlap, gaps, and the table of numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chartMargin,
  chartWidths,
  makeYAxis,
  placeLabels,
  yAxisWidth,
} from "../../../../../src/http/web/ui/charts/chart-scale.ts";
import { type Chart, renderChart } from "../../../../../src/http/web/ui/charts/charts.ts";
import { rateSeries } from "../../../../../src/http/web/ui/charts/rate-series.ts";
import { locales } from "../../../../../src/locale/locale.ts";
import { assertMatches, rowsIn, textOf } from "../../../../support/pages.ts";

const percent = (value: number) => `${(value * 100).toFixed(1)}%`;
const whole = (value: number) => value.toLocaleString("en");

function renderText(given: Partial<Chart> = {}): string {
  return renderChart({
    locale: locales.en,
    title: "Open rate",
    kind: "lines",
    xTitle: "Month",
    labels: ["Jan 2026", "Feb 2026", "Mar 2026"],
    series: [
      { name: "Opens", values: [0.25, null, 0.5] },
      { name: "Clicks", values: [0.05, 0.1, null] },
    ],
    format: percent,
    ...given,
  }).text;
}

test("makes a y axis with few round steps that includes 0 and all values", () => {
  const labelsOf = (values: number[], format: (value: number) => string) =>
    makeYAxis(values, format).ticks.map(({ label }) => label);
  assert.deepEqual(labelsOf([0.1, 0.43], percent), ["0.0%", "10.0%", "20.0%", "30.0%", "40.0%", "50.0%"]);
  assert.deepEqual(labelsOf([12_345], whole), ["0", "5,000", "10,000", "15,000"]);
  assert.deepEqual(labelsOf([3], whole), ["0", "1", "2", "3"]);
  assert.deepEqual(labelsOf([1.2], percent).at(-1), "150.0%");
  assert.deepEqual(labelsOf([-35, 60], whole), ["-40", "-20", "0", "20", "40", "60"]);
  assert.deepEqual(
    labelsOf([1], (value) => value.toFixed(0)),
    ["0", "1"],
  );
  assert.deepEqual(labelsOf([0, 0], whole), ["0", "1"]);
  for (let exponent = -6; exponent < 16; exponent++) {
    for (const factor of [1, 1.01, 2.5, 3.7, 9.99]) {
      const value = factor * 10 ** exponent;
      const { ticks, scale } = makeYAxis([value], String);
      const top = scale.domain()[1] as number;
      assert.ok(top >= value && ticks.length >= 2 && ticks.length <= 6, `${value}: ${JSON.stringify(ticks)}`);
    }
  }
});

test("places x labels without overlaps at every width, however many and long they are", () => {
  const names = Object.keys(chartWidths) as (keyof typeof chartWidths)[];
  for (const count of [1, 2, 7, 12, 13, 36, 120, 5_000]) {
    for (const text of [
      "Jan 2026",
      "7",
      "a label that is longer than its room",
      "日本語の月 👩‍👩‍👧",
      "Nov 13, 9:00 AM",
    ]) {
      const placed = placeLabels(Array.from({ length: count }, () => text));
      for (const [place, name] of names.entries()) {
        const shown = placed.filter(
          ({ from, until }) =>
            names.indexOf(from) <= place && (until === undefined || names.indexOf(until) > place),
        );
        assert.equal(shown[0]?.index, 0);
        const width = [...(shown[0]?.text ?? "")].length * 7;
        let end = -chartMargin.side;
        for (const { index, isAtEdge } of shown) {
          const center = ((index + 0.5) / count) * chartWidths[name];
          const start = isAtEdge ? -chartMargin.side : center - width / 2;
          assert.ok(start >= end, `${count} ${text} in ${name}: ${start} < ${end}`);
          end = start + width;
          if (index > 0) assert.ok(end <= chartWidths[name] + chartMargin.side);
        }
      }
    }
  }
  const width = yAxisWidth(makeYAxis([12_345_678], whole));
  assert.ok(width > "15,000,000".length * 7, "the labels of the y axis fit");
});

test("labels the hours of three days twice in a narrow card, from its left edge on", () => {
  const placed = placeLabels(Array.from({ length: 53 }, () => "Nov 20, 9:00 AM"));
  const inCard = placed.filter(({ from }) => from === "narrow" || from === "phone");
  const shown = inCard.map(({ index, isAtEdge }) => `${index} ${isAtEdge}`);
  assert.deepEqual(shown, ["0 true", "24 false"]);
});

test("puts the first label below its point at the widths where it fits there", () => {
  const placed = placeLabels(Array.from({ length: 12 }, () => "Jun 8, 2026"));
  const first = placed.filter(({ index }) => index === 0);
  const shown = first.map(({ isAtEdge, from, until }) => [isAtEdge, from, until].join(" "));
  assert.deepEqual(shown, ["true narrow page", "false page "]);
});

test("leads a line over missing values, with dots beside them, and gives each label its values", () => {
  const text = renderText({
    series: [{ name: "Opens", values: [0.1, 0.2, null, 0.3] }],
    labels: ["a", "b", "c", "d"],
  });
  const line = /<path class="line" d="([^"]*)"/.exec(text)?.[1] ?? "";
  assert.match(line, /^M[\d.,]+L[\d.,]+L[\d.,]+$/);
  const [, start, base, corner] =
    /<path class="under" [^>]*d="M([\d.]+),[\d.]+L[\d.,]+L[\d.,]+V([\d.]+)H([\d.]+)Z"/.exec(text) ?? [];
  assert.deepEqual([base, corner], ["212", start], "the area ends on the axis");
  const dots = [...text.matchAll(/<circle class="s1" cx="([\d.]+)%"/g)].map(([, x]) => x);
  assert.deepEqual(dots, ["37.5", "87.5"]);
  const tips = [...text.matchAll(/<span class="tip">(.*?)<\/span> ?<\/span>|<span class="tip">(.*?)<\/i>/g)];
  assert.deepEqual(
    tips.map(([tip]) => textOf(tip)),
    ["a Opens 10.0%", "b Opens 20.0%", "c Opens – no value", "d Opens 30.0%"],
  );
});

test("draws a series to compare with gray and dashed, and a period that is not over hatched and dotted", () => {
  const text = renderText({
    series: [
      { name: "Opens", values: [0.1, 0.2, 0.3] },
      { name: "Opens, year before", values: [0.1, 0.1, 0.1], isComparison: true },
    ],
    unfinished: [undefined, undefined, "so far"],
  });
  assertMatches(text, [
    /<g class="s5"><path class="line" d="[^"]*" stroke-dasharray="4 4"\/><\/g>/,
    /<g class="s1"><path class="line" d="[^"]*"\/><path class="line" d="[^"]*" stroke-dasharray="1 5"\/><\/g>/,
    /<rect fill="url\(#hatch\)" x="66\.7%"/,
    /<b>Mar 2026 <small>so far<\/small><\/b>/,
    /<ul class="legend">.*so far<\/li><\/ul>/,
  ]);
  const unfinished = [undefined, "1 campaign", "so far"];
  assertMatches(renderText({ unfinished, unfinishedNote: "2 campaigns" }), [
    /<rect fill="url\(#hatch\)" x="33\.3%" width="66\.7%"/,
    /<b>Feb 2026 <small>1 campaign<\/small><\/b>/,
    /<ul class="legend">.*2 campaigns<\/li><\/ul>/,
  ]);
});

test("shows the range of each rate in its tip and in the table, or why there is no rate", () => {
  const rates = [{ value: 0.5, low: 0.25, high: 1 }, null, { value: 0.4, low: -Infinity, high: Infinity }];
  const title = "Opens";
  const series = [
    rateSeries(locales.en, { title, name: "openRate", rates }, [undefined, "still counting", undefined]),
  ];
  const text = renderText({ series });
  const [tips = "", table = ""] = text.split("<details");
  for (const shown of [">50.0% <small>(25–100)</small><", ">still counting<", ">40.0%<"])
    for (const part of [tips, table]) assert.ok(part.includes(shown), shown);
});

test("says why it is empty, instead of a chart", () => {
  const series = [{ name: "Opens", values: [null, null, null] }];
  for (const given of [{ labels: [], series: [] }, { series }]) {
    const text = renderText(given);
    assert.match(text, /<p class="soft">No data yet\.<\/p>/);
    assert.doesNotMatch(text, /<svg|<table/);
  }
  const counting = renderText({ series, emptyText: "2 campaigns still counting" });
  assert.match(counting, /<p class="soft">2 campaigns still/);
});

test("makes each label a link, with one tab stop", () => {
  const urls = ["01", "02", "03"].map((month) => `/campaigns?period=2026-${month}`);
  const text = renderText({ urls });
  const links = [...text.matchAll(/<a class="hit[^"]*" href="([^"]*)" tabindex="([^"]*)"/g)];
  assert.deepEqual(
    links.map(([, url, stop]) => `${url} ${stop}`),
    [`${urls[0]} -1`, `${urls[1]} -1`, `${urls[2]} 0`],
  );
  assert.match(text, /<th scope="row"><a href="\/campaigns\?period=2026-01">Jan 2026<\/a><\/th>/);
  const series = [
    { name: "Now", values: [1, 2, null] },
    { name: "Before", values: [1, 2, 3], isComparison: true },
  ];
  const stops = renderText({ series, urls: ["/1", "/2", "/3"] }).match(/href="[^"]*" tabindex="0"/g);
  assert.deepEqual(stops, ['href="/2" tabindex="0"'], "the last one with a value");
});

test("distinguishes series by shape and pattern, not only by color", () => {
  const series = ["a", "b", "c", "d", "e"].map((name) => ({ name, values: [1, 2, 3] }));
  const lines = renderText({ series });
  const line = /<g class="s\d"><path class="line" d="[^"]*"( stroke-dasharray="[^"]*")?/g;
  const dashes = [...lines.matchAll(line)].map((each) => each[1]);
  assert.equal(new Set(dashes).size, 5);
  assert.equal([...lines.matchAll(/<li><svg class="sample s\d"/g)].length, 5);
  assert.doesNotMatch(renderText({ series: series.slice(0, 1) }), /class="legend"/);
});

test("draws columns from the axis, side by side", () => {
  const given = { labels: ["x"], series: [1, 3].map((value) => ({ name: `${value}`, values: [value] })) };
  const text = renderText({ ...given, kind: "columns", format: whole });
  const found = text.matchAll(/<rect x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"\/>/g);
  const rects = [...found].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
  const base = 240 - chartMargin.bottom;
  const [a, b] = rects;
  assert.ok(a && b);
  assert.ok(a[0] + a[2] <= b[0], "side by side");
  assert.deepEqual([a[1] + a[3], b[1] + b[3]].map(Math.round), [base, base]);
});

test("adds a table with the same numbers for screen readers", () => {
  const text = renderText();
  assert.match(text, /<div class="hits" aria-hidden="true" data-name="Open rate: read the values with the/);
  const table = /<table>(.*?)<\/table>/s.exec(text)?.[1] ?? "";
  assert.match(table, /<caption>Open rate<\/caption>/);
  assert.deepEqual(rowsIn(table, "thead"), [["Month", "Opens", "Clicks"]]);
  assert.deepEqual(rowsIn(table), [
    ["Jan 2026", "25.0%", "5.0%"],
    ["Feb 2026", "– no value", "10.0%"],
    ["Mar 2026", "50.0%", "– no value"],
  ]);
  assert.equal(table.match(/<th scope="(col|row)"/g)?.length, 6);
  assert.match(text, /role="img" aria-label="Open rate">/);
});

test("escapes all texts of a chart and uses no inline styles or scripts", () => {
  const evil = `"><script>alert('1')</script>&`;
  const series = [evil, evil].map((name) => ({ name, values: [1, 2, 3] }));
  const labels = [evil, evil, evil];
  const text = renderText({ title: evil, xTitle: evil, labels, series, format: () => evil });
  assert.doesNotMatch(text, /<script| style=| on\w+=/);
});
