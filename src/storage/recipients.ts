// The table `recipients`: what each recipient of a counted campaign has done.

import { sql } from "kysely";
import type { Recipient } from "../campaign/events/recipient.ts";
import type { Queries } from "./database.ts";
import { givenRows, lookedUp } from "./differences.ts";

export interface StoredRecipient {
  ledgerId: number;
  /** The address or id of an individual; a hash of any other. */
  name: string;
  done: Recipient;
}

/** Those that have done something yet, in no particular order. */
export async function findRecipients(
  queries: Queries,
  organizationId: number,
  keys: readonly { ledgerId: number; name: string }[],
): Promise<StoredRecipient[]> {
  const rows = keys.toSorted(compareKeys).map(({ ledgerId, name }) => [ledgerId, name]);
  const given = givenRows(queries, { ledger_id: "integer", name: "text" }, rows);
  const isTheirs = sql`recipients.organization_id = ${organizationId}
    and recipients.ledger_id = given.ledger_id and recipients.name = given.name`;
  const found = await sql<{ ledgerId: number; name: string; done: string }>`
    select recipients.ledger_id as "ledgerId", recipients.name as name, recipients.done as done
    ${lookedUp(queries, given, "recipients", isTheirs)}`.execute(queries);
  return found.rows.map((row) => ({ ...row, done: JSON.parse(row.done) as Recipient }));
}

/** @param recipients each of them once */
export async function saveRecipients(
  queries: Queries,
  organizationId: number,
  recipients: readonly StoredRecipient[],
): Promise<void> {
  const rows = recipients.toSorted(compareKeys).map(({ ledgerId, name, done }) => [ledgerId, name, done]);
  const given = givenRows(queries, { ledger_id: "integer", name: "text", done: "json" }, rows);
  await sql`
    insert into recipients (organization_id, ledger_id, name, done)
    select ${organizationId}, given.ledger_id, given.name, given.done from ${given} where true
    on conflict (organization_id, ledger_id, name) do update set done = excluded.done`.execute(queries);
}

/** In the order of the index, so that each page of it is visited once. */
function compareKeys(a: { ledgerId: number; name: string }, b: { ledgerId: number; name: string }): number {
  return a.ledgerId - b.ledgerId || (a.name < b.name ? -1 : 1);
}

/** The recipients of a ledger by name, some at a time: those after a name. */
export async function readRecipients(
  queries: Queries,
  organizationId: number,
  { ledgerId, after, limit }: { ledgerId: number; after: string; limit: number },
): Promise<StoredRecipient[]> {
  const rows = await queries
    .selectFrom("recipients")
    .select(["name", "done"])
    .where("organization_id", "=", organizationId)
    .where("ledger_id", "=", ledgerId)
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name, done }) => ({ ledgerId, name, done: JSON.parse(done) as Recipient }));
}

/**
 * Of the recipients of a ledger by name, some at a time, those who have answered a survey: of all others the database
 * gives out nothing.
 *
 * @returns after which name to go on; undefined at the end
 */
export async function readAnswering(
  queries: Queries,
  organizationId: number,
  { ledgerId, after, limit }: { ledgerId: number; after: string; limit: number },
): Promise<{ answering: StoredRecipient[]; next: string | undefined }> {
  // In JSON no text can hold a quotation mark that is not escaped.
  const done = sql<string | null>`case when done like '%"surveys":%' then done end`;
  const rows = await queries
    .selectFrom("recipients")
    .select(["name", done.as("done")])
    .where("organization_id", "=", organizationId)
    .where("ledger_id", "=", ledgerId)
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();
  const answering = rows.flatMap(({ name, done }) =>
    done === null ? [] : [{ ledgerId, name, done: JSON.parse(done) as Recipient }],
  );
  return { answering, next: rows.length < limit ? undefined : rows.at(-1)?.name };
}

/** Puts a recipient under another name; `done` is kept as it is given. */
export async function renameRecipient(
  queries: Queries,
  organizationId: number,
  { ledgerId, name, done }: StoredRecipient,
  newName: string,
): Promise<void> {
  await queries
    .updateTable("recipients")
    .set({ name: newName, done: JSON.stringify(done) })
    .where("organization_id", "=", organizationId)
    .where("ledger_id", "=", ledgerId)
    .where("name", "=", name)
    .execute();
}
