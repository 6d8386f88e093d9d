// The text that Prometheus scrapes, character by character.

import assert from "node:assert/strict";
import test from "node:test";
import {
  createMetrics,
  metricDefinitions,
  type PrometheusMetricName,
} from "../../../src/http/monitoring/metrics.ts";
import { readPrometheus } from "../../support/prometheus-text.ts";

/** The lines of one metric. */
async function exposed(
  fill: (metrics: ReturnType<typeof createMetrics>) => void,
  name: PrometheusMetricName,
) {
  const metrics = createMetrics();
  fill(metrics);
  return `${await metrics.registry.getSingleMetricAsString(name)}\n`;
}

test("exposes values, labels and histograms in the text format of Prometheus", async () => {
  const labels = { method: "GET", route: "/a" };
  const text = await exposed((metrics) => {
    for (const value of [0, 0.1, 0.5, 1.5, 400]) {
      metrics.email_analytics_request_duration_seconds.observe(labels, value);
    }
  }, "email_analytics_request_duration_seconds");
  const bucket = (le: string, count: number) =>
    `email_analytics_request_duration_seconds_bucket{le="${le}",method="GET",route="/a"} ${count}\n`;
  assert.equal(
    text,
    `# HELP email_analytics_request_duration_seconds Time from the head of a request to the end of its response, by route and method.
# TYPE email_analytics_request_duration_seconds histogram
${["0.001", "0.0025", "0.005", "0.01", "0.025", "0.05"].map((le) => bucket(le, 1)).join("")}${bucket("0.1", 2)}${bucket("0.25", 2)}${["0.5", "1"].map((le) => bucket(le, 3)).join("")}${["2.5", "5", "10", "30"].map((le) => bucket(le, 4)).join("")}${bucket("+Inf", 5)}email_analytics_request_duration_seconds_sum{method="GET",route="/a"} 402.1
email_analytics_request_duration_seconds_count{method="GET",route="/a"} 5
`,
  );
  assert.equal(readPrometheus(text).size, 1);
  assert.equal(
    await exposed((metrics) => metrics.email_analytics_connections.set(3), "email_analytics_connections"),
    `# HELP email_analytics_connections Open connections; MAX_CONNECTIONS limits them.
# TYPE email_analytics_connections gauge
email_analytics_connections 3
`,
  );
});

test("escapes a label value that would end the label early", async () => {
  const route = '/a"\\\n';
  const text = await exposed(
    (metrics) => metrics.email_analytics_requests_total.inc({ route }, 1e21),
    "email_analytics_requests_total",
  );
  assert.match(text, /\{route="\/a\\"\\\\\\n"\} 1e\+21\n$/);
  const [[, family] = []] = readPrometheus(text);
  assert.deepEqual(family?.samples[0]?.labels, { route });
});

test("exposes every metric under its name, type and labels when nothing was measured yet", async () => {
  const families = readPrometheus(await createMetrics().registry.metrics());
  const expected = Object.entries(metricDefinitions).map(([name, { type }]) => [name, type]);
  const found = [...families].map(([name, { type }]) => [name, type]);
  assert.deepEqual(found, expected);
  // A metric with labels has no samples until its labels are known.
  assert.deepEqual(
    [...families].filter(([, { samples }]) => samples.length === 0).map(([name]) => name),
    Object.entries(metricDefinitions)
      .filter(([, definition]) => "labels" in definition)
      .map(([name]) => name),
  );
});

test("the Prometheus reader of the tests rejects what Prometheus would reject", () => {
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
