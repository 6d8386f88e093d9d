// The usual rates of a campaign: those of its team in the year before it.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import {
  areComparable,
  type CoveredRateName,
  isComparable,
  type RateParts,
  rateOfParts,
  ratePartsLength,
  ratePartsOf,
  readRateParts,
  writeRateParts,
} from "../../campaign/sum-rates.ts";
import { ofTraffic, type SummedCampaign, type Sums } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
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
function rateOfTeam(parts: RateParts): number | null {
  return parts.from < minUsualCampaigns ? null : rateOfParts(parts);
}

/** The usual rates of a few campaigns by their ids. */
export class UsualRates {
  readonly #sums: ReadonlyMap<number, ComparedSums>;
  readonly #traffic: TrafficFilter;

  constructor(sums: ReadonlyMap<number, ComparedSums>, traffic: TrafficFilter) {
    this.#sums = sums;
    this.#traffic = traffic;
  }

  /** Null if there is none to compare with, also without a team. */
  of(id: number, name: CoveredRateName): number | null {
    const sums = this.#sums.get(id);
    return sums && this.isComparable(id, name) ? rateOfTeam(ratePartsOf(sums.team, name)) : null;
  }

  /** Whether the campaign and its team are {@link areComparable comparable}. */
  isComparable(id: number, name: CoveredRateName): boolean {
    const { own, team } = this.#sums.get(id) ?? {};
    return !own || !team || areComparable(own, team, { name, traffic: this.#traffic });
  }

  /** How many campaigns the team sent in the year before. */
  campaignsBefore(id: number): number {
    return this.#sums.get(id)?.team.campaigns ?? 0;
  }
}

interface ComparedSums {
  /** Of the campaign. */
  own: Sums;
  /** Of its team in the year before. */
  team: Sums;
}

/** @param campaigns a few: each takes up to a millisecond if there are a hundred thousand */
export async function findUsualRates(
  numbers: NumbersTable,
  campaigns: readonly Pick<StoredCampaign, "campaign" | "numbers">[],
  traffic: TrafficFilter,
): Promise<UsualRates> {
  const sums = new Map<number, ComparedSums>();
  for (const { campaign, numbers: own } of campaigns) {
    const { id, sentAt, team } = campaign;
    if (team === null || team === "") continue;
    const period = { sentFrom: sentAt - usualDays * dayMs, sentUntil: sentAt };
    sums.set(id, {
      own: sumsOfCampaign({ ...campaign, numbers: ofTraffic(own, traffic) }),
      team: await totalOf(selectCampaigns(numbers, { team, ...period }), traffic),
    });
  }
  return new UsualRates(sums, traffic);
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
  const usual = new UsualOfSelection(selection, traffic, name);
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
  readonly #traffic: TrafficFilter;
  readonly #name: CoveredRateName;
  /** The selected positions of each chunk, and the index of the first of them. */
  readonly #selected = new Map<NumbersChunk, { positions: Uint16Array; start: number }>();
  readonly #teams = new Map<string, SlidingSums>();
  /** The parts of the rate of a campaign, and of its team. */
  readonly #own = new Float64Array(ratePartsLength);
  readonly #ofTeam = new Float64Array(ratePartsLength);

  constructor({ parts, size }: Selection, traffic: TrafficFilter, name: CoveredRateName) {
    this.rates = new Float64Array(size).fill(Number.NaN);
    this.#traffic = traffic;
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
      if (team) writeRateParts(sumsOfCampaign(campaign), this.#name, this.#own);
      if (positions[next] === position) {
        if (team) this.rates[start + next] = this.#rateBefore(team, sentAt);
        next += 1;
      }
      team?.add(sentAt, this.#own);
    };
  }

  #sumsOf(team: string | null): SlidingSums | undefined {
    if (team === null || team === "") return undefined;
    const known = this.#teams.get(team);
    if (known) return known;
    const sums = new SlidingSums(ratePartsLength);
    this.#teams.set(team, sums);
    return sums;
  }

  /** Of the team; NaN if there is none that the campaign can be compared with. */
  #rateBefore(team: SlidingSums, sentAt: number): number {
    team.sum(sentAt - usualDays * dayMs, sentAt, this.#ofTeam);
    const [own, ofTeam] = [readRateParts(this.#own), readRateParts(this.#ofTeam)];
    const canCompare = isComparable(own, this.#traffic) && isComparable(ofTeam, this.#traffic);
    return (canCompare ? rateOfTeam(ofTeam) : null) ?? Number.NaN;
  }
}
