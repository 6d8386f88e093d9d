// Versions of the time zone database as numbers, so that a newer one is a larger number.

/** All numbers are smaller than this. */
export const timeZoneDataNumbers = 100_000;

/**
 * The number of a version such as `2026c` of the IANA time zone database. ICU appends a digit if it corrects its own copy.
 *
 * @param version undefined in a program without time zone data, which counts as the oldest
 * @throws Error if the version has another form
 */
export function timeZoneDataNumber(version: string | undefined): number {
  if (version === undefined) return 0;
  const parts = /^20(\d\d)([a-z])(\d?)$/.exec(version);
  if (!parts) throw new Error(`the version ${version} of the time zone database is not of the form 2026c`);
  const [, year, letter = "", correction = ""] = parts;
  return (Number(year) * 26 + letter.charCodeAt(0) - "a".charCodeAt(0)) * 10 + Number(correction);
}
