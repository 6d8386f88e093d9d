// The checks of `doctor` that need an open database.

import { statSync } from "node:fs";
import { dayMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import type { Settings } from "../../config.ts";
import { isAlmostFull } from "../../counting/events/quarantine-events.ts";
import { checkDatabase } from "../../counting/integrity/check-database.ts";
import { listApiKeys } from "../../storage/keys/api-keys.ts";
import { findLastEventAt, listSources } from "../../storage/keys/sources.ts";
import { sqlitePath } from "../../storage/open-database.ts";
import { findBackupTimes } from "../../storage/organizations/leases.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listUndelivered } from "../../storage/organizations/outbox.ts";
import { countQuarantined } from "../../storage/quarantine/quarantine.ts";
import { readVersion } from "../../storage/queries/check-integrity.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { finishDeleting } from "../shell/finish-deleting.ts";
import type { ProgressBar } from "../shell/progress-bar.ts";
import { recountAll } from "../shell/recount-all.ts";
import { examineDeliveries } from "./delivery-checks.ts";
import { type Finding, instant, megabytes, ok, problem, warning } from "./finding.ts";

export interface DoctorOptions {
  full?: boolean;
  repair?: boolean;
  vacuum?: boolean;
}

interface Examined {
  settings: Settings;
  database: Database;
  organizations: readonly Organization[];
  options: DoctorOptions;
  /** Milliseconds since 1970. */
  now: () => number;
  bar: ProgressBar;
}

/** Upkeep closes and deletes nothing by a clock that is further ahead of the last change. */
const maxAheadMs = dayMs;
const maxBehindMs = 5 * minuteMs;
const maxListed = 100;
const minFreeBytes = 256e6;
/** Four times what SQLite keeps of a log. */
const maxLogBytes = 256e6;
const restore = "The database is damaged; restore a backup.";

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });
const pathOf = ({ DATABASE_URL }: Settings) => sqlitePath(DATABASE_URL) ?? "";

type Checks = Record<string, (examined: Examined) => AsyncGenerator<Finding>>;

/** The checks that these options ask for. */
export function databaseChecks({ full, repair, vacuum }: DoctorOptions, settings: Settings): Checks {
  return {
    ...dataChecks,
    ...(sqlitePath(settings.DATABASE_URL) && fileChecks),
    ...((full || repair) && fullChecks),
    ...(vacuum && vacuumCheck),
  };
}

/** Makes a check of each organization, whose findings say which one they are of. */
function inEach(check: (scope: Scope, examined: Examined) => AsyncGenerator<Finding>): Checks[string] {
  return async function* (examined) {
    for (const { id: organization } of examined.organizations) {
      const findings: Finding[] = [];
      await examined.database.queryOf(organization, async (scope) => {
        for await (const finding of check(scope, examined)) findings.push({ ...finding, organization });
      });
      yield* findings;
    }
  };
}

const dataChecks: Checks = {
  async *database({ database, organizations }) {
    const cause = database.writeProblem();
    if (cause !== undefined) yield problem(`${cause} Free space, or let this user write.`);
    const version = await database.query(readVersion);
    const migrated = database.migrated.map((name) => `, migrated now: ${name}`).join("");
    yield ok(`${version}, ${pluralize(organizations.length, "organization")}${migrated}.`);
  },

  async *clock({ organizations, now }) {
    const lastChange = Math.max(0, ...organizations.map(({ revision }) => revision));
    const [clock, change] = [instant(now()), instant(lastChange)];
    if (lastChange > now() + maxBehindMs) {
      yield problem(`The clock says ${clock}, before the last change at ${change}. Correct the clock (NTP).`);
    } else if (lastChange > 0 && now() > lastChange + maxAheadMs) {
      yield warning(
        `The clock says ${clock}, and the last change was at ${change}. If the clock is wrong, correct it before anything is written. If it is right, the service was quiet.`,
      );
    } else yield ok(`The clock says ${clock}.`);
  },

  async *events({ database, organizations, now }) {
    let last = 0;
    for (const { id: organization } of organizations) {
      last = Math.max(last, (await database.queryOf(organization, findLastEventAt)) ?? 0);
      for (const source of await database.queryOf(organization, listSources)) {
        if (source.lastEventAt !== undefined || now() - source.createdAt < dayMs) continue;
        yield warning(
          `No event has arrived from ${source.provider} since ${instant(source.createdAt)}. Compare the webhook URL and the secret with the provider's settings.`,
          { organization },
        );
      }
    }
    yield ok(last > 0 ? `The last event arrived at ${instant(last)}.` : "No event has arrived yet.");
  },

  deliveries: inEach(examineDeliveries),

  quarantine: inEach(async function* (scope, { settings }) {
    const { events, bytes } = await countQuarantined(scope);
    if (events === 0) return;
    const isFull = isAlmostFull(bytes, settings.QUARANTINE_BYTES);
    const advice = isFull
      ? " Hardly any more fit (QUARANTINE_BYTES): register the campaigns or discard events."
      : "";
    yield (isFull ? problem : warning)(
      `${pluralize(events, "event")} could not be counted. See "email-analytics quarantine list".${advice}`,
    );
  }),

  mail: inEach(async function* (scope, { now }) {
    const mails = await listUndelivered(scope, now(), maxListed);
    if (mails.length === 0) return;
    const isAll = mails.length < maxListed;
    const count = isAll ? pluralize(mails.length, "notification") : `${maxListed} or more notifications`;
    yield warning(
      `${count} did not arrive by mail or chat. Admins see them in "Settings, Mail and chat". The last answer was: ${mails[0]?.problem ?? "none"}`,
    );
  }),

  keys: inEach(async function* (scope, { settings, now }) {
    for (const { id, name, prefix, expiresAt } of await listApiKeys(scope)) {
      if (!prefix.startsWith(`ea_${settings.REGION}_`)) {
        yield problem(
          `API key ${id} ("${name}"), ${prefix}…, is of another region than REGION, which is ${settings.REGION}: it is refused. Correct REGION, or delete the key.`,
        );
        continue;
      }
      if (expiresAt === null || expiresAt > now() + 30 * dayMs) continue;
      const verb = expiresAt > now() ? "expires" : "expired";
      yield warning(
        `API key ${id} ("${name}") ${verb} at ${instant(expiresAt)}. Replace it with "email-analytics key roll", or delete it.`,
      );
    }
  }),

  async *backup({ database, now }) {
    const last = await database.query((queries) => findBackupTimes(queries));
    if (last && last.dueAt > now()) yield ok(`The last backup is of ${instant(last.madeAt)}.`);
    else {
      yield warning(
        `${last ? `The last backup is of ${instant(last.madeAt)}` : "No backup was made"}. Run "email-analytics backup FILE" every day, or "backup --already" after another tool.`,
      );
    }
  },
};

const fileChecks: Checks = {
  async *disk({ database }) {
    const { bytes, logBytes: log = 0, freeBytes: free = 0 } = await database.measureUse();
    if (free < minFreeBytes) {
      yield problem(`Only ${megabytes(free)} are free. Free space: on a full disk, events get a 503.`);
    }
    if (log > maxLogBytes) {
      yield warning(`The -wal file has ${megabytes(log)}. A process has been reading for long: restart it.`);
    }
    yield ok(`The database has ${megabytes(bytes)}; ${megabytes(free)} are free.`);
  },

  async *permissions({ settings }) {
    const path = pathOf(settings);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      if (((statOf(file)?.mode ?? 0) & 0o077) === 0) continue;
      yield problem(`Other users may read ${file}, with secrets and personal data. Run: chmod 600 ${file}`);
    }
  },
};

/** These read the whole database. */
const fullChecks: Checks = {
  async *damage({ database, bar }) {
    const { records, problems, damage } = await checkDatabase(database, bar.show);
    const checked = `Checked ${pluralize(records, "record")}`;
    for (const { problem: text, ...place } of damage) yield problem(`${text}. ${restore}`, place);
    if (problems > damage.length) yield problem(`${checked}: ${pluralize(problems, "problem")}. ${restore}`);
    if (problems === 0) yield ok(`${checked}: no damage.`);
  },

  async *numbers({ database, options, now, bar }) {
    const isRepaired = options.repair === true;
    const found = await recountAll(database, bar, { only: undefined, isRepaired, now });
    for (const { recipient, ...place } of found.unreadable) {
      yield problem(`Recipient ${recipient} by name is unreadable. ${restore}`, place);
    }
    for (const { organization, campaign, counted, number, stored, recounted } of found.drifts) {
      yield (isRepaired ? ok : problem)(
        `${number} (${counted}) was ${stored} instead of ${recounted}: ${isRepaired ? "repaired." : 'run "email-analytics doctor --repair".'}`,
        { organization, campaign },
      );
    }
    yield ok(`Recounted ${pluralize(found.campaigns, "campaign")}.`);
  },
};

const vacuumCheck: Checks = {
  async *vacuum({ database }) {
    const traces = await finishDeleting(database, (whole) => whole.vacuum());
    yield traces === "" ? ok("Rewrote the database.") : problem(traces.trim());
  },
};
