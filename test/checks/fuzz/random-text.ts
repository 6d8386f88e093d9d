// Random text that breaks expectations, and random changes of documents, URLs and tokens.

import type { Random } from "../../support/histories.ts";

const oddTexts: readonly string[] = [
  ...["", " ", "\0", "\r\n", "\t", "\ud800", "\u202e", "\ufeff", "\u0000\u0001", "\uffff", "e\u0301"],
  ...`' " \` \\ ;-- <script> $(x) {{x}} ../../etc/passwd é ﷺ 😀 👩‍👩‍👧‍👦 İ ß Ａ１ ٣`.split(" "),
  ..."0 -0 -1 +1 01 1.0 1e3 0x10 NaN Infinity null undefined true [] {}".split(" "),
  ..."2147483648 9007199254740991 9007199254740992 18446744073709551616".split(" "),
  ..."2026-02-30 2026-01-01T25:00:00Z 0000-01-01 9999-12-31 275760-09-13 2026-01-01T00:00:00+99:99".split(
    " ",
  ),
  ..."__proto__ constructor toString hasOwnProperty".split(" "),
  ...["1".repeat(400), "x".repeat(5_000), "ﷺ".repeat(300)],
];

export function oddText(random: Random): string {
  return random.chance(20) ? random.pick(oddTexts) + random.pick(oddTexts) : random.pick(oddTexts);
}

const brokenEscapes = "% %f %ff %00 %0d%0a %c0%af %ed%a0%80 %u0041 %2f..%2f %25 %23".split(" ");

/** Percent-encodes text, sometimes twice or wrong. The result has only characters that a request line may have. */
export function encodeOddly(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  const way = random.between(1, 10);
  if (way === 1) return encodeURIComponent(encoded);
  if (way === 2) return encoded.replaceAll("%20", "+");
  if (way === 3) return encoded.toLowerCase();
  return way === 4 ? encoded + random.pick(brokenEscapes) : encoded;
}

/** Odd text in a URL. */
export const oddSegment = (random: Random) => encodeOddly(random, oddText(random));

/** Changes a segment of a URL that cannot be guessed: another letter, a part of it, more than it, or other text. */
export function changeToken(random: Random, token: string): string {
  const at = random.between(0, token.length);
  const letter = random.pick(["A", "-", "_", ".", "%41", "~"]);
  return random.pick([
    token.slice(0, at),
    token.slice(0, at) + letter + token.slice(at + 1),
    token + token,
    token.slice(0, at) + oddSegment(random) + token.slice(at),
    oddSegment(random),
    token.toUpperCase(),
  ]);
}

const oddValues = [null, true, false, 0, -1, 1e308, 2 ** 60, 0.1, [], {}, [[]], [null, 1, "a", {}]];

/** Replaces, removes, nests or duplicates a random value of a document. */
export function changeValue(random: Random, document: unknown): unknown {
  const copy = { root: structuredClone(document) };
  let parent: Record<string, unknown> | unknown[] = copy;
  let name: string | number = "root";
  for (;;) {
    const value: unknown = (parent as Record<string, unknown>)[name];
    if (typeof value !== "object" || value === null || random.chance(10)) break;
    const names: string[] = Object.keys(value);
    if (names.length === 0) break;
    parent = value as Record<string, unknown>;
    name = random.pick(names);
  }
  const fields = parent as Record<string, unknown>;
  const what = random.between(1, 5);
  if (what === 1 && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (what === 1) delete fields[name];
  else if (what === 2 && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]));
  else if (what === 3) fields[name] = nest(random.between(1, 3_000), fields[name]);
  else fields[name] = random.chance(50) ? oddText(random) : random.pick(oddValues);
  return copy.root;
}

function nest(depth: number, value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
}

const usualTokens = '" } [ \\ \0 e9 é ,'.split(" ");

/** Removes, repeats, moves or inserts a piece, once or some times. @param tokens what means something in the format */
export function changeText(random: Random, text: string, tokens = usualTokens): string {
  let changed = text;
  for (let changes = random.between(1, 4); changes > 0; changes--) {
    const from = random.between(0, changed.length);
    const until = Math.min(changed.length, from + random.between(0, 40));
    const piece = changed.slice(from, until);
    const inserted = random.pick([
      ...["", random.pick(tokens), oddText(random), piece + piece, piece.toUpperCase()],
      random.pick([random.pick(tokens), piece, "x"]).repeat(10 ** random.between(1, 4)),
      changed.slice(0, random.between(0, 200)),
    ]);
    changed = changed.slice(0, from) + inserted + changed.slice(random.chance(50) ? from : until);
  }
  return changed;
}

/** A document as JSON, mostly changed. */
export function changedJson(random: Random, document: unknown): string {
  if (random.chance(20)) return JSON.stringify(document);
  if (random.chance(40)) return changeText(random, JSON.stringify(document));
  return JSON.stringify(changeValue(random, document)) ?? "";
}
