// The commands `key add|list|roll|delete`: API keys, which read records or send events.

import { type Command, Option } from "commander";
import { type KeyScope, keyScopes } from "../../../access/api-key.ts";
import { dayMs } from "../../../campaign/calendar/durations.ts";
import { refuseTakenName } from "../../../counting/campaigns/refuse-taken-name.ts";
import { AppError } from "../../../errors.ts";
import {
  addApiKey,
  defaultOverlapDays,
  deleteApiKey,
  findKeyByName,
  listApiKeys,
  rollApiKey,
  type StoredApiKey,
} from "../../../storage/keys/api-keys.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { findNamed, parseDays, parseIdOrName, parseName } from "../../shell/options.ts";
import { addListCommand, organizationCommand, writing } from "../../shell/organization-command.ts";
import { type Shell, settingsOf } from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  addListCommand(group, shell, {
    description: "List the API keys of an organization. Only the beginning of each key is shown.",
    read: async (scope) => (await listApiKeys(scope)).map(toRow),
    whenEmpty: "The organization has no API keys.",
  });
  defineRoll(group, shell);
  defineDelete(group, shell);
}

interface AddKeyOptions {
  organization: number;
  name: string;
  scope: KeyScope;
  days?: number;
}

function defineAdd(group: Command, shell: Shell): void {
  organizationCommand(group, "add", "Create an API key. It is shown only once.")
    .requiredOption("--name <NAME>", "name of the key, such as the tool that uses it", parseName)
    .addOption(
      new Option("--scope <SCOPE>", "read: reads records; ingest: sends campaigns and events")
        .choices(keyScopes)
        .default("read"),
    )
    .option("--days <DAYS>", "days until it expires; without it, it does not expire", parseDays)
    .action(
      writing(shell, async (own, { name, scope, days }: AddKeyOptions, record) => {
        const region = settingsOf(shell).REGION;
        const now = shell.now();
        const key = { name, scope, region, now, expiresAt: days === undefined ? null : now + days * dayMs };
        const same = await findKeyByName(own, key);
        refuseTakenName("key", same ? [same] : [], name);
        await record("key.add", name);
        const { id, text } = await addApiKey(own, key);
        return [
          { id, name, scope, key: text },
          text,
          `Created key ${id} with the scope "${scope}" for the region "${region}". Save it now: it is not shown again.`,
        ];
      }),
    );
}

/** The page of a share link, or the campaigns of a CSV link, as its query string says. */
function selectionOf({ scope, selection }: StoredApiKey): string {
  if (scope !== "csv-link") return selection ?? "";
  const pairs = [...new URLSearchParams(selection ?? "")].map((pair) => pair.join("="));
  return pairs.join("&") || "all campaigns";
}

function instantOrEmpty(at: number | null): string {
  return at === null ? "" : new Date(at).toISOString();
}

interface RollOptions {
  organization: number;
  id: number | string;
  overlapDays: number;
}

function defineRoll(group: Command, shell: Shell): void {
  organizationCommand(
    group,
    "roll",
    "Replace an API key. The old one works for some days more; the new one is shown only once.",
  )
    .requiredOption("--id <ID|NAME>", "the old key", parseIdOrName)
    .option("--overlap-days <DAYS>", "days that the old key works for", parseDays, defaultOverlapDays)
    .action(
      writing(shell, async (own, { id, overlapDays }: RollOptions, record) => {
        const old = await requireKey(own, id);
        const now = shell.now();
        const problem = rollingProblem(old, now);
        if (problem !== undefined) throw new AppError("conflict", problem);
        const { name, scope } = old;
        await record("key.roll", name);
        const how = { region: settingsOf(shell).REGION, overlapMs: overlapDays * dayMs, now };
        const { text, expiresAt, oldExpiresAt, ...key } = await rollApiKey(own, old, how);
        const until = instantOrEmpty(oldExpiresAt);
        const expires = instantOrEmpty(expiresAt);
        return [
          { name, scope, ...key, key: text, expires, old_id: old.id, old_expires: until },
          text,
          `Created key ${key.id}. Save it now: it is not shown again. Key ${old.id} works until ${until}; replace it in the tools that use it.`,
        ];
      }),
    );
}

function rollingProblem({ id, scope, expiresAt }: StoredApiKey, now: number): string | undefined {
  if (scope === "share-link")
    return `key ${id} is a share link; create another one on the page that it shows`;
  if (scope === "csv-link") return `key ${id} is a CSV link; create another one in the web application`;
  return expiresAt !== null && expiresAt <= now
    ? `key ${id} expired at ${instantOrEmpty(expiresAt)}; create another one with "key add"`
    : undefined;
}

async function requireKey(scope: Scope, wanted: number | string): Promise<StoredApiKey> {
  return findNamed(await listApiKeys(scope), wanted, { what: "key", organization: scope.organizationId });
}

function defineDelete(group: Command, shell: Shell): void {
  organizationCommand(group, "delete", "Delete an API key. It stops working immediately.")
    .requiredOption("--id <ID|NAME>", "the key", parseIdOrName)
    .action(
      writing(shell, async (own, { id: wanted }: { organization: number; id: number | string }, record) => {
        const { id, name, scope, prefix } = await requireKey(own, wanted);
        await deleteApiKey(own, id);
        await record("key.delete", name);
        return [
          { id, name, scope, key: `${prefix}…` },
          `Deleted key ${id}. Replace it in the tools that used it.`,
        ];
      }),
    );
}

function toRow(key: StoredApiKey) {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    sender: key.sender,
    key: `${key.prefix}…`,
    selection: selectionOf(key),
    made_by: key.createdBy ?? "",
    last_used: instantOrEmpty(key.lastUsedAt),
    expires: instantOrEmpty(key.expiresAt),
  };
}
