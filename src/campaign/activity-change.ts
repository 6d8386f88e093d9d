// What a batch of events changes in the hours and links of one campaign.

import { type Activity, type ActivityVerdict, clickActivity, quarterMs, quarterOf } from "./activity.ts";
import { isPersonsClick } from "./click-verdicts.ts";
import { rowOf } from "./link-number.ts";
import type { Recipient, RecipientEvent } from "./recipient.ts";

export interface HourChange {
  campaignId: number;
  /** Where a quarter of an hour begins. */
  quarter: number;
  activity: Activity;
  verdict: ActivityVerdict;
  /** To be added; never 0. */
  count: number;
}

export interface LinkChange {
  campaignId: number;
  /** As {@link rowOf} has it. */
  link: number;
  /** The whole address, or one of several, where an event of the batch has it. */
  url: string | undefined;
  /** To be added; both may be 0. */
  people: number;
  all: number;
}

/** Above the number of verdicts that there are. */
const verdictsMax = 1_000;
const verdictNumbers = new Map<string, number>();

/** A number for each verdict; what another version of the program has stored may be one that is not known here. */
function numberOf(verdict: ActivityVerdict): number {
  const number = verdictNumbers.get(verdict) ?? verdictNumbers.size;
  verdictNumbers.set(verdict, number);
  return number;
}

/** Opens only add. Clicks change by the difference, because a later one can tell who was at the earlier ones. */
export class ActivityChange {
  readonly #campaignId: number;
  /** Of each activity, by quarter and verdict in one number, since there may be as many as events. */
  readonly #hours: Record<Activity, Map<number, HourChange>> = { open: new Map(), click: new Map() };
  readonly #links = new Map<number, LinkChange>();

  constructor(campaignId: number) {
    this.#campaignId = campaignId;
  }

  /** For each open that is new; other events are none of its business. */
  addOpen(event: RecipientEvent): void {
    if (event.type === "open") this.#count("open", event.at, event.reason, 1);
  }

  /** For each click that is new: its link is known from now on, whether the click is kept or not. */
  addLink(link: number, url: string): void {
    this.#linkOf(rowOf(link)).url ??= url;
  }

  /** @param sign -1 for the recipient as it was before the batch, 1 as it is after it */
  addClicks(recipient: Recipient, sign: 1 | -1): void {
    for (const { at, link, verdict } of clickActivity(recipient)) {
      this.#count("click", at, verdict, sign);
      const change = this.#linkOf(rowOf(link));
      change.all += sign;
      if (isPersonsClick(verdict)) change.people += sign;
    }
  }

  hours(): HourChange[] {
    const { open, click } = this.#hours;
    return [...open.values(), ...click.values()].filter(({ count }) => count !== 0);
  }

  /** Those that change, or of which the address is told. */
  links(): LinkChange[] {
    return [...this.#links.values()].filter(
      ({ url, people, all }) => url !== undefined || people !== 0 || all !== 0,
    );
  }

  #count(activity: Activity, at: number, verdict: ActivityVerdict, count: number): void {
    const quarter = quarterOf(at);
    const key = (quarter / quarterMs) * verdictsMax + numberOf(verdict);
    const hours = this.#hours[activity];
    const known = hours.get(key);
    if (known) known.count += count;
    else hours.set(key, { campaignId: this.#campaignId, quarter, activity, verdict, count });
  }

  #linkOf(link: number): LinkChange {
    let change = this.#links.get(link);
    if (!change) {
      change = { campaignId: this.#campaignId, link, url: undefined, people: 0, all: 0 };
      this.#links.set(link, change);
    }
    return change;
  }
}
