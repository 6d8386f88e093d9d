// The page of API keys at `/settings/integrations/analytics-api`: the base URL, all keys, and a form to create one.

import { keyScopes } from "../../../../access/api-key.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { paths, webPaths } from "../../../../paths.ts";
import { listApiKeys, type StoredApiKey } from "../../../../storage/keys/api-keys.ts";
import { listTags } from "../../../../storage/organizations/tags.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { copyable } from "../../ui/forms/copyable.ts";
import { inputField, nameInput, selectField, submittedOf } from "../../ui/forms/field.ts";
import { fieldsForm, readName, readOneOf } from "../../ui/forms/form.ts";
import { recordTable } from "../../ui/lists/table.ts";
import { moment } from "../../ui/numbers/moment.ts";
import { inEnglish } from "../../ui/texts/in-english.ts";
import { createKey, defaultLifetime, keyLifetimes } from "./create-key.ts";
import { csvLinkActions, csvLinksCard } from "./csv-links.ts";
import { isListed, keyPage } from "./key.ts";
import { newKeyPage } from "./new-key.ts";

const path = webPaths.analyticsApi;

export function keyPages(context: WebContext): Page[] {
  return [keysPage(context), keyPage(context)];
}

function keysPage(context: WebContext): Page {
  const { region, publicUrl } = context;
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { t, rich } = session;
      const { keys, tags } = await session.query(async (scope) => ({
        keys: (await listApiKeys(scope)).filter(isListed),
        tags: await listTags(scope),
      }));
      const list = keys.length === 0 ? html`<p>${t("keys.noKeys")}</p>` : keysTable(session, keys);
      const body = html`<section class="card"><h2>${t("keys.baseUrl")}</h2>
<p>${rich("keys.baseUrlIntro", { emailsPath: paths.api.emails, region })}</p>
${copyable(session, "base-address", publicUrl(), t("keys.baseUrlLabel"))}
<p><a href="${webPaths.apiReference}">${t("pages.apiReference")}</a> ${inEnglish(session)}</p></section>
<section class="card"><h2>${t("keys.keys")}</h2>${list}</section>
${createForm(session, request)}
${csvLinksCard(session, request, tags)}`;
      return { title: t("pages.analyticsApi"), body };
    },
    actions: { add: createKeyAction(context), ...csvLinkActions(context) },
  };
}

const createKeyAction =
  (context: WebContext): Action =>
  async (actor, form) => {
    const { t } = actor;
    const lifetimes = Object.keys(keyLifetimes) as (keyof typeof keyLifetimes)[];
    const name = readName(actor, form, t("ui.name"));
    const scope = readOneOf(actor, form, "scope", { label: t("keys.scope"), values: keyScopes });
    const lifetime = form.has("lifetime")
      ? readOneOf(actor, form, "lifetime", { label: t("keys.lifetime"), values: lifetimes })
      : defaultLifetime;
    const { text } = await createKey(actor, { name, scope, days: keyLifetimes[lifetime] }, context);
    return newKeyPage(actor, { name, scope, text }, context);
  };

function createForm(session: WebSession, request: PageRequest): Html {
  const { t, texts } = session;
  const submitted = submittedOf(request, "add");
  const isRefused = session.organization.persons === "refuse";
  return html`<section class="card"><h2>${t("keys.createKey")}</h2>
<p>${t("keys.createKeyIntro")} ${t(isRefused ? "keys.operatorOnly" : "keys.ingestWarning")}</p>
${fieldsForm(
  session,
  "add",
  inputField(submitted, { name: "name", label: t("ui.name"), value: "" }, nameInput),
  selectField(submitted, { name: "scope", label: t("keys.scope"), value: "read" }, texts("keys.scopes")),
  selectField(
    submitted,
    { name: "lifetime", label: t("keys.lifetime"), value: defaultLifetime },
    texts("keys.lifetimes"),
  ),
  html`<button>${t("keys.create")}</button>`,
)}
</section>`;
}

function keysTable(session: WebSession, keys: readonly StoredApiKey[]): Html {
  const { now, t } = session;
  const time = (at: number, textOf?: (time: string) => string) => moment(session, at, textOf);
  const rows = keys.map((key) => {
    const { id, name, scope, prefix, createdAt, createdBy, lastUsedAt, expiresAt } = key;
    const expiry = (at: number) => time(at, (time) => t(at > now ? "keys.until" : "keys.expired", { time }));
    return [
      name,
      html`${scope}${expiresAt !== null && html`<br><span class="soft small">${expiry(expiresAt)}</span>`}`,
      html`<code class="whole">${prefix}…</code>`,
      html`${time(createdAt)}<br><span class="soft small">${createdBy ?? t("keys.commandLine")}</span>`,
      lastUsedAt === null ? t("keys.notUsedYet") : time(lastUsedAt),
      html`<a href="${path}/${id}" aria-label="${t("keys.changeNamed", { name })}">${t("keys.change")}</a>`,
    ];
  });
  return recordTable(
    t("keys.keysCaption", { count: keys.length }),
    [
      t("ui.name"),
      t("keys.scope"),
      t("keys.startsWith"),
      t("keys.created"),
      t("keys.lastUsed"),
      t("keys.change"),
    ],
    rows,
    { name: t("keys.keys") },
  );
}
