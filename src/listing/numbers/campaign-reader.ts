// Reads campaigns of a chunk from their columns, one after the other, into the same object.

import { emptyTally, type Tally } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { ReportedMetrics } from "../../campaign/metrics.ts";
import { decodeColumn, type NumberColumn } from "./number-column.ts";
import { columnOf } from "./number-fields.ts";
import { maxChunkSize, type NumbersChunk } from "./numbers-chunk.ts";

/** A campaign with some of its numbers; those of a counted campaign are for one traffic. */
interface ReadCampaign<Metric extends keyof ReportedMetrics, Count extends keyof Tally> {
  recipientCount: number | null;
  surveysCount: number | null;
  numbers: { reported: Pick<ReportedMetrics, Metric> } | { tally: Pick<Tally, Count> };
}

/**
 * Reading all numbers would take several times as long.
 *
 * @typeParam Metric the metrics of reported campaigns to read
 * @typeParam Count the counts of counted campaigns to read
 */
export class CampaignReader<Metric extends keyof ReportedMetrics, Count extends keyof Tally> {
  readonly #reported: { reported: Pick<ReportedMetrics, Metric> };
  readonly #counted: { tally: Pick<Tally, Count> };
  readonly #campaign: ReadCampaign<Metric, Count>;
  readonly #metrics: readonly Metric[];
  readonly #counts: readonly Count[];
  readonly #traffic: TrafficFilter;
  readonly #recipientCounts = scratch();
  readonly #surveysCounts = scratch();
  readonly #reportedColumns: readonly Float64Array[];
  readonly #tallyColumns: readonly Float64Array[];
  #kinds: readonly boolean[] = [];
  #kindCodes: NumbersChunk["texts"]["kind"]["codes"] = new Uint8Array();

  constructor(traffic: TrafficFilter, metrics: readonly Metric[], counts: readonly Count[]) {
    this.#traffic = traffic;
    this.#metrics = metrics;
    this.#counts = counts;
    this.#reportedColumns = metrics.map(scratch);
    this.#tallyColumns = counts.map(scratch);
    const reported = Object.fromEntries(metrics.map((name) => [name, null])) as Pick<ReportedMetrics, Metric>;
    this.#reported = { reported };
    this.#counted = { tally: { ...emptyTally } };
    this.#campaign = { recipientCount: null, surveysCount: null, numbers: this.#reported };
  }

  use({ numbers, texts }: NumbersChunk): void {
    const decode = (column: number, into: Float64Array | undefined) =>
      decodeColumn(numbers[column] as NumberColumn, into as Float64Array);
    decode(columnOf("recipientCount"), this.#recipientCounts);
    decode(columnOf("surveysCount"), this.#surveysCounts);
    this.#kindCodes = texts.kind.codes;
    this.#kinds = texts.kind.values.map((kind) => kind !== "reported");
    if (this.#kinds.includes(false)) {
      for (const [at, name] of this.#metrics.entries()) {
        decode(columnOf(`reported.${name}`), this.#reportedColumns[at]);
      }
    }
    if (this.#kinds.includes(true)) {
      for (const [at, name] of this.#counts.entries()) {
        decode(columnOf(`${this.#traffic}.${name}`), this.#tallyColumns[at]);
      }
    }
  }

  /** The campaign at a position: the same object at each call. */
  read(position: number): ReadCampaign<Metric, Count> {
    const campaign = this.#campaign;
    campaign.recipientCount = nullable(this.#recipientCounts[position] as number);
    campaign.surveysCount = nullable(this.#surveysCounts[position] as number);
    const isCounted = this.#kinds[this.#kindCodes[position] as number] as boolean;
    campaign.numbers = isCounted ? this.#readCounted(position) : this.#readReported(position);
    return campaign;
  }

  #readReported(position: number): { reported: Pick<ReportedMetrics, Metric> } {
    const reported: Record<Metric, number | null> = this.#reported.reported;
    for (let at = 0; at < this.#metrics.length; at++) {
      const value = (this.#reportedColumns[at] as Float64Array)[position] as number;
      reported[this.#metrics[at] as Metric] = nullable(value);
    }
    return this.#reported;
  }

  #readCounted(position: number): { tally: Pick<Tally, Count> } {
    const tally: Record<Count, number> = this.#counted.tally;
    for (let at = 0; at < this.#counts.length; at++) {
      tally[this.#counts[at] as Count] = (this.#tallyColumns[at] as Float64Array)[position] as number;
    }
    return this.#counted;
  }
}

const scratch = () => new Float64Array(maxChunkSize);

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
