// Updates the tallies, hours and links of campaigns: adds what each recipient contributes after its new events, and
// subtracts what it contributed before.

import { type CountedGroups, countInGroups } from "../../campaign/audience/group-counts.ts";
import { ActivityChange } from "../../campaign/events/activity-change.ts";
import { addReports, type DeliveryReport, reportOf } from "../../campaign/events/outcomes.ts";
import {
  applyEvent,
  hasEvents,
  type Recipient,
  type RecipientEvent,
  releaseHeld,
} from "../../campaign/events/recipient.ts";
import {
  addContribution,
  contributions,
  type Opened,
  openedOf,
  type Tallies,
} from "../../campaign/events/tally.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import { enoughHeld } from "../../campaign/release-answers.ts";
import { addToHours } from "../../storage/campaigns/campaign-hours.ts";
import { addToLinks } from "../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findHeld, type StoredRecipient, saveRecipients } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { addCountedGroups } from "../campaign-groups.ts";
import { saveAndPublishTallies } from "../publish.ts";
import { noteSenders } from "./note-senders.ts";

/** The webhook of an email provider, with the types of delivery events that it sends. */
export interface EventSource {
  id: string;
  reports: readonly DeliveryReport[];
}

/** A recipient with its new events. */
export interface ChangedRecipient {
  ledgerId: number;
  name: string;
  state: Recipient;
  /** Whether it does something for the first time, and is not listed. */
  isNew: boolean;
  /** The events of the recipient; a click has a URL. */
  events: { event: RecipientEvent; url: string | undefined }[];
  stored: StoredCampaign;
  /** The source of its last new event that came by one. */
  source: EventSource | undefined;
  /** The senders of its new events. */
  senders: ReadonlySet<number | undefined>;
}

type SavedRecipient = StoredRecipient & { opened: Opened };

/** Records the events in the state of each recipient, saves the recipients, and publishes their campaigns. */
export async function updateTallies(
  scope: Scope,
  organization: Organization,
  recipients: readonly ChangedRecipient[],
  now: number,
): Promise<void> {
  const campaigns = new Map<number, ChangedCampaign>();
  const saved = new Map<string, SavedRecipient>();
  for (const recipient of recipients) {
    const { id } = recipient.stored.campaign;
    const campaign = campaigns.get(id) ?? copyOf(recipient.stored);
    campaigns.set(id, campaign);
    const { source, senders, ledgerId, name, state } = recipient;
    if (source) noteSource(campaign, source);
    for (const sender of senders) campaign.newSenders.add(sender);
    saved.set(`${ledgerId} ${name}`, { ledgerId, name, state, opened: addEvents(campaign, recipient) });
  }
  const changed = [...campaigns.values()];
  for (const campaign of changed) {
    if (!campaign.counting) continue;
    const senders = await noteSenders(scope, organization, campaign, { senders: campaign.newSenders, now });
    campaign.counting = { ...campaign.counting, senders };
  }
  await countHeld(scope, organization, changed, saved);
  await saveRecipients(scope, [...saved.values()]);
  const activities = changed.map(({ activity }) => activity);
  await addToHours(scope, activities);
  await addToLinks(
    scope,
    activities.flatMap((each) => each.links()),
  );
  const counted = new Map(changed.map(({ campaign, counted }) => [campaign.id, counted]));
  await addCountedGroups(scope, counted);
  await saveAndPublishTallies(scope, organization, changed, now);
}

type ChangedCampaign = StoredCampaign & {
  numbers: { tallies: Tallies };
  activity: ActivityChange;
  /** What changes by group. */
  counted: CountedGroups;
  newSenders: Set<number | undefined>;
};

/** At its first event, what the source sends becomes known of the campaign. A later change of the source does not. */
function noteSource(campaign: ChangedCampaign, { id: sourceId, reports }: EventSource): void {
  if (!campaign.counting) return;
  if (campaign.counting.sourceId === null) knowReports(campaign, reports);
  campaign.counting = { ...campaign.counting, sourceId };
}

function knowReports({ numbers }: ChangedCampaign, reports: readonly DeliveryReport[]): void {
  for (const { outcomes } of Object.values(numbers.tallies)) addReports(outcomes, reports);
}

/** A deep copy of the numbers, because events change them in place. */
function copyOf(stored: StoredCampaign): ChangedCampaign {
  const numbers = structuredClone(stored.numbers as ChangedCampaign["numbers"]);
  return {
    ...stored,
    numbers,
    activity: new ActivityChange(stored.campaign.id),
    counted: new Map(),
    newSenders: new Set(),
  };
}

/** Counts the answers that wait, where there are enough of them. @param saved gets the recipients whose answers count now */
async function countHeld(
  scope: Scope,
  { minAnswers }: Organization,
  campaigns: readonly ChangedCampaign[],
  saved: Map<string, SavedRecipient>,
): Promise<void> {
  const ledgerIds = new Set(
    [...saved.values()].flatMap(({ ledgerId, state }) => (state.held ? ledgerId : [])),
  );
  if (ledgerIds.size === 0) return;
  const stored = await findHeld(scope, [...ledgerIds]);
  const all = [
    ...stored.filter(({ ledgerId, name }) => !saved.has(`${ledgerId} ${name}`)),
    ...saved.values(),
  ];
  for (const campaign of campaigns) {
    const waiting = all.filter(
      ({ ledgerId, state }) => ledgerId === campaign.counting?.ledgerId && state.held !== undefined,
    );
    const isReleased = enoughHeld(
      waiting.map(({ state }) => state),
      minAnswers,
    );
    for (const { ledgerId, name, state } of waiting) {
      if (!Object.entries(state.held ?? {}).some(([survey, answer]) => isReleased(survey, answer))) continue;
      const before = addContributions(campaign, state, -1);
      releaseHeld(state, isReleased);
      const after = addContributions(campaign, state, 1);
      countInGroups(campaign.counted, state, { isNew: false, before, after });
      saved.set(`${ledgerId} ${name}`, { ledgerId, name, state, opened: openedOf(state, after) });
    }
  }
}

/** @returns whether the recipient has opened the campaign now */
function addEvents(campaign: ChangedCampaign, { state, isNew, events }: ChangedRecipient): Opened {
  const { activity } = campaign;
  const hasClicks = events.some(({ event }) => event.type === "click");
  // Fast path: most recipients contributed nothing before.
  const contributedBefore = hasEvents(state) || state.outcomes !== undefined;
  const before = contributedBefore ? addContributions(campaign, state, -1) : undefined;
  if (before && hasClicks) activity.addClicks(state, -1);
  for (const { event, url } of events) {
    applyEvent(state, event);
    const { outcomes } = campaign.numbers.tallies.people;
    if (event.type === "outcome" && outcomes[event.outcome] === undefined) {
      knowReports(campaign, [reportOf(event.outcome).type]);
    }
    activity.addOpen(event);
    if (event.type === "click" && url !== undefined) activity.addLink(event.link, url);
  }
  const after = addContributions(campaign, state, 1);
  countInGroups(campaign.counted, state, { isNew, before, after });
  if (hasClicks) activity.addClicks(state, 1);
  return openedOf(state, after);
}

function addContributions({ campaign, numbers, activity }: ChangedCampaign, state: Recipient, sign: 1 | -1) {
  const contributed = contributions(state);
  for (const traffic of trafficFilters) {
    addContribution(numbers.tallies[traffic], contributed[traffic], campaign.sentAt, sign);
    activity.addScannerOpens(contributed[traffic].scannerOpens, sign);
  }
  return contributed;
}
