// Chooses the language of a page from the languages that its reader prefers.

/** The languages that texts are written in, as BCP 47 tags. */
export const languages = ["en", "de", "fr", "sv", "es"] as const;
export type Language = (typeof languages)[number];

interface PreferredLanguage {
  language: Language;
  /** The region as in BCP 47, such as `CH` or `419`; undefined if the browser names none. */
  region: string | undefined;
}

/**
 * Returns the language that a browser prefers most, by weight, then by position: `de-CH` and `de` both give German. Without
 * a match, English. (RFC 9110, 12.5.4, with the look-up of RFC 4647, 3.4.)
 *
 * @param acceptLanguage the request header, such as `de-CH, fr;q=0.8`
 */
export function preferredLanguage(acceptLanguage: string | undefined): PreferredLanguage {
  const ranges = (acceptLanguage ?? "").split(",").map(parseRange);
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { primary, region } of accepted) {
    const language = languages.find((each) => each === primary);
    if (language) return { language, region };
  }
  return { language: "en", region: undefined };
}

/** A language range. A weight that is no number counts as 0. */
function parseRange(range: string): { primary: string; region: string | undefined; weight: number } {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
  return {
    primary: tag.split("-")[0] ?? "",
    region: /^[a-z]+-([a-z]{2}|\d{3})$/.exec(tag)?.[1]?.toUpperCase(),
    weight: Number(weight) || 0,
  };
}
