// Reads generated campaign files. Each is read as what it means, asked about, or refused with its line; none is read wrong
// without a word.

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import test from "node:test";
import { instantOfWallTime } from "../../../src/campaign/calendar/time-zone.ts";
import type { EmailRecordField } from "../../../src/campaign/record-fields.ts";
import type { ReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { FileResult } from "../../../src/counting/import/import-total.ts";
import { Warnings } from "../../../src/counting/import/import-warnings.ts";
import { parseEntries } from "../../../src/counting/import/parse-entries.ts";
import { Random } from "../../support/histories.ts";
import { entriesOf } from "../../support/import-files.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { type GeneratedFile, generateFile, timeZone } from "./generate-file.ts";

const files = randomCases(400, 20_000);

test("reads generated files as what they mean, asks, or refuses them with the line", async () => {
  const outcomes = { right: 0, asked: 0, refused: 0 };
  const refusals = new Map<string, number>();
  for (let seed = 1; seed <= files; seed++) {
    const file = generateFile(new Random(seed));
    const { reported, problem, needsDateOrder } = await readFile(file);
    if (problem === undefined) {
      assert.deepEqual(
        reported.map((campaign, index) => difference(campaign, file, index)),
        file.meanings.map(() => ""),
        `seed ${seed}: ${file.forms}`,
      );
      outcomes.right += 1;
    } else if (needsDateOrder) outcomes.asked += 1;
    else {
      assert.match(problem, /^(?:line \d+|file)/);
      outcomes.refused += 1;
      const kind = problem.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, "…").slice(0, 120);
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
    }
  }
  assert.ok(outcomes.right > files / 2, JSON.stringify(outcomes));
  report(`${files} files: ${JSON.stringify(outcomes)}`);
  for (const [kind, count] of refusals) report(`  ${count} refused: ${kind}`);
});

async function readFile({ content, columns }: GeneratedFile) {
  const result = new FileResult(new Warnings());
  const entries = await entriesOf(content, 65_536, { timeZone, columns });
  const reported: ReportedCampaign[] = [];
  for await (const entry of parseEntries(Readable.from(entries), timeZone, result))
    reported.push(entry.reported);
  return { reported, problem: result.errors[0], needsDateOrder: result.needsDateOrder };
}

/** What differs between a campaign and what its row means; empty if nothing does. */
function difference({ campaign, metrics }: ReportedCampaign, file: GeneratedFile, index: number): string {
  const { meanings, columns, timeUnit, rateUnit } = file;
  const meaning = meanings[index];
  if (!meaning) return "a row too many";
  const { recipient_count: recipients, unique_opens: opens, unique_clicks: clicks } = meaning;
  const rate = (count: number) => (recipients === 0 ? null : count / recipients);
  const at = instantOfWallTime(meaning.wall - (meaning.wall % timeUnit), timeZone);
  const fields: [name: EmailRecordField, read: unknown, meant: unknown][] = [
    ["subject", campaign.subject, meaning.subject],
    ["sent_at", campaign.sentAt, at],
    ["recipient_count", campaign.recipientCount, recipients],
    ["unique_opens", metrics.unique_opens, opens],
    ["unique_clicks", metrics.unique_clicks, clicks],
    ["open_rate", metrics.open_rate, rate(opens)],
    ["click_rate", metrics.click_rate, rate(clicks)],
  ];
  const wrong = fields.filter(([name, read, meant]) => {
    if (!columns.has(name)) return false;
    if (!name.endsWith("_rate") || meant === null || read === null) return read !== meant;
    return Math.abs(Number(read) - Number(meant)) > rateUnit + 1e-9;
  });
  return wrong.map(([name, read]) => `${name}: ${JSON.stringify(read)}`).join("; ");
}
