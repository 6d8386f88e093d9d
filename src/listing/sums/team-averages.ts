// What campaigns are compared with: the rates of their team in the year before each.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { rangedRate } from "../../campaign/campaign-number.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { type Ranged, type Spread, spreadNames, spreadOf } from "../../campaign/ranges.ts";
import { type UsualRate, usualOf } from "../../campaign/rate-ranges.ts";
import {
  type CoveredRateName,
  isComparable,
  type RateParts,
  ratePartNames,
  readRateParts,
} from "../../campaign/sum-rates.ts";
import { isStillCounting, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { teamKeyOf } from "../../storage/campaigns/teams.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignRates, findRates } from "../../storage/sums/find-values.ts";

/** How long before a campaign the others of its team were sent. */
export const averagedDays = 365;
/** Fewer campaigns with a rate make no average. */
export const minAveraged = 3;

/** The usual rate of a team with the range that its campaigns are usually in; null from too few campaigns. */
export function usualOfTeam(parts: RateParts, name: CoveredRateName, spread: Spread): UsualRate | null {
  return parts.from < minAveraged ? null : usualOf(parts, name, spread);
}

/** A rate that can be compared with that of the team; null while the campaign is still counting. */
export function comparedRate(
  stored: StoredCampaign,
  traffic: TrafficFilter,
  name: CoveredRateName,
): Ranged | null {
  return isStillCounting(stored) ? null : rangedRate(stored, traffic, name);
}

interface ComparedCampaign {
  id: number;
  sentAt: number;
  team: string | null;
}

interface ComparedRates {
  /** The rates of the campaign, if it is published. */
  own: CampaignRates | undefined;
  /** The parts and the spreads of the rates of its team in the year before. */
  team: Float64Array;
}

/** The average rates of the teams of some campaigns, by the ids of the campaigns. */
export class TeamAverages {
  readonly #comparisons = new Map<number, ComparedRates>();
  readonly #names: readonly CoveredRateName[];
  readonly #traffic: TrafficFilter;

  /** @param rates those of the teams, newest first, from a year before the first campaign on */
  constructor(
    campaigns: Iterable<ComparedCampaign>,
    rates: readonly CampaignRates[],
    { names, traffic }: { names: readonly CoveredRateName[]; traffic: TrafficFilter },
  ) {
    this.#names = names;
    this.#traffic = traffic;
    const teams = new Map<string | null, TeamRates>();
    for (const [team, own] of Map.groupBy(rates.toReversed(), ({ team }) => team)) {
      teams.set(team, new TeamRates(own));
    }
    const published = new Map(rates.map((each) => [each.id, each]));
    for (const { id, sentAt, team } of campaigns) {
      const own = team ? teams.get(teamKeyOf(team)) : undefined;
      if (!own) continue;
      const sums = own.sum(sentAt - averagedDays * dayMs, sentAt);
      this.#comparisons.set(id, { own: published.get(id), team: sums });
    }
  }

  /** Null if there is none to compare with, also without a team. @param name one of those that were asked for */
  of(id: number, name: CoveredRateName): UsualRate | null {
    const compared = this.#comparisons.get(id);
    if (!compared || !this.isComparable(id, name)) return null;
    const start = this.#indexOf(name) * teamWidth;
    const [partSquares = 0, products = 0, wholeSquares = 0, wholeCubes = 0] = compared.team.subarray(
      start + ratePartNames.length,
      start + teamWidth,
    );
    const spread = { partSquares, products, wholeSquares, wholeCubes };
    return usualOfTeam(readRateParts(compared.team, start), name, spread);
  }

  /** Whether the campaign and its team are {@link isComparable comparable}. */
  isComparable(id: number, name: CoveredRateName): boolean {
    const { own, team } = this.#comparisons.get(id) ?? {};
    const index = this.#indexOf(name);
    return (
      (!own || isComparable(readRateParts(own.parts, index * ratePartNames.length), this.#traffic)) &&
      (!team || isComparable(readRateParts(team, index * teamWidth), this.#traffic))
    );
  }

  /** Returns the rates of a published campaign with a team. */
  ratesOf(id: number): CampaignRates | undefined {
    return this.#comparisons.get(id)?.own;
  }

  #indexOf(name: CoveredRateName): number {
    const index = this.#names.indexOf(name);
    if (index === -1) throw new RangeError(`the average of ${name} was not asked for`);
    return index;
  }
}

export async function findTeamAverages(
  scope: Scope,
  campaigns: readonly ComparedCampaign[],
  options: { names: readonly CoveredRateName[]; traffic: TrafficFilter },
): Promise<TeamAverages> {
  const withTeam = campaigns.filter(({ team }) => team !== null && team !== "");
  if (withTeam.length === 0 || options.names.length === 0) return new TeamAverages([], [], options);
  let [first, last] = [Infinity, -Infinity];
  for (const { sentAt } of withTeam) {
    first = Math.min(first, sentAt);
    last = Math.max(last, sentAt);
  }
  const filter = {
    traffic: options.traffic,
    teams: [...new Set(withTeam.map(({ team }) => team ?? ""))],
    sentFrom: first - averagedDays * dayMs,
    sentUntil: last + 1,
  };
  const rates = await findRates(scope, filter, options.names);
  return new TeamAverages(withTeam, rates, options);
}

/** The parts of a rate, and its spread. */
const teamWidth = ratePartNames.length + spreadNames.length;

/** Writes what a campaign adds to the parts and the spread of each rate. */
function writeRow(to: Float64Array, { parts }: CampaignRates): void {
  const width = ratePartNames.length;
  for (let from = 0, at = 0; from < parts.length; from += width, at += teamWidth) {
    for (let index = 0; index < width; index++) to[at + index] = parts[from + index] ?? 0;
    const { part, whole } = readRateParts(parts, from);
    const spread = spreadOf(part, whole);
    for (const [index, name] of spreadNames.entries()) to[at + width + index] = spread[name];
  }
}

/** Rows whose sums are added up once. */
const blockSize = 64;

/** Sums over spans of time. Nothing is subtracted: the rest of a large number would hide small ones. */
class TeamRates {
  readonly #times: readonly number[];
  readonly #width: number;
  /** The parts of each row, one row after the other. */
  readonly #rows: Float64Array;
  /** The sums of each {@link blockSize} consecutive rows. */
  readonly #blocks: Float64Array;

  /** @param rates in order of time */
  constructor(rates: readonly CampaignRates[]) {
    this.#times = rates.map(({ sentAt }) => sentAt);
    const width = ((rates[0]?.parts.length ?? 0) / ratePartNames.length) * teamWidth;
    this.#width = width;
    this.#rows = new Float64Array(rates.length * width);
    for (const [row, each] of rates.entries()) {
      writeRow(this.#rows.subarray(row * width, (row + 1) * width), each);
    }
    this.#blocks = new Float64Array(Math.ceil(rates.length / blockSize) * width);
    for (let row = 0; row < rates.length; row++) {
      const block = Math.floor(row / blockSize) * width;
      this.#add(this.#rows, row, this.#blocks.subarray(block, block + width));
    }
  }

  /** @param until exclusive */
  sum(from: number, until: number): Float64Array {
    const sums = new Float64Array(this.#width);
    const end = this.#indexOf(until);
    for (let row = this.#indexOf(from); row < end; ) {
      const isBlock = row % blockSize === 0 && row + blockSize <= end;
      if (isBlock) this.#add(this.#blocks, row / blockSize, sums);
      else this.#add(this.#rows, row, sums);
      row += isBlock ? blockSize : 1;
    }
    return sums;
  }

  /** Returns the index of the first campaign that was not sent before an instant. */
  #indexOf(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Adds a row to sums. */
  #add(rows: Float64Array, row: number, sums: Float64Array): void {
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (rows[row * this.#width + at] ?? 0);
  }
}
