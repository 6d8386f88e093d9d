// The audience settings at `/settings/audience`: attributes of recipients, the directory, and from how many recipients on a
// group is shown.

import { audienceLimits } from "../../../campaign/audience/group-counts.ts";
import { minGroupLimits } from "../../../campaign/audience/release-groups.ts";
import { findSameName, quoteName } from "../../../campaign/fields/names.ts";
import { addAttributes } from "../../../counting/audience/add-attributes.ts";
import { AppError, orNotFound } from "../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { countDirectory } from "../../../storage/audience/directory.ts";
import { countCampaignsByAttribute } from "../../../storage/audience/remove-attribute.ts";
import { type AudienceGroup, listAttributes, listGroups } from "../../../storage/audience/store-groups.ts";
import type { Action, Actor, Page, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { changeOrganization } from "../settings/organization/change-organization.ts";
import { hiddenField, inputField, nameInput, numberInput, submittedOf } from "../ui/forms/field.ts";
import { actionForm, fieldsForm, readName, readNumber } from "../ui/forms/form.ts";
import { directoryForm, uploadAction } from "./directory-upload.ts";

export function audienceSettingsPage(context: WebContext): Page {
  return {
    path: webPaths.audienceSettings,
    role: "admin",
    hasUpload: true,
    async show(session, request) {
      const { groups, campaigns, recipients } = await session.snapshot(async (scope) => ({
        groups: await listGroups(scope),
        campaigns: await countCampaignsByAttribute(scope),
        recipients: await countDirectory(scope, session.organization),
      }));
      const body = html`${attributesCard(session, request, groups)}${directoryForm(session, request, recipients)}${minGroupForm(session, request)}${deleteCard(session, groups, campaigns)}`;
      return { title: session.t("pages.audience"), lead: session.t("audienceSettings.lead"), body };
    },
    actions: {
      add: addAction,
      rename: renameAction,
      delete: deleteAction,
      upload: uploadAction(context),
      min_group: minGroupAction,
    },
  };
}

const attributesOf = (groups: readonly AudienceGroup[]) =>
  groups.filter(({ id, attributeId }) => id === attributeId);

const countValues = (groups: readonly AudienceGroup[], { id }: AudienceGroup) =>
  groups.filter(({ attributeId }) => attributeId === id).length - 1;

function attributesCard(session: WebSession, request: PageRequest, groups: readonly AudienceGroup[]): Html {
  const attributes = attributesOf(groups);
  const forms = attributes.map((attribute) =>
    renameForm(session, request, attribute, countValues(groups, attribute)),
  );
  const canAdd = attributes.length < audienceLimits.attributes;
  return html`<section class="card"><h2>${session.t("audienceSettings.attributes")}</h2>
${forms}${canAdd ? addForm(session, request) : html`<p class="soft small">${session.t("audienceSettings.full", { max: audienceLimits.attributes })}</p>`}</section>`;
}

/** Names the loss before the button. @param campaigns that are counted by each attribute */
function deleteCard(
  session: WebSession,
  groups: readonly AudienceGroup[],
  campaigns: ReadonlyMap<number, number>,
): HtmlValue {
  const { t } = session;
  const forms = attributesOf(groups).map((attribute) => {
    const { id } = attribute;
    const name = t("tags.deleteNamed", { name: quoteName(attribute.name) });
    const loss = t("audienceSettings.loss", {
      values: countValues(groups, attribute),
      campaigns: campaigns.get(id) ?? 0,
    });
    const button = html`<button class="danger">${t("tags.delete")}</button>`;
    return html`<details><summary>${name}</summary>
<p>${loss}</p>
<p class="warning">${t("ui.cannotUndo")}</p>
${actionForm(session, "delete", hiddenField("attribute", id), button)}</details>`;
  });
  return (
    forms.length > 0 &&
    html`<section class="card"><h2>${t("audienceSettings.deleteAttribute")}</h2>${forms}</section>`
  );
}

function renameForm(
  session: WebSession,
  request: PageRequest,
  { id, name }: AudienceGroup,
  values: number,
): Html {
  const { t } = session;
  const { form } = submittedOf(request, "rename");
  const isOwn = form?.get("attribute") === String(id);
  const label = t("audienceSettings.nameOf", { name: quoteName(name) });
  return fieldsForm(
    session,
    "rename",
    hiddenField("attribute", id),
    html`<div class="field"><label for="name-${id}">${label} <span class="soft small">(${t("audienceSettings.values", { count: values })})</span></label>
<input id="name-${id}" name="name"${nameInput} value="${(isOwn && form?.get("name")) || name}"></div>`,
    html`<button class="second">${t("audienceSettings.rename")}</button>`,
  );
}

function addForm(session: WebSession, request: PageRequest): Html {
  const { t } = session;
  return fieldsForm(
    session,
    "add",
    inputField(
      submittedOf(request, "add"),
      { name: "name", label: t("audienceSettings.newName"), value: "" },
      html`${nameInput} placeholder="${t("audienceSettings.newHint")}"`,
    ),
    html`<button class="second">${t("audienceSettings.add")}</button>`,
  );
}

/** @throws AppError `conflict` if another attribute has the name */
function readNewName(locale: Locale, form: URLSearchParams, others: readonly AudienceGroup[]): string {
  const name = readName(locale, form, locale.t("audienceSettings.newName"));
  const same = findSameName(others, name);
  if (!same) return name;
  throw new AppError("conflict", locale.t("audienceSettings.taken", { name: quoteName(same.name) }));
}

const addAction: Action = async (actor, form) => {
  const { transaction, t } = actor;
  const name = await transaction(
    async (scope) => {
      const added = readNewName(actor, form, await listAttributes(scope));
      await addAttributes(scope, [added]);
      return added;
    },
    ["attribute.add", (added) => added],
  );
  return { notice: t("audienceSettings.added", { name: quoteName(name) }) };
};

const renameAction: Action = async (actor, form) => {
  const { write, t } = actor;
  const { attribute, attributes } = await findAttribute(actor, form);
  const { id, name } = attribute;
  const others = attributes.filter((each) => each.id !== id);
  const newName = readNewName(actor, form, others);
  if (newName !== name) {
    const exists = await write({ name: "rename_attribute", id, newName }, [
      "attribute.change",
      `${name}, name: ${newName}`,
    ]);
    if (!exists) throw new AppError("not_found", t("audienceSettings.gone"));
  }
  return { notice: t("organization.saved") };
};

/** One step of the writer thread after the other, so that it serves others in between. */
const deleteAction: Action = async (actor, form) => {
  const { user, write, t } = actor;
  const { attribute } = await findAttribute(actor, form);
  const { id, name } = attribute;
  while ((await write({ name: "remove_attribute", id, actor: user.email, target: name })) === "more");
  return { notice: t("audienceSettings.deleted", { name: quoteName(name) }) };
};

/** @throws AppError `not_found` if the form names none */
async function findAttribute(
  { query, t }: Actor,
  form: URLSearchParams,
): Promise<{ attribute: AudienceGroup; attributes: readonly AudienceGroup[] }> {
  const attributes = await query(listAttributes);
  const attribute = orNotFound(
    attributes.find(({ id }) => String(id) === form.get("attribute")),
    t("audienceSettings.gone"),
  );
  return { attribute, attributes };
}

function minGroupForm(session: WebSession, request: PageRequest): Html {
  const { t } = session;
  const field = {
    name: "min_group",
    label: t("audienceSettings.minGroup"),
    hint: t("audienceSettings.minGroupHint"),
    value: session.organization.minGroup,
  };
  return html`<section class="card"><h2>${t("audienceSettings.smallGroups")}</h2>
${actionForm(
  session,
  "min_group",
  inputField(submittedOf(request, "min_group"), field, numberInput),
  html`<p><button class="second">${t("ui.save")}</button></p>`,
)}</section>`;
}

const minGroupAction: Action = async (actor, form) => {
  const { t } = actor;
  const raised = { min: actor.organization.minGroup, max: minGroupLimits.max };
  await changeOrganization(actor, {
    minGroup: readNumber(actor, form, "min_group", {
      label: t("audienceSettings.minGroup"),
      ...raised,
      rule: t("organization.minAnswersRule", { ...raised }),
    }),
  });
  return { notice: t("organization.saved") };
};
