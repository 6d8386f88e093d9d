// The page of API keys at `/settings/integrations/analytics-api`: the base URL, all keys, and a form to create one.

import { type KeyScope, keyScopes } from "../../../access/api-key.ts";
import { normalizeName } from "../../../campaign/names.ts";
import { listApiKeys, recentRequests, type StoredApiKey } from "../../../storage/api-keys.ts";
import { listTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { copyable } from "../ui/copyable.ts";
import { formField, selectOptions } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { inEnglish } from "../ui/in-english.ts";
import { moment } from "../ui/moment.ts";
import { recordTable } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { createKey, defaultLifetime, keyLifetimes } from "./create-key.ts";
import { csvLinkActions, csvLinksCard } from "./csv-links.ts";
import { isListed, keyPage } from "./key.ts";
import { newKeyPage } from "./new-key.ts";

const path = "/settings/integrations/analytics-api";

export function keyPages(context: WebContext): Page[] {
  return [keysPage(context), keyPage(context, path)];
}

function keysPage(context: WebContext): Page {
  const { database, region, publicUrl, otherComponents, now } = context;
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { id } = session.organization;
      const { locale } = session;
      const { t, rich } = locale;
      const { keys, tags } = await database.query(async (queries) => ({
        keys: (await listApiKeys(queries, id)).filter(isListed),
        tags: await listTags(queries, id),
      }));
      const list = keys.length === 0 ? html`<p>${t("keys.noKeys")}</p>` : keysTable(session, keys, now());
      const body = html`<section class="card"><h2>${t("keys.baseUrl")}</h2>
<p>${rich("keys.baseUrlIntro", { emailsPath: otherComponents.emailsPath, region })}</p>
${copyable(locale, "base-address", publicUrl(), t("keys.baseUrlLabel"))}
<p><a href="${paths.web.apiReference}">${t("pages.apiReference")}</a> ${inEnglish(locale)}</p></section>
<section class="card"><h2>${t("keys.keys")}</h2>${list}</section>
${createForm(session, request)}
${csvLinksCard(session, request, tags)}`;
      return { title: t("keys.title"), body };
    },
    actions: { add: createKeyAction(context), ...csvLinkActions(context, path) },
  };
}

function createKeyAction(context: WebContext): Action {
  return {
    role: "admin",
    async run(actor, form) {
      const wanted = readNewKey(actor.locale, form);
      const { text } = await createKey(actor, wanted, context);
      return newKeyPage(actor.locale, { ...wanted, text }, context, path);
    },
  };
}

/** @throws AppError `bad_request` */
function readNewKey(
  locale: Locale,
  form: URLSearchParams,
): { name: string; scope: KeyScope; days: number | null } {
  const { t } = locale;
  const text = readField(locale, form, "name");
  const name = normalizeName(text) ?? rejectField(locale, t("keys.name"), text, t("ui.nameRule"));
  const wanted = readField(locale, form, "scope");
  const scope =
    keyScopes.find((each) => each === wanted) ??
    rejectField(locale, t("keys.scope"), wanted, t("ui.oneOf", { values: keyScopes.join(", ") }));
  const lifetime = form.get("lifetime") ?? defaultLifetime;
  if (!Object.hasOwn(keyLifetimes, lifetime)) {
    const values = Object.keys(keyLifetimes).join(", ");
    rejectField(locale, t("keys.lifetime"), lifetime, t("ui.oneOf", { values }));
  }
  return { name, scope, days: keyLifetimes[lifetime as keyof typeof keyLifetimes] };
}

function createForm(session: WebSession, { rejected }: PageRequest): Html {
  const { t, texts } = session.locale;
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const [name, scope] = [submitted?.form.get("name") ?? "", submitted?.form.get("scope") ?? "read"];
  const nameField = formField(
    { name: "name", label: t("keys.name") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${name}">`,
  );
  const scopeField = formField(
    { name: "scope", label: t("keys.scope") },
    submitted?.problem,
    (attributes) => html`<select ${attributes}>${selectOptions(texts("keys.scopes"), scope)}</select>`,
  );
  const lifetime = submitted?.form.get("lifetime") ?? defaultLifetime;
  const lifetimeField = formField(
    { name: "lifetime", label: t("keys.lifetime") },
    submitted?.problem,
    (attributes) => html`<select ${attributes}>${selectOptions(texts("keys.lifetimes"), lifetime)}</select>`,
  );
  const button = html`<button>${t("keys.create")}</button>`;
  return html`<section class="card"><h2>${t("keys.createKey")}</h2>
<p>${t("keys.createKeyIntro")}</p>
${actionForm(session, { action: "add", className: "fields" }, nameField, scopeField, lifetimeField, button)}
</section>`;
}

function keysTable({ organization, locale }: WebSession, keys: readonly StoredApiKey[], now: number): Html {
  const { t } = locale;
  const { timeZone } = organization;
  const time = (at: number, textOf?: (time: string) => string) =>
    moment(locale, at, { now, timeZone }, textOf);
  const rows = keys.map((key) => {
    const { id, name, scope, prefix, createdAt, createdBy, lastUsedAt, expiresAt } = key;
    const expiry = (at: number) => time(at, (time) => t(at > now ? "keys.until" : "keys.expired", { time }));
    return [
      name,
      html`${scope}${expiresAt !== null && html`<br><span class="soft small">${expiry(expiresAt)}</span>`}`,
      html`<code class="whole">${prefix}…</code>`,
      html`${time(createdAt)}<br><span class="soft small">${createdBy ?? t("keys.commandLine")}</span>`,
      lastUsedAt === null
        ? t("keys.notUsedYet")
        : html`${time(lastUsedAt)}<br><span class="soft small">${t("keys.requests", { count: recentRequests(key, { now, timeZone }).total })}</span>`,
      html`<a href="${path}/${id}" aria-label="${t("keys.changeNamed", { name })}">${t("keys.change")}</a>`,
    ];
  });
  const times = [t("keys.created"), t("keys.lastUsed")];
  const headers = [t("keys.name"), t("keys.scope"), t("keys.startsWith"), ...times, t("keys.change")];
  return recordTable(t("keys.keysCaption", { count: keys.length }), headers, rows, { name: t("keys.keys") });
}
