// Sums up and prints the result of an import of events.

import { pluralize } from "../../campaign/fields/pluralize.ts";
import type { IngestResult } from "../../counting/events/ingest-events.ts";
import { type ProblemReason, problems } from "../../counting/events/problems.ts";
import { type Output, printable, printResult } from "../shell/output.ts";

const maxProblemsShown = 100;

export class EventTotal {
  accepted = 0;
  repeated = 0;
  quarantined = 0;
  refused = 0;
  /** The number of events for each reason. */
  readonly reasons = new Map<ProblemReason, number>();
  /** The first unreadable events, as they are printed. */
  readonly unreadable: string[] = [];

  /** @param whereOf names the file and line of an event by its index in the batch */
  add(result: IngestResult, whereOf: (index: number) => string): void {
    for (const outcome of ["accepted", "repeated", "quarantined", "refused"] as const) {
      this[outcome] += result[outcome];
    }
    for (const { index, reason, message } of result.problems) {
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
      if (reason === "unreadable" && this.unreadable.length < maxProblemsShown) {
        this.unreadable.push(`${whereOf(index)}: ${message}`);
      }
    }
  }
}

/** @returns whether the import succeeded: all events were readable, and none was refused */
export function printImportedEvents(output: Output, total: EventTotal): boolean {
  const { accepted, repeated, quarantined, refused, reasons } = total;
  printProblems(output, total);
  const unreadable = reasons.get("unreadable") ?? 0;
  const unnamed = reasons.get("no_campaign") ?? 0;
  const hasNoEvents = unnamed > 0 && accepted + repeated + quarantined + refused === 0;
  if (unreadable > 0) {
    output.stderr.write(`error: ${pluralize(unreadable, "event")} unreadable; the others were imported\n`);
  }
  if (hasNoEvents) {
    output.stderr.write("error: no record has a campaign_id; check that the file contains events\n");
  }
  if (refused > 0) {
    output.stderr.write(
      `error: ${pluralize(refused, "event")} refused, because the quarantine is full (QUARANTINE_BYTES); register the campaigns or discard quarantined events, then import the file again\n`,
    );
  }
  const row = { accepted, repeated, quarantined, problems: Object.fromEntries(reasons) };
  const sentence = `Imported: ${accepted} counted, ${repeated} repeated, ${quarantined} quarantined.`;
  printResult(output, row, sentence);
  return unreadable === 0 && refused === 0 && !hasNoEvents;
}

/** Prints which events were committed before an error ended the import; nothing if there were none. */
export function printBeforeError({ stderr }: Output, { accepted, repeated, quarantined }: EventTotal): void {
  if (accepted + repeated + quarantined === 0) return;
  stderr.write(
    `Imported before the error: ${accepted} counted, ${repeated} repeated, ${quarantined} quarantined. Import the same files again to count the rest.\n`,
  );
}

function printProblems({ json, stderr }: Output, { reasons, unreadable }: EventTotal): void {
  for (const problem of unreadable) stderr.write(`${printable(problem)}\n`);
  const hidden = (reasons.get("unreadable") ?? 0) - unreadable.length;
  if (hidden > 0) stderr.write(`… and ${hidden} more\n`);
  if (json) return;
  for (const [reason, events] of reasons) {
    if (reason !== "unreadable") stderr.write(`${reason}: ${events}. ${problems[reason].meaning}\n`);
  }
}
