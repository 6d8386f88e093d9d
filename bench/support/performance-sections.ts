// The sections of docs/performance.md: each benchmark with `--write` replaces its own, between two comments.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(import.meta.dirname, "..", "..", "docs", "performance.md");

/** @param benchmark its name in `npm run bench -- NAME` */
export function writeSection(benchmark: string, text: string): void {
  const [start, end] = [`<!-- bench ${benchmark} -->`, `<!-- end of bench ${benchmark} -->`];
  const before = readFileSync(page, "utf8");
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no section "${start}".`);
  writeFileSync(page, `${before.slice(0, from + start.length)}\n${text.trim()}\n${before.slice(to)}`);
  console.log(`The section "${benchmark}" of docs/performance.md was written.`);
}
