// The alert rules for Prometheus: each names metrics that exist and says what to do. In full, each of the faults that they
// are for makes exactly its alert, as promtool of Prometheus evaluates them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { metricDefinitions } from "../../src/http/monitoring/metrics.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { makeFolder } from "../support/world.ts";

const file = join(import.meta.dirname, "../../deploy/prometheus/alerts.yml");
const dashboard = join(import.meta.dirname, "../../deploy/grafana/operation.json");
const rules = readFileSync(file, "utf8");
const alerts = [...rules.matchAll(/- alert: (\w+)\n((?: {8}.*\n)+)/g)].map(([, name = "", text = ""]) => ({
  name,
  text,
}));

const hour = 3_600;
/** So late, every range of the rules is full. Seconds since 1970, at which promtool starts. */
const at = 3 * hour;
const minutes = at / 60;
const constant = (value: number) => `${value}+0x${minutes}`;
/** A time as a gauge; before 1970 it is negative. */
const ago = (seconds: number) => constant(at - seconds);
const growing = (perMinute: number) => `0+${perMinute}x${minutes}`;
const route = '{instance="a",route="/ingest/v1/events",method="POST",status="5xx"}';

/** What makes each alert, as a series of one value a minute. */
const faults: Record<string, [series: string, values: string]> = {
  EmailAnalyticsDown: ['up{job="email-analytics",instance="a"}', constant(0)],
  EmailAnalyticsDatabaseDown: ["email_analytics_database_up", constant(0)],
  EmailAnalyticsReadOnly: ["email_analytics_database_read_only", constant(1)],
  EmailAnalyticsDiskAlmostFull: ["email_analytics_disk_free_bytes", constant(5e8)],
  EmailAnalyticsLogGrows: ["email_analytics_database_log_bytes", constant(6e8)],
  EmailAnalyticsUpkeepStopped: ["email_analytics_upkeep_last_run_timestamp_seconds", ago(hour)],
  EmailAnalyticsQuarantineGrows: ["email_analytics_quarantined_events", growing(100)],
  EmailAnalyticsQuarantineOld: ["email_analytics_quarantine_oldest_timestamp_seconds", ago(8 * 24 * hour)],
  EmailAnalyticsRefusesEvents: [`email_analytics_requests_total${route}`, growing(1)],
  EmailAnalyticsKeysRefused: ['email_analytics_refused_credentials_total{credential="key"}', growing(10)],
  EmailAnalyticsSignInsRefused: [
    'email_analytics_refused_credentials_total{credential="sign_in"}',
    growing(5),
  ],
  EmailAnalyticsBackupOld: ["email_analytics_last_backup_timestamp_seconds", ago(3 * 24 * hour)],
  // Of a process whose series of backups are missing.
  EmailAnalyticsNoBackup: ['email_analytics_database_up{instance="c"}', constant(1)],
  EmailAnalyticsRestoreTestOld: ["email_analytics_last_restore_test_timestamp_seconds", ago(91 * 24 * hour)],
  EmailAnalyticsHeldUp: ["nodejs_eventloop_lag_max_seconds", constant(0.3)],
};

/** A service without faults. */
const healthy: Record<string, string> = {
  'up{job="email-analytics",instance="b"}': constant(1),
  'email_analytics_database_up{instance="b"}': constant(1),
  'email_analytics_database_read_only{instance="b"}': constant(0),
  'email_analytics_disk_free_bytes{instance="b"}': constant(1e11),
  'email_analytics_database_log_bytes{instance="b"}': constant(4e7),
  'email_analytics_upkeep_last_run_timestamp_seconds{instance="b"}': growing(60),
  'email_analytics_quarantined_events{instance="b"}': constant(50),
  'email_analytics_quarantine_oldest_timestamp_seconds{instance="b"}': ago(hour),
  'email_analytics_requests_total{instance="b",route="/ingest/v1/events",method="POST",status="2xx"}':
    growing(6_000),
  'email_analytics_refused_credentials_total{instance="b",credential="key"}': growing(1),
  'email_analytics_refused_credentials_total{instance="b",credential="sign_in"}': growing(1),
  'email_analytics_last_backup_timestamp_seconds{instance="b"}': growing(60),
  'email_analytics_last_restore_test_timestamp_seconds{instance="b"}': ago(30 * 24 * hour),
  'nodejs_eventloop_lag_max_seconds{instance="b"}': constant(0.012),
};

test("every alert has a fault that makes it, names only metrics that exist, and says what to do", () => {
  assert.deepEqual(
    alerts.map(({ name }) => name),
    Object.keys(faults),
  );
  const names = Object.keys(metricDefinitions);
  for (const { name, text } of alerts) {
    const used = text.match(/email_analytics_\w+/g) ?? [];
    assert.ok(used.length > 0 || /EmailAnalytics(?:Down|HeldUp)/.test(name), name);
    for (const metric of used) assert.ok(names.includes(metric), `${name}: ${metric}`);
    assert.match(text, /summary: ".+"\n +action: ".+"/, name);
  }
});

test("every panel of the dashboard asks for metrics that exist", () => {
  const names = Object.keys(metricDefinitions);
  const { panels } = JSON.parse(readFileSync(dashboard, "utf8")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const [metric = ""] = /(email_analytics|process|nodejs)_\w+/.exec(expr) ?? [];
      const isOfLibrary = /^(process_resident_memory_bytes|nodejs_eventloop_lag_max_seconds)$/.test(metric);
      assert.ok(isOfLibrary || names.includes(metric.replace(/_bucket$/, "")), `${title}: ${expr}`);
    }
  }
});

test("each fault makes exactly its alert, and a service without faults none", (t) => {
  const tests = [undefined, ...Object.keys(faults)].map((fault) => ({
    interval: "1m",
    input_series: Object.entries({
      ...healthy,
      ...(fault && Object.fromEntries([faults[fault] as [string, string]])),
    }).map(([series, values]) => ({ series, values })),
    promql_expr_test: alerts.map(({ name }) => ({
      expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`,
      eval_time: `${minutes}m`,
      exp_samples: name === fault ? [{ labels: "{}", value: 1 }] : [],
    })),
  }));
  assert.equal(tests.length, alerts.length + 1);
  if (!isFullSize) return;
  const path = join(makeFolder(t), "alerts.test.yml");
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ rule_files: [file], evaluation_interval: "1m", tests }));
  assert.match(execFileSync("promtool", ["test", "rules", path], { encoding: "utf8" }), /SUCCESS/);
  report(`${alerts.length} faults, each with its alert; none without faults`);
});
