// Which notifications are due in an organization.

import type { NotificationKind } from "../access/notification-kinds.ts";
import {
  addDays,
  type CalendarDate,
  dateAt,
  isoDay,
  startOfDay,
  wallTimeOf,
} from "../campaign/calendar/calendar-date.ts";
import { dayMs, hourMs } from "../campaign/calendar/durations.ts";
import { instantOfWallTime } from "../campaign/calendar/time-zone.ts";
import { mondayOf } from "../listing/reports/report-period.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";
import { findNewestIds } from "../storage/sums/sum-queries.ts";
import { countedOf } from "../storage/sums/sums-filter.ts";
import { findAlerts } from "./alerts.ts";
import { type ResultAge, resultAges } from "./result-letter.ts";

interface DueNotification {
  kind: NotificationKind;
  about: string;
  dueAt: number;
}

/** After the time at which something becomes due, the service may be down for this long and still send it. */
const lateMs = dayMs;
const digestHour = 8;
/** The most results of one run: a day has fewer campaigns. */
const maxResults = 100;

/** @param wanted the kinds that someone wants. */
export async function findDueNotifications(
  database: Database,
  organization: Organization,
  wanted: ReadonlySet<NotificationKind>,
  now: number,
): Promise<DueNotification[]> {
  const others = await database.queryOf(organization.id, async (scope) => [
    ...(wanted.has("digest") ? await findDigest(scope, organization, now) : []),
    ...(wanted.has("results") ? await findResults(scope, now) : []),
  ]);
  const alerts = wanted.has("alerts") ? await findAlerts(database, organization, now) : [];
  return [...others, ...alerts.map((alert) => ({ kind: "alerts" as const, ...alert }))];
}

/** The digest is due on Monday morning if a campaign was sent in the last two weeks. */
async function findDigest(scope: Scope, { timeZone }: Organization, now: number): Promise<DueNotification[]> {
  const monday = mondayOf(dateAt(now, timeZone));
  const dueAt = instantOfWallTime(wallTimeOf(monday) + digestHour * hourMs, timeZone);
  if (now < dueAt || now >= dueAt + lateMs) return [];
  const startOf = (date: CalendarDate) => startOfDay(date, timeZone);
  const [any] = await findNewestIds(
    scope,
    { traffic: "people", sentFrom: startOf(addDays(monday, -14)), sentUntil: startOf(monday) },
    1,
  );
  return any === undefined ? [] : [{ kind: "digest", about: isoDay(addDays(monday, -7)), dueAt: now }];
}

async function findResults(scope: Scope, now: number): Promise<DueNotification[]> {
  const due: DueNotification[] = [];
  for (const age of Object.keys(resultAges) as ResultAge[]) {
    const reachedAt = now - resultAges[age];
    const ids = await findNewestIds(
      scope,
      countedOf({ traffic: "people", sentFrom: reachedAt - lateMs, sentUntil: reachedAt + 1 }),
      maxResults,
    );
    due.push(...ids.map((each) => ({ kind: "results" as const, about: `${each} ${age}`, dueAt: now })));
  }
  return due;
}
