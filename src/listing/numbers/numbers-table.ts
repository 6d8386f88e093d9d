// The numbers of all campaigns of an organization, in compact columns in memory. They show one revision and do not change.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change } from "../../storage/campaigns/changes.ts";
import { changeChunks, type NumbersChange } from "./numbers-change.ts";
import type { NumbersChunk } from "./numbers-chunk.ts";

/** What identifies a state of the numbers. */
export interface NumbersState {
  /** Of the organization. */
  revisionId: number;
  /** The last changes of campaigns that the numbers have, in their order. */
  changes: readonly Change[];
  /** Whether the numbers may lack later changes. */
  isBehind: boolean;
}

/** An object of three numbers in memory. */
const bytesPerChange = 90;

export class NumbersTable {
  readonly state: NumbersState;
  /** In order of time, without empty ones. */
  readonly chunks: readonly NumbersChunk[];
  /** Campaigns. */
  readonly size: number;
  /** Approximate memory. */
  readonly bytes: number;

  constructor(state: NumbersState, chunks: readonly NumbersChunk[]) {
    this.state = state;
    this.chunks = chunks;
    this.size = chunks.reduce((sum, { ids }) => sum + ids.length, 0);
    this.bytes = chunks.reduce((sum, { bytes }) => sum + bytes, bytesPerChange * state.changes.length);
  }

  get revisionId(): number {
    return this.state.revisionId;
  }

  get isBehind(): boolean {
    return this.state.isBehind;
  }

  /** The numbers after a change; both share the chunks that the change does not touch. */
  async after(state: NumbersState, change: NumbersChange): Promise<NumbersTable> {
    await nextTurn();
    return new NumbersTable(state, await changeChunks(this.chunks, change));
  }
}
