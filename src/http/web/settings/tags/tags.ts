// The tags page at `/settings/tags`: all tags with their ids for the API, and a form to add one.

import { nextPaletteColor, type Tag } from "../../../../campaign/campaign.ts";
import { quoteName } from "../../../../campaign/fields/names.ts";
import { findFilterOptions } from "../../../../listing/sums/filter-options.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { countCampaignsOfTags } from "../../../../storage/campaigns/campaign-tags.ts";
import { listRules } from "../../../../storage/organizations/rules.ts";
import { addTag, listTags } from "../../../../storage/organizations/tags.ts";
import type { Page, PageRequest, WebSession } from "../../frame/page.ts";
import { submittedOf } from "../../ui/forms/field.ts";
import { fieldsForm } from "../../ui/forms/form.ts";
import { paginate } from "../../ui/lists/list-pagination.ts";
import { dataTable } from "../../ui/lists/table.ts";
import { numberOrDash } from "../../ui/numbers/number-or-dash.ts";
import { tagLabel } from "../../ui/texts/tag-label.ts";
import { ruleActions, rulesCard } from "./rules.ts";
import { tagPage } from "./tag.ts";
import { readColor, readUniqueName, renderTagFields } from "./tag-fields.ts";

const path = webPaths.tags;
const pageSize = 200;

const tagsPage: Page = {
  path,
  role: "viewer",
  actionRole: "admin",
  async show(session, request) {
    const { isAdmin, t, rich } = session;
    const { tags, campaigns, rules, teams } = await session.snapshot(async (scope) => ({
      tags: await listTags(scope),
      campaigns: await countCampaignsOfTags(scope, { isSent: true }),
      rules: await listRules(scope),
      teams: (await findFilterOptions(scope)).teams,
    }));
    const list = tagsTable(session, tags, { campaigns, isAdmin, page: request.query.get("page") });
    const body = html`<section class="card">${list}</section>
${isAdmin && addForm(session, request, tags)}
${isAdmin && rulesCard(session, request, { rules, all: tags, teams })}`;
    return { title: t("pages.tags"), lead: html`${rich("tags.intro")}`, body };
  },
  actions: {
    ...ruleActions,
    async add(actor, form) {
      const { transaction, t } = actor;
      const color = readColor(actor, form);
      const { name } = await transaction(
        async (scope) => {
          const unique = readUniqueName(actor, form, await listTags(scope));
          return addTag(scope, { name: unique, color });
        },
        ["tag.add", (tag) => tag.name],
      );
      return { notice: t("tags.added", { name: quoteName(name) }) };
    },
  },
};

function addForm(session: WebSession, request: PageRequest, tags: readonly Tag[]): Html {
  const fields = renderTagFields(
    session,
    { name: "", color: nextPaletteColor(tags) },
    submittedOf(request, "add"),
  );
  const button = html`<button>${session.t("tags.add")}</button>`;
  return html`<section class="card"><h2>${session.t("tags.addTag")}</h2>
${fieldsForm(session, "add", fields, button)}
</section>`;
}

interface TagsTableOptions {
  /** The number of campaigns by tag id. */
  campaigns: ReadonlyMap<number, number>;
  isAdmin: boolean;
  page: string | null;
}

function tagsTable(
  locale: Locale,
  tags: readonly Tag[],
  { campaigns, isAdmin, page }: TagsTableOptions,
): Html {
  const { t } = locale;
  if (tags.length === 0) return html`<p>${t("tags.noTags")}</p>`;
  const { shown, links } = paginate(locale, tags, { page, pageSize, what: t("tags.plural") });
  const rows = shown.map(({ id, name, color }) => [
    tagLabel({ name, color }),
    html`<code>${id}</code>`,
    numberOrDash(locale, "count", campaigns.get(id) ?? 0),
    ...(isAdmin
      ? [html`<a href="${path}/${id}" aria-label="${t("tags.editNamed", { name })}">${t("tags.edit")}</a>`]
      : []),
  ]);
  const titles = [
    t("overview.breakdowns.tag.column"),
    t("tags.id"),
    t("pages.campaigns"),
    ...(isAdmin ? [t("tags.edit")] : []),
  ];
  const options = { name: t("pages.tags"), classes: ["text", "", "number", "actions"], isStacked: true };
  return html`${dataTable(t("tags.caption", { count: tags.length }), titles, rows, options)}
${links}`;
}

export const tagPages: Page[] = [tagsPage, tagPage];
