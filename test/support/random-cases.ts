// How many random cases a property test tries. `npm test` tries few; `npm run verify -- properties` tries ten times as
// many, or any other factor.

/** The variable that multiplies the number of cases. */
export const casesVariable = "TEST_CASES_FACTOR";

export function randomCases(count: number): number {
  return Math.ceil(count * Number(process.env[casesVariable] ?? 1));
}
