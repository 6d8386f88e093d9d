// Updates the tallies, hours and links of campaigns: adds what each recipient contributes after its new events, and
// subtracts what it contributed before.

import { ActivityChange } from "../../campaign/events/activity-change.ts";
import { applyEvent, type Recipient, type RecipientEvent } from "../../campaign/events/recipient.ts";
import { addContribution, contribution, type Tallies } from "../../campaign/events/tally.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
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
  for (const recipient of recipients) {
    const { id } = recipient.stored.campaign;
    const campaign = campaigns.get(id) ?? copyOf(recipient.stored);
    campaigns.set(id, campaign);
    addEvents(campaign, recipient);
  }
  const changed = [...campaigns.values()];
  await saveRecipients(queries, organization.id, recipients);
  const activities = changed.map(({ activity }) => activity);
  await addToHours(queries, organization.id, activities);
  await addToLinks(
    queries,
    organization.id,
    activities.flatMap((each) => each.links()),
  );
  await publishTallies(queries, organization, changed, now);
}

type ChangedCampaign = StoredCampaign & { numbers: { tallies: Tallies }; activity: ActivityChange };

/** A deep copy of the numbers, because events change them in place. */
function copyOf(stored: StoredCampaign): ChangedCampaign {
  const numbers = structuredClone(stored.numbers as ChangedCampaign["numbers"]);
  return { ...stored, numbers, activity: new ActivityChange(stored.campaign.id) };
}

function addEvents(campaign: ChangedCampaign, { state, events }: ChangedRecipient): void {
  const { activity } = campaign;
  const hasClicks = events.some(({ event }) => event.type === "click");
  // Fast path: most recipients are new and contributed nothing before.
  if (Object.keys(state).length > 0) {
    addContributions(campaign, state, -1);
    if (hasClicks) activity.addClicks(state, -1);
  }
  for (const { event, url } of events) {
    applyEvent(state, event);
    activity.addOpen(event);
    if (event.type === "click" && url !== undefined) activity.addLink(event.link, url);
  }
  addContributions(campaign, state, 1);
  if (hasClicks) activity.addClicks(state, 1);
}

function addContributions(
  { campaign: { sentAt }, numbers: { tallies }, activity }: ChangedCampaign,
  state: Recipient,
  sign: 1 | -1,
): void {
  for (const traffic of trafficFilters) {
    const contributed = contribution(state, traffic);
    addContribution(tallies[traffic], contributed, sentAt, sign);
    if (contributed.isBesideScanner) activity.addScannerOpens(state, sign);
  }
}
