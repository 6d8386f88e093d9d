// What `doctor` says of a database.

import assert from "node:assert/strict";
import { run } from "./world.ts";

type Finding = [check: string, status: string, message: string];

/** The findings of `doctor` that are not ok. */
export async function findingsOf(
  databaseUrl: string,
  options: string[] = [],
  given: Parameters<typeof run>[2] = {},
): Promise<Finding[]> {
  const { rows } = await run(databaseUrl, ["doctor", ...options, "--json"], given);
  return rows
    .filter(({ status }) => status !== "ok")
    .map(({ check, status, message }) => [`${check}`, `${status}`, `${message}`]);
}

/** Compares findings with what each has to say, such as `keys warning: API key 1 expires …`. */
export function assertFindings(findings: readonly Finding[], expected: readonly RegExp[]): void {
  const found = findings.map(([check, status, message]) => `${check} ${status}: ${message}`);
  assert.equal(found.length, expected.length, found.join("\n"));
  for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? "", pattern);
}

/** Checks the whole database. @returns what is damaged or does not add up, or why the database cannot be opened */
export async function damageOf(databaseUrl: string): Promise<string[]> {
  const { rows } = await run(databaseUrl, ["doctor", "--full", "--json"]);
  const isOpen = rows.some(({ check }) => check === "damage");
  const checks = isOpen ? ["damage", "numbers"] : ["settings", "database"];
  return rows
    .filter(({ check, status }) => status !== "ok" && checks.includes(`${check}`))
    .map(({ message }) => `${message}`);
}
