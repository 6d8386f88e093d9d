// The check of a serving process for damage: a log line, a metric and a warning of `/readyz` report what it finds.

import type { Logger } from "pino";
import { type BackgroundCheck, startBackgroundCheck } from "../counting/integrity/background-check.ts";
import type { PrometheusMetrics } from "./monitoring/metrics.ts";

const maxLogged = 10;

/**
 * Checks a SQLite file once in the background.
 *
 * @param url of the database
 * @param delayMs until the check starts
 * @param warn receives the warning if the file is damaged
 */
export function startDamageCheck(
  url: string,
  delayMs: number,
  {
    log,
    metrics,
    warn,
  }: {
    log: Logger;
    metrics: Pick<PrometheusMetrics, "email_analytics_database_damaged">;
    warn: (text: string) => void;
  },
): BackgroundCheck {
  return startBackgroundCheck({ url }, delayMs, (outcome) => {
    if ("failure" in outcome) {
      log.error({ err: outcome.failure }, "the database could not be checked for damage");
      return;
    }
    const { records, problems, damage } = outcome.result;
    if (problems === 0) {
      log.info({ records }, "checked the database: no damage");
      return;
    }
    metrics.email_analytics_database_damaged.set(1);
    warn("The database is damaged. The log says where. Restore a backup.");
    log.error(
      { records, problems, damage: damage.slice(0, maxLogged) },
      'the database is damaged; run "email-analytics check" for the whole list, and restore a backup',
    );
  });
}
