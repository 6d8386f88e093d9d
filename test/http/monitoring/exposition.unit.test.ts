// The text for Prometheus, to the last character.

import assert from "node:assert/strict";
import test from "node:test";
import { exposition } from "../../../src/http/monitoring/exposition.ts";
import { Histogram } from "../../../src/http/monitoring/histogram.ts";
import { readPrometheus } from "../../support/prometheus-text.ts";

test("values, labels and histograms are written as Prometheus reads them", () => {
  const durations = new Histogram([0.1, 1]);
  for (const value of [0, 0.1, 0.5, 1.5, 400]) durations.add(value);
  const text = exposition({
    email_analytics_connections: [{ value: 3 }],
    email_analytics_request_duration_seconds: [{ labels: { method: "GET", route: "/a" }, value: durations }],
  });
  assert.equal(
    text,
    `# HELP email_analytics_request_duration_seconds From the head of a request to the end of its answer, by route and method.
# TYPE email_analytics_request_duration_seconds histogram
email_analytics_request_duration_seconds_bucket{method="GET",route="/a",le="0.1"} 2
email_analytics_request_duration_seconds_bucket{method="GET",route="/a",le="1"} 3
email_analytics_request_duration_seconds_bucket{method="GET",route="/a",le="+Inf"} 5
email_analytics_request_duration_seconds_sum{method="GET",route="/a"} 402.1
email_analytics_request_duration_seconds_count{method="GET",route="/a"} 5
# HELP email_analytics_connections Connections that are open; MAX_CONNECTIONS bounds them.
# TYPE email_analytics_connections gauge
email_analytics_connections 3
`,
  );
  assert.deepEqual([...readPrometheus(text).keys()].length, 2);
});

test("what would end a label early is escaped, and what has no value is left out", () => {
  const route = '/a"\\\n';
  const text = exposition({
    email_analytics_requests_total: [{ labels: { route }, value: 1e21 }],
    email_analytics_events_total: [],
  });
  assert.match(text, /\{route="\/a\\"\\\\\\n"\} 1e\+21\n$/);
  const [[, family] = []] = readPrometheus(text);
  assert.deepEqual(family?.samples[0]?.labels, { route });
  assert.doesNotMatch(text, /email_analytics_events_total/);
});

test("the reader of these tests refuses what Prometheus would refuse", () => {
  const good = "# HELP a_total A.\n# TYPE a_total counter\na_total 1\n";
  assert.equal(readPrometheus(good).size, 1);
  const bad = [
    good.slice(0, -1),
    good + good,
    `${good}a_total 2\n`,
    `${good}b_total 2\n`,
    good.replace(" 1\n", " one\n"),
    good.replace(" 1\n", " -1\n"),
    good.replace("a_total 1", 'a_total{b="c"d="e"} 1'),
    good.replace("a_total 1", 'a_total{b="c",b="e"} 1'),
    good.replace("# TYPE a_total counter\n", ""),
    "# HELP a A.\n# TYPE a counter\na 1\n",
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n',
  ];
  for (const text of bad) assert.throws(() => readPrometheus(text), text);
});
