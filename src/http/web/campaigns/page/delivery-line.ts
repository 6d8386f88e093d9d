// One line below the key numbers: what became of the messages of a campaign, and how many recipients have no outcome yet.

import {
  deliveryCountsOf,
  deliveryPartsOf,
  outcomesKnown,
} from "../../../../campaign/delivery/delivery-counts.ts";
import { type HtmlValue, html } from "../../../../locale/html.ts";
import { type CampaignView, shownCampaign } from "./campaign-view.ts";

/** @param lastEventAt of the organization; undefined before the first one */
export function deliveryLine(view: CampaignView, lastEventAt: number | undefined): HtmlValue {
  const { locale, organization } = view.session;
  const { t, format } = locale;
  const { numbers, recipientCount } = shownCampaign(view);
  const counts = deliveryCountsOf(numbers, recipientCount);
  const { delivered, bounced, bounced_hard: hard, bounced_soft: soft, suppressed } = counts;
  const { unsubscribed, complained } = counts;
  const parts = deliveryPartsOf(numbers, recipientCount, "delivery_rate");
  const rate = parts ? ` (${format.rate(parts.part / parts.whole)})` : "";
  const known = [
    delivered !== null && t("delivery.delivered", { count: delivered, rate }),
    hard !== null && soft !== null && t("delivery.bounces", { hard, soft }),
    (hard === null || soft === null) && bounced !== null && t("delivery.bounced", { count: bounced }),
    suppressed !== null && suppressed > 0 && t("delivery.suppressed", { count: suppressed }),
    unsubscribed !== null && t("delivery.unsubscribed", { count: unsubscribed }),
    complained !== null && t("delivery.complained", { count: complained }),
  ].filter((text) => text !== false);
  if (known.length === 0) return false;
  const isCounted = "tally" in numbers;
  const missing = (recipientCount ?? 0) - outcomesKnown(counts);
  const time = lastEventAt === undefined ? "" : format.dateTime(lastEventAt, organization.timeZone);
  const notes = [
    isCounted && delivered === null && bounced !== null && t("delivery.bouncesOnly"),
    isCounted && delivered !== null && missing > 0 && t("delivery.missing", { count: missing, time }),
  ].filter((text) => text !== false);
  return html`<p class="small">${known.join(", ")}. <span class="soft">${notes.join(" ")}</span></p>`;
}
