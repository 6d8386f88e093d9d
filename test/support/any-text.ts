// Random text of any characters, without unpaired surrogates. fast-check's `unit: "binary"` is the same, but its first use
// in a process lists all characters of Unicode, which takes a second.

import fc, { type StringConstraints } from "fast-check";

const character = fc
  .oneof(fc.nat(0xff), fc.nat(0xffff), fc.nat(0x10ffff))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

export const anyText = (constraints: Omit<StringConstraints, "unit"> = {}) =>
  fc.string({ ...constraints, unit: character });
