// Updates the tallies, hours and links of campaigns: adds what each recipient contributes after its new events, and
// subtracts what it contributed before.

import {
  addToGroup,
  addToPairs,
  emptyGroupCounts,
  type SharedCounts,
} from "../../campaign/audience/group-counts.ts";
import { ActivityChange } from "../../campaign/events/activity-change.ts";
import {
  applyEvent,
  hasEvents,
  type Recipient,
  type RecipientEvent,
} from "../../campaign/events/recipient.ts";
import {
  addContribution,
  contributions,
  type Opened,
  openedOf,
  type Tallies,
} from "../../campaign/events/tally.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import { addToCampaignGroups, type StoredGroup } from "../../storage/audience/campaign-groups.ts";
import { addToOverlaps } from "../../storage/audience/campaign-overlaps.ts";
import { addToHours } from "../../storage/campaigns/campaign-hours.ts";
import { addToLinks } from "../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { saveRecipients } from "../../storage/recipients.ts";
import { publishTallies } from "../publish.ts";

/** A recipient with its new events. */
export interface ChangedRecipient {
  ledgerId: number;
  name: string;
  state: Recipient;
  /** Whether it has its first event, and is not listed. */
  isNew: boolean;
  /** `url`: of a click. */
  events: { event: RecipientEvent; url: string | undefined }[];
  stored: StoredCampaign;
}

/** Records the events in the state of each recipient, saves the recipients, and publishes their campaigns. */
export async function updateTallies(
  queries: Queries,
  organization: Organization,
  recipients: readonly ChangedRecipient[],
  now: number,
): Promise<void> {
  const campaigns = new Map<number, ChangedCampaign>();
  const saved: (ChangedRecipient & { opened: Opened })[] = [];
  for (const recipient of recipients) {
    const { id } = recipient.stored.campaign;
    const campaign = campaigns.get(id) ?? copyOf(recipient.stored);
    campaigns.set(id, campaign);
    saved.push({ ...recipient, opened: addEvents(campaign, recipient) });
  }
  const changed = [...campaigns.values()];
  await saveRecipients(queries, organization.id, saved);
  const activities = changed.map(({ activity }) => activity);
  await addToHours(queries, organization.id, activities);
  await addToLinks(
    queries,
    organization.id,
    activities.flatMap((each) => each.links()),
  );
  const groups = changed.flatMap((campaign) => [...campaign.groups.values()]);
  await addToCampaignGroups(queries, organization.id, groups);
  const overlaps = new Map(changed.map(({ campaign, overlaps }) => [campaign.id, overlaps]));
  await addToOverlaps(queries, organization.id, overlaps);
  await publishTallies(queries, organization, changed, now);
}

type ChangedCampaign = StoredCampaign & {
  numbers: { tallies: Tallies };
  activity: ActivityChange;
  /** What changes by group. */
  groups: Map<number, StoredGroup>;
  /** What changes in what two groups share. */
  overlaps: Map<string, SharedCounts>;
};

/** A deep copy of the numbers, because events change them in place. */
function copyOf(stored: StoredCampaign): ChangedCampaign {
  const numbers = structuredClone(stored.numbers as ChangedCampaign["numbers"]);
  return {
    ...stored,
    numbers,
    activity: new ActivityChange(stored.campaign.id),
    groups: new Map(),
    overlaps: new Map(),
  };
}

/** @returns whether the recipient has opened the campaign now */
function addEvents(campaign: ChangedCampaign, { state, isNew, events }: ChangedRecipient): Opened {
  const { activity } = campaign;
  const hasClicks = events.some(({ event }) => event.type === "click");
  if (isNew) addRecipient(campaign, state);
  let ratings = 0;
  // Fast path: most recipients contributed nothing before.
  if (hasEvents(state)) {
    ratings -= addContributions(campaign, state, -1).people.enpsReactions;
    if (hasClicks) activity.addClicks(state, -1);
  }
  for (const { event, url } of events) {
    applyEvent(state, event);
    activity.addOpen(event);
    if (event.type === "click" && url !== undefined) activity.addLink(event.link, url);
  }
  const contributed = addContributions(campaign, state, 1);
  ratings += contributed.people.enpsReactions;
  if (ratings !== 0)
    addToPairs(campaign.overlaps, state.groups ?? {}, { recipients: 0, enpsReactions: ratings });
  if (hasClicks) activity.addClicks(state, 1);
  return openedOf(contributed);
}

function addContributions(changed: ChangedCampaign, state: Recipient, sign: 1 | -1) {
  const { campaign, numbers, activity } = changed;
  const contributed = contributions(state);
  for (const traffic of trafficFilters) {
    addContribution(numbers.tallies[traffic], contributed[traffic], campaign.sentAt, sign);
    if (contributed[traffic].isBesideScanner) activity.addScannerOpens(state, sign);
  }
  for (const group of groupsOf(changed, state)) addToGroup(group, contributed, sign);
  return contributed;
}

function addRecipient(changed: ChangedCampaign, state: Recipient): void {
  for (const group of groupsOf(changed, state)) group.recipients += 1;
  addToPairs(changed.overlaps, state.groups ?? {}, { recipients: 1, enpsReactions: 0 });
}

/** What changes in the groups of a recipient. */
function groupsOf({ campaign: { id }, groups }: ChangedCampaign, state: Recipient): StoredGroup[] {
  return Object.entries(state.groups ?? {}).map(([attributeId, groupId]) => {
    const group = groups.get(groupId) ?? {
      campaignId: id,
      groupId,
      attributeId: Number(attributeId),
      ...emptyGroupCounts(),
    };
    groups.set(groupId, group);
    return group;
  });
}
