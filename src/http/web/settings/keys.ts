// The page of API keys at `/settings/integrations/analytics-api`: the base URL, all keys, and a form to create one.

import { type KeyScope, keyScopes } from "../../../access/api-key.ts";
import { normalizeName } from "../../../campaign/names.ts";
import { listApiKeys, type StoredApiKey } from "../../../storage/api-keys.ts";
import { listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { copyable } from "../ui/copyable.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { inEnglish } from "../ui/in-english.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
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
      const { locale } = session;
      const { strings } = locale;
      const { keys, tags } = await database.query(async (queries) => ({
        keys: await listApiKeys(queries, id),
        tags: await listTags(queries, id),
      }));
      const list = keys.length === 0 ? html`<p>${strings.keys.noKeys}</p>` : keysTable(session, keys);
      const body = html`<section class="card"><h2>${strings.keys.baseUrl}</h2>
<p>${strings.keys.baseUrlIntro(otherComponents.emailsPath, region)}</p>
${copyable(locale, "base-address", publicUrl(), strings.keys.baseUrlLabel)}
<p><a href="${paths.web.apiReference}">${strings.pages.apiReference}</a> ${inEnglish(locale)}</p></section>
<section class="card"><h2>${strings.keys.keys}</h2>${list}</section>
${createForm(session, request)}
${csvLinksCard(session, request, tags)}`;
      return { title: strings.keys.title, body };
    },
    actions: { add: createKeyAction(context), ...csvLinkActions(context, path) },
  };
}

function createKeyAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const { name, scope } = readNewKey(actor.locale, form);
      const { text } = await createKey(actor, { name, scope }, context);
      return newKeyPage(actor.locale, { name, scope, text }, context, path);
    },
  };
}

/** @throws AppError `bad_request` */
function readNewKey(locale: Locale, form: URLSearchParams): { name: string; scope: KeyScope } {
  const { strings } = locale;
  const text = readField(locale, form, "name");
  const name = normalizeName(text) ?? rejectField(locale, strings.keys.name, text, strings.ui.nameRule);
  const wanted = readField(locale, form, "scope");
  const scope =
    keyScopes.find((each) => each === wanted) ??
    rejectField(locale, strings.keys.scope, wanted, strings.ui.oneOf(keyScopes));
  return { name, scope };
}

function createForm(session: WebSession, { rejected }: PageRequest): Html {
  const { strings } = session.locale;
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const [name, scope] = [submitted?.form.get("name") ?? "", submitted?.form.get("scope") ?? "read"];
  const nameField = formField(
    { name: "name", label: strings.keys.name },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${name}">`,
  );
  const scopeField = formField(
    { name: "scope", label: strings.keys.scope },
    submitted?.problem,
    (attributes) => html`<select ${attributes}>${selectOptions(strings.keys.scopes, scope)}</select>`,
  );
  const button = html`<button>${strings.keys.create}</button>`;
  return html`<section class="card"><h2>${strings.keys.createKey}</h2>
<p>${strings.keys.createKeyIntro}</p>
${actionForm(session, { action: "add", className: "fields" }, nameField, scopeField, button)}
</section>`;
}

function keysTable({ organization, locale }: WebSession, keys: readonly StoredApiKey[]): Html {
  const { strings, format } = locale;
  const { timeZone } = organization;
  const { name: nameTitle, scope: scopeTitle, startsWith, created, lastUsed, delete: remove } = strings.keys;
  const rows = keys.map(
    ({ id, name, scope, prefix, createdAt, createdBy, lastUsedAt, expiresAt }) =>
      html`<tr><th scope="row" class="text">${name}</th>
<td${cellLabel(scopeTitle)}>${scope}${expiresAt !== null && html`<br><span class="soft small">${strings.keys.until(format.dateTime(expiresAt, timeZone))}</span>`}</td>
<td${cellLabel(startsWith)}><code>${prefix}…</code></td>
<td class="moment"${cellLabel(created)}>${format.dateTime(createdAt, timeZone)}<br><span class="soft small">${createdBy ?? strings.keys.commandLine}</span></td>
<td class="moment"${cellLabel(lastUsed)}>${lastUsedAt === null ? strings.keys.notUsedYet : format.hourRange(lastUsedAt, timeZone)}</td>
<td><a href="${path}/${id}" aria-label="${strings.keys.deleteKeyNamed(name)}">${strings.keys.delete}</a></td></tr>
`,
  );
  const headers = [
    textColumnHeader(nameTitle),
    ...[scopeTitle, startsWith, created, lastUsed, remove].map(columnHeader),
  ];
  return renderTable(strings.keys.keysCaption(keys.length), headers, rows, {
    name: strings.keys.keys,
    isStacked: true,
  });
}
