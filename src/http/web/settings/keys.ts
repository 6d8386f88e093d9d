// The page of API keys at `/settings/integrations/analytics-api`: the base URL, all keys, and a form to create one.

import { type KeyScope, keyScopes } from "../../../access/api-key.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import { acceptedName, normalizeName } from "../../../campaign/names.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { keysStrings } from "../strings/keys.ts";
import { uiStrings } from "../strings/ui.ts";
import { copyable } from "../ui/copyable.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { hourRangeFormat } from "../ui/hour-range.ts";
import { columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { createKey } from "./create-key.ts";
import { csvLinkActions, csvLinksCard } from "./csv-links.ts";
import { keyPage } from "./key.ts";
import { newKeyPage } from "./new-key.ts";

const path = "/settings/integrations/analytics-api";

export function keyPages(context: WebContext): Page[] {
  return [keysPage(context), keyPage(context, path)];
}

function keysPage(context: WebContext): Page {
  const { database, region, publicUrl, otherComponents } = context;
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { id } = session.organization;
      const { keys, tags } = await database.query(async (queries) => ({
        keys: await listApiKeys(queries, id),
        tags: await listTags(queries, id),
      }));
      const list = keys.length === 0 ? html`<p>${keysStrings.noKeys}</p>` : keysTable(session, keys);
      const body = html`<section class="card"><h2>${keysStrings.baseUrl}</h2>
<p>${keysStrings.baseUrlIntro(otherComponents.emailsPath, region)}</p>
${copyable("base-address", publicUrl(), keysStrings.baseUrlLabel)}</section>
<section class="card"><h2>${keysStrings.keys}</h2>${list}</section>
${createForm(session, request)}
${csvLinksCard(session, request, tags)}`;
      return { title: keysStrings.title, body };
    },
    actions: { add: createKeyAction(context), ...csvLinkActions(context, path) },
  };
}

function createKeyAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { name, scope } = readNewKey(form);
      const { text } = await createKey(actor, { name, scope }, context);
      return newKeyPage({ name, scope, text }, context, path);
    },
  };
}

/** @throws AppError `bad_request` */
function readNewKey(form: URLSearchParams): { name: string; scope: KeyScope } {
  const text = readField(form, "name");
  const name = normalizeName(text) ?? rejectField(keysStrings.name, text, uiStrings.nameRule(acceptedName));
  const wanted = readField(form, "scope");
  const scope =
    keyScopes.find((each) => each === wanted) ??
    rejectField(keysStrings.scope, wanted, uiStrings.oneOf(keyScopes));
  return { name, scope };
}

function createForm(session: WebSession, { rejected }: PageRequest): Html {
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const [name, scope] = [submitted?.form.get("name") ?? "", submitted?.form.get("scope") ?? "read"];
  const nameField = formField(
    { name: "name", label: keysStrings.name },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${name}">`,
  );
  const scopeField = formField(
    { name: "scope", label: keysStrings.scope },
    submitted?.problem,
    (attributes) => html`<select ${attributes}>${selectOptions(keysStrings.scopes, scope)}</select>`,
  );
  const button = html`<button>${keysStrings.create}</button>`;
  return html`<section class="card"><h2>${keysStrings.createKey}</h2>
<p>${keysStrings.createKeyIntro}</p>
${actionForm(session, { action: "add", className: "fields" }, nameField, scopeField, button)}
</section>`;
}

function keysTable({ organization }: WebSession, keys: readonly StoredApiKey[]): Html {
  const format = (at: number) => formatSentAt(at, organization.timeZone);
  const formatHour = hourRangeFormat(organization.timeZone);
  const rows = keys.map(
    ({ id, name, scope, prefix, createdAt, createdBy, lastUsedAt, expiresAt }) =>
      html`<tr><th scope="row" class="text">${name}</th>
<td>${scope}${expiresAt !== null && html`<br><span class="soft small">${keysStrings.until(format(expiresAt))}</span>`}</td>
<td><code>${prefix}…</code></td>
<td>${format(createdAt)}<br><span class="soft small">${createdBy ?? keysStrings.commandLine}</span></td>
<td>${lastUsedAt === null ? keysStrings.notUsedYet : formatHour(lastUsedAt)}</td>
<td><a href="${path}/${id}" aria-label="${keysStrings.deleteKeyNamed(name)}">${keysStrings.delete}</a></td></tr>
`,
  );
  const { name, scope, startsWith, created, lastUsed, delete: remove } = keysStrings;
  const headers = [
    textColumnHeader(name),
    ...[scope, startsWith, created, lastUsed, remove].map(columnHeader),
  ];
  return renderTable(keysStrings.keysCaption(keys.length), headers, rows, keysStrings.keys);
}
