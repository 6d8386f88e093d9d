// Folds texts, so that a search finds equal texts in any spelling.

/** How many characters of a subject are searched. */
const searchedLength = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII starts there
const ascii = /^[\x00-\x7f]*$/;

/**
 * Folds letter case and Unicode composition, so that equal texts compare equal. Processes only the beginning of a long
 * text: malicious input can take seconds to normalize.
 */
export function foldCase(text: string): string {
  const searched = text.slice(0, searchedLength);
  if (ascii.test(searched)) return searched.toLowerCase();
  const folded = searched.toWellFormed().normalize("NFC").toUpperCase().toLowerCase();
  // Lower-case "İ" is an "i" with a combining dot.
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}
