// The page of API keys: the address that they are for, those that there are, and how a new one is made.

import { type KeyScope, keyScopes } from "../../../access/api-key.ts";
import { minuteMs } from "../../../campaign/calendar/durations.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { acceptedName, normalizeName, quoteName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import { addApiKey, listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { type Html, html } from "../../html.ts";

import type { Page, PageRequest, Visitor } from "../page.ts";
import { copyable } from "../ui/copyable.ts";
import { choices, field } from "../ui/field.ts";
import { actionForm, fieldOf, refuseField } from "../ui/form.ts";
import { countedWords } from "../ui/number-format.ts";
import { head, tableOf, wordsHead } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { keyPage } from "./key.ts";
import { newKeyShown } from "./new-key.ts";

const path = "/settings/integrations/analytics-api";

const scopeMeanings: Record<KeyScope, string> = {
  read: "read: reports and programs that read the records",
  ingest: "ingest: programs that send campaigns and events",
};

export function keyPages(door: WebContext): Page[] {
  return [keysPage(door), keyPage(door, path)];
}

function keysPage(door: WebContext): Page {
  const { database, region, now } = door;
  return {
    path,
    role: "admin",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const keys = await database.query((queries) => listApiKeys(queries, id));
      const body = html`<section class="card"><h2>Base address</h2>
<p>Tools ask this address, with a key from below. Records: <code>GET ${door.others.emailsPath}</code>. Region: <code>${region}</code>.</p>
${copyable("base-address", door.publicUrl(), "the base address")}</section>
<section class="card"><h2>Keys</h2>${keys.length === 0 ? html`<p>There are no keys yet.</p>` : table(visitor, keys)}</section>
${addForm(visitor, asked)}`;
      return { title: "Analytics API", body };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization, user, write }, form) {
          const { name, scope } = readNewKey(form);
          const base = {
            organizationId: organization.id,
            name,
            scope,
            region,
            createdBy: user.email,
            now: now(),
          };
          const { text } = await write(async (queries) => {
            refuseAgain(await listApiKeys(queries, organization.id), base);
            return addApiKey(queries, base);
          });
          return newKeyShown({ name, scope, text }, door, path);
        },
      },
    },
  };
}

/** @throws Refusal */
function readNewKey(form: URLSearchParams): { name: string; scope: KeyScope } {
  const given = fieldOf(form, "name");
  const name = normalizeName(given) ?? refuseField("Name", given, `accepted: a name has ${acceptedName}`);
  const asked = fieldOf(form, "scope");
  const scope =
    keyScopes.find((each) => each === asked) ?? refuseField("Scope", asked, `one of ${keyScopes.join(", ")}`);
  return { name, scope };
}

/** Whoever loads the page of a new key again sends its form again, and would have two. In milliseconds. */
const againMs = minuteMs;

function refuseAgain(
  keys: readonly StoredApiKey[],
  { name, createdBy, now }: { name: string; createdBy: string; now: number },
): void {
  const isAgain = keys.some(
    (key) => key.name === name && key.createdBy === createdBy && now - key.createdAt < againMs,
  );
  if (!isAgain) return;
  throw new AppError(
    "conflict",
    `Name: there is a key ${quoteName(name)} already, made a moment ago. Delete it if you did not copy it, or give this one another name.`,
  );
}

function addForm(visitor: Visitor, { refused }: PageRequest): Html {
  const name = field(
    { name: "name", label: "Name" },
    refused?.problem,
    (its) =>
      html`<input ${its} dir="auto" required maxlength="200" autocomplete="off" value="${refused?.form.get("name") ?? ""}">`,
  );
  const scope = field(
    { name: "scope", label: "Scope" },
    refused?.problem,
    (its) => html`<select ${its}>${choices(scopeMeanings, refused?.form.get("scope") ?? "read")}</select>`,
  );
  return html`<section class="card"><h2>Generate a key</h2>
<p>It is shown once, on the next page. The name says what it is for. Give each report and each program a key of its own, so that one can be deleted without the others.</p>
${actionForm(visitor, { action: "add", className: "fields" }, name, scope, html`<button>Generate</button>`)}
</section>`;
}

function table({ organization }: Visitor, keys: readonly StoredApiKey[]): Html {
  const shown = (at: number) => formatSentAt(at, organization.timeZone);
  const rows = keys.map(
    ({ id, name, scope, prefix, createdAt, createdBy, lastUsedAt }) =>
      html`<tr><th scope="row" class="words">${name}</th>
<td>${scope}</td>
<td><code>${prefix}…</code></td>
<td>${shown(createdAt)}<br><span class="soft small">${createdBy ?? "command line"}</span></td>
<td>${lastUsedAt === null ? "not used yet" : html`in the hour from<br>${shown(lastUsedAt)}`}</td>
<td><a href="${path}/${id}" aria-label="Delete ${name}">Delete</a></td></tr>
`,
  );
  const caption = `${countedWords(keys.length, "key")}. When a key was last used is noted to the hour, some moments later.`;
  const others = ["Scope", "Begins with", "Made", "Last used", "Delete"].map(head);
  return tableOf(caption, [wordsHead("Name"), ...others], rows, "Keys");
}
