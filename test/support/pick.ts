// Reads fields of rows, as tests compare them.

/** The value of a field in each row; of several fields, a list of values for each row. */
export function pick<Row extends object, Name extends keyof Row>(
  rows: readonly Row[],
  name: Name,
): Row[Name][];
export function pick<Row extends object>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][];
export function pick<Row extends object>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[] {
  const [first] = names;
  if (first !== undefined && names.length === 1) return rows.map((row) => row[first]);
  return rows.map((row) => names.map((name) => row[name]));
}
