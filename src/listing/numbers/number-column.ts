// A column of numbers or nulls, in the smallest typed array that holds its values.

/** All values if they are equal, otherwise an array. NaN is null, and the largest number of an array of integers. */
export type NumberColumn = number | Uint8Array | Uint16Array | Uint32Array | Float64Array;

const integerArrays = [
  { make: (length: number) => new Uint8Array(length), null: 2 ** 8 - 1 },
  { make: (length: number) => new Uint16Array(length), null: 2 ** 16 - 1 },
  { make: (length: number) => new Uint32Array(length), null: 2 ** 32 - 1 },
] as const;

/** @param values NaN for null; copied */
export function encodeColumn(values: Float64Array): NumberColumn {
  const [first = Number.NaN] = values;
  let [isConstant, isInteger, most] = [true, true, 0];
  for (const value of values) {
    if (!Object.is(value, first)) isConstant = false;
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value) || value < 0 || Object.is(value, -0)) isInteger = false;
    if (value > most) most = value;
  }
  if (isConstant) return first;
  const smallest = isInteger ? integerArrays.find((each) => most < each.null) : undefined;
  if (!smallest) return values.slice();
  const column = smallest.make(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    column[at] = Number.isNaN(value) ? smallest.null : value;
  }
  return column;
}

/** @param into as long as the column, or longer */
export function decodeColumn(column: NumberColumn, into: Float64Array): void {
  if (typeof column === "number") {
    into.fill(column);
    return;
  }
  into.set(column);
  if (column instanceof Float64Array) return;
  const marker = 2 ** (8 * column.BYTES_PER_ELEMENT) - 1;
  for (let at = 0; at < column.length; at++) if (into[at] === marker) into[at] = Number.NaN;
}

/** Approximate memory. */
export function bytesOfColumn(column: NumberColumn): number {
  return typeof column === "number" ? 16 : column.byteLength + bytesPerArray;
}

/** A typed array with its buffer. */
export const bytesPerArray = 150;
