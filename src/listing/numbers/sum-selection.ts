// Sums the numbers of selected campaigns, in total and by groups.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { addCampaign, emptySums, type SummedCampaign, type Sums } from "../../campaign/sums.ts";
import { CampaignReader } from "./campaign-reader.ts";
import type { ListColumn, ValueColumn } from "./dictionary-column.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

/** Adds a campaign of a chunk to the sums it belongs to: none, one or several. Called with ascending positions. */
type AddAt = (position: number, campaign: SummedCampaign) => void;

/** Which sums a campaign is added to. */
export interface Grouping {
  adderIn(chunk: NumbersChunk): AddAt;
}

/** Adding up so many chunks does not block the event loop for long. */
const partsPerTurn = 8;

/** Adds each selected campaign to the sums of all groupings. Chunks do not change, so all sums are of one state. */
export async function sumSelection(
  { parts }: Selection,
  traffic: TrafficFilter,
  groupings: readonly Grouping[],
): Promise<void> {
  const reader = new CampaignReader(traffic);
  for (const [index, { chunk, positions }] of parts.entries()) {
    if (index % partsPerTurn === partsPerTurn - 1) await nextTurn();
    reader.use(chunk);
    const adders = groupings.map((grouping) => grouping.adderIn(chunk));
    for (const position of positions) {
      const campaign = reader.read(position);
      for (const addAt of adders) addAt(position, campaign);
    }
  }
}

/** The sums of a selection. */
export async function totalOf(selection: Selection, traffic: TrafficFilter): Promise<Sums> {
  const total = new Total();
  await sumSelection(selection, traffic, [total]);
  return total.sums;
}

export class Total implements Grouping {
  readonly sums = emptySums();

  adderIn(): AddAt {
    return (_position, campaign) => addCampaign(this.sums, campaign);
  }
}

/** Sums by a value that each campaign has, such as its team. */
export class SumsByValue<Value> implements Grouping {
  readonly sums = new Map<Value, Sums>();
  readonly #columnOf: (chunk: NumbersChunk) => ValueColumn<Value>;

  constructor(columnOf: (chunk: NumbersChunk) => ValueColumn<Value>) {
    this.#columnOf = columnOf;
  }

  adderIn(chunk: NumbersChunk): AddAt {
    const { values, codes } = this.#columnOf(chunk);
    const targets = new LazySums(values, this.sums);
    return (position, campaign) => addCampaign(targets.at(codes[position] as number), campaign);
  }
}

/** Sums by values of which each campaign has any number, such as its tags. They overlap. */
export class SumsByListed<Value> implements Grouping {
  readonly sums = new Map<Value, Sums>();
  readonly #columnOf: (chunk: NumbersChunk) => ListColumn<Value>;

  constructor(columnOf: (chunk: NumbersChunk) => ListColumn<Value>) {
    this.#columnOf = columnOf;
  }

  adderIn(chunk: NumbersChunk): AddAt {
    const { values, starts, codes } = this.#columnOf(chunk);
    const targets = new LazySums(values, this.sums);
    return (position, campaign) => {
      const end = starts[position + 1] as number;
      for (let index = starts[position] as number; index < end; index++) {
        addCampaign(targets.at(codes[index] as number), campaign);
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

  adderIn({ times }: NumbersChunk): AddAt {
    let period = -1;
    return (position, campaign) => {
      const at = times[position] as number;
      // Times ascend with the positions.
      while ((this.#starts[period + 1] as number) <= at) period += 1;
      const sums = this.sums[period];
      if (sums) addCampaign(sums, campaign);
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
