// The table `recipients`: what each recipient of a counted campaign has done, as JSON.

import { sql } from "kysely";
import { isRecipient } from "../../campaign/events/check-recipient.ts";
import type { Recipient } from "../../campaign/events/recipient.ts";
import type { Opened } from "../../campaign/events/tally.ts";
import { fromKeys, inputRowsForUpdate } from "../queries/dialect-differences.ts";
import { insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

export interface StoredRecipient {
  ledgerId: number;
  /** The email address or id with Individual tracking, otherwise a hash. */
  name: string;
  state: Recipient;
}

/** Returns the stored ones among these recipients, unordered. */
export async function findRecipients(
  scope: Scope,
  keys: readonly { ledgerId: number; name: string }[],
): Promise<StoredRecipient[]> {
  const sorted = keys.toSorted(compareKeys).map(({ ledgerId, name }) => [ledgerId, name]);
  const stored = await sql<{ ledgerId: number; name: string; state: string }>`
    select recipients.ledger_id as "ledgerId", recipients.name as name, recipients.state as state
    ${fromKeys(scope, "recipients", ["ledger_id", "name"], sorted)}`.execute(scope);
  return stored.rows.map((row) => ({ ...row, state: JSON.parse(row.state) as Recipient }));
}

/** Inserts or replaces recipients. @param recipients without duplicates, each with what its state says of opens */
export async function saveRecipients(
  scope: Scope,
  recipients: readonly (StoredRecipient & { opened: Opened })[],
): Promise<void> {
  const rows = recipients
    .toSorted(compareKeys)
    .map(({ ledgerId, name, state, opened }) => [ledgerId, name, state, opened, state.held ? 1 : 0]);
  const kinds = {
    ...({ ledger_id: "integer", name: "text", state: "json" } as const),
    ...({ opened: "integer", held: "integer" } as const),
  };
  await insertRows(scope, { into: "recipients", kinds, rows });
}

/** The recipients of ledgers with answers that wait for others. */
export async function findHeld(scope: Scope, ledgerIds: readonly number[]): Promise<StoredRecipient[]> {
  const rows = await scope
    .from("recipients", { ledger_id: ledgerIds, held: 1 })
    .select(["ledger_id as ledgerId", "name", "state"])
    .execute();
  return rows.map((row) => ({ ...row, state: JSON.parse(row.state) as Recipient }));
}

/** Sorts by key, so that each page of the index is visited once. */
function compareKeys(a: { ledgerId: number; name: string }, b: { ledgerId: number; name: string }): number {
  return a.ledgerId - b.ledgerId || (a.name < b.name ? -1 : 1);
}

export interface PageOfLedger {
  ledgerId: number;
  /** The page starts after this name. */
  after: string;
  limit: number;
  /** The text that the names of the page start with; all names if it is empty. */
  prefix?: string;
}

/** Follows every other character in the order of bytes. */
const lastCharacter = "\u{10ffff}";

function selectPage(scope: Scope, page: PageOfLedger) {
  const { ledgerId, after, limit, prefix = "" } = page;
  return scope
    .from("recipients")
    .where("ledger_id", "=", ledgerId)
    .where("name", ">", after)
    .$if(prefix !== "", (query) =>
      query.where("name", ">=", prefix).where("name", "<=", `${prefix}${lastCharacter}`),
    )
    .orderBy("name")
    .limit(limit);
}

/** The state of a recipient is damaged. */
export class UnreadableRecipient extends Error {
  /** The number of the recipient by name, from 1: in its page, then in the ledger in a recount. */
  position: number;

  constructor(position: number, cause?: unknown) {
    super("a recipient is unreadable", { cause });
    this.position = position;
  }
}

/** @throws UnreadableRecipient if the state is none that this program writes */
function parseState(text: string, position: number): Recipient {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch (error) {
    throw new UnreadableRecipient(position, error);
  }
  if (!isRecipient(state)) throw new UnreadableRecipient(position);
  return state as Recipient;
}

/** A page of the recipients of a ledger, by name. @throws UnreadableRecipient */
export async function readRecipients(scope: Scope, page: PageOfLedger): Promise<StoredRecipient[]> {
  const { ledgerId } = page;
  const rows = await selectPage(scope, page).select(["name", "state"]).execute();
  return rows.map(({ name, state }, index) => ({ ledgerId, name, state: parseState(state, index + 1) }));
}

/**
 * A page of the recipients of a ledger, by name, with only those who answered a survey. The database filters, so the state
 * of the others is not transferred.
 *
 * @returns `next`: the name after which the next page starts; undefined on the last page
 */
export async function readRecipientsWithAnswers(
  scope: Scope,
  page: PageOfLedger,
): Promise<{ answering: StoredRecipient[]; next: string | undefined }> {
  // Quotes within texts are escaped in JSON, so that this finds the key alone.
  const state = sql<string | null>`case when state like '%"surveys":%' then state end`;
  const { ledgerId, limit } = page;
  const rows = await selectPage(scope, page)
    .select(["name", state.as("state")])
    .execute();
  const answering = rows.flatMap(({ name, state }) =>
    state === null ? [] : [{ ledgerId, name, state: JSON.parse(state) as Recipient }],
  );
  return { answering, next: rows.length < limit ? undefined : rows.at(-1)?.name };
}

/** How many recipients a ledger has who are listed or did something, counted up to a limit. */
export async function countRecipients(
  scope: Scope,
  { ledgerId, limit }: { ledgerId: number; limit: number },
): Promise<number> {
  const names = selectPage(scope, { ledgerId, after: "", limit }).where("opened", ">=", 0).select("name");
  const { count } = await scope.queries
    .selectFrom(names.as("names"))
    .select((of) => of.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Renames a recipient and replaces its state. */
export async function renameRecipient(
  scope: Scope,
  { ledgerId, name, state }: StoredRecipient,
  newName: string,
): Promise<void> {
  const key = { ledger_id: ledgerId, name };
  await scope.updateRows("recipients", key, { name: newName, state: JSON.stringify(state) });
}

/** Deletes recipients of a ledger. */
export async function deleteRecipients(
  scope: Scope,
  ledgerId: number,
  names: readonly string[],
): Promise<void> {
  await scope.deleteRows("recipients", { ledger_id: ledgerId, name: names });
}

/** Deletes the recipients of a ledger up to a name. */
export async function deleteRecipientsUntil(scope: Scope, ledgerId: number, name: string): Promise<void> {
  await scope.delete("recipients").where("ledger_id", "=", ledgerId).where("name", "<=", name).execute();
}

/** All names of a ledger. */
export async function readNames(scope: Scope, ledgerId: number): Promise<string[]> {
  const rows = await scope.from("recipients").select("name").where("ledger_id", "=", ledgerId).execute();
  return rows.map(({ name }) => name);
}

export async function renameRecipients(
  scope: Scope,
  ledgerId: number,
  recipients: readonly { name: string; newName: string }[],
): Promise<void> {
  const rows = recipients.map(({ name, newName }) => [name, newName]);
  const input = inputRowsForUpdate(scope, { name: "text", new_name: "text" }, rows);
  await sql`
    update recipients set name = input.new_name
    from ${input} where recipients.organization_id = ${scope.organizationId}
      and recipients.ledger_id = ${ledgerId} and recipients.name = input.name`.execute(scope);
}
