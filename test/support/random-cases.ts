// How many random cases a property test tries.

/** `TEST_CASES_FACTOR` multiplies the number, for a longer search. */
export function randomCases(count: number): number {
  return Math.ceil(count * Number(process.env.TEST_CASES_FACTOR ?? 1));
}
