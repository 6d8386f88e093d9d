// The most clicked links of several campaigns, added up by URL.

import { setImmediate as nextTurn } from "node:timers/promises";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { findLinksOfCampaigns } from "../../storage/campaigns/campaign-links.ts";
import type { Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { RevisionCache } from "../revision-cache.ts";

export interface MostClickedLinks {
  /** The first ones by the clicks of each traffic; without those that share a row because a campaign has too many links. */
  links: Record<TrafficFilter, ClickedLink[]>;
  /** How many URLs are left out. */
  others: number;
  /** The clicks of all links together. */
  total: { people: number; all: number };
  /** From how many campaigns the links are: the first ones of the list. */
  campaigns: number;
}

export interface ClickedLink {
  url: string;
  people: number;
  all: number;
  /** How many campaigns have it. */
  campaigns: number;
}

/** The clicks of a link in one campaign. */
export interface ClicksInCampaign {
  campaignId: number;
  people: number;
  all: number;
}

const linksShown = 100;
const campaignsPerQuery = 25;
/** A campaign has up to 501 rows, and usually ten. Reading so many takes about 200 ms. */
const maxRows = 50_000;
/** URLs that a read may have; they come from senders. */
const cacheLimits = {
  sizeOf: ({ links }: MostClickedLinks) =>
    trafficFilters.flatMap((traffic) => links[traffic]).reduce((sum, { url }) => sum + url.length + 50, 0),
  maxSize: 8 * 1024 * 1024,
  maxEntries: 500,
};

const clicksLimits = {
  sizeOf: (clicks: ClicksInCampaign[]) => clicks.length,
  maxSize: 100_000,
  maxEntries: 500,
};

export class MostClickedLinksReader {
  readonly #database: Database;
  readonly #cache: RevisionCache<MostClickedLinks>;
  readonly #clicks: RevisionCache<ClicksInCampaign[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#cache = new RevisionCache(database, cacheLimits);
    this.#clicks = new RevisionCache(database, clicksLimits);
  }

  /** @param campaignIds newest first; the oldest are left out if they have too many links */
  read(organization: Organization, campaignIds: readonly number[]): Promise<MostClickedLinks> {
    return this.#cache.get(organization, JSON.stringify(campaignIds), () =>
      this.#read(organization.id, campaignIds),
    );
  }

  /**
   * The clicks of a link in each campaign that has it, in no particular order.
   *
   * @param campaignIds those that {@link read} has read
   */
  readLink(
    organization: Organization,
    campaignIds: readonly number[],
    url: string,
  ): Promise<ClicksInCampaign[]> {
    return this.#clicks.get(organization, JSON.stringify([url, campaignIds]), () =>
      this.#readLink(organization.id, campaignIds, url),
    );
  }

  async #readLink(
    organizationId: number,
    campaignIds: readonly number[],
    url: string,
  ): Promise<ClicksInCampaign[]> {
    const clicks: ClicksInCampaign[] = [];
    for (let from = 0; from < campaignIds.length; from += campaignsPerQuery) {
      const ids = campaignIds.slice(from, from + campaignsPerQuery);
      const found = await this.#database.query((queries) =>
        findLinksOfCampaigns(queries, organizationId, ids, url),
      );
      clicks.push(
        ...mergeByCampaign(found).map(({ campaignId, people, all }) => ({ campaignId, people, all })),
      );
      await nextTurn();
    }
    return clicks;
  }

  async #read(organizationId: number, campaignIds: readonly number[]): Promise<MostClickedLinks> {
    const byUrl = new Map<string, ClickedLink>();
    const total = { people: 0, all: 0 };
    let [campaigns, rows] = [0, 0];
    while (campaigns < campaignIds.length && rows < maxRows) {
      const ids = campaignIds.slice(campaigns, campaigns + campaignsPerQuery);
      const found = await this.#database.query((queries) =>
        findLinksOfCampaigns(queries, organizationId, ids),
      );
      for (const link of mergeByCampaign(found)) {
        total.people += link.people;
        total.all += link.all;
        if (link.url !== "") addLink(byUrl, link);
      }
      campaigns += ids.length;
      rows += found.length;
      await nextTurn();
    }
    const links = [...byUrl.values()].filter(({ all }) => all > 0);
    return {
      links: { people: mostClicked(links, "people"), all: mostClicked(links, "all") },
      others: Math.max(links.length - linksShown, 0),
      total,
      campaigns,
    };
  }
}

function mostClicked(links: readonly ClickedLink[], traffic: TrafficFilter): ClickedLink[] {
  const sorted = links.toSorted(
    (a, b) => b[traffic] - a[traffic] || b.all - a.all || (a.url < b.url ? -1 : 1),
  );
  return sorted.slice(0, linksShown);
}

type LinkInCampaign = ClicksInCampaign & { url: string };

/** A campaign may have several rows of one URL, which differ only in their query strings. */
function mergeByCampaign(rows: readonly LinkInCampaign[]): LinkInCampaign[] {
  const merged = new Map<string, LinkInCampaign>();
  for (const { campaignId, url, people, all } of rows) {
    const key = `${campaignId} ${url}`;
    const link = merged.get(key) ?? { campaignId, url, people: 0, all: 0 };
    merged.set(key, link);
    link.people += people;
    link.all += all;
  }
  // Between two reads of a reclassified event, a count can be negative.
  return [...merged.values()].map(({ people, all, ...link }) => ({
    ...link,
    people: Math.max(people, 0),
    all: Math.max(all, people, 0),
  }));
}

function addLink(byUrl: Map<string, ClickedLink>, { url, people, all }: LinkInCampaign): void {
  const link = byUrl.get(url) ?? { url, people: 0, all: 0, campaigns: 0 };
  byUrl.set(url, link);
  link.people += people;
  link.all += all;
  link.campaigns += 1;
}
