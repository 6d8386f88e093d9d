// Folds texts, so that equal texts in any spelling compare equal: in a search, and as names.

/** How many characters are compared. */
const comparedLength = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII starts there
const ascii = /^[\x00-\x7f]*$/;

/**
 * Folds letter case and Unicode composition, so that equal texts compare equal. Processes only the beginning of a long
 * text: malicious input can take seconds to normalize.
 */
export function foldCase(text: string): string {
  const compared = text.slice(0, comparedLength);
  if (ascii.test(compared)) return compared.toLowerCase();
  const folded = compared.toWellFormed().normalize("NFC").toUpperCase().toLowerCase();
  // Lower-case "İ" is an "i" with a combining dot.
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}
