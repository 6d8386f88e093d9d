// A campaign as it is stored, and how it maps to a row.

import { dayMs, minuteMs } from "../../campaign/calendar/durations.ts";
import type { Campaign, Tag } from "../../campaign/campaign.ts";
import type { KindOfNumbers } from "../../campaign/campaign-number.ts";
import { recordedAges } from "../../campaign/events/ages.ts";
import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Tallies } from "../../campaign/events/tally.ts";
import type { Numbers, ReportedMetrics } from "../../campaign/metrics.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import type { Origin } from "../../campaign/reported-campaign.ts";
import type { Tables } from "../tables/tables.ts";

/** Everything that a campaign's record is rendered from. */
export interface StoredCampaign {
  /** Random: tells the campaign from one with the same id that was deleted. */
  registration: number;
  campaign: Campaign;
  numbers: Numbers;
  tags: Tag[];
  /** Null for a reported campaign. */
  counting: CountingState | null;
  /** What people set: `campaign`, `tags` and `numbers` have it already. */
  corrections: Corrections;
  /** Where a reported campaign was imported from; null if its file kept the ids of records. */
  origin: Origin | null;
  /**
   * The next of the {@link publishTimes}: readers see the campaign as it is from the one before. Null after the last. Earlier, or
   * after the last, if its groups changed: see {@link publishAtAfterCount}.
   */
  publishAt: number | null;
}

/** Who set a value, and when. */
export interface Author {
  at: number;
  /** The email of a user, the name of a command, or the rule. */
  by: string;
  /** A rule of the organization, which changes nothing that a person has set. */
  isRule?: true;
}

export type CorrectedField = Exclude<keyof Campaign, "id">;

/** By field, who set it and what the file or the sender says. */
export type Corrections = {
  [Field in CorrectedField]?: Author & { said: Campaign[Field] };
} & {
  /** Ids of tags. Those that a person added and removed stay so when the file or the sender names others. */
  tags?: Author & { said: number[]; added: number[]; removed: number[] };
  /** The numbers as a file says them, while the number of recipients is another. */
  reported?: ReportedMetrics;
};

/** The state of a counted campaign. */
interface CountingState {
  /** The sender's own id for the campaign, unique in the organization. */
  externalId: string | null;
  /** Null once the campaign is closed. */
  ledgerId: number | null;
  registeredAt: number;
  closedAt: number | null;
  /** The attributes by which it is counted. Every recipient of its ledger has a group of each. */
  attributeIds: number[];
  /** Recipients of its list; null without a list. */
  listed: number | null;
  /** The source that delivered its last events; null if no email provider did. */
  sourceId: string | null;
  /** Who may send events, or sent some while recipients had names; and the last day of that in the audit log. */
  senders: Readonly<Record<number, string>>;
}

/**
 * Whether a sender may send events of a campaign, or change its registration. One whose recipients have no names takes nothing
 * from others: who adds events about a person and reads before and after would learn what the person did.
 *
 * @param sender undefined for a command, 0 for a tracked message
 */
export function isSender(
  { campaign, counting }: Pick<StoredCampaign, "campaign" | "counting">,
  sender: number | undefined,
): boolean {
  if (!sender || !counting || hasNames(campaign)) return true;
  return Object.hasOwn(counting.senders, sender);
}

/** Whether a campaign is not published yet, because its send time has not come. */
export function isScheduled({ sentAt }: Pick<Campaign, "sentAt">, now: number): boolean {
  return sentAt > now;
}

interface TimedCampaign {
  campaign: Pick<Campaign, "sentAt">;
  /** Null for a reported campaign. */
  counting: unknown;
}

/**
 * When a campaign is published without a change: at its send time and, if it is counted, at each of the recorded ages. A
 * reported one has only sums that change, at the last age.
 */
export function publishTimes({ campaign: { sentAt }, counting }: TimedCampaign): number[] {
  const aged = Object.values(recordedAges).map((age) => sentAt + age);
  return [sentAt, ...(counting ? aged : aged.slice(-1))];
}

/** The next of the {@link publishTimes}; null if there is none. */
export function nextPublishAt(stored: TimedCampaign, now: number): number | null {
  return publishTimes(stored).find((at) => at > now) ?? null;
}

/** Readers of campaigns with names may see who did what, so they see the groups soon, too. */
const namedGroupsAfterMs = minuteMs;
/** The interval between updates of the groups after the last of the recorded ages. */
const groupsEveryMs = 7 * dayMs;

/**
 * When a campaign is published next after events or a list, so that readers see its groups. Not before an age that was
 * published, even by a clock that is behind: its numbers at that age stay.
 */
export function publishAtAfterCount(
  { campaign, counting, publishAt }: Pick<StoredCampaign, "campaign" | "counting" | "publishAt">,
  now: number,
): number | null {
  const { sentAt } = campaign;
  if (!counting?.attributeIds.length || publishAt === sentAt) return publishAt;
  if (hasNames(campaign)) {
    const published = publishTimes({ campaign, counting }).findLast((at) => at < (publishAt ?? Infinity));
    return Math.min(publishAt ?? Infinity, Math.max(now + namedGroupsAfterMs, (published ?? 0) + 1));
  }
  const weeks = Math.max(1, Math.floor((now - sentAt) / groupsEveryMs));
  return publishAt ?? sentAt + (weeks + 1) * groupsEveryMs;
}

/**
 * Whether most of its opens may still be to come: until the last of the recorded ages, or until it is closed. Its rates
 * are compared with those of no other campaign.
 */
export function isStillCounting({
  campaign: { sentAt },
  counting,
  publishAt,
}: Pick<StoredCampaign, "campaign" | "counting" | "publishAt">): boolean {
  return (
    publishAt !== null && !hasSettled({ sentAt }, publishAt - 1) && (counting?.closedAt ?? null) === null
  );
}

/** Whether a campaign has reached the last of the recorded ages. */
export function hasSettled({ sentAt }: Pick<Campaign, "sentAt">, now: number): boolean {
  return now >= sentAt + recordedAges["7d"];
}

/** Whether a list has more recipients than the sender registered. Invented ones would make a group of one person look large. */
export function hasLongList({ campaign, counting }: Pick<StoredCampaign, "campaign" | "counting">): boolean {
  return !hasNames(campaign) && (counting?.listed ?? 0) > (campaign.recipientCount ?? 0);
}

export function kindOf({ counting }: Pick<StoredCampaign, "counting">): KindOfNumbers {
  if (counting === null) return "reported";
  return counting.ledgerId === null ? "closed" : "counted";
}

/** Every reference by which events may name the campaign. */
export function referencesOf({
  campaign,
  counting,
}: Pick<StoredCampaign, "campaign" | "counting">): CampaignReference[] {
  const externalId = counting?.externalId ?? null;
  return externalId === null ? [campaign.id] : [campaign.id, externalId];
}

export function toCampaignRow({
  registration,
  campaign,
  numbers,
  counting,
  corrections,
  origin,
  publishAt,
}: StoredCampaign): Omit<Tables["campaigns"], "organization_id"> {
  return {
    id: campaign.id,
    registration,
    subject: campaign.subject,
    sent_at: campaign.sentAt,
    sent_from: campaign.sentFrom,
    team: campaign.team,
    sending_type: campaign.sendingType,
    tracking_type: campaign.trackingType,
    recipient_count: campaign.recipientCount,
    recipients: campaign.recipients,
    surveys_count: campaign.surveysCount,
    reported_metrics: JSON.stringify("reported" in numbers ? numbers.reported : null),
    tallies: "tallies" in numbers ? JSON.stringify(numbers.tallies) : null,
    external_id: counting?.externalId ?? null,
    ledger_id: counting?.ledgerId ?? null,
    registered_at: counting?.registeredAt ?? null,
    closed_at: counting?.closedAt ?? null,
    publish_at: publishAt,
    attributes: counting?.attributeIds.length ? JSON.stringify(counting.attributeIds) : null,
    listed: counting?.listed ?? null,
    source_id: counting?.sourceId ?? null,
    senders: counting && JSON.stringify(counting.senders),
    corrections: Object.keys(corrections).length > 0 ? JSON.stringify(corrections) : null,
    origin_tool: origin?.tool ?? null,
    origin_id: origin?.id ?? null,
  };
}

export function toStoredCampaign(row: Tables["campaigns"], tags: Tag[]): StoredCampaign {
  const campaign = {
    id: row.id,
    subject: row.subject,
    sentAt: row.sent_at,
    sentFrom: row.sent_from,
    team: row.team,
    sendingType: row.sending_type,
    trackingType: row.tracking_type,
    recipientCount: row.recipient_count,
    recipients: row.recipients,
    surveysCount: row.surveys_count,
  };
  const { registration, publish_at: publishAt, origin_tool: tool } = row;
  const corrections = JSON.parse(row.corrections ?? "{}") as Corrections;
  const origin = tool === null ? null : { tool, id: row.origin_id ?? "" };
  const shared = { registration, campaign, tags, corrections, origin, publishAt };
  if (row.tallies === null) {
    const reported = JSON.parse(row.reported_metrics) as ReportedMetrics;
    return { ...shared, numbers: { reported }, counting: null };
  }
  const counting = {
    externalId: row.external_id,
    ledgerId: row.ledger_id,
    registeredAt: row.registered_at ?? 0,
    closedAt: row.closed_at,
    attributeIds: JSON.parse(row.attributes ?? "[]") as number[],
    listed: row.listed,
    sourceId: row.source_id,
    senders: JSON.parse(row.senders ?? "{}") as Record<number, string>,
  };
  const numbers = { tallies: JSON.parse(row.tallies) as Tallies };
  return { ...shared, numbers, counting };
}
