// Measures what the database uses, what waits in it, and its last backup.

import { setTimeout as pause } from "node:timers/promises";
import type { Gauge } from "prom-client";
import { findBackupTimes } from "../../storage/organizations/leases.ts";
import { measureOutbox } from "../../storage/organizations/outbox.ts";
import { measureQuarantine } from "../../storage/quarantine/quarantine.ts";
import type { Database, DatabaseUse } from "../../storage/queries/database.ts";
import type { PrometheusMetrics } from "./metrics.ts";

const answerMs = 2_000;

/** Sets the metrics of the database. Call it before each scrape. */
export async function measureStorage(database: Database, metrics: PrometheusMetrics): Promise<void> {
  const answer = Promise.race([read(database), pause(answerMs, undefined, { ref: false })]);
  const found = await answer.catch(() => undefined);
  metrics.email_analytics_database_up.set(found ? 1 : 0);
  set(found ?? {}, metrics);
}

async function read(database: Database) {
  return {
    use: await database.measureUse(),
    isReadOnly: database.writeProblem() !== undefined,
    quarantine: await database.query(measureQuarantine),
    mail: await database.query((queries) => measureOutbox(queries, Date.now())),
    backupAt: (await database.query((queries) => findBackupTimes(queries)))?.madeAt,
    provedAt: (await database.query((queries) => findBackupTimes(queries, "restore_test")))?.madeAt,
  };
}

/** Empty if the database does not answer. */
type Measured = Partial<Awaited<ReturnType<typeof read>>>;

function set(
  { isReadOnly, use, quarantine, backupAt, provedAt, mail }: Measured,
  metrics: PrometheusMetrics,
): void {
  const { bytes, logBytes, freeBytes, connections }: Partial<DatabaseUse> = use ?? {};
  show(metrics.email_analytics_database_read_only, isReadOnly === undefined ? undefined : Number(isReadOnly));
  show(metrics.email_analytics_database_bytes, bytes);
  show(metrics.email_analytics_database_log_bytes, logBytes);
  show(metrics.email_analytics_disk_free_bytes, freeBytes);
  metrics.email_analytics_database_connections.reset();
  for (const [state, count] of Object.entries<number>(connections ?? {})) {
    metrics.email_analytics_database_connections.set({ state }, count);
  }
  show(metrics.email_analytics_quarantined_events, quarantine?.events);
  show(metrics.email_analytics_quarantine_oldest_timestamp_seconds, toSeconds(quarantine?.oldestAt));
  show(metrics.email_analytics_mail_pending, mail?.pending);
  show(metrics.email_analytics_mail_undelivered, mail?.undelivered);
  show(metrics.email_analytics_last_backup_timestamp_seconds, toSeconds(backupAt));
  show(metrics.email_analytics_last_restore_test_timestamp_seconds, toSeconds(provedAt));
}

/** Without a value, the metric has no sample. */
export function show(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove({});
  else gauge.set(value);
}

/** Milliseconds since 1970 as seconds. */
export function toSeconds(at: number | null | undefined): number | undefined {
  return at === null || at === undefined ? undefined : at / 1000;
}
