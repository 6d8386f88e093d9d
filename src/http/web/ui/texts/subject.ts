// The subject of a campaign in a page.

import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";

/** A longer one may not fit the lines that the style sheet gives it. */
const longSubject = 24;

type Sent = Pick<StoredCampaign, "campaign">;

/** Whether another team sent a campaign of the list with the same subject: then lists name the team. */
export function hasTwin({ campaign: { subject, team } }: Sent, list: readonly Sent[]): boolean {
  return list.some(({ campaign }) => campaign.subject === subject && campaign.team !== team);
}

/** Returns the subject for a page, cut after a few lines, with a tooltip. On paper it is whole. */
export function subjectOf({ t }: Locale, { subject }: { subject: string }): Html {
  const text = subject.trim();
  if (text === "") return html`${t("campaign.untitled")}`;
  const tooltip = text.length > longSubject && html` title="${text}"`;
  return html`<bdi class="subject" lang=""${tooltip}>${text}</bdi>`;
}
