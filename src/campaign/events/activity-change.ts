// How a batch of events changes the activity and links of one campaign.

import { clickActivity } from "./activity.ts";
import { isHumanClick } from "./click-verdicts.ts";
import { HourCounts } from "./hour-counts.ts";
import { linkRow } from "./link-number.ts";
import type { Open, Recipient, RecipientEvent } from "./recipient.ts";
import type { TrafficReason } from "./traffic.ts";

export interface LinkChange {
  campaignId: number;
  /** The {@link linkRow}. */
  link: number;
  /** A full URL of the link, if an event of the batch has one. */
  url: string | undefined;
  /** Human clicks to add; may be 0 or negative. */
  people: number;
  /** All clicks to add; may be 0. */
  all: number;
}

/** New events add. Verdicts add the difference, because a new event can change the verdict on earlier opens and clicks. */
export class ActivityChange {
  readonly campaignId: number;
  readonly hours = new HourCounts();
  readonly #links = new Map<number, LinkChange>();

  constructor(campaignId: number) {
    this.campaignId = campaignId;
  }

  /** Call for every new event; ignores all but opens. */
  addOpen(event: RecipientEvent): void {
    if (event.type === "open") this.hours.add("open", event.reason, event.at, 1);
  }

  /**
   * Moves opens from their own reason to the verdict that a scanner made them.
   *
   * @param sign as of {@link addClicks}
   */
  addScannerOpens(opens: readonly Open[], sign: 1 | -1): void {
    for (const [at, name] of opens) {
      this.hours.add("open", name.split(" ")[0] as TrafficReason, at, -sign);
      this.hours.add("open", "beside_scanner", at, sign);
    }
  }

  /** Call for every new click, even if the recipient does not store it: the campaign learns the URL. */
  addLink(link: number, url: string): void {
    this.#changeOf(linkRow(link)).url ??= url;
  }

  /** @param sign -1 for the recipient before the batch, 1 after it */
  addClicks(recipient: Recipient, sign: 1 | -1): void {
    for (const { at, link, verdict } of clickActivity(recipient)) {
      this.hours.add("click", verdict, at, sign);
      const change = this.#changeOf(linkRow(link));
      change.all += sign;
      if (isHumanClick(verdict)) change.people += sign;
    }
  }

  /** Links whose counts change or whose URL the batch has. */
  links(): LinkChange[] {
    return [...this.#links.values()].filter(
      ({ url, people, all }) => url !== undefined || people !== 0 || all !== 0,
    );
  }

  #changeOf(link: number): LinkChange {
    let change = this.#links.get(link);
    if (!change) {
      change = { campaignId: this.campaignId, link, url: undefined, people: 0, all: 0 };
      this.#links.set(link, change);
    }
    return change;
  }
}
