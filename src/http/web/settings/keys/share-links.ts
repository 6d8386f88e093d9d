// The page of share links at `/settings/share-links`: allowing them, creating one, which is shown once, and revoking them.

import { quoteName } from "../../../../campaign/fields/names.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { AppError, orNotFound } from "../../../../errors.ts";
import { findReleased } from "../../../../listing/find-released.ts";
import { findFilterDefaults } from "../../../../listing/sums/filter-defaults.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { deleteApiKey, listApiKeys, type StoredApiKey } from "../../../../storage/keys/api-keys.ts";
import { readCampaign } from "../../campaigns/find-campaign.ts";
import { parseFilters } from "../../filters/filters.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { parseSharedView, type SharedView } from "../../share/shared-view.ts";
import { copyable } from "../../ui/forms/copyable.ts";
import { hiddenField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, fieldsForm, readField, rejectField } from "../../ui/forms/form.ts";
import { recordTable } from "../../ui/lists/table.ts";
import { moment } from "../../ui/numbers/moment.ts";
import { createKey } from "../keys/create-key.ts";
import { linkFields, linkSwitch, linkSwitchActions, readLink } from "./link-form.ts";

const path = webPaths.shareLinks;
const maxDays = 365;

export function shareLinksPage(context: WebContext): Page {
  return {
    path,
    role: "admin",
    async show(session, request) {
      const { shareLinks } = session.organization;
      const { t } = session;
      const links = (await session.query(listApiKeys)).filter(({ scope }) => scope === "share-link");
      const isAllowed = shareLinks === "allow";
      const list = links.length === 0 ? html`<p>${t("share.none")}</p>` : linksTable(session, links);
      const body = html`${isAllowed && createForm(session, request)}
<section class="card"><p>${t("share.intro")}${isAllowed && ` ${t("share.howTo")}`}</p>
${(isAllowed || links.length > 0) && list}
${linkSwitch(session, "shareLinks")}</section>`;
      return { title: t("pages.shareLinks"), body };
    },
    actions: { add: createAction(context), revoke: revokeAction, ...linkSwitchActions("shareLinks") },
  };
}

/** The form for the view that the URL names; none without one. */
function createForm(session: WebSession, request: PageRequest): Html | false {
  const submitted = submittedOf(request, "add");
  const view = parseSharedView(submitted.form?.get("view") ?? request.query.get("view") ?? "");
  if (!view) return false;
  const { t, rich } = session;
  return html`<section class="card"><h2>${t("share.createTitle")}</h2>
<p>${rich("share.viewOf", { view: nameOf(session, view), href: view.url })}</p>
${fieldsForm(
  session,
  "add",
  hiddenField("view", view.url),
  linkFields(session, submitted, "name", maxDays),
  html`<label class="inline"><input type="checkbox" name="comments" value="yes"> ${t("share.withComments")}</label>`,
  html`<button>${t("csvLinks.create")}</button>`,
)}
<p class="hint">${t("share.moves")}</p></section>`;
}

function nameOf({ t }: Locale, { params, query }: SharedView): string {
  if (params.id !== undefined) return t("share.campaign", { id: params.id });
  return query.size > 0 ? t("share.filtered") : t("pages.overview");
}

function linksTable(session: WebSession, links: readonly StoredApiKey[]): Html {
  const { now, t } = session;
  const time = (at: number, textOf?: (time: string) => string) => moment(session, at, textOf);
  const rows = links.map(({ id, name, selection, createdAt, createdBy, expiresAt, lastUsedAt }) => {
    const view = parseSharedView(selection ?? "");
    const until = expiresAt ?? 0;
    return [
      name,
      view && html`<a href="${view.url}">${nameOf(session, view)}</a>`,
      html`${time(createdAt)}<br><span class="soft small">${createdBy}</span>`,
      until > now ? time(until) : time(until, (time) => t("keys.expired", { time })),
      lastUsedAt === null ? t("share.neverOpened") : time(lastUsedAt),
      actionForm(
        session,
        "revoke",
        hiddenField("link", id),
        html`<button class="plain" aria-label="${t("share.revokeNamed", { name })}">${t("share.revoke")}</button>`,
      ),
    ];
  });
  return recordTable(
    t("share.caption", { count: links.length }),
    [
      t("csvLinks.name"),
      t("share.viewLabel"),
      t("keys.created"),
      t("share.expires"),
      t("share.lastOpened"),
      t("share.revoke"),
    ],
    rows,
    { name: t("pages.shareLinks") },
  );
}

const createAction =
  (context: WebContext): Action =>
  async (actor, form) => {
    const { t } = actor;
    const link = readLink(actor, form, "name", maxDays);
    const wanted = readField(actor, form, "view");
    const comments = form.has("comments") ? `${wanted.includes("?") ? "&" : "?"}comments=yes` : "";
    const view =
      parseSharedView(wanted + comments) ??
      rejectField(actor, t("share.viewLabel"), wanted, t("share.viewRule"));
    const campaignId = await checkView(actor, view);
    const { text } = await createKey(
      actor,
      {
        ...link,
        scope: "share-link",
        selection: view.url,
        campaignId,
        async check(scope, locked) {
          if (locked.shareLinks !== "allow") throw new AppError("conflict", t("share.notAllowed"));
          // It may have been deleted meanwhile, and the link would show a later campaign with its id.
          if (campaignId !== undefined && (await findReleased(scope, locked, [campaignId])).length === 0)
            throw new AppError("not_found");
        },
      },
      context,
    );
    const url = `${context.publicUrl()}${webPaths.shared}/${text}`;
    const body = html`<section class="card"><h2>${link.name}</h2>
<p class="warning" role="status">${t("share.copyNow")}</p>
${copyable(actor, "link", url, t("csvLinks.label"))}
</section>
<p><a href="${path}">${t("share.done")}</a></p>`;
    return { title: t("share.newTitle"), body };
  };

/**
 * @returns the id of the campaign that it shows, if it shows one
 * @throws AppError `not_found` without such a campaign, `bad_request` if a filter is invalid
 */
async function checkView(
  session: WebSession,
  { params: { id }, query }: SharedView,
): Promise<number | undefined> {
  if (id !== undefined) return (await readCampaign(session, { params: { id } })).campaign.id;
  const defaults = await session.query((scope) => findFilterDefaults(scope, session, session.now));
  parseFilters(session, query, defaults);
  return undefined;
}

const revokeAction: Action = async (actor, form) => {
  const { transaction, t } = actor;
  const id = parseId(readField(actor, form, "link"));
  const { name } = await transaction(
    async (scope) => {
      const keys = await listApiKeys(scope);
      const link = orNotFound(
        keys.find((each) => each.scope === "share-link" && each.id === id),
        t("share.notFound"),
      );
      await deleteApiKey(scope, link.id);
      return link;
    },
    ["share-link.revoke", (link) => link.name],
  );
  return { notice: t("share.revoked", { name: quoteName(name) }), redirectTo: path };
};
