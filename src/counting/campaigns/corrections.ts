// What people set of a campaign: it wins over what the file or the sender says, now and later, until a person resets it.

import { type Campaign, compareTags, type Tag } from "../../campaign/campaign.ts";
import { contradictedRates } from "../../campaign/campaign-rates.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import { deriveMetrics, type Numbers, type ReportedMetrics } from "../../campaign/metrics.ts";
import type {
  Author,
  CorrectedField,
  Corrections,
  StoredCampaign,
} from "../../storage/campaigns/stored-campaign.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";

/** All that the file or the sender says of a campaign. */
export interface Said {
  campaign: Campaign;
  tagIds: readonly number[];
  /** Undefined for a counted campaign. */
  reported: ReportedMetrics | undefined;
}

type TagsById = ReadonlyMap<number, Tag>;

const correctedFields = ({ tags: _, reported: __, ...fields }: Corrections) =>
  Object.keys(fields) as CorrectedField[];

export function saidOf({ campaign, tags, numbers, corrections }: Omit<StoredCampaign, "publishAt">): Said {
  const said = correctedFields(corrections).map((field) => [field, corrections[field]?.said]);
  return {
    campaign: { ...campaign, ...Object.fromEntries(said) },
    tagIds: corrections.tags?.said ?? tags.map(({ id }) => id),
    reported: corrections.reported ?? ("reported" in numbers ? numbers.reported : undefined),
  };
}

/** A campaign that is said for the first time. {@link withSaid} adds its tags. */
export function newCampaign(campaign: Campaign, numbers: Numbers): Omit<StoredCampaign, "publishAt"> {
  const registration = newRandomId();
  return { registration, campaign, numbers, tags: [], counting: null, corrections: {}, origin: null };
}

/** A campaign of which the file or the sender says something else. What people have set stays. */
export function withSaid<Stored extends Omit<StoredCampaign, "publishAt">>(
  stored: Stored,
  said: Said,
  tags: TagsById,
): Stored {
  const { tags: ofTags, reported: _, ...fields } = stored.corrections;
  const names = correctedFields(fields).sort();
  const stays = Object.fromEntries(names.map((name) => [name, stored.campaign[name]]));
  const campaign: Campaign = { ...said.campaign, ...stays };
  // Sorted, because a file that names them in another order says the same.
  const ids = said.tagIds.filter((id) => tags.has(id)).sort((a, b) => a - b);
  const removed = new Set(ofTags?.removed);
  const shown = new Set([...ids, ...(ofTags?.added ?? [])].filter((id) => !removed.has(id)));
  return {
    ...stored,
    campaign,
    tags: [...shown].flatMap((id) => tags.get(id) ?? []).sort(compareTags),
    ...(said.reported && {
      numbers: { reported: followRecipients(said.campaign, { campaign, metrics: said.reported }) },
    }),
    corrections: {
      ...Object.fromEntries(names.map((name) => [name, { ...fields[name], said: said.campaign[name] }])),
      ...(ofTags && { tags: { ...ofTags, said: ids } }),
      ...(said.reported && fields.recipientCount && { reported: said.reported }),
    },
  };
}

export interface Correction {
  author: Author;
  /** A field that is as the file or the sender says from now on. */
  reset?: CorrectedField | "tags" | undefined;
}

/**
 * A campaign as a person wants it. A value that is set back to what the file or the sender says is corrected no more. The sender of a counted campaign
 * decides on names, because its events depend on that, so that its tracking type is no correction.
 */
export function correct<Stored extends Omit<StoredCampaign, "publishAt">>(
  stored: Stored,
  wanted: { campaign?: Campaign; tagIds?: readonly number[] },
  { author, reset }: Correction,
  tags: TagsById,
): Stored {
  const said = saidOf(stored);
  // Without tags that were deleted.
  const saidIds = said.tagIds.filter((id) => tags.has(id));
  const { campaign = stored.campaign } = wanted;
  const corrections: Record<string, unknown> = { ...stored.corrections };
  for (const [field, value] of Object.entries(campaign)) {
    const name = field as CorrectedField;
    if (value === stored.campaign[name]) continue;
    if (stored.counting && name === "trackingType") said.campaign.trackingType = campaign.trackingType;
    else if (value === said.campaign[name] && !stored.corrections[name]?.isRule) delete corrections[name];
    else corrections[name] = { ...author, said: said.campaign[name] };
  }
  if (wanted.tagIds) correctTags(corrections, saidIds, { before: stored.tags, after: wanted.tagIds, author });
  if (reset) delete corrections[reset];
  return withSaid({ ...stored, campaign, corrections }, said, tags);
}

/** What it adds and removes is kept, so that tags that the file names later are there too. */
function correctTags(
  corrections: Corrections,
  said: readonly number[],
  { before, after, author }: { before: readonly Tag[]; after: readonly number[]; author: Author },
): void {
  const ids = before.map(({ id }) => id);
  if (isSameSet(ids, after)) return;
  const { added = [], removed = [], isRule } = corrections.tags ?? {};
  const gone = ids.filter((id) => !after.includes(id));
  corrections.tags = {
    ...author,
    said: [...said],
    added: after.filter((id) => added.includes(id) || !said.includes(id)),
    removed: [...new Set([...removed, ...gone])].filter((id) => !after.includes(id)),
  };
  // Otherwise the rule would add its tag again.
  if (isSameSet(said, after) && !isRule) delete corrections.tags;
}

const isSameSet = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((id) => b.includes(id));

/** The rates and the unopened that followed from the number of recipients before follow from the new one. */
function followRecipients(
  before: Campaign,
  { campaign, metrics }: { campaign: Campaign; metrics: ReportedMetrics },
): ReportedMetrics {
  const { recipientCount } = campaign;
  if (before.recipientCount === null || recipientCount === null || before.recipientCount === recipientCount)
    return metrics;
  const { unique_opens: opens, unique_clicks: clicks, unopened } = metrics;
  const tally = { ...emptyTally(), uniqueOpens: opens ?? 0, uniqueClicks: clicks ?? 0 };
  const derived = deriveMetrics(tally, recipientCount);
  const contradicted = contradictedRates(before, metrics);
  const follows = (name: "open_rate" | "click_rate", count: number | null) =>
    metrics[name] !== null && count !== null && !contradicted.includes(name);
  const wasDerived = unopened !== null && unopened === deriveMetrics(tally, before.recipientCount).unopened;
  return {
    ...metrics,
    ...(follows("open_rate", opens) && { open_rate: derived.open_rate }),
    ...(follows("click_rate", clicks) && { click_rate: derived.click_rate }),
    ...(wasDerived && opens !== null && { unopened: derived.unopened }),
  };
}
