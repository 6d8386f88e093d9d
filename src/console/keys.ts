// The page of API keys: the address that they are for, those that there are, and how a new one is made.

import { type KeyScope, keyScopes } from "../api-key.ts";
import { quote } from "../campaign/fields.ts";
import { nameShape, readName } from "../campaign/names.ts";
import { formatSentAt } from "../campaign/timestamps.ts";
import { Refusal } from "../errors.ts";
import { type Html, html } from "../html.ts";
import { addApiKey, listApiKeys, type StoredApiKey } from "../storage/api-keys.ts";
import { lockOrganization } from "../storage/organizations.ts";
import type { Asked, ConsolePage, Visitor } from "./console-page.ts";
import { copyable } from "./copyable.ts";
import type { ConsoleDoor } from "./door.ts";
import { countedWords } from "./figures.ts";
import { actionForm, fieldOf } from "./form.ts";
import { keyPage } from "./key.ts";
import { newKeyShown } from "./new-key.ts";

export const keysPath = "/settings/integrations/analytics-api";

const scopeMeanings: Record<KeyScope, string> = {
  read: "read: reports and programs that read the records",
  ingest: "ingest: programs that send campaigns and events",
};

export function keyPages(door: ConsoleDoor): ConsolePage[] {
  return [keysPage(door), keyPage(door, keysPath)];
}

function keysPage(door: ConsoleDoor): ConsolePage {
  const { database, region, now } = door;
  return {
    path: keysPath,
    role: "admin",
    async show(visitor, asked) {
      const { id } = visitor.organization;
      const keys = await database.look((queries) => listApiKeys(queries, id));
      const body = html`<section class="card"><h2>Base address</h2>
<p>Keys of this page open it, in the region <code>${region}</code>. Its records stand under <code>${door.others.emailsPath}</code>.</p>
${copyable("base-address", door.publicUrl(), "the base address")}</section>
${addForm(visitor, asked)}
${keys.length === 0 ? html`<p>There are no keys yet.</p>` : table(visitor, keys)}`;
      return { title: "Analytics API", body };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization, user }, form) {
          const { name, scope } = readNewKey(form);
          const base = { organizationId: organization.id, name, scope, region, madeBy: user.email };
          const { text } = await database.write(async (queries) => {
            await lockOrganization(queries, organization.id);
            return addApiKey(queries, { ...base, now: now() });
          });
          return newKeyShown({ name, scope, text }, door, keysPath);
        },
      },
    },
  };
}

/** @throws Refusal */
function readNewKey(form: URLSearchParams): { name: string; scope: KeyScope } {
  const given = fieldOf(form, "name");
  const name = readName(given);
  if (name === undefined) {
    throw new Refusal("bad_request", `Name: ${quote(given)} is not accepted: a name has ${nameShape}.`);
  }
  const asked = fieldOf(form, "scope");
  const scope = keyScopes.find((each) => each === asked);
  if (!scope) {
    throw new Refusal("bad_request", `Scope: ${quote(asked)} is not one of ${keyScopes.join(", ")}.`);
  }
  return { name, scope };
}

function addForm(visitor: Visitor, { refused }: Asked): Html {
  const given = refused?.form;
  const fields = html`<div class="field"><label for="name">Name</label>
<input id="name" name="name" required maxlength="200" autocomplete="off" value="${given?.get("name") ?? ""}"></div>
<div class="field"><label for="scope">Scope</label>
<select id="scope" name="scope">${keyScopes.map(
    (scope) =>
      html`<option value="${scope}"${given?.get("scope") === scope && html` selected`}>${scopeMeanings[scope]}</option>`,
  )}</select></div>`;
  return html`<section class="card"><h2>Generate a key</h2>
<p>It is shown once, on the next page. The name says what it is for. Give each report and each program a key of its own, so that one can be deleted without the others.</p>
${actionForm(visitor, { action: "add", className: "fields" }, fields, html`<button>Generate</button>`)}
</section>`;
}

function table({ organization }: Visitor, keys: readonly StoredApiKey[]): Html {
  const shown = (at: number) => formatSentAt(at, organization.timeZone);
  return html`<div class="table" role="region" aria-label="Keys" tabindex="0"><table>
<caption>${countedWords(keys.length, "key")}. When a key was last used is noted to the hour, some moments later.</caption>
<thead><tr><th scope="col" class="words">Name</th><th scope="col">Scope</th><th scope="col">Begins with</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Delete</th></tr></thead>
<tbody>
${keys.map(
  ({
    id,
    name,
    scope,
    beginning,
    createdAt,
    madeBy,
    lastUsedAt,
  }) => html`<tr><th scope="row" class="words">${name}</th>
<td>${scope}</td>
<td><code>${beginning}…</code></td>
<td>${shown(createdAt)}<br><span class="soft small">${madeBy ?? "command line"}</span></td>
<td>${lastUsedAt === null ? "not used yet" : shown(lastUsedAt)}</td>
<td><a href="${keysPath}/${id}" aria-label="Delete ${name}">Delete</a></td></tr>
`,
)}</tbody></table></div>`;
}
