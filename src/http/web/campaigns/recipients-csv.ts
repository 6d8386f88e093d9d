// The recipients of a campaign as CSV, read from the database while it is sent.

import { Readable } from "node:stream";
import { csvLine, escapeFormula } from "../../../formats/csv.ts";
import {
  type RecipientActivity,
  type RecipientQuery,
  readRecipientActivity,
} from "../../../listing/reports/recipient-activity.ts";
import type { Database } from "../../../storage/database.ts";

const columns = [
  "recipient",
  "opens",
  "devices",
  "read_time",
  "clicks",
  "first_click_at",
  "last_click_at",
  "answers",
] as const;

/** All recipients that match, whatever `after` is. Times are UTC. */
export function recipientsCsv(
  database: Database,
  organizationId: number,
  query: RecipientQuery,
  signal: AbortSignal | undefined,
): Readable {
  const batches = readRecipientActivity(database, organizationId, { ...query, after: "" }, signal);
  return Readable.from(csvLines(batches));
}

async function* csvLines(
  batches: AsyncIterable<{ recipients: readonly RecipientActivity[] }>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const { recipients } of batches) yield recipients.map(recipientLine).join("");
}

function recipientLine(recipient: RecipientActivity): string {
  const answers = recipient.answers.map(({ surveyId, reaction }) => `${surveyId}: ${reaction}`).join("; ");
  return csvLine([
    escapeFormula(recipient.name),
    recipient.opens,
    recipient.devices.join(", ") || null,
    recipient.readTime,
    recipient.clicks,
    isoTime(recipient.firstClickAt),
    isoTime(recipient.lastClickAt),
    answers === "" ? null : escapeFormula(answers),
  ]);
}

const isoTime = (at: number | null) => (at === null ? null : new Date(at).toISOString());
