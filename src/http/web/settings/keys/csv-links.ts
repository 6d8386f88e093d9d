// CSV links on the page of API keys: allowing them, and creating one, which is shown once.

import { parseIsoTimestamp } from "../../../../campaign/calendar/iso-timestamp.ts";
import type { Tag } from "../../../../campaign/campaign.ts";
import { AppError } from "../../../../errors.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { quoted } from "../../../../locale/quoted.ts";
import { paths, webPaths } from "../../../../paths.ts";
import { findUnknownTags } from "../../../../storage/organizations/tags.ts";
import { parseTagFilter } from "../../filters/filters.ts";
import type { Action, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { copyable } from "../../ui/forms/copyable.ts";
import { inputField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, readField, rejectField } from "../../ui/forms/form.ts";
import { tagBoxes } from "../../ui/texts/tag-boxes.ts";
import { createKey } from "../keys/create-key.ts";
import { linkFields, linkSwitch, linkSwitchActions, readLink } from "./link-form.ts";

const maxDays = 3_650;
const nameField = "link_name";

/** @param tags of the organization */
export function csvLinksCard(session: WebSession, request: PageRequest, tags: readonly Tag[]): Html {
  return html`<section class="card" id="csv-links"><h2>${session.t("csvLinks.title")}</h2>
<p>${session.t("csvLinks.intro")}</p>
${session.organization.csvLinks === "allow" && createForm(session, request, tags)}
${linkSwitch(session, "csvLinks")}
</section>`;
}

function createForm(session: WebSession, request: PageRequest, tags: readonly Tag[]): Html {
  const { t } = session;
  const submitted = submittedOf(request, "add_link");
  const dates = [
    { name: "sent_after", label: t("csvLinks.sentAfter"), value: "" },
    { name: "sent_before", label: t("csvLinks.sentBefore"), value: "" },
  ];
  const dateFields = dates.map((each) => inputField(submitted, each, html` type="date"`));
  return actionForm(
    session,
    "add_link",
    html`<div class="fields">${linkFields(session, submitted, nameField, maxDays)}${dateFields}<div class="field tight"><button class="second">${t("csvLinks.create")}</button></div></div>`,
    tagChoice(session, tags, submitted.form?.getAll("tag_ids") ?? []),
  );
}

/** Checkboxes of tags, folded unless one is selected. @param submitted ids */
function tagChoice(locale: Locale, tags: readonly Tag[], submitted: readonly string[]): Html {
  const selected = new Set(submitted.map(Number).filter(Number.isSafeInteger));
  const summary =
    selected.size === 0 ? locale.t("pages.tags") : locale.t("tags.caption", { count: selected.size });
  const boxes = tagBoxes(locale, tags, selected, (count) => locale.t("csvLinks.moreTags", { count }));
  if (tags.length === 0) return boxes;
  return html`<details class="tag-choice"${selected.size > 0 && html` open`}><summary>${summary}</summary>
${boxes}</details>`;
}

/** The actions of the page of API keys. */
export const csvLinkActions = (context: WebContext): Record<string, Action> => ({
  add_link: createLinkAction(context),
  ...linkSwitchActions("csvLinks"),
});

function createLinkAction(context: WebContext): Action {
  return async (actor, form) => {
    const { t, format } = actor;
    const link = readLink(actor, form, nameField, maxDays);
    const tagIds = parseTagFilter(actor, form.getAll("tag_ids")) ?? [];
    const { text } = await createKey(
      actor,
      {
        ...link,
        selection: readSelection(actor, form, tagIds),
        scope: "csv-link",
        async check(scope, { csvLinks }) {
          if (csvLinks !== "allow") throw new AppError("conflict", t("csvLinks.notAllowed"));
          const [unknown] = await findUnknownTags(scope, tagIds);
          if (unknown === undefined) return;
          throw new AppError(
            "bad_request",
            t("filters.invalidTagId", { name: t("pages.tags"), value: quoted(actor, String(unknown)) }),
          );
        },
      },
      context,
    );
    const linkUrl = `${context.publicUrl()}${paths.api.csvLinks}${text}`;
    const csvLink = (id: string, label: string, query = "") =>
      html`<h3>${label}</h3>${copyable(actor, id, `${linkUrl}.csv${query}`, label)}`;
    const plain = csvLink("link", t("csvLinks.plain"));
    const withCommas = csvLink("comma-link", t("csvLinks.withCommas"), "?decimal=comma");
    const body = html`<section class="card"><h2>${link.name}</h2>
<p class="warning" role="status">${t("csvLinks.copyNow")}</p>
${format.mean(0.5).includes(",") ? [withCommas, plain] : [plain, withCommas]}
<h3>${t("csvLinks.importData")}</h3>
${copyable(actor, "import-data", `=IMPORTDATA("${linkUrl}.csv")`, t("csvLinks.importData"))}
<h3>${t("csvLinks.excel")}</h3>
${copyable(actor, "excel", `${linkUrl}.xlsx`, t("csvLinks.excel"))}
</section>
<p><a href="${webPaths.analyticsApi}">${t("csvLinks.done")}</a></p>`;
    return { title: t("csvLinks.newTitle"), body };
  };
}

/**
 * The query string of a download.
 *
 * @throws AppError `bad_request`
 */
function readSelection(locale: Locale, form: URLSearchParams, tagIds: readonly number[]): string {
  const { t } = locale;
  const sentAfter = readDate(locale, form, "sent_after", t("csvLinks.sentAfter"));
  const sentBefore = readDate(locale, form, "sent_before", t("csvLinks.sentBefore"));
  if (sentAfter !== "" && sentBefore !== "" && sentBefore < sentAfter) {
    rejectField(locale, t("csvLinks.sentBefore"), sentBefore, t("csvLinks.endRule", { start: sentAfter }));
  }
  const parameters = { sent_after: sentAfter, sent_before: sentBefore, tag_ids: tagIds.join(",") };
  return String(new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== "")));
}

/** Returns YYYY-MM-DD, or nothing. @throws AppError `bad_request` */
function readDate(locale: Locale, form: URLSearchParams, name: string, label: string): string {
  const text = readField(locale, form, name);
  if (text === "" || parseIsoTimestamp(text)?.kind === "date") return text;
  return rejectField(locale, label, text, locale.t("csvLinks.dateRule"));
}
