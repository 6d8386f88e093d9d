// The page `/campaigns/edit`: adds a tag to many campaigns, removes one, sets the team, applies a rule or deletes them.

import { hash } from "node:crypto";
import type { Tag } from "../../../campaign/campaign.ts";
import { largestInteger } from "../../../campaign/fields/field-schema.ts";
import { parseId } from "../../../campaign/fields/parse-id.ts";
import { editOf, findRuleChanges } from "../../../counting/campaigns/apply-rules.ts";
import { AppError, orNotFound } from "../../../errors.ts";
import { findReleased } from "../../../listing/find-released.ts";
import { sortCampaigns } from "../../../listing/sums/campaign-values.ts";
import { findFilterDefaults } from "../../../listing/sums/filter-defaults.ts";
import { findFilterOptions } from "../../../listing/sums/filter-options.ts";
import { sumsFilterOf } from "../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../locale/html.ts";
import { quoted } from "../../../locale/quoted.ts";
import { campaignPath, urlWithQuery, webPaths } from "../../../paths.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { CampaignsEdit } from "../../../storage/imports/imports.ts";
import { listRules, type Rule } from "../../../storage/organizations/rules.ts";
import { listTags } from "../../../storage/organizations/tags.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import { parseFilters } from "../filters/filters.ts";
import type { Action, Actor, Page, PageRequest, WebSession } from "../frame/page.ts";
import { hiddenField, selectField, submittedOf } from "../ui/forms/field.ts";
import { actionForm, fieldsForm } from "../ui/forms/form.ts";
import { subjectOf } from "../ui/texts/subject.ts";
import { editText, readTag, readTeam, tagField, teamField } from "./edit-fields.ts";
import { finishImport } from "./finish-import.ts";

/** The most campaigns that a form may name. All that match a filter may be more. */
const maxIds = 1_000;
const maxSubjects = 10;

/** Campaigns of the list that the form names, all that match its filters, or those that a rule would change. */
interface EditedCampaigns {
  ids: readonly number[];
  rule?: Rule;
  tags: readonly Tag[];
}

export function editPage(): Page {
  const find = (session: WebSession, { query }: PageRequest) =>
    session.snapshot(async (scope) => ({
      ...(await findSelection(scope, session, query)),
      teams: (await findFilterOptions(scope)).teams,
    }));
  const required = (actor: Actor, label: string) => {
    throw new AppError("bad_request", `${label}: ${actor.t("edit.required")}`);
  };
  const action =
    (
      editIn: (
        actor: Actor,
        form: URLSearchParams,
        tags: readonly Tag[],
      ) => CampaignsEdit | Promise<CampaignsEdit>,
    ): Action =>
    async (actor, form, request) => {
      const { user, t } = actor;
      const { ids, rule, tags } = await find(actor, request);
      if (selectionOf(ids) !== form.get("selection"))
        throw new AppError("conflict", t("edit.others", { count: ids.length }));
      const { author } = rule ? editOf(rule, byId(tags)) : {};
      const id = await actor.write({
        name: "edit_campaigns",
        ids,
        edit: { ...(await editIn(actor, form, tags)), ...(author && { author }) },
        actor: user.email,
      });
      const { outcomes } = await finishImport(actor, id);
      return { notice: t("edit.done", { count: outcomes.changed }), redirectTo: `${webPaths.import}/${id}` };
    };
  return {
    path: webPaths.editCampaigns,
    role: "admin",
    async show(session, request) {
      const { organization, t } = session;
      const { ids, rule, tags, teams } = await find(session, request);
      const first = await session.snapshot(async (scope) => {
        const some = ids.slice(0, maxSubjects);
        const found = new Map(
          (await findReleased(scope, organization, some)).map((each) => [each.campaign.id, each]),
        );
        return some.flatMap((id) => found.get(id) ?? []);
      });
      const [count, selection] = [ids.length, selectionOf(ids)];
      const forms = rule
        ? ruleForm(session, editOf(rule, byId(tags)), { count, selection })
        : editForms(session, request, { count, selection, tags, teams });
      return {
        title: t("edit.title", { count }),
        breadcrumb: [{ url: webPaths.campaigns, name: t("pages.campaigns") }],
        body: html`<section class="card">${subjects(session, first, count)}${allLink(session, request)}</section>
${count > 0 && forms}`,
      };
    },
    actions: {
      tag: action(async (actor, form) => ({
        add: (await readTag(actor, form)) ?? required(actor, actor.t("edit.tag")),
      })),
      untag: action((actor, form, tags) => {
        const tag = tags.find(({ id }) => String(id) === form.get("tag_id"));
        return { remove: tag ?? required(actor, actor.t("edit.removeTag")) };
      }),
      team: action((actor, form) => ({ team: readTeam(actor, form) })),
      delete: action(() => ({ deletes: true })),
    },
  };
}

async function findSelection(
  scope: Scope,
  session: WebSession,
  query: URLSearchParams,
): Promise<EditedCampaigns> {
  const tags = await listTags(scope);
  const ruleId = query.get("rule");
  if (ruleId !== null) {
    const rule = orNotFound((await listRules(scope)).find(({ id }) => String(id) === ruleId));
    return { rule, tags, ids: await findRuleChanges(scope, rule, tags) };
  }
  const named = query.getAll("ids");
  if (named.length > maxIds) throw new AppError("bad_request", session.t("edit.tooMany", { max: maxIds }));
  const wrong = named.find((text) => parseId(text) === undefined);
  if (wrong !== undefined) {
    const accepted = session.t("campaign.idRule", { max: largestInteger });
    throw new AppError("bad_request", `ids: ${quoted(session, wrong)}; ${accepted}`);
  }
  if (named.length > 0) {
    const known = await findReleased(scope, session.organization, [...new Set(named.map(Number))]);
    return { tags, ids: known.map(({ campaign }) => campaign.id) };
  }
  const list = new URLSearchParams(query.get("list") ?? "");
  const defaults = await findFilterDefaults(scope, session, session.now);
  const filter = await sumsFilterOf(scope, parseFilters(session, list, defaults), defaults);
  const sorted = await sortCampaigns(scope, filter, { by: "sent_at", isAscending: false });
  return { tags, ids: sorted.map(({ id }) => id) };
}

function subjects(session: WebSession, campaigns: readonly StoredCampaign[], count: number): Html {
  const items = campaigns.map(
    ({ campaign }) =>
      html`<li><a href="${campaignPath(campaign.id)}">${subjectOf(session, campaign)}</a></li>`,
  );
  const more = count - campaigns.length;
  return html`<ul>${items}</ul>${more > 0 && html`<p class="soft small">${session.t("edit.more", { count: more })}</p>`}`;
}

/** From the campaigns that were selected to all that match the filters of their list. */
function allLink({ t }: WebSession, { query }: PageRequest): Html {
  const list = query.get("list");
  if (!query.has("ids")) return html``;
  const url = urlWithQuery(webPaths.editCampaigns, new URLSearchParams(list ? { list } : {}));
  return html`<p><a href="${url}">${t("edit.all")}</a></p>`;
}

function ruleForm(
  session: WebSession,
  edit: CampaignsEdit,
  { count, selection }: { count: number; selection: string },
): Html {
  const { add, team } = edit;
  const value = add ? hiddenField("tag", add.name) : hiddenField("team", team ?? "");
  const button = html`<button>${session.t("rules.applyTo", { count })}</button>`;
  return html`<section class="card"><h2>${editText(session, edit)}</h2>
<p class="soft small">${session.t("edit.undoHint")}</p>
${actionForm(session, add ? "tag" : "team", hiddenField("selection", selection), value, button)}</section>`;
}

/** Tells whether the same campaigns are meant when the form is sent. */
const selectionOf = (ids: readonly number[]) => hash("sha256", ids.toSorted().join());

const byId = (tags: readonly Tag[]) => new Map(tags.map((tag) => [tag.id, tag]));

interface EditFormsOptions {
  count: number;
  selection: string;
  tags: readonly Tag[];
  teams: readonly string[];
}

function editForms(
  session: WebSession,
  request: PageRequest,
  { count, selection, tags, teams }: EditFormsOptions,
): Html {
  const { t } = session;
  const form = (action: string, ...content: Html[]) =>
    fieldsForm(session, action, hiddenField("selection", selection), ...content);
  const titles = Object.fromEntries(tags.map(({ id, name }) => [String(id), name]));
  const remove = { name: "tag_id", label: t("edit.removeTag"), value: "" };
  const cancel = html`<button type="button" class="second" popovertarget="confirm-delete" popovertargetaction="hide">${t("keys.cancel")}</button>`;
  return html`<section class="card">
${form("tag", tagField(session, tags, submittedOf(request, "tag")), html`<button>${t("tags.add")}</button>`)}
${tags.length > 0 && form("untag", selectField(submittedOf(request, "untag"), remove, { "": "", ...titles }), html`<button class="second">${t("edit.remove")}</button>`)}
${form("team", teamField(t("edit.team"), teams, submittedOf(request, "team")), html`<button class="second">${t("edit.setTeam")}</button>`)}
<p class="soft small">${t("edit.undoHint")}</p></section>
<section class="card"><p><button type="button" class="danger" popovertarget="confirm-delete">${t("edit.delete", { count })}</button></p>
<div class="confirm" id="confirm-delete" popover role="alertdialog" aria-labelledby="confirm-delete-title"><h2 id="confirm-delete-title">${t("edit.deleteNamed", { count })}</h2>
<p>${t("edit.undoHint")} ${t("edit.deleteCounted")}</p>
${actionForm(session, "delete", hiddenField("selection", selection), html`<div class="row"><button class="danger">${t("edit.delete", { count })}</button>${cancel}</div>`)}</div></section>`;
}
