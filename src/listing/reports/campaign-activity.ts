// The activity of a campaign: opens and clicks by hour, day, verdict and link.

import { setImmediate as nextTurn } from "node:timers/promises";
import { HourCounts } from "../../campaign/events/hour-counts.ts";
import { findHourParts } from "../../storage/campaigns/campaign-hours.ts";
import { findLinks } from "../../storage/campaigns/campaign-links.ts";
import { chunks, type Database } from "../../storage/queries/database.ts";
import { type ActivitySummary, summarizeActivity } from "./activity-summary.ts";

export interface CampaignActivity extends ActivitySummary {
  /** The links, most human clicks first. The entry with an empty URL has all other links and comes last. */
  links: LinkClicks[];
  /** When the quarter hour of the last open or click started; null without any. */
  lastQuarter: number | null;
}

interface LinkClicks {
  url: string;
  people: number;
  all: number;
}

/** Decoding so many does not block the event loop for long. */
const partsPerQuery = 20;

/** @throws the signal's reason when it aborts */
export async function readActivity(
  database: Database,
  organization: { id: number; timeZone: string },
  { id, sentAt }: { id: number; sentAt: number },
  signal?: AbortSignal,
): Promise<CampaignActivity> {
  const counts = await readHourCounts(database, organization.id, id, signal);
  const list = counts.list();
  const summary = await summarizeActivity(chunks(list), sentAt, organization.timeZone);
  const links = await database.queryOf(organization.id, (scope) => findLinks(scope, id));
  const lastQuarter = list.findLast(({ count }) => count > 0)?.quarter ?? null;
  return { ...summary, links: mergeLinks(links), lastQuarter };
}

async function readHourCounts(
  database: Database,
  organizationId: number,
  campaignId: number,
  signal: AbortSignal | undefined,
): Promise<HourCounts> {
  const counts = new HourCounts();
  for (let after = 0; ; ) {
    const page = { after, limit: partsPerQuery };
    signal?.throwIfAborted();
    const parts = await database.queryOf(organizationId, (scope) => findHourParts(scope, campaignId, page));
    for (const { part, counts: encoded } of parts) {
      counts.addEncoded(encoded);
      after = part;
    }
    if (parts.length < partsPerQuery) return counts;
    await nextTurn();
  }
}

/** One entry per URL, without links that have no clicks, by human clicks. */
export function mergeLinks(links: readonly LinkClicks[]): LinkClicks[] {
  const sums = new Map<string, { people: number; all: number }>();
  for (const { url, people, all } of links) {
    const sum = sums.get(url) ?? { people: 0, all: 0 };
    sums.set(url, sum);
    sum.people += people;
    sum.all += all;
  }
  return [...sums]
    .map(([url, { people, all }]) => ({ url, people: Math.max(people, 0), all: Math.max(all, people, 0) }))
    .filter(({ all }) => all > 0)
    .sort(
      (a, b) =>
        Number(a.url === "") - Number(b.url === "") ||
        b.people - a.people ||
        b.all - a.all ||
        (a.url < b.url ? -1 : 1),
    );
}
