// Reads what enters sums and rates from the columns of a chunk. Every property has its name in the code: with names from a
// list, sums over a hundred thousand campaigns take three times as long.

import { type RatedCampaign, ratedMetrics } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { summedTally } from "../../campaign/sums.ts";
import { decodeColumn, type NumberColumn } from "./number-column.ts";
import { columnOf, type NumberField } from "./number-fields.ts";
import { maxChunkSize, type NumbersChunk } from "./numbers-chunk.ts";

type Columns<Name extends string> = Record<Name, Float64Array>;

const columnsFor = <Name extends string>(names: readonly Name[]): Columns<Name> =>
  Object.fromEntries(names.map((name) => [name, new Float64Array(maxChunkSize)])) as Columns<Name>;

export class CampaignReader {
  readonly #traffic: TrafficFilter;
  readonly #counts = columnsFor(["recipientCount", "surveysCount"]);
  readonly #metrics = columnsFor(ratedMetrics);
  readonly #tallies = columnsFor(summedTally);
  #isCounted: readonly boolean[] = [];
  #kinds: NumbersChunk["texts"]["kind"]["codes"] = new Uint8Array();
  readonly #reported: Extract<RatedCampaign["numbers"], { reported: unknown }>;
  readonly #counted: Extract<RatedCampaign["numbers"], { tally: unknown }>;
  readonly #campaign: RatedCampaign;

  constructor(traffic: TrafficFilter) {
    this.#traffic = traffic;
    const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
    this.#reported = { reported: zeros(ratedMetrics) as never };
    this.#counted = { tally: zeros(summedTally) as never };
    this.#campaign = { recipientCount: null, surveysCount: null, numbers: this.#reported };
  }

  use({ numbers, texts }: NumbersChunk): void {
    const decode = (field: NumberField, into: Float64Array) =>
      decodeColumn(numbers[columnOf(field)] as NumberColumn, into);
    decode("recipientCount", this.#counts.recipientCount);
    decode("surveysCount", this.#counts.surveysCount);
    this.#kinds = texts.kind.codes;
    this.#isCounted = texts.kind.values.map((kind) => kind !== "reported");
    if (this.#isCounted.includes(false)) {
      for (const name of ratedMetrics) decode(`reported.${name}`, this.#metrics[name]);
    }
    if (this.#isCounted.includes(true)) {
      for (const name of summedTally) decode(`${this.#traffic}.${name}`, this.#tallies[name]);
    }
  }

  /** The campaign at a position: the same object at each call. */
  read(position: number): RatedCampaign {
    const campaign = this.#campaign;
    campaign.recipientCount = nullable(this.#counts.recipientCount[position] as number);
    campaign.surveysCount = nullable(this.#counts.surveysCount[position] as number);
    if (this.#isCounted[this.#kinds[position] as number]) {
      this.#readTally(position);
      campaign.numbers = this.#counted;
    } else {
      this.#readMetrics(position);
      campaign.numbers = this.#reported;
    }
    return campaign;
  }

  #readMetrics(at: number): void {
    const from = this.#metrics;
    const { reported } = this.#reported;
    reported.unique_opens = nullable(from.unique_opens[at] as number);
    reported.unique_clicks = nullable(from.unique_clicks[at] as number);
    reported.desktop_open_rate = nullable(from.desktop_open_rate[at] as number);
    reported.mobile_open_rate = nullable(from.mobile_open_rate[at] as number);
    reported.read_time_glanced = nullable(from.read_time_glanced[at] as number);
    reported.read_time_skimmed = nullable(from.read_time_skimmed[at] as number);
    reported.read_time_read = nullable(from.read_time_read[at] as number);
    reported.enps_score_average = nullable(from.enps_score_average[at] as number);
    reported.enps_reactions_count = nullable(from.enps_reactions_count[at] as number);
    reported.survey_reactions_count = nullable(from.survey_reactions_count[at] as number);
    reported.open_rate = nullable(from.open_rate[at] as number);
    reported.click_rate = nullable(from.click_rate[at] as number);
    reported.click_per_unique_open_rate = nullable(from.click_per_unique_open_rate[at] as number);
  }

  #readTally(at: number): void {
    const from = this.#tallies;
    const { tally } = this.#counted;
    tally.uniqueOpens = from.uniqueOpens[at] as number;
    tally.uniqueClicks = from.uniqueClicks[at] as number;
    tally.desktopOpens = from.desktopOpens[at] as number;
    tally.mobileOpens = from.mobileOpens[at] as number;
    tally.glanced = from.glanced[at] as number;
    tally.skimmed = from.skimmed[at] as number;
    tally.read = from.read[at] as number;
    tally.enpsReactions = from.enpsReactions[at] as number;
    tally.enpsScores = from.enpsScores[at] as number;
    tally.enpsPromoters = from.enpsPromoters[at] as number;
    tally.enpsDetractors = from.enpsDetractors[at] as number;
    tally.surveyReactions = from.surveyReactions[at] as number;
  }
}

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
