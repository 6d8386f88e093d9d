// Random text that breaks expectations, and random ways to write it in a URL or a token.

import type { Random } from "../../test/support/histories.ts";

const oddTexts: readonly string[] = [
  ...[
    "",
    " ",
    "\0",
    "\r\n",
    "\t",
    "'",
    '"',
    "`",
    "<script>",
    "$(x)",
    "{{x}}",
    "../../etc/passwd",
    ";--",
    "\\",
  ],
  ...[
    "é",
    "e\u0301",
    "ﷺ",
    "😀",
    "👩‍👩‍👧‍👦",
    "\ud800",
    "\u202e",
    "\ufeff",
    "\u0000\u0001",
    "İ",
    "ß",
    "Ａ１",
    "٣",
    "\uffff",
  ],
  ...[
    "0",
    "-0",
    "-1",
    "+1",
    "01",
    "1.0",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
  ],
  ...["2147483648", "9007199254740991", "9007199254740992", "18446744073709551616", "1".repeat(400)],
  ...[
    "2026-02-30",
    "2026-01-01T25:00:00Z",
    "0000-01-01",
    "9999-12-31",
    "275760-09-13",
    "2026-01-01T00:00:00+99:99",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "x".repeat(5_000)],
];

export function oddText(random: Random): string {
  return random.chance(20) ? random.pick(oddTexts) + random.pick(oddTexts) : random.pick(oddTexts);
}

const brokenEscapes = [
  "%",
  "%f",
  "%ff",
  "%00",
  "%0d%0a",
  "%c0%af",
  "%ed%a0%80",
  "%u0041",
  "%2f..%2f",
  "%25",
  "#",
];

/** Percent-encodes text, sometimes twice or wrong. The result has only characters that a request line may have. */
export function encodeOddly(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  const way = random.between(1, 10);
  if (way === 1) return encodeURIComponent(encoded);
  if (way === 2) return encoded.replaceAll("%20", "+");
  if (way === 3) return encoded.toLowerCase();
  if (way === 4) return encoded + random.pick(brokenEscapes);
  return encoded;
}

/** Changes a segment of a URL that cannot be guessed: another letter, a part of it, more than it, or other text. */
export function changeToken(random: Random, token: string): string {
  const at = random.between(0, token.length);
  const way = random.between(1, 6);
  if (way === 1) return token.slice(0, at);
  if (way === 2)
    return token.slice(0, at) + random.pick(["A", "-", "_", ".", "%41", "~"]) + token.slice(at + 1);
  if (way === 3) return token + token;
  if (way === 4) return token.slice(0, at) + encodeOddly(random, oddText(random)) + token.slice(at);
  if (way === 5) return encodeOddly(random, oddText(random));
  return token.toUpperCase();
}
