// Alerts: a source is silent, or events arrived that cannot be counted.

import { describeSource } from "../access/audit-actions.ts";
import { addDays, dateAt, isoDay, startOfDay } from "../campaign/calendar/calendar-date.ts";
import { hourMs } from "../campaign/calendar/durations.ts";
import { parseIsoTimestamp } from "../campaign/calendar/iso-timestamp.ts";
import { detectSilence } from "../campaign/events/silence.ts";
import { findSentAtForSilence } from "../listing/reports/sources-alert.ts";
import { silenceTexts } from "../locale/alert-texts.ts";
import type { Locale } from "../locale/locale.ts";
import { paths } from "../paths.ts";
import { describeProvider } from "../providers/providers.ts";
import { listSources } from "../storage/keys/sources.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import { countQuarantined } from "../storage/quarantine/quarantine.ts";
import type { Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";
import type { Letter } from "./letter.ts";

interface Alert {
  about: string;
  dueAt: number;
}

/** Many events wait only for their campaign, and are counted once it is registered. */
const quarantineWaitsMs = hourMs;

/** The alerts that are due now. Each silence and each day with new events in quarantine has one at most. */
export async function findAlerts(
  database: Database,
  organization: Organization,
  now: number,
): Promise<Alert[]> {
  const silences = await database.queryOf(organization.id, (scope) => findSilences(scope, now));
  const today = dateAt(now, organization.timeZone);
  const events = await countNewQuarantined(database, organization, isoDay(today));
  return [
    ...silences.map(({ about }) => ({ about, dueAt: now })),
    ...(events > 0 ? [{ about: `quarantine ${isoDay(today)}`, dueAt: now + quarantineWaitsMs }] : []),
  ];
}

async function findSilences(scope: Scope, now: number) {
  const sources = await listSources(scope);
  const lastSentAt = await findSentAtForSilence(scope, now);
  return sources.flatMap((source) => {
    const { lastEventAt } = source;
    const silence = detectSilence({ lastEventAt, lastSentAt, now });
    if (!silence || lastEventAt === undefined) return [];
    return [{ source, silence, lastEventAt, about: `silent ${describeSource(source)} ${lastEventAt}` }];
  });
}

/** Events that arrived on a date and are still in quarantine. */
async function countNewQuarantined(
  database: Database,
  { id, timeZone }: Organization,
  day: string,
): Promise<number> {
  const parsed = parseIsoTimestamp(day);
  if (parsed?.kind !== "date") return 0;
  const receivedFrom = startOfDay(parsed.date, timeZone);
  const receivedBefore = startOfDay(addDays(parsed.date, 1), timeZone);
  return database.queryOf(id, (scope) => countQuarantined(scope, { receivedFrom, receivedBefore }));
}

/** @returns undefined if the cause is gone */
export async function readAlert(
  database: Database,
  organization: Organization,
  about: string,
  now: number,
): Promise<((locale: Locale, publicUrl: string) => Letter) | undefined> {
  const textsOf = await readCause(database, organization, about, now);
  if (!textsOf) return undefined;
  return (locale, publicUrl) => {
    const { t, language } = locale;
    const [first = "", ...notes] = textsOf(locale);
    return {
      language,
      subject: `${organization.name} – ${first}`,
      lead: first,
      sections: [],
      link: { label: t("alerts.open"), url: publicUrl + paths.web.sources },
      notes,
    };
  };
}

async function readCause(
  database: Database,
  organization: Organization,
  about: string,
  now: number,
): Promise<((locale: Locale) => string[]) | undefined> {
  const { timeZone } = organization;
  if (about.startsWith("silent ")) {
    const all = await database.queryOf(organization.id, (scope) => findSilences(scope, now));
    const alert = all.find((each) => each.about === about);
    if (!alert) return undefined;
    const { silence, source, lastEventAt } = alert;
    const provider = describeProvider(source.provider).title;
    return (locale) =>
      silenceTexts(locale, silence, { provider, time: locale.format.dateTime(lastEventAt, timeZone) });
  }
  const events = await countNewQuarantined(database, organization, about.slice("quarantine ".length));
  return events === 0 ? undefined : ({ t }) => [t("sources.quarantined", { events }), t("alerts.quarantine")];
}
