// The usual rates of a campaign: those of its team in the year before it.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import {
  type CoveredRateName,
  type RateParts,
  rateOfParts,
  ratePartsLength,
  ratePartsOf,
  readRateParts,
  writeRateParts,
} from "../../campaign/sum-rates.ts";
import type { SummedCampaign, Sums } from "../../campaign/sums.ts";
import { valueAt } from "./dictionary-column.ts";
import { valuesOf } from "./number-values.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";
import type { NumbersTable } from "./numbers-table.ts";
import { entryAt, type Selection, selectCampaigns } from "./select.ts";
import { SlidingSums } from "./sliding-sums.ts";
import { type Grouping, sumSelection, totalOf } from "./sum-selection.ts";

/** How long before a campaign the others of its team were sent. */
export const usualDays = 365;
/** Fewer campaigns with a rate make no usual rate. */
export const minUsualCampaigns = 3;

/** Null from fewer than {@link minUsualCampaigns}, or from fewer than half of the campaigns or of their recipients. */
function usualRate(parts: RateParts): number | null {
  return parts.from < minUsualCampaigns ? null : rateOfParts(parts);
}

/** The usual rates of a few campaigns by their ids. */
export class UsualRates {
  readonly #sums: ReadonlyMap<number, Sums>;

  constructor(sums: ReadonlyMap<number, Sums>) {
    this.#sums = sums;
  }

  /** Null if there is none, also without a team. */
  of(id: number, name: CoveredRateName): number | null {
    const sums = this.#sums.get(id);
    return sums ? usualRate(ratePartsOf(sums, name)) : null;
  }

  /** How many campaigns the team sent in the year before. */
  campaignsBefore(id: number): number {
    return this.#sums.get(id)?.campaigns ?? 0;
  }
}

/** @param campaigns a few: each takes up to a millisecond if there are a hundred thousand */
export async function findUsualRates(
  numbers: NumbersTable,
  campaigns: readonly { id: number; sentAt: number; team: string | null }[],
  traffic: TrafficFilter,
): Promise<UsualRates> {
  const sums = new Map<number, Sums>();
  for (const { id, sentAt, team } of campaigns) {
    if (team === null || team === "") continue;
    const period = { sentFrom: sentAt - usualDays * dayMs, sentUntil: sentAt };
    sums.set(id, await totalOf(selectCampaigns(numbers, { team, ...period }), traffic));
  }
  return new UsualRates(sums);
}

/** How a rate of each selected campaign differs from the usual one, in their order; NaN if either is unknown. */
export async function differencesOf(
  numbers: NumbersTable,
  selection: Selection,
  traffic: TrafficFilter,
  name: CoveredRateName,
): Promise<Float64Array> {
  const usual = await usualRatesOf(numbers, selection, traffic, name);
  return valuesOf(selection, traffic, name).map((rate, index) => rate - (usual[index] as number));
}

/** A usual rate of each selected campaign, in their order; NaN if there is none. Any number of them takes one pass. */
export async function usualRatesOf(
  numbers: NumbersTable,
  selection: Selection,
  traffic: TrafficFilter,
  name: CoveredRateName,
): Promise<Float64Array> {
  const usual = new UsualOfSelection(selection, name);
  if (selection.size > 0) {
    const sentFrom = entryAt(selection, 0).sentAt - usualDays * dayMs;
    const sentUntil = entryAt(selection, selection.size - 1).sentAt;
    await sumSelection(selectCampaigns(numbers, { sentFrom, sentUntil: sentUntil + 1 }), traffic, [usual]);
  }
  return usual.rates;
}

/** A usual rate of many campaigns. Expects all campaigns from the year before the first selected one on. */
class UsualOfSelection implements Grouping {
  /** In the order of the selection; NaN if there is none. */
  readonly rates: Float64Array;
  readonly #name: CoveredRateName;
  /** The selected positions of each chunk, and the index of the first of them. */
  readonly #selected = new Map<NumbersChunk, { positions: Uint16Array; start: number }>();
  readonly #teams = new Map<string, SlidingSums>();
  /** The parts of a rate. */
  readonly #parts = new Float64Array(ratePartsLength);

  constructor({ parts, size }: Selection, name: CoveredRateName) {
    this.rates = new Float64Array(size).fill(Number.NaN);
    this.#name = name;
    let start = 0;
    for (const { chunk, positions } of parts) {
      this.#selected.set(chunk, { positions, start });
      start += positions.length;
    }
  }

  adderIn(chunk: NumbersChunk): (position: number, campaign: SummedCampaign) => void {
    const { positions, start } = this.#selected.get(chunk) ?? { positions: new Uint16Array(), start: 0 };
    let next = 0;
    return (position, campaign) => {
      const team = this.#sumsOf(valueAt(chunk.texts.team, position));
      const sentAt = chunk.times[position] as number;
      if (positions[next] === position) {
        if (team) this.rates[start + next] = this.#rateBefore(team, sentAt);
        next += 1;
      }
      if (!team) return;
      writeRateParts(sumsOfCampaign(campaign), this.#name, this.#parts);
      team.add(sentAt, this.#parts);
    };
  }

  #sumsOf(team: string | null): SlidingSums | undefined {
    if (team === null || team === "") return undefined;
    const known = this.#teams.get(team);
    if (known) return known;
    const sums = new SlidingSums(this.#parts.length);
    this.#teams.set(team, sums);
    return sums;
  }

  #rateBefore(team: SlidingSums, sentAt: number): number {
    const parts = this.#parts;
    team.sum(sentAt - usualDays * dayMs, sentAt, parts);
    return usualRate(readRateParts(parts)) ?? Number.NaN;
  }
}
