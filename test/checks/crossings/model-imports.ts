// Imports of the model: what a file says, and until when it waits or can be undone.

import type { Model, Reported } from "./model.ts";
import { dayMs } from "./model.ts";

export interface FileEntry {
  id: number;
  subject: string;
  /** As the file has it: `Jun 15, 2026 9:00 AM`, without a time zone. */
  localTime: string;
  values: Record<string, number>;
  tags: string[];
}

export interface ModelImport {
  /** The page of the file. */
  page: string;
  entries: readonly FileEntry[];
  state: "waiting" | "imported" | "undone" | "gone";
  /** In milliseconds since 1970. */
  expiresAt: number;
  isSample: boolean;
  /** The form that the preview showed, and the time zone of the preview. */
  preview: { fields: Record<string, string>; timeZone: string } | undefined;
  /** Number of the admin. */
  by: number;
}

/** Files that were not imported in time, and imports that can no longer be undone. */
export function expireImports(model: Model, now: number): void {
  for (const file of model.imports) {
    if (file.expiresAt < now && file.state !== "undone") file.state = "gone";
  }
}

/** @param sentAt in milliseconds since 1970 */
export function reportedOf(
  model: Model,
  { subject, values, tags }: FileEntry,
  { sentAt, canBeUndone }: { sentAt: number; canBeUndone: boolean },
): Reported {
  const named = tags.map((name) => model.saidTag(name, canBeUndone));
  return { kind: "reported", subject, sentAt, values, tags: named };
}

/** Whether an import would be refused, because an id of it is counted. */
export function hasCounted(model: Model, entries: readonly FileEntry[]): boolean {
  return entries.some(({ id }) => model.current(id)?.kind === "counted");
}

export function importEntries(
  model: Model,
  file: ModelImport,
  sentAtOf: (entry: FileEntry) => number,
  now: number,
): void {
  for (const entry of file.entries) {
    // Neither subject nor day are those of the campaign with its id, and the user did not tick it.
    const known = model.said(entry.id);
    const isOtherDay = Math.abs((known?.sentAt ?? 0) - sentAtOf(entry)) >= dayMs;
    if (known && known.subject !== entry.subject && isOtherDay) continue;
    const content = reportedOf(model, entry, { sentAt: sentAtOf(entry), canBeUndone: true });
    model.say(entry.id, content, now, file);
  }
  file.state = "imported";
  file.expiresAt = now + dayMs;
}
