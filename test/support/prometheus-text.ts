// Parses the text format of Prometheus, as strictly as Prometheus and `promtool check metrics`.

import assert from "node:assert/strict";

export interface ReadFamily {
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const namePattern = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const samplePattern = new RegExp(`^(${namePattern})(?:\\{(.*)\\})? (\\S+)$`);
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/y;

/** @throws AssertionError if the text breaks a rule of the format */
export function readPrometheus(text: string): Map<string, ReadFamily> {
  const families = new Map<string, ReadFamily>();
  assert.ok(text.endsWith("\n"));
  const seen = new Set<string>();
  let name = "";
  let family: ReadFamily | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    // Prometheus ignores empty lines.
    if (line === "") continue;
    const [, helped] = new RegExp(`^# HELP (${namePattern}) \\S.*$`).exec(line) ?? [];
    const [, typed, type = ""] =
      new RegExp(`^# TYPE (${namePattern}) (counter|gauge|histogram)$`).exec(line) ?? [];
    if (helped !== undefined) {
      assert.ok(!families.has(helped), line);
      [name, family] = [helped, undefined];
    } else if (typed !== undefined) {
      assert.deepEqual([typed, family], [name, undefined], line);
      family = { type, samples: [] };
      families.set(name, family);
      // Gauges of prom-client end in _total as well.
      if (!/^(nodejs|process)_/.test(name)) assert.equal(name.endsWith("_total"), type === "counter", line);
    } else {
      const [all, of = "", labelled, value]: string[] = samplePattern.exec(line) ?? assert.fail(line);
      assert.ok(family, line);
      const ends: string[] = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      assert.ok(ends.map((end) => name + end).includes(of), line);
      const series = all.slice(0, all.lastIndexOf(" "));
      assert.ok(!seen.has(series), `twice: ${line}`);
      seen.add(series);
      family.samples.push({ name: of, labels: readLabels(labelled), value: readNumber(value) });
    }
  }
  for (const [each, { type, samples }] of families) {
    if (type === "counter") for (const { value } of samples) assert.ok(value >= 0, each);
    if (type === "histogram") checkHistograms(each, samples);
  }
  return families;
}

function readLabels(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const labels: Record<string, string> = {};
  let at = 0;
  while (at < text.length) {
    labelPattern.lastIndex = at;
    const [pair = "", label = "", value = ""]: string[] = labelPattern.exec(text) ?? assert.fail(text);
    assert.ok(!Object.hasOwn(labels, label), text);
    labels[label] = value.replace(/\\([\\"n])/g, (_all, char: string) => (char === "n" ? "\n" : char));
    at += pair.length;
  }
  return labels;
}

function readNumber(text: string | undefined): number {
  assert.match(text ?? "", /^(\+Inf|Nan|-?\d+(\.\d+)?(e[+-]\d+)?)$/);
  return text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
}

/** For each histogram: bounds ascend to +Inf, counts are cumulative, and the last bucket equals the count. */
function checkHistograms(name: string, samples: ReadFamily["samples"]): void {
  const without = ({ le: _le, ...labels }: Record<string, string>) => JSON.stringify(labels);
  for (const [key, ofOne] of Map.groupBy(samples, ({ labels }) => without(labels))) {
    const buckets = ofOne.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => readNumber(labels.le));
    const counts = buckets.map(({ value }) => value);
    const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
    assert.deepEqual(bounds, sorted(new Set(bounds)), key);
    assert.deepEqual(counts, sorted(counts), key);
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, key);
    assert.deepEqual(
      ofOne.slice(buckets.length).map((sample) => sample.name),
      [`${name}_sum`, `${name}_count`],
      key,
    );
    assert.equal(ofOne.at(-1)?.value, counts.at(-1), key);
  }
}
