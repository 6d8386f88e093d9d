// The audience settings at `/settings/audience`: attributes of recipients, the directory, and from how many recipients on a
// group is shown.

import { describeChange } from "../../../access/audit-actions.ts";
import { audienceLimits } from "../../../campaign/audience/group-counts.ts";
import { minGroupLimits } from "../../../campaign/audience/release-groups.ts";
import { findSameName, normalizeName, quoteName } from "../../../campaign/names.ts";
import { addAttributes } from "../../../counting/audience/add-attributes.ts";
import { toJob } from "../../../counting/writer/jobs.ts";
import { AppError } from "../../../errors.ts";
import { countDirectory } from "../../../storage/audience/directory.ts";
import { type AudienceGroup, listAttributes, listGroups } from "../../../storage/audience/groups.ts";
import { countCampaignsByAttribute } from "../../../storage/audience/remove-attribute.ts";
import type { Database } from "../../../storage/database.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Action, Page, PageRequest, WebSession } from "../page.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import type { WebContext } from "../web-context.ts";
import { directoryForm, uploadAction } from "./directory-upload.ts";

export function audienceSettingsPage(context: WebContext): Page {
  const { database } = context;
  return {
    path: paths.web.audienceSettings,
    role: "admin",
    hasUpload: true,
    async show(session, request) {
      const { t } = session.locale;
      const { id } = session.organization;
      const { groups, campaigns, recipients } = await database.snapshot(async (queries) => ({
        groups: await listGroups(queries, id),
        campaigns: await countCampaignsByAttribute(queries, id),
        recipients: await countDirectory(queries, session.organization),
      }));
      const body = html`${attributesCard(session, request, groups)}${directoryForm(session, request, recipients)}${minGroupForm(session, request)}${deleteCard(session, groups, campaigns)}`;
      return { title: t("pages.audience"), lead: t("audienceSettings.lead"), body };
    },
    actions: {
      add: addAction,
      rename: renameAction(context),
      delete: deleteAction(context),
      upload: uploadAction(context),
      min_group: minGroupAction(context),
    },
  };
}

const attributesOf = (groups: readonly AudienceGroup[]) =>
  groups.filter(({ id, attributeId }) => id === attributeId);

const countValues = (groups: readonly AudienceGroup[], { id }: AudienceGroup) =>
  groups.filter(({ attributeId }) => attributeId === id).length - 1;

function attributesCard(session: WebSession, request: PageRequest, groups: readonly AudienceGroup[]): Html {
  const { t } = session.locale;
  const attributes = attributesOf(groups);
  const forms = attributes.map((attribute) =>
    renameForm(session, request, attribute, countValues(groups, attribute)),
  );
  const canAdd = attributes.length < audienceLimits.attributes;
  return html`<section class="card"><h2>${t("audienceSettings.attributes")}</h2>
${forms}${canAdd ? addForm(session, request) : html`<p class="soft small">${t("audienceSettings.full", { max: audienceLimits.attributes })}</p>`}</section>`;
}

/** Names the loss before the button. @param campaigns that are counted by each attribute */
function deleteCard(
  session: WebSession,
  groups: readonly AudienceGroup[],
  campaigns: ReadonlyMap<number, number>,
): HtmlValue {
  const { t } = session.locale;
  const forms = attributesOf(groups).map((attribute) => {
    const { id } = attribute;
    const name = t("audienceSettings.delete", { name: quoteName(attribute.name) });
    const loss = t("audienceSettings.loss", {
      values: countValues(groups, attribute),
      campaigns: campaigns.get(id) ?? 0,
    });
    const button = html`<input type="hidden" name="attribute" value="${id}"><button class="danger">${t("tags.delete")}</button>`;
    return html`<details><summary>${name}</summary>
<p>${loss}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${actionForm(session, { action: "delete" }, button)}</details>`;
  });
  return (
    forms.length > 0 &&
    html`<section class="card"><h2>${t("audienceSettings.deleteAttribute")}</h2>${forms}</section>`
  );
}

function renameForm(
  session: WebSession,
  { rejected }: PageRequest,
  { id, name }: AudienceGroup,
  values: number,
): Html {
  const { t } = session.locale;
  const isOwn = rejected?.action === "rename" && rejected.form.get("attribute") === String(id);
  const submitted = isOwn ? rejected : undefined;
  const label = t("audienceSettings.nameOf", { name: quoteName(name) });
  return actionForm(
    session,
    { action: "rename", className: "fields" },
    html`<input type="hidden" name="attribute" value="${id}">`,
    html`<div class="field"><label for="name-${id}">${label} <span class="soft small">(${t("audienceSettings.values", { count: values })})</span></label>
<input id="name-${id}" name="name" dir="auto" required maxlength="200" autocomplete="off" value="${submitted?.form.get("name") ?? name}"></div>`,
    html`<button class="second">${t("audienceSettings.rename")}</button>`,
  );
}

function addForm(session: WebSession, { rejected }: PageRequest): Html {
  const { t } = session.locale;
  const submitted = rejected?.action === "add" ? rejected : undefined;
  return actionForm(
    session,
    { action: "add", className: "fields" },
    formField(
      { name: "name", label: t("audienceSettings.newName") },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" placeholder="${t("audienceSettings.newHint")}" value="${submitted?.form.get("name")}">`,
    ),
    html`<button>${t("audienceSettings.add")}</button>`,
  );
}

/** @throws AppError `conflict` if another attribute has the name */
function readName(locale: Locale, form: URLSearchParams, others: readonly AudienceGroup[]): string {
  const { t } = locale;
  const text = readField(locale, form, "name");
  const name =
    normalizeName(text) ?? rejectField(locale, t("audienceSettings.newName"), text, t("ui.nameRule"));
  const same = findSameName(others, name);
  if (!same) return name;
  throw new AppError("conflict", t("audienceSettings.taken", { name: quoteName(same.name) }));
}

const addAction: Action = {
  role: "admin",
  async run({ organization, transaction, record, locale }, form) {
    const name = await transaction(async (queries) => {
      const added = readName(locale, form, await listAttributes(queries, organization.id));
      await addAttributes(queries, organization.id, [added]);
      await record(queries, "attribute.add", added);
      return added;
    });
    return { notice: locale.t("audienceSettings.added", { name: quoteName(name) }) };
  },
};

function renameAction({ database, writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, user, locale }, form) {
      const { attribute, attributes } = await findAttribute(database, organization.id, locale, form);
      const name = readName(
        locale,
        form,
        attributes.filter(({ id }) => id !== attribute.id),
      );
      if (name !== attribute.name) {
        const target = `${attribute.name}, name: ${name}`;
        const audit = { actor: user.email, action: "attribute.change", target } as const;
        const task = { name: "rename_attribute", id: attribute.id, newName: name } as const;
        const exists = await writer.write(toJob(organization.id, now(), task, audit));
        if (!exists) throw new AppError("not_found", locale.t("audienceSettings.gone"));
      }
      return { notice: locale.t("organization.saved") };
    },
  };
}

/** One step of the writer thread after the other, so that it serves others in between. */
function deleteAction({ database, writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, user, locale }, form) {
      const { attribute } = await findAttribute(database, organization.id, locale, form);
      const { id, name } = attribute;
      const task = { name: "remove_attribute", id, actor: user.email, target: name } as const;
      while ((await writer.write(toJob(organization.id, now(), task, undefined))) === "more");
      return { notice: locale.t("audienceSettings.deleted", { name: quoteName(name) }) };
    },
  };
}

/** @throws AppError `not_found` if the form names none */
async function findAttribute(
  database: Database,
  organizationId: number,
  locale: Locale,
  form: URLSearchParams,
): Promise<{ attribute: AudienceGroup; attributes: readonly AudienceGroup[] }> {
  const attributes = await database.query((queries) => listAttributes(queries, organizationId));
  const attribute = attributes.find(({ id }) => String(id) === form.get("attribute"));
  if (!attribute) throw new AppError("not_found", locale.t("audienceSettings.gone"));
  return { attribute, attributes };
}

function minGroupForm(session: WebSession, { rejected }: PageRequest): Html {
  const { t } = session.locale;
  const submitted = rejected?.action === "min_group" ? rejected : undefined;
  return html`<section class="card"><h2>${t("audienceSettings.smallGroups")}</h2>
${actionForm(
  session,
  { action: "min_group" },
  formField(
    { name: "min_group", label: t("audienceSettings.minGroup"), hint: t("audienceSettings.minGroupHint") },
    submitted?.problem,
    (attributes) =>
      html`<input ${attributes} inputmode="numeric" maxlength="2" autocomplete="off" value="${submitted?.form.get("min_group") ?? session.organization.minGroup}" required>`,
  ),
  html`<p><button>${t("organization.save")}</button></p>`,
)}</section>`;
}

function minGroupAction({ writer, now }: WebContext): Action {
  return {
    role: "admin",
    async run({ organization, user, locale }, form) {
      const change = { minGroup: readMinGroup(locale, form) };
      if (change.minGroup !== organization.minGroup) {
        const target = describeChange(change);
        const audit = { actor: user.email, action: "organization.change", target } as const;
        await writer.write(toJob(organization.id, now(), { name: "change_organization", change }, audit));
      }
      return { notice: locale.t("organization.saved") };
    },
  };
}

function readMinGroup(locale: Locale, form: URLSearchParams): number {
  const text = readField(locale, form, "min_group");
  const { min, max } = minGroupLimits;
  if (/^\d{1,2}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  const rule = locale.t("organization.minAnswersRule", { min, max });
  return rejectField(locale, locale.t("audienceSettings.minGroup"), text, rule);
}
