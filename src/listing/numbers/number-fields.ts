// The fields of a campaign that are kept in columns: numbers, texts and lists.

import type { CampaignKind } from "../../campaign/campaign.ts";
import { type Tally, tallyNames } from "../../campaign/events/tally.ts";
import { type TrafficFilter, trafficFilters } from "../../campaign/events/traffic.ts";
import { type MetricName, metricNames } from "../../campaign/metrics.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { teamKeyOf } from "../../storage/campaigns/teams.ts";

/** A metric is that of a reported campaign, a tally that of a counted one. */
export type NumberField =
  | "recipientCount"
  | "surveysCount"
  | `reported.${MetricName}`
  | `${TrafficFilter}.${keyof Tally}`;

type ReadNumber = (stored: StoredCampaign) => number | null;

const readMetric =
  (name: MetricName): ReadNumber =>
  ({ numbers }) =>
    "reported" in numbers ? numbers.reported[name] : null;

const readTally =
  (traffic: TrafficFilter, name: keyof Tally): ReadNumber =>
  ({ numbers }) =>
    "tallies" in numbers ? numbers.tallies[traffic][name] : null;

const numberReaders: readonly (readonly [NumberField, ReadNumber])[] = [
  ["recipientCount", ({ campaign }) => campaign.recipientCount],
  ["surveysCount", ({ campaign }) => campaign.surveysCount],
  ...metricNames.map((name) => [`reported.${name}`, readMetric(name)] as const),
  ...trafficFilters.flatMap((traffic) =>
    tallyNames.map((name) => [`${traffic}.${name}`, readTally(traffic, name)] as const),
  ),
];

/** How each number is read, in the order of the columns. */
export const readNumbers = numberReaders.map(([, read]) => read);

const indexes = new Map(numberReaders.map(([field], index) => [field, index]));

/** Which column has a field. */
export function columnOf(field: NumberField): number {
  return indexes.get(field) as number;
}

/** A closed campaign is a counted one whose numbers are final. */
type KindOfNumbers = CampaignKind | "closed";

export interface TextFields {
  /** The first characters, as in {@link teamKeyOf}. */
  team: string | null;
  sendingType: string | null;
  trackingType: string | null;
  kind: KindOfNumbers;
}

export function textsOf({ campaign, counting }: StoredCampaign): TextFields {
  return {
    team: shortened(campaign.team),
    sendingType: shortened(campaign.sendingType),
    trackingType: shortened(campaign.trackingType),
    kind: counting === null ? "reported" : counting.ledgerId === null ? "closed" : "counted",
  };
}

const shortened = (text: string | null) => (text === null ? null : teamKeyOf(text));

/** How much of a list of recipient groups counts: it bounds the memory that a campaign can take. */
const maxGroupsLength = 2_000;

/** The names of the recipient groups in their list. A name with a comma cannot be told from two names. */
export function groupsOf(recipients: string | null): string[] {
  if (recipients === null) return [];
  // A copy, because parts of a text keep the whole text in memory.
  const text =
    recipients.length > maxGroupsLength ? copyOf(recipients.slice(0, maxGroupsLength)) : recipients;
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "").map(teamKeyOf);
}

const copyOf = (text: string) => Buffer.from(text).toString();
