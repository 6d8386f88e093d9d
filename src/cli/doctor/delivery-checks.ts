// The check of `doctor` for what sources and campaigns should have reported of their messages.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { deliveryCountsOf, deliveryPartsOf } from "../../campaign/delivery/delivery-counts.ts";
import { recordedAges } from "../../campaign/events/ages.ts";
import { deliveryReports } from "../../campaign/events/outcomes.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { listSources } from "../../storage/keys/sources.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findNewestIds } from "../../storage/sums/sum-queries.ts";
import { countedOf } from "../../storage/sums/sums-filter.ts";
import { type Finding, warning } from "./finding.ts";

const examinedMs = 30 * dayMs;
const maxExamined = 100;
/** A kind of event may be missing in fewer campaigns by chance. */
const minUnseen = 5;

export async function* examineDeliveries(
  scope: Scope,
  { now }: { now: () => number },
): AsyncGenerator<Finding> {
  const sent = { sentFrom: now() - examinedMs, sentUntil: now() - recordedAges["72h"] };
  const ids = await findNewestIds(scope, countedOf({ traffic: "people", ...sent }), maxExamined);
  const campaigns = await findCampaigns(scope, ids);
  campaigns.sort((a, b) => a.campaign.id - b.campaign.id);
  for (const { id, provider, reports } of await listSources(scope)) {
    const { length } = campaigns.filter(({ counting }) => counting?.sourceId === id);
    for (const type of length < minUnseen ? [] : deliveryReports.filter((each) => reports[each] === 0)) {
      yield warning(
        `No event "${type}" has arrived from ${provider} in ${length} campaigns, but counts say 0 instead of unknown. Turn it on at the provider, or turn it off in "Sources". If there was none, ignore this.`,
      );
    }
  }
  for (const { campaign, numbers } of campaigns) {
    if (!("tallies" in numbers)) continue;
    const recipients = campaign.recipientCount ?? 0;
    const counted = { tally: numbers.tallies.people };
    const { delivered } = deliveryCountsOf(counted, recipients);
    const place = { campaign: campaign.id };
    if (delivered === null) continue;
    if (delivered > recipients) {
      const text = `${delivered} messages were delivered to ${pluralize(recipients, "recipient")}. Correct "recipient_count".`;
      yield warning(text, place);
    } else if (recipients > 0 && !deliveryPartsOf(counted, recipients).delivery_rate) {
      const text =
        "Less than 95 % of the recipients have an outcome after 72 hours, so rates of delivered messages are unknown. Look for webhooks that failed at the provider.";
      yield warning(text, place);
    }
  }
}
