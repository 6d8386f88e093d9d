// What a batch of events changes in the hours and links of one campaign.

import { clickActivity } from "./activity.ts";
import { isHumanClick } from "./click-verdicts.ts";
import { HourCounts } from "./hour-counts.ts";
import { linkRow } from "./link-number.ts";
import type { Recipient, RecipientEvent } from "./recipient.ts";

export interface LinkChange {
  campaignId: number;
  /** As {@link linkRow} has it. */
  link: number;
  /** The whole address, or one of several, where an event of the batch has it. */
  url: string | undefined;
  /** To be added; both may be 0. */
  people: number;
  all: number;
}

/** Opens only add. Clicks change by the difference, because a later one can tell who was at the earlier ones. */
export class ActivityChange {
  readonly campaignId: number;
  readonly hours = new HourCounts();
  readonly #links = new Map<number, LinkChange>();

  constructor(campaignId: number) {
    this.campaignId = campaignId;
  }

  /** For each open that is new; other events are none of its business. */
  addOpen(event: RecipientEvent): void {
    if (event.type === "open") this.hours.add("open", event.reason, event.at, 1);
  }

  /** For each click that is new: its link is known from now on, whether the click is kept or not. */
  addLink(link: number, url: string): void {
    this.#linkOf(linkRow(link)).url ??= url;
  }

  /** @param sign -1 for the recipient as it was before the batch, 1 as it is after it */
  addClicks(recipient: Recipient, sign: 1 | -1): void {
    for (const { at, link, verdict } of clickActivity(recipient)) {
      this.hours.add("click", verdict, at, sign);
      const change = this.#linkOf(linkRow(link));
      change.all += sign;
      if (isHumanClick(verdict)) change.people += sign;
    }
  }

  /** Those that change, or of which the address is told. */
  links(): LinkChange[] {
    return [...this.#links.values()].filter(
      ({ url, people, all }) => url !== undefined || people !== 0 || all !== 0,
    );
  }

  #linkOf(link: number): LinkChange {
    let change = this.#links.get(link);
    if (!change) {
      change = { campaignId: this.campaignId, link, url: undefined, people: 0, all: 0 };
      this.#links.set(link, change);
    }
    return change;
  }
}
