// Sums the numbers of selected campaigns, in total and by groups.

import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { addCampaign, emptySums, type Sums } from "../../campaign/sums.ts";
import { binarySearch } from "../timeline/binary-search.ts";
import type { ListColumn, ValueColumn } from "./dictionary-column.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";
import { SummedReader } from "./summed-reader.ts";

/** Which sums a campaign is added to. */
export interface Grouping {
  /** The sums of the campaigns of a chunk, by their position. A campaign may have none or several. */
  sumsIn(chunk: NumbersChunk): (position: number, add: (to: Sums) => void) => void;
}

/** Adds each selected campaign to the sums of all groupings. */
export function sumSelection(
  { parts }: Selection,
  traffic: TrafficFilter,
  groupings: readonly Grouping[],
): void {
  const reader = new SummedReader(traffic);
  for (const { chunk, positions } of parts) {
    reader.use(chunk);
    const all = groupings.map((grouping) => grouping.sumsIn(chunk));
    for (const position of positions) {
      const campaign = reader.read(position);
      const add = (to: Sums) => addCampaign(to, campaign);
      for (const each of all) each(position, add);
    }
  }
}

/** The sums of a selection. */
export function totalOf(selection: Selection, traffic: TrafficFilter): Sums {
  const total = new Total();
  sumSelection(selection, traffic, [total]);
  return total.sums;
}

export class Total implements Grouping {
  readonly sums = emptySums();

  sumsIn() {
    return (_position: number, add: (to: Sums) => void) => add(this.sums);
  }
}

/** Sums by a value that each campaign has, such as its team. */
export class SumsByValue<Value> implements Grouping {
  readonly sums = new Map<Value, Sums>();
  readonly #columnOf: (chunk: NumbersChunk) => ValueColumn<Value>;

  constructor(columnOf: (chunk: NumbersChunk) => ValueColumn<Value>) {
    this.#columnOf = columnOf;
  }

  sumsIn(chunk: NumbersChunk) {
    const { values, codes } = this.#columnOf(chunk);
    const targets = new LazySums(values, this.sums);
    return (position: number, add: (to: Sums) => void) => add(targets.at(codes[position] as number));
  }
}

/** Sums by values of which each campaign has any number, such as its tags. They overlap. */
export class SumsByListed<Value> implements Grouping {
  readonly sums = new Map<Value, Sums>();
  readonly #columnOf: (chunk: NumbersChunk) => ListColumn<Value>;

  constructor(columnOf: (chunk: NumbersChunk) => ListColumn<Value>) {
    this.#columnOf = columnOf;
  }

  sumsIn(chunk: NumbersChunk) {
    const { values, starts, codes } = this.#columnOf(chunk);
    const targets = new LazySums(values, this.sums);
    return (position: number, add: (to: Sums) => void) => {
      const end = starts[position + 1] as number;
      for (let index = starts[position] as number; index < end; index++) {
        add(targets.at(codes[index] as number));
      }
    };
  }
}

/** Sums by consecutive periods. */
export class SumsByPeriod implements Grouping {
  /** One for each start. */
  readonly sums: readonly Sums[];
  readonly #starts: readonly number[];

  /** @param starts ascending. Campaigns before the first belong to no period. */
  constructor(starts: readonly number[]) {
    this.#starts = starts;
    this.sums = starts.map(emptySums);
  }

  sumsIn({ times }: NumbersChunk) {
    return (position: number, add: (to: Sums) => void) => {
      const at = times[position] as number;
      const period =
        binarySearch(0, this.#starts.length, (index) => (this.#starts[index] as number) > at) - 1;
      const sums = this.sums[period];
      if (sums) add(sums);
    };
  }
}

/** The sums of the values of a chunk, created when a selected campaign has the value. */
class LazySums<Value> {
  readonly #values: readonly Value[];
  readonly #sums: Map<Value, Sums>;
  readonly #found: Sums[] = [];

  constructor(values: readonly Value[], sums: Map<Value, Sums>) {
    this.#values = values;
    this.#sums = sums;
  }

  at(code: number): Sums {
    const found = this.#found[code];
    if (found) return found;
    const value = this.#values[code] as Value;
    const sums = this.#sums.get(value) ?? emptySums();
    this.#sums.set(value, sums);
    this.#found[code] = sums;
    return sums;
  }
}
