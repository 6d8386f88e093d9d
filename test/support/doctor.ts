// What `doctor` says of a database.

import { run } from "./world.ts";

/** The findings of `doctor` that are not ok. */
export async function findingsOf(
  databaseUrl: string,
  options: string[] = [],
  given: Parameters<typeof run>[2] = {},
): Promise<[check: string, status: string, message: string][]> {
  const { rows } = await run(databaseUrl, ["doctor", ...options, "--json"], given);
  return rows
    .filter(({ status }) => status !== "ok")
    .map(({ check, status, message }) => [`${check}`, `${status}`, `${message}`]);
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
