// CSV links on the page of API keys: allowing them, and creating one, which is shown once.

import { dayMs } from "../../../campaign/calendar/durations.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import type { Tag } from "../../../campaign/campaign.ts";
import { normalizeName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import { addApiKey, findKeyByName } from "../../../storage/api-keys.ts";
import { saveOrganization } from "../../../storage/organizations.ts";
import type { Choice } from "../../../storage/tables/organizations.ts";
import { findUnknownTags } from "../../../storage/tags.ts";
import { type Html, html } from "../../html.ts";
import { parseTagFilter } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";
import type { Action, PageRequest, WebSession } from "../page.ts";
import { quoted } from "../quoted.ts";
import { copyable } from "../ui/copyable.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readDays, readField, rejectField } from "../ui/form.ts";
import { tagBoxes } from "../ui/tag-boxes.ts";
import type { WebContext } from "../web-context.ts";
import { nameTaken } from "./create-key.ts";

const defaultDays = "30";
const maxDays = 3_650;

/** @param tags of the organization */
export function csvLinksCard(session: WebSession, request: PageRequest, tags: readonly Tag[]): Html {
  const { csvLinks } = session.organization;
  const { t } = session.locale;
  const [action, style, label] =
    csvLinks === "allow"
      ? ["refuse_links", "danger", t("csvLinks.refuse")]
      : ["allow_links", "second", t("csvLinks.allow")];
  return html`<section class="card" id="csv-links"><h2>${t("csvLinks.title")}</h2>
<p>${t("csvLinks.intro")}</p>
${csvLinks === "allow" && createForm(session, request, tags)}
${actionForm(session, { action, className: "row" }, html`<button class="${style}">${label}</button>`)}
</section>`;
}

function createForm(session: WebSession, { rejected }: PageRequest, tags: readonly Tag[]): Html {
  const submitted = rejected?.action === "add_link" ? rejected : undefined;
  const submittedText = (name: string) => submitted?.form.get(name) ?? "";
  const { t } = session.locale;
  const dateField = (field: "sent_after" | "sent_before", label: string) =>
    formField(
      { name: field, label },
      submitted?.problem,
      (attributes) => html`<input ${attributes} type="date" value="${submittedText(field)}">`,
    );
  const fields = [
    formField(
      { name: "link_name", label: t("csvLinks.name") },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} dir="auto" required maxlength="200" autocomplete="off" value="${submittedText("link_name")}">`,
    ),
    formField(
      { name: "days", label: t("csvLinks.days"), isTight: true },
      submitted?.problem,
      (attributes) =>
        html`<input ${attributes} type="number" min="1" max="${maxDays}" required value="${submittedText("days") || defaultDays}">`,
    ),
    dateField("sent_after", t("csvLinks.sentAfter")),
    dateField("sent_before", t("csvLinks.sentBefore")),
  ];
  return actionForm(
    session,
    { action: "add_link" },
    html`<div class="fields">${fields}<div class="field tight"><button>${t("csvLinks.create")}</button></div></div>`,
    tagChoice(session.locale, tags, submitted?.form.getAll("tag_ids") ?? []),
  );
}

/** Checkboxes of tags, folded unless one is selected. @param submitted ids */
function tagChoice(locale: Locale, tags: readonly Tag[], submitted: readonly string[]): Html {
  const selected = new Set(submitted.map(Number).filter(Number.isSafeInteger));
  const summary =
    selected.size === 0
      ? locale.t("filters.tags")
      : locale.t("filters.tagsSelected", { count: selected.size });
  const boxes = tagBoxes(locale, tags, selected, (count) => locale.t("csvLinks.moreTags", { count }));
  if (tags.length === 0) return boxes;
  return html`<details class="tag-choice"${selected.size > 0 && html` open`}><summary>${summary}</summary>
${boxes}</details>`;
}

/** The actions of the page of API keys. @param listPath the page */
export function csvLinkActions(context: WebContext, listPath: string): Record<string, Action> {
  return {
    add_link: createLinkAction(context, listPath),
    allow_links: switchAction("allow"),
    refuse_links: switchAction("refuse"),
  };
}

function createLinkAction({ region, now, publicUrl, otherComponents }: WebContext, listPath: string): Action {
  return {
    role: "admin",
    async run({ organization: { id: organizationId }, user, transaction, record, locale }, form) {
      const { t } = locale;
      const link = readNewLink(locale, form);
      const expiresAt = now() + link.days * dayMs;
      const base = { organizationId, region, scope: "csv-link", createdBy: user.email, now: now() } as const;
      const { name, selection, tagIds } = link;
      const { text } = await transaction(async (queries, { csvLinks }) => {
        if (csvLinks !== "allow") throw new AppError("conflict", t("csvLinks.notAllowed"));
        const [unknown] = await findUnknownTags(queries, organizationId, tagIds);
        if (unknown !== undefined) {
          const value = quoted(locale, String(unknown));
          throw new AppError("bad_request", t("filters.invalidTagId", { name: t("filters.tags"), value }));
        }
        const same = await findKeyByName(queries, { ...base, name });
        if (same) throw new AppError("conflict", nameTaken(locale, t("csvLinks.name"), same));
        await record(queries, "csv-link.add", name);
        return addApiKey(queries, { ...base, name, expiresAt, selection });
      });
      const linkUrl = `${publicUrl()}${otherComponents.csvLinksPath}${text}`;
      const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">${t("csvLinks.copyNow")}</p>
${copyable(locale, "link", `${linkUrl}.csv`, t("csvLinks.label"))}
<h3>${t("csvLinks.importData")}</h3>
${copyable(locale, "import-data", `=IMPORTDATA("${linkUrl}.csv")`, t("csvLinks.importData"))}
<h3>${t("csvLinks.excel")}</h3>
${copyable(locale, "excel", `${linkUrl}.xlsx`, t("csvLinks.excel"))}
</section>
<p><a href="${listPath}">${t("csvLinks.done")}</a></p>`;
      return { title: t("csvLinks.newTitle"), body };
    },
  };
}

/** @throws AppError `bad_request` */
function readNewLink(
  locale: Locale,
  form: URLSearchParams,
): { name: string; days: number; selection: string; tagIds: readonly number[] } {
  const { t } = locale;
  const text = readField(locale, form, "link_name");
  const name = normalizeName(text) ?? rejectField(locale, t("csvLinks.name"), text, t("ui.nameRule"));
  const days = readDays(locale, form, { label: t("csvLinks.days"), max: maxDays });
  const tagIds = parseTagFilter(locale, form.getAll("tag_ids")) ?? [];
  return { name, days, selection: readSelection(locale, form, tagIds), tagIds };
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

function switchAction(csvLinks: Choice): Action {
  return {
    role: "admin",
    async run({ organization: { id, name }, transaction, record, locale }) {
      const { t } = locale;
      await transaction(async (queries) => {
        await saveOrganization(queries, id, { csvLinks });
        await record(queries, `csv-link.${csvLinks}`, name);
      });
      return { notice: csvLinks === "allow" ? t("csvLinks.allowed") : t("csvLinks.refused") };
    },
  };
}
