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
  const labelsOf = (values: number[], format: (value: number) => string, max = 0) =>
    makeYAxis(values, format, { max }).ticks.map(({ label }) => label);
  assert.deepEqual(labelsOf([0.1, 0.43], percent), ["0.0%", "10.0%", "20.0%", "30.0%", "40.0%", "50.0%"]);
  assert.deepEqual(labelsOf([12_345], whole), ["0", "5,000", "10,000", "15,000"]);
  assert.deepEqual(labelsOf([3], whole), ["0", "1", "2", "3"]);
  assert.deepEqual(labelsOf([7.4], whole, 10), ["0", "2", "4", "6", "8", "10"]);
  assert.deepEqual(labelsOf([1.2], percent, 1).at(-1), "150.0%");
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
      "a label that is much longer than there is room for",
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
  assert.ok(
    yAxisWidth(makeYAxis([12_345_678], whole)) > "15,000,000".length * 7,
    "the labels of the y axis fit",
  );
});

test("labels the hours of three days twice in a narrow card, from its left edge on", () => {
  const placed = placeLabels(Array.from({ length: 53 }, () => "Nov 20, 9:00 AM"));
  const inCard = placed.filter(({ from }) => from === "narrow" || from === "phone");
  assert.deepEqual(
    inCard.map(({ index, isAtEdge }) => [index, isAtEdge]),
    [
      [0, true],
      [24, false],
    ],
  );
});

test("puts the first label below its point at the widths where it fits there", () => {
  const first = placeLabels(Array.from({ length: 12 }, () => "Jun 8, 2026")).filter(
    ({ index }) => index === 0,
  );
  assert.deepEqual(
    first.map(({ isAtEdge, from, until }) => [isAtEdge, from, until]),
    [
      [true, "narrow", "page"],
      [false, "page", undefined],
    ],
  );
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
  const tips = [
    ...text.matchAll(/<span class="tip">(.*?)<\/span> ?<\/span>|<span class="tip">(.*?)<\/i>/g),
  ].map(([tip]) =>
    tip
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  assert.deepEqual(tips, ["a Opens 10.0%", "b Opens 20.0%", "c Opens – no value", "d Opens 30.0%"]);
});

test("draws a series to compare with gray and dashed, and a period that is not over hatched and dotted", () => {
  const text = renderText({
    series: [
      { name: "Opens", values: [0.1, 0.2, 0.3] },
      { name: "Opens, year before", values: [0.1, 0.1, 0.1], isComparison: true },
    ],
    unfinished: [undefined, undefined, "so far"],
  });
  assert.match(text, /<g class="s5"><path class="line" d="[^"]*" stroke-dasharray="4 4"\/><\/g>/);
  assert.match(
    text,
    /<g class="s1"><path class="line" d="[^"]*"\/><path class="line" d="[^"]*" stroke-dasharray="1 5"\/><\/g>/,
  );
  assert.match(text, /<rect fill="url\(#hatch\)" x="66\.7%"/);
  assert.match(text, /<b>Mar 2026 <small>so far<\/small><\/b>/);
  assert.match(text, /<ul class="legend">.*so far<\/li><\/ul>/);
  const earlier = renderText({
    unfinished: [undefined, "1 campaign", "so far"],
    unfinishedNote: "2 campaigns",
  });
  assert.match(earlier, /<rect fill="url\(#hatch\)" x="33\.3%" width="66\.7%"/);
  assert.match(earlier, /<b>Feb 2026 <small>1 campaign<\/small><\/b>/);
  assert.match(earlier, /<ul class="legend">.*2 campaigns<\/li><\/ul>/);
});

test("shows the range of each rate as a bar, in its tip and in the table, or why there is no rate", () => {
  const rates = [{ value: 0.5, low: 0.25, high: 1 }, null, { value: 0.4, low: -Infinity, high: Infinity }];
  const title = "Opens";
  const series = [
    rateSeries(locales.en, { title, name: "openRate", rates }, [undefined, "still counting", undefined]),
  ];
  const text = renderText({ series });
  assert.equal(text.match(/<line class="whisker s1" x1="16\.7%" x2="16\.7%"/g)?.length, 1);
  assert.equal(text.match(/class="whisker s1"/g)?.length, 1);
  assert.match(text, /100\.0%<\/text>/, "the axis reaches the end of the range");
  assert.match(text, /<ul class="legend"><li>.*Likely range<\/li><\/ul>/);
  const [tips = "", table = ""] = text.split("<details");
  for (const shown of [">50.0% <small>(25–100)</small><", ">still counting<", ">40.0%<"])
    for (const part of [tips, table]) assert.ok(part.includes(shown), shown);
});

test("says why it is empty", () => {
  const series = [{ name: "Opens", values: [null, null, null] }];
  assert.match(renderText({ series }), /<p class="soft">No data yet\.<\/p>/);
  assert.match(
    renderText({ series, emptyText: "2 campaigns still counting" }),
    /<p class="soft">2 campaigns still/,
  );
});

test("has its title as a heading, of the page or of its section", () => {
  assert.match(renderText(), /<figcaption><h2>Open rate<\/h2><\/figcaption>/);
  assert.match(renderText({ isInSection: true }), /<figcaption><h3>Open rate<\/h3><\/figcaption>/);
});

test("makes each label a link, with one tab stop", () => {
  const text = renderText({
    urls: ["/campaigns?period=2026-01", "/campaigns?period=2026-02", "/campaigns?period=2026-03"],
  });
  const links = [...text.matchAll(/<a class="hit[^"]*" href="([^"]*)" tabindex="([^"]*)"/g)].map(
    ([, ...link]) => link,
  );
  assert.deepEqual(links, [
    ["/campaigns?period=2026-01", "-1"],
    ["/campaigns?period=2026-02", "-1"],
    ["/campaigns?period=2026-03", "0"],
  ]);
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
  const dashes = [
    ...lines.matchAll(/<g class="s\d"><path class="line" d="[^"]*"( stroke-dasharray="[^"]*")?/g),
  ].map((each) => each[1]);
  assert.equal(new Set(dashes).size, 5);
  for (const kind of ["columns", "stacked"] as const) {
    const groups = [...renderText({ series, kind }).matchAll(/<g class="(s\d)" fill-opacity="([^"]*)"/g)];
    assert.equal(new Set(groups.map(([, name]) => name)).size, 5);
    assert.equal(new Set(groups.map(([, , opacity]) => opacity)).size, 5);
  }
  const meant = renderText({
    series: [{ name: "Promoters", values: [1, 2, 3], tone: "good" }],
    kind: "stacked",
  });
  assert.match(meant, /<g class="s-good" fill-opacity="1">/);
  assert.equal([...lines.matchAll(/<li><svg class="sample s\d"/g)].length, 5);
  assert.doesNotMatch(renderText({ series: series.slice(0, 1) }), /class="legend"/);
});

test("draws columns from the axis, side by side or stacked", () => {
  const rects = (kind: Chart["kind"]) =>
    [
      ...renderText({
        kind,
        labels: ["x"],
        series: [
          { name: "a", values: [1] },
          { name: "b", values: [3] },
        ],
        format: whole,
      }).matchAll(/<rect x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"\/>/g),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
  const base = 240 - chartMargin.bottom;
  const [a, b] = rects("columns");
  assert.ok(a && b);
  assert.ok(a[0] + a[2] <= b[0], "side by side");
  assert.deepEqual([a[1] + a[3], b[1] + b[3]].map(Math.round), [base, base]);
  const [low, high] = rects("stacked");
  assert.ok(low && high);
  assert.equal(low[0], high[0]);
  assert.equal(Math.round(high[1] + high[3]), Math.round(low[1]));
  assert.equal(Math.round(high[3] / low[3]), 3);
});

test("makes an axis of shares with steps between 0% and 100%", () => {
  const text = renderText({
    kind: "stacked",
    max: 1,
    labels: ["x"],
    series: [
      { name: "a", values: [0.25] },
      { name: "b", values: [0.75] },
    ],
  });
  const steps = [...text.matchAll(/text-anchor="end">([^<]*)</g)].map(([, step]) => step);
  assert.deepEqual(steps, ["0.0%", "20.0%", "40.0%", "60.0%", "80.0%", "100.0%"]);
});

test("adds a table with the same numbers and a description for screen readers", () => {
  const text = renderText();
  assert.match(text, /<div class="hits" aria-hidden="true" data-name="Open rate: read the values with the/);
  const table = /<table>(.*?)<\/table>/s.exec(text)?.[1] ?? "";
  assert.match(table, /<caption>Open rate<\/caption>/);
  assert.deepEqual(
    [...table.matchAll(/<th scope="(col|row)"[^>]*>([^<]*)</g)].map(([, scope, name]) => `${scope} ${name}`),
    ["col Month", "col Opens", "col Clicks", "row Jan 2026", "row Feb 2026", "row Mar 2026"],
  );
  assert.deepEqual(
    [...table.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell?.replaceAll(/<[^>]*>/g, "")),
    ["25.0%", "5.0%", "– no value", "10.0%", "50.0%", "– no value"],
  );
  assert.match(
    text,
    /role="img" aria-label="Open rate\. Line chart by month, from Jan 2026 to Mar 2026\. Opens: between 25\.0% and 50\.0%\. Clicks: between 5\.0% and 10\.0%\./,
  );
});

test("shows a sentence instead of a chart when there are no numbers", () => {
  for (const given of [{ labels: [], series: [] }, { series: [{ name: "a", values: [null, null, null] }] }]) {
    const text = renderText(given);
    assert.match(text, /No data yet\./);
    assert.doesNotMatch(text, /<svg|<table/);
  }
});

test("escapes all texts of a chart and uses no inline styles or scripts", () => {
  const evil = `"><script>alert('1')</script>&`;
  const text = renderText({
    title: evil,
    xTitle: evil,
    labels: [evil, evil, evil],
    series: [
      { name: evil, values: [1, 2, 3] },
      { name: evil, values: [1, 2, 3] },
    ],
    format: () => evil,
  });
  assert.doesNotMatch(text, /<script/);
  assert.doesNotMatch(text, /"><script/);
  assert.doesNotMatch(text, / style=| on\w+=/);
});
