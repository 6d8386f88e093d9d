// The numbers of campaigns that pages list and sort by: counts, and exact rates.

import { campaignRate } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { type CoveredRateName, coveredRateNames } from "../../campaign/sum-rates.ts";
import { ofTraffic } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { CampaignReader } from "./campaign-reader.ts";
import { columnOf, type NumberField, readNumbers } from "./number-fields.ts";
import { type NumbersChunk, valuesOfField } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

/** Of which fields each count is the sum. Those of the other kind of campaign are null. */
const countFields = {
  recipient_count: () => ["recipientCount"],
  unique_opens: (traffic) => ["reported.unique_opens", `${traffic}.uniqueOpens`],
  unique_clicks: (traffic) => ["reported.unique_clicks", `${traffic}.uniqueClicks`],
  comments_count: (traffic) => [
    ...(["reported.enps_comments_count", "reported.survey_reactions_comments_count"] as const),
    ...([`${traffic}.enpsComments`, `${traffic}.surveyComments`] as const),
  ],
} as const satisfies Record<string, (traffic: TrafficFilter) => readonly NumberField[]>;

export type CountName = keyof typeof countFields;
/** A number that a campaign may have. */
export type NumberName = CountName | CoveredRateName;

export const numberNames = [
  ...(Object.keys(countFields) as CountName[]),
  ...coveredRateNames,
] satisfies NumberName[];

export function isCount(name: NumberName): name is CountName {
  return Object.hasOwn(countFields, name);
}

/** A number of a campaign; null if it is not known. */
export function numberOf(stored: StoredCampaign, traffic: TrafficFilter, name: NumberName): number | null {
  if (!isCount(name)) {
    return campaignRate({ ...stored.campaign, numbers: ofTraffic(stored.numbers, traffic) }, name);
  }
  const known = countFields[name](traffic)
    .map((field) => readNumbers[columnOf(field)]?.(stored) ?? null)
    .filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

/** The numbers of selected campaigns, in their order; NaN for null. */
export function valuesOf(selection: Selection, traffic: TrafficFilter, name: NumberName): Float64Array {
  const readIn = isCount(name) ? countReader(traffic, name) : rateReader(traffic, name);
  const values = new Float64Array(selection.size);
  let index = 0;
  for (const { chunk, positions } of selection.parts) {
    const read = readIn(chunk);
    for (const position of positions) values[index++] = read(position);
  }
  return values;
}

/** Reads a number of the campaigns of a chunk by their positions. */
type ReadIn = (chunk: NumbersChunk) => (position: number) => number;

function rateReader(traffic: TrafficFilter, name: CoveredRateName): ReadIn {
  const reader = new CampaignReader(traffic);
  return (chunk) => {
    reader.use(chunk);
    return (position) => campaignRate(reader.read(position), name) ?? Number.NaN;
  };
}

function countReader(traffic: TrafficFilter, name: CountName): ReadIn {
  return (chunk) => {
    const columns = countFields[name](traffic).map((field) => valuesOfField(chunk, field));
    return (position) => {
      let sum = Number.NaN;
      for (const column of columns) {
        const value = column[position] as number;
        if (!Number.isNaN(value)) sum = Number.isNaN(sum) ? value : sum + value;
      }
      return sum;
    };
  };
}
