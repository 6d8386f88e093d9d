// Adds to the tallies, hours and links of campaigns what their recipients have done newly: the difference of what each
// contributes after and before.

import { ActivityChange } from "../../campaign/events/activity-change.ts";
import { type Recipient, type RecipientEvent, record } from "../../campaign/events/recipient.ts";
import { add, contribution, subtract, type Tallies } from "../../campaign/events/tally.ts";
import { countedTraffics } from "../../campaign/events/traffic.ts";
import { addToHours } from "../../storage/campaigns/campaign-hours.ts";
import { addToLinks } from "../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { saveRecipients } from "../../storage/recipients.ts";
import { publishTallies } from "../publish.ts";

/** A recipient as it was, and what came of it. */
export interface ChangedRecipient {
  ledgerId: number;
  name: string;
  state: Recipient;
  events: { event: RecipientEvent /** Of a click. */; url: string | undefined }[];
  stored: StoredCampaign;
}

/** Saves the recipients with their events, and all that follows from it; `state` holds them afterwards. */
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
    change(campaign, recipient);
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

type ChangedCampaign = StoredCampaign & { numbers: { counted: Tallies }; activity: ActivityChange };

/** With numbers of its own: several events change them before they are saved. */
function copyOf(stored: StoredCampaign): ChangedCampaign {
  const numbers = structuredClone(stored.numbers as ChangedCampaign["numbers"]);
  return { ...stored, numbers, activity: new ActivityChange(stored.campaign.id) };
}

function change({ numbers, activity }: ChangedCampaign, { state, events }: ChangedRecipient): void {
  const hasClicks = events.some(({ event }) => event.type === "click");
  // Most have done nothing before, and contributed nothing.
  if (Object.keys(state).length > 0) {
    for (const counted of countedTraffics) subtract(numbers.counted[counted], contribution(state, counted));
    if (hasClicks) activity.addClicks(state, -1);
  }
  for (const { event, url } of events) {
    record(state, event);
    activity.addOpen(event);
    if (event.type === "click" && url !== undefined) activity.addLink(event.link, url);
  }
  for (const counted of countedTraffics) add(numbers.counted[counted], contribution(state, counted));
  if (hasClicks) activity.addClicks(state, 1);
}
