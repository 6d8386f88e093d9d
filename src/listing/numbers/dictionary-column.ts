// Columns of texts or ids of which many campaigns have the same: each different value is stored once.

import { bytesPerArray } from "./number-column.ts";

type Codes = Uint8Array | Uint16Array | Uint32Array;

/** One value per campaign. */
export interface ValueColumn<Value> {
  /** The different values. */
  values: readonly Value[];
  /** Of each campaign, where its value is in `values`. */
  codes: Codes;
}

/** Any number of values per campaign. */
export interface ListColumn<Value> {
  values: readonly Value[];
  /** Where the codes of each campaign start, and the end of the last. */
  starts: Uint32Array;
  codes: Codes;
}

class Dictionary<Value> {
  readonly #codes = new Map<Value, number>();

  codeOf(value: Value): number {
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    this.#codes.set(value, this.#codes.size);
    return this.#codes.size - 1;
  }

  get values(): Value[] {
    return [...this.#codes.keys()];
  }
}

export function encodeValues<Value>(values: readonly Value[]): ValueColumn<Value> {
  const dictionary = new Dictionary<Value>();
  const codes = values.map((value) => dictionary.codeOf(value));
  return { values: dictionary.values, codes: compact(codes, dictionary.values.length) };
}

export function encodeLists<Value>(lists: readonly (readonly Value[])[]): ListColumn<Value> {
  const dictionary = new Dictionary<Value>();
  const starts = new Uint32Array(lists.length + 1);
  const codes: number[] = [];
  for (const [at, list] of lists.entries()) {
    for (const value of list) codes.push(dictionary.codeOf(value));
    starts[at + 1] = codes.length;
  }
  return { values: dictionary.values, starts, codes: compact(codes, dictionary.values.length) };
}

export function valueAt<Value>({ values, codes }: ValueColumn<Value>, at: number): Value {
  return values[codes[at] as number] as Value;
}

export function listAt<Value>({ values, starts, codes }: ListColumn<Value>, at: number): Value[] {
  return Array.from(codes.subarray(starts[at], starts[at + 1]), (code) => values[code] as Value);
}

/** Whether the list of a campaign has one of some codes. */
export function hasAnyCode(
  { starts, codes }: ListColumn<unknown>,
  at: number,
  wanted: ReadonlySet<number>,
): boolean {
  const end = starts[at + 1] as number;
  for (let index = starts[at] as number; index < end; index++) {
    if (wanted.has(codes[index] as number)) return true;
  }
  return false;
}

function compact(codes: readonly number[], values: number): Codes {
  if (values <= 2 ** 8) return Uint8Array.from(codes);
  return values <= 2 ** 16 ? Uint16Array.from(codes) : Uint32Array.from(codes);
}

/** Approximate memory. */
export function bytesOfDictionary(column: ValueColumn<unknown> | ListColumn<unknown>): number {
  const starts = "starts" in column ? column.starts.byteLength + bytesPerArray : 0;
  const values = column.values.reduce<number>((sum, value) => sum + bytesOfValue(value), 0);
  return starts + column.codes.byteLength + bytesPerArray + values;
}

function bytesOfValue(value: unknown): number {
  return typeof value === "string" ? 32 + 2 * value.length : 8;
}
