// Alerts: a source is silent, events arrived that cannot be counted, or bounces or complaints stand out.

import { describeSource } from "../access/audit-actions.ts";
import { addDays, dateAt, isoDay, startOfDay } from "../campaign/calendar/calendar-date.ts";
import { hourMs } from "../campaign/calendar/durations.ts";
import { parseIsoTimestamp } from "../campaign/calendar/iso-timestamp.ts";
import { detectSilence } from "../campaign/events/silence.ts";
import { findDeliveryProblems } from "../listing/reports/delivery-problems.ts";
import { findSentAtForSilence } from "../listing/reports/sources-alert.ts";
import { bounceTexts, complaintTexts, silenceTexts } from "../locale/alert-texts.ts";
import type { Locale } from "../locale/locale.ts";
import { campaignPath, webPaths } from "../paths.ts";
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

/**
 * The alerts that are due now: one at most for each silence, day with new events in quarantine, campaign with many bounces, and
 * limit of complaints a month.
 */
export async function findAlerts(
  database: Database,
  organization: Organization,
  now: number,
): Promise<Alert[]> {
  const causes = await database.queryOf(organization.id, (scope) => findCauses(scope, organization, now));
  const today = dateAt(now, organization.timeZone);
  const events = await countNewQuarantined(database, organization, isoDay(today));
  return [
    ...causes.map(({ about }) => ({ about, dueAt: now })),
    ...(events > 0 ? [{ about: `quarantine ${isoDay(today)}`, dueAt: now + quarantineWaitsMs }] : []),
  ];
}

/** What an alert says first, and its notes; and where its link leads. */
interface Cause {
  textsOf: (locale: Locale) => string[];
  linkText: (locale: Locale) => string;
  path: string;
}

const toSources = { linkText: ({ t }: Locale) => t("alerts.open"), path: webPaths.sources };

async function findCauses(scope: Scope, organization: Organization, now: number) {
  const silences = await findSilences(scope, organization, now);
  const { bounces, complaints } = await findDeliveryProblems(scope, organization, now);
  const many = bounces.map(({ campaign, rate, usual }) => ({
    about: `bounces ${campaign.id}`,
    textsOf: (locale: Locale) => bounceTexts(locale, campaign, { rate, usual }),
    linkText: ({ t }: Locale) => t("results.open"),
    path: campaignPath(campaign.id),
  }));
  const month = isoDay(dateAt(now, organization.timeZone)).slice(0, "YYYY-MM".length);
  const reported = complaints && {
    about: `complaints ${complaints.limit} ${month}`,
    textsOf: (locale: Locale) => complaintTexts(locale, complaints),
    linkText: ({ t }: Locale) => t("pages.campaigns"),
    path: webPaths.campaigns,
  };
  return [...silences, ...many, ...(reported ? [reported] : [])];
}

async function findSilences(scope: Scope, { timeZone }: Organization, now: number) {
  const sources = await listSources(scope);
  const lastSentAt = await findSentAtForSilence(scope, now);
  return sources.flatMap((source) => {
    const { lastEventAt } = source;
    const silence = detectSilence({ lastEventAt, lastSentAt, now });
    if (!silence || lastEventAt === undefined) return [];
    const provider = describeProvider(source.provider).title;
    const textsOf = (locale: Locale) =>
      silenceTexts(locale, silence, { provider, time: locale.format.dateTime(lastEventAt, timeZone) });
    return [{ about: `silent ${describeSource(source)} ${lastEventAt}`, textsOf, ...toSources }];
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
  const filter = {
    receivedFrom: startOfDay(parsed.date, timeZone),
    receivedBefore: startOfDay(addDays(parsed.date, 1), timeZone),
  };
  return (await database.queryOf(id, (scope) => countQuarantined(scope, filter))).events;
}

/** @returns undefined if the cause is gone */
export async function readAlert(
  database: Database,
  organization: Organization,
  about: string,
  now: number,
): Promise<((locale: Locale, publicUrl: string) => Letter) | undefined> {
  const cause = await readCause(database, organization, about, now);
  if (!cause) return undefined;
  return (locale, publicUrl) => {
    const { language } = locale;
    const [first = "", ...notes] = cause.textsOf(locale);
    return {
      language,
      subject: `${organization.name} – ${first}`,
      lead: first,
      sections: [],
      link: { label: cause.linkText(locale), url: publicUrl + cause.path },
      notes,
    };
  };
}

async function readCause(
  database: Database,
  organization: Organization,
  about: string,
  now: number,
): Promise<Cause | undefined> {
  const [, day] = about.split("quarantine ");
  if (day === undefined) {
    const causes = await database.queryOf(organization.id, (scope) => findCauses(scope, organization, now));
    return causes.find((each) => each.about === about);
  }
  const events = await countNewQuarantined(database, organization, day);
  const textsOf = ({ t }: Locale) => [t("sources.quarantined", { events }), t("alerts.quarantine")];
  return events === 0 ? undefined : { textsOf, ...toSources };
}
