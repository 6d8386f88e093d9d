// The values that people set of a campaign: the actions that set and reset them, who has set which, and the boxes of tags.

import type { Tag } from "../../../../campaign/campaign.ts";
import { toRegistration } from "../../../../campaign/counted-campaign.ts";
import {
  type CorrectionRequest,
  detailsOf,
  parseCorrection,
} from "../../../../counting/campaigns/correct-campaign.ts";
import { saidOf } from "../../../../counting/campaigns/corrections.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import { campaignPath } from "../../../../paths.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { listTags } from "../../../../storage/organizations/tags.ts";
import type { Action, Actor, WebSession } from "../../frame/page.ts";
import { readTag, tagField } from "../../import/edit-fields.ts";
import { hiddenField } from "../../ui/forms/field.ts";
import { actionForm } from "../../ui/forms/form.ts";
import { menu } from "../../ui/lists/menu.ts";
import { dataTable } from "../../ui/lists/table.ts";
import { tagLabel } from "../../ui/texts/tag-label.ts";
import {
  labelsOf,
  readCampaignForm,
  rejectChanged,
  rejectFields,
  valuesOf,
  withLabels,
} from "./campaign-form.ts";

import { findShown, registrationField, targetOf } from "./shown-campaign.ts";

type CorrectionInput = { edited: Record<string, unknown>; reset?: CorrectionRequest["reset"] };

/** @param read what the form sets of the campaign that the page shows */
const correctWith =
  (
    read: (
      actor: Actor,
      form: URLSearchParams,
      stored: StoredCampaign,
    ) => CorrectionInput | Promise<CorrectionInput>,
  ): Action =>
  async (actor, form, request) => {
    const { organization, user, t } = actor;
    const stored = await findShown(actor, form, request);
    const { id } = stored.campaign;
    const { edited, reset } = await read(actor, form, stored);
    const correction = parseCorrection(stored, edited, organization.timeZone);
    if ("errors" in correction) rejectFields(actor, correction.errors);
    const status = await withLabels(
      actor,
      actor.write(
        {
          name: "correct_campaign",
          id,
          details: detailsOf(stored),
          actor: user.email,
          reset,
        },
        [reset ? "campaign.reset" : "campaign.change", `${targetOf(id)}: ${Object.keys(edited).join(", ")}`],
        edited,
      ),
    );
    // Someone changed it in this moment, so that the next attempt sees it.
    if (status === false) return correctWith(read)(actor, form, request);
    return {
      notice: t(reset ? "campaign.wasReset" : "campaign.corrected"),
      redirectTo: campaignPath(id),
    };
  };

export const correctAction = correctWith((actor, form, stored) => {
  rejectChanged(actor, form, valuesOf(stored, actor.organization.timeZone));
  return { edited: readCampaignForm(actor, form, stored.counting ? "counted" : "reported") };
});

export const resetAction = correctWith(async ({ transaction }, form, stored) => {
  const name = Object.keys(resetFields).find((each) => each === form.get("field")) as ResetField | undefined;
  const reset = name && resetFields[name];
  if (!name || !reset || !stored.corrections[reset]) throw new AppError("not_found");
  const { campaign, tagIds } = saidOf(stored);
  const tags = (await transaction(listTags)).filter(({ id }) => tagIds.includes(id));
  return { edited: { [name]: toRegistration(campaign, tags, null)[name] }, reset };
});

/** What the boxes change; tags that someone else added or removed meanwhile stay so. */
export const tagsAction = correctWith(async (actor, form, stored) => {
  const all = await actor.transaction(listTags);
  const [shown, chosen] = [new Set(form.getAll("shown_tags")), new Set(form.getAll("tag_ids"))];
  const added = await readTag(actor, form);
  const has = new Set(stored.tags.map(({ id }) => id));
  const isLeft = ({ id }: Tag) =>
    shown.has(String(id)) === chosen.has(String(id)) ? has.has(id) : chosen.has(String(id));
  const tags = [
    ...all.filter((tag) => isLeft(tag) || tag.id === added?.id),
    ...(added && !all.some(({ id }) => id === added.id) ? [added] : []),
  ];
  return { edited: { tags: tags.map(({ name, color }) => ({ name, color })) } };
});

/** The fields that can be reset, by their names in the API. */
const resetFields = {
  subject: "subject",
  sent_at: "sentAt",
  recipient_count: "recipientCount",
  sent_from: "sentFrom",
  team: "team",
  tags: "tags",
  recipient_groups: "recipients",
  surveys_count: "surveysCount",
  sending_type: "sendingType",
  tracking_type: "trackingType",
} as const satisfies Record<string, CorrectionRequest["reset"]>;
type ResetField = keyof typeof resetFields;

/** The fields that people or rules have set, with what the file or the sender says. It names admins, and shared pages show what viewers see. */
export function correctionsCard(
  session: WebSession,
  stored: StoredCampaign,
  tags: readonly Tag[],
): HtmlValue {
  const { organization, t, timeText } = session;
  const { campaign, tagIds } = saidOf(stored);
  const said = valuesOf(
    { ...stored, campaign, tags: tags.filter(({ id }) => tagIds.includes(id)) },
    organization.timeZone,
  );
  const labels = labelsOf(session);
  const rows = (Object.keys(resetFields) as ResetField[]).flatMap((name) => {
    const correction = stored.corrections[resetFields[name]];
    if (!correction) return [];
    const { by, at, isRule } = correction;
    const time = timeText(at);
    const value = said[name]?.replaceAll("\n", ", ") || t("overview.notSet");
    const button = html`<button class="second small" aria-label="${t("campaign.resetNamed", { field: labels[name] })}">${t("campaign.reset")}</button>`;
    const form = actionForm(session, "reset", registrationField(stored), hiddenField("field", name), button);
    return [
      [
        labels[name],
        html`<bdi>${value}</bdi>`,
        isRule ? t("campaign.setAutomatically", { by, time }) : t("campaign.setBy", { by, time }),
        form,
      ],
    ];
  });
  if (rows.length === 0) return false;
  const titles = [t("help.field"), t("campaign.said"), t("campaign.who"), t("campaign.reset")];
  return html`<section class="card wide"><h2>${t("campaign.setValues")}</h2><p class="soft small">${t("campaign.setHint")}</p>
${dataTable(t("campaign.setValues"), titles, rows, { classes: ["text", "text", "text"], isStacked: true, hidesCaption: true })}</section>`;
}

/** Boxes of all tags behind a button, in the head of the page. */
export function tagPicker(session: WebSession, stored: StoredCampaign, all: readonly Tag[]): Html {
  const ids = new Set(stored.tags.map(({ id }) => id));
  const boxes = all.map(
    (tag) =>
      html`<label class="inline"><input type="checkbox" name="tag_ids" value="${tag.id}"${ids.has(tag.id) && html` checked`}> ${tagLabel(tag)}</label>`,
  );
  const shown = [...ids].map((id) => hiddenField("shown_tags", id));
  return menu(
    {
      id: "menu-tags",
      label: html`<span class="label">${session.t("campaign.editTags")}</span>`,
      icon: "tag",
      alignsEnd: true,
    },
    actionForm(
      session,
      "tags",
      registrationField(stored),
      shown,
      html`<div class="boxes">${boxes}</div>`,
      tagField(session, all, {}),
      html`<button>${session.t("filters.apply")}</button>`,
    ),
  );
}
