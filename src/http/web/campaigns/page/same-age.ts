// How a campaign that is still counting compares with the usual at its age, and where it will probably end.

import { dateAt } from "../../../../campaign/calendar/calendar-date.ts";
import { recordedAges } from "../../../../campaign/events/ages.ts";
import { likelyEndOf, type SameAge } from "../../../../listing/reports/same-age.ts";
import { ageText } from "../../../../locale/age-text.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { comparedText, likelyEndText } from "../../../../locale/same-age-text.ts";
import { isStillCounting } from "../../../../storage/campaigns/stored-campaign.ts";
import { badge } from "../../ui/texts/badge.ts";
import type { CampaignView } from "./campaign-view.ts";

/** What a campaign that is still counting is compared with, and its likely end; false once it is compared as a whole. */
export function stillCountingNote(view: CampaignView, sameAge: SameAge | undefined): HtmlValue {
  const { stored, organization, now, t, format } = view;
  if (!isStillCounting(stored) || stored.campaign.sentAt > now) return false;

  const date = format.date(dateAt(stored.campaign.sentAt + recordedAges["7d"], organization.timeZone));
  const parts = [
    t("campaign.leftOut", { date }),
    ...(sameAge ? [comparedText(view, sameAge), likelyEndText(view, likelyEndOf([sameAge]))] : []),
  ];
  return html`<p class="small">${parts.join(" · ")}</p>`;
}

/** The chip of a campaign that is still counting. */
export function stillCountingChip(view: CampaignView): Html | false {
  const { stored, now, t } = view;
  if (!isStillCounting(stored) || stored.campaign.sentAt > now) return false;
  const age = ageText(view, now - stored.campaign.sentAt);
  return badge(t("campaign.stillCountingFor", { age }), "accent");
}
