// The rules for new campaigns, on the page of tags.

import type { Tag } from "../../../../campaign/campaign.ts";
import { editOf } from "../../../../counting/campaigns/apply-rules.ts";
import { importPresets } from "../../../../counting/import/mapping/presets.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { quoted } from "../../../../locale/quoted.ts";
import { urlWithQuery, webPaths } from "../../../../paths.ts";
import { newRandomId } from "../../../../storage/organizations/revisions.ts";
import {
  addRule,
  deleteRule,
  describeRule,
  listRules,
  type Rule,
  ruleFields,
} from "../../../../storage/organizations/rules.ts";
import type { Action, PageRequest, WebSession } from "../../frame/page.ts";
import { editText, readTag, readTeam, tagField, teamField } from "../../import/edit-fields.ts";
import { hiddenField, inputField, nameInput, selectField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, fieldsForm, readField, readName, readOneOf } from "../../ui/forms/form.ts";
import { dataTable } from "../../ui/lists/table.ts";

/** Each new campaign is compared with all of them. */
const maxRules = 100;

/** @param all tags of the organization */
export function rulesCard(
  session: WebSession,
  request: PageRequest,
  { rules, all, teams }: { rules: readonly Rule[]; all: readonly Tag[]; teams: readonly string[] },
): Html {
  const { t, texts } = session;
  const names = texts("rules.fields");
  const tags = new Map(all.map((tag) => [tag.id, tag]));
  const rows = rules.map((rule) => [
    html`${names[rule.field]} <bdi>${quoted(session, rule.text)}</bdi>`,
    editText(session, editOf(rule, tags)),
    html`<a href="${urlWithQuery(webPaths.editCampaigns, new URLSearchParams({ rule: String(rule.id) }))}">${t("rules.preview")}</a>`,
    actionForm(
      session,
      "delete_rule",
      hiddenField("id", rule.id),
      html`<button class="second small">${t("tags.delete")}</button>`,
    ),
  ]);
  const titles = [t("rules.condition"), t("rules.effect"), t("rules.preview"), t("tags.delete")];
  const submitted = submittedOf(request, "add_rule");
  const field = { name: "field", label: t("rules.condition"), value: "subject" };
  const text = { name: "text", label: t("rules.text"), value: "" };
  const tools = importPresets.map(({ tool }) => html`<option value="${tool}">`);
  return html`<section class="card"><h2>${t("rules.title")}</h2><p class="soft small">${t("rules.hint")}</p>
${rules.length > 0 && dataTable(t("rules.title"), titles, rows, { classes: ["text", "text"], isStacked: true, hidesCaption: true })}
${fieldsForm(
  session,
  "add_rule",
  selectField(submitted, field, names),
  html`${inputField(submitted, text, html`${nameInput} list="tools-known"`)}<datalist id="tools-known">${tools}</datalist>`,
  tagField(session, all, submitted),
  teamField(t("campaigns.columns.team"), teams, submitted),
  html`<button>${t("rules.add")}</button>`,
)}</section>`;
}

export const ruleActions: Record<"add_rule" | "delete_rule", Action> = {
  async add_rule(actor, form) {
    const { transaction, t } = actor;
    const field = readOneOf(actor, form, "field", { label: t("rules.condition"), values: ruleFields });
    const text = readName(actor, form, t("rules.text"), "text");
    const team = readTeam(actor, form);
    if ((team === null) === (readField(actor, form, "tag") === ""))
      throw new AppError("bad_request", t("rules.one"));
    const tag = await readTag(actor, form);
    await transaction(
      async (scope) => {
        if ((await listRules(scope)).length >= maxRules)
          throw new AppError("conflict", t("rules.tooMany", { max: maxRules }));
        await addRule(scope, {
          id: newRandomId(),
          createdAt: actor.now,
          field,
          text,
          tagId: tag?.id ?? null,
          team,
        });
      },
      ["rule.add", describeRule({ field, text })],
    );
    return { notice: t("rules.addedNotice") };
  },
  async delete_rule({ transaction, t }, form) {
    await transaction(
      async (scope) => {
        const rule = (await listRules(scope)).find(({ id }) => String(id) === form.get("id"));
        if (!rule || !(await deleteRule(scope, rule.id))) throw new AppError("not_found");
        return rule;
      },
      ["rule.delete", describeRule],
    );
    return { notice: t("rules.deleted") };
  },
};
