// What `demo` prints, and the commands in it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { normalize, shownCommands } from "./shown-commands.ts";

/** Asserts that the output is what the README shows, and that its commands work. */
export async function checkPrintedDemo(output: string): Promise<void> {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const shown = shownCommands(readme).find(({ text }) => text === "demo");
  const lines = output.split("\n").map(normalize);
  const printed = lines.filter((line) => line !== "");
  assert.deepEqual(printed, shown?.lines.map(normalize));

  const commands = [...output.matchAll(/curl -H "Authorization: (Bearer [^"]+)" "([^"]+)"/g)];
  const totals: number[] = [];
  for (const [, authorization = "", url = ""] of commands) {
    const answer = await fetch(url, { headers: { authorization } });
    assert.equal(answer.status, 200);
    const { emails, meta } = (await answer.json()) as { emails: unknown[]; meta: { total_entries: number } };
    assert.ok(emails.length > 0);
    totals.push(meta.total_entries);
  }
  const [, sent, counted] = /sent (\d+) campaigns since 2023; the (\d+) of/.exec(output) ?? [];
  const [all, june, newsletters = 0] = totals;
  assert.deepEqual([all, june], [Number(sent), 13]);
  // Weekly since 2023.
  assert.ok(newsletters > 150 && newsletters < Number(sent) / 2);

  const [, authorization = "", url = ""] = commands[2] ?? [];
  await assertNoSeam(Number(counted), async (page) => {
    const path = new URL(`/data_api/v1/emails?per_page=100&page=${page}`, url);
    const answer = await fetch(path, { headers: { authorization } });
    return ((await answer.json()) as { emails: EmailRecord[] }).emails;
  });
}

type EmailRecord = Record<string, unknown>;

/** Compares the campaigns that are counted, which are the latest, with as many imported ones before them. */
async function assertNoSeam(counted: number, read: (page: number) => Promise<EmailRecord[]>): Promise<void> {
  const records = (await Promise.all([1, 2, 3].map(read))).flat();
  assert.ok(records.length >= 2 * counted);
  const sum = (some: EmailRecord[], name: string) =>
    some.reduce((total, record) => total + Number(record[name]), 0);
  for (const [part, whole] of [
    ["recipient_count", undefined],
    ["unique_opens", "recipient_count"],
    ["unique_clicks", "unique_opens"],
    ["total_opens", "unique_opens"],
    ["enps_reactions_count", "unique_opens"],
    ["mobile_open_rate", undefined],
    ["read_time_read", undefined],
  ] as const) {
    const [after, before] = [records.slice(0, counted), records.slice(counted, 2 * counted)].map(
      (some) => sum(some, part) / (whole === undefined ? some.length : sum(some, whole)),
    );
    const ratio = Number(after) / Number(before);
    assert.ok(ratio > 0.75 && ratio < 1.33, `${part}: ${before} imported, ${after} counted`);
  }
}
