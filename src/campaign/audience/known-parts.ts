// What readers know the sum of in a campaign: each released group, what the withheld groups of an attribute have together,
// and the campaign as a whole.

import type { GroupsByAttribute } from "../events/recipient.ts";
import { groupsIn } from "./groups-in.ts";

/** The recipients who share the group of every attribute. */
export interface Combination {
  groups: GroupsByAttribute;
  recipients: number;
  /** Recipients with an event. */
  active: number;
  enpsReactions: number;
}

/** Recipients of whom the sum is known. */
export interface Part {
  /** Undefined for the withheld groups of an attribute, and for the campaign. */
  groupId: number | undefined;
  /** The position of its attribute; the last one for the campaign. */
  position: number;
  /** The index in {@link KnownParts.all}. */
  index: number;
  /** The combinations that it consists of, by their number. */
  cells: number[];
  weight: number;
}

/** The parts of a campaign while groups are withheld one by one. Cells are in arrays, because searches visit them often. */
export class KnownParts {
  /** The weight of each cell. */
  readonly weights: Float64Array;
  /** All parts, including those without cells. */
  readonly all: Part[] = [];
  readonly campaign: Part;
  /** The withheld groups of each attribute together, by its position. */
  readonly rests: readonly Part[];
  /** The released groups by their ids. */
  readonly released = new Map<number, Part>();
  /** The index of the part, by cell and position. */
  readonly #parts: Int32Array;
  readonly #width: number;

  /**
   * @param weightOf cells of weight 0 are left out
   * @param isCandidate whether a group is released at first
   */
  constructor(
    combinations: readonly Combination[],
    attributeIds: readonly number[],
    weightOf: (of: Combination) => number,
    isCandidate: (groupId: number) => boolean,
  ) {
    const weighted = combinations.filter((each) => weightOf(each) > 0);
    this.weights = Float64Array.from(weighted, weightOf);
    this.rests = attributeIds.map((_, position) => this.#addPart(position));
    this.campaign = this.#addPart(attributeIds.length);
    this.#width = attributeIds.length + 1;
    this.#parts = new Int32Array(weighted.length * this.#width);
    for (const [cell, { groups }] of weighted.entries()) {
      const groupIds = groupsIn(attributeIds, groups);
      for (const [position, id] of attributeIds.entries()) {
        const groupId = groupIds[id] as number;
        const group = () => this.released.get(groupId) ?? this.#addPart(position, groupId);
        this.#addCells(isCandidate(groupId) ? group() : (this.rests[position] as Part), [cell]);
      }
      this.#addCells(this.campaign, [cell]);
    }
  }

  #addPart(position: number, groupId?: number): Part {
    const part: Part = { groupId, position, index: this.all.length, cells: [], weight: 0 };
    this.all.push(part);
    if (groupId !== undefined) this.released.set(groupId, part);
    return part;
  }

  #addCells(part: Part, cells: readonly number[]): void {
    for (const cell of cells) {
      part.cells.push(cell);
      part.weight += this.weights[cell] as number;
      this.#parts[cell * this.#width + part.position] = part.index;
    }
  }

  /** The index of the part that has a cell. */
  indexAt(cell: number, position: number): number {
    return this.#parts[cell * this.#width + position] as number;
  }

  withhold(group: Part): void {
    this.released.delete(group.groupId as number);
    this.#addCells(this.rests[group.position] as Part, group.cells);
    Object.assign(group, { cells: [], weight: 0 });
  }

  /**
   * Withholds the smallest of the parts of each small sum. Of a rest it withholds the smallest group of the
   * attribute, because one more withheld group changes what the withheld ones have together.
   *
   * @param findSum returns the parts of one
   * @returns whether it withheld any
   */
  withholdEach(findSum: () => readonly Part[] | undefined): boolean {
    let hasWithheld = false;
    for (;;) {
      const groups = (findSum() ?? []).flatMap((part) =>
        part.groupId === undefined
          ? [...this.released.values()].filter(({ position }) => position === part.position)
          : [part],
      );
      const [smallest] = groups.sort((a, b) => a.weight - b.weight || Number(a.groupId) - Number(b.groupId));
      if (!smallest) return hasWithheld;
      this.withhold(smallest);
      hasWithheld = true;
    }
  }
}
