// The page of one tag at `/settings/tags/:id`, on which admins rename, recolor and delete it.

import { describeChange } from "../../../../access/audit-actions.ts";
import type { Tag } from "../../../../campaign/campaign.ts";
import { quoteName } from "../../../../campaign/fields/names.ts";
import { parseId } from "../../../../campaign/fields/parse-id.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { countCampaignsOfTags } from "../../../../storage/campaigns/campaign-tags.ts";
import { listRules } from "../../../../storage/organizations/rules.ts";
import { findTag, listTags } from "../../../../storage/organizations/tags.ts";
import type { Scope } from "../../../../storage/queries/scope.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import { submittedOf } from "../../ui/forms/field.ts";
import { actionForm, fieldsForm, originalValue } from "../../ui/forms/form.ts";
import { readColor, readUniqueName, renderTagFields } from "./tag-fields.ts";

const listPath = webPaths.tags;

const changeAction: Action = async (actor, form, request) => {
  const { snapshot, write, t } = actor;
  const { before, all } = await snapshot(async (scope) => ({
    before: await requireTag(actor, scope, request),
    all: await listTags(scope),
  }));
  const change = {
    name: readUniqueName(actor, form, all, before),
    color: readColor(actor, form, before),
  };
  if (change.name !== before.name || change.color !== before.color) {
    const exists = await write({ name: "change_tag", id: before.id, change }, [
      "tag.change",
      `${before.name}, ${describeChange(change)}`,
    ]);
    if (!exists) throw tagNotFound(actor);
  }
  return { notice: t("tags.saved", { name: quoteName(change.name) }), redirectTo: listPath };
};

/** Many campaigns may have the tag, so the writer thread deletes it without blocking the event loop. */
const deleteAction: Action = async (actor, _form, request) => {
  const { query, user, write, t } = actor;
  const { id, name } = await query((scope) => requireTag(actor, scope, request));
  if (!(await write({ name: "remove_tag", id, actor: user.email }, ["tag.delete", name])))
    throw tagNotFound(actor);
  return { notice: t("tags.deleted", { name: quoteName(name) }), redirectTo: listPath };
};

export const tagPage: Page = {
  path: `${listPath}/:id`,
  role: "admin",
  async show(session, request) {
    const { tag, ...losses } = await session.snapshot(async (scope) => {
      const tag = await requireTag(session, scope, request);
      const counts = await countCampaignsOfTags(scope, { tagId: tag.id });
      const rules = (await listRules(scope, { tag_id: tag.id })).length;
      return { tag, campaigns: counts.get(tag.id) ?? 0, rules };
    });
    const body = html`${editForm(session, request, tag)}
${deleteForm(session, tag, losses)}`;
    return {
      title: session.t("tags.tagTitle", { name: tag.name }),
      breadcrumb: [{ url: listPath, name: session.t("pages.tags") }],
      body,
    };
  },
  actions: { change: changeAction, delete: deleteAction },
};

/** @throws AppError `not_found` */
async function requireTag(locale: Locale, scope: Scope, { params }: PageRequest): Promise<Tag> {
  const id = parseId(params.id ?? "");
  const tag = id === undefined ? undefined : await findTag(scope, id);
  if (!tag) throw tagNotFound(locale);
  return tag;
}

function tagNotFound({ t }: Locale): AppError {
  return new AppError("not_found", t("tags.notFound"));
}

function editForm(session: WebSession, request: PageRequest, tag: Tag): Html {
  const { t, rich } = session;
  const submitted = submittedOf(request, "change");
  const fields = [
    ...renderTagFields(session, tag, submitted),
    originalValue("name", tag.name, submitted.form),
    // Browsers send colors in lower case.
    originalValue("color", tag.color.toLowerCase(), submitted.form),
  ];
  const button = html`<button>${t("ui.save")}</button>`;
  return html`<section class="card"><h2>${t("tags.nameAndColor")}</h2>
<p>${rich("tags.idIsFixed", { id: tag.id })}</p>
${fieldsForm(session, "change", fields, button)}
</section>`;
}

function deleteForm(
  session: WebSession,
  { id, name }: Tag,
  { campaigns, rules }: { campaigns: number; rules: number },
): Html {
  const { t, rich } = session;
  const button = html`<button class="danger">${t("tags.deleteNamed", { name })}</button>`;
  return html`<section class="card"><h2>${t("tags.delete")}</h2>
<details><summary>${t("tags.deleteTag")}</summary>
<p>${t("tags.loss", { campaigns, rules })} ${rich("tags.deleteWarning", { id })}</p>
${actionForm(session, "delete", button)}
</details></section>`;
}
