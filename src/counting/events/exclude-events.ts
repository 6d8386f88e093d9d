// Decides which events are excluded from counting, and why. An excluded event is quarantined or ignored.

import { formatErrors, isObject } from "../../campaign/fields/validate-fields.ts";
import { isSender, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Ledger } from "../../storage/ledgers/ledgers.ts";
import type { ClassifiedEvent, IncomingEvent } from "./incoming-event.ts";
import { type ProblemReason, problems, testSendLeadMs } from "./problems.ts";

/** An event that is not counted. */
export interface ExcludedEvent {
  classified: ClassifiedEvent;
  campaign: EventCampaign | undefined;
  reason: ProblemReason;
}

/** A campaign that events name. It has a ledger if it is counted and not closed. */
export interface EventCampaign {
  stored: StoredCampaign;
  ledger: Ledger | undefined;
}

/** Why an event is not counted; undefined if it can be. */
export function exclusionReason(
  { event, incoming, reference }: ClassifiedEvent,
  campaign: EventCampaign | undefined,
): ProblemReason | undefined {
  const { registration } = incoming;
  if (registration !== undefined && registration !== campaign?.stored.registration) return "no_campaign";
  if (campaign?.stored.counting && !campaign.ledger) return "closed";
  // Checks the sender before the event, so that the answer says nothing about recipients and events.
  if (campaign && !isSender(campaign.stored, incoming.sender)) return "wrong_sender";
  if (!event) return reference === undefined && lacksCampaign(incoming) ? "no_campaign" : "unreadable";
  if (!campaign) return "unknown_campaign";
  if (!campaign.stored.counting) return "reported_campaign";
  return event.at < campaign.stored.campaign.sentAt - testSendLeadMs ? "test_sending" : undefined;
}

function lacksCampaign({ input, replayed }: IncomingEvent): boolean {
  // The quarantine drops a campaign_id that cannot be read, so its absence proves nothing.
  if (replayed || !isObject(input)) return false;
  const { campaign_id: reference } = input;
  return reference === undefined || reference === null;
}

/** What the sender of an event is told about it. */
export interface EventProblem {
  /** Position of the event in its batch, from 0. */
  index: number;
  reason: ProblemReason;
  message: string;
}

export function toProblem({ index, errors, incoming }: ClassifiedEvent, reason: ProblemReason): EventProblem {
  if (reason !== "unreadable") return { index, reason, message: problems[reason].meaning };
  return { index, reason, message: incoming.unreadable ?? formatErrors(errors) };
}
