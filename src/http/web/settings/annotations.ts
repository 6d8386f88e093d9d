// The annotations at `/settings/annotations`: what happened on which day, for the charts.

import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../campaign/calendar/iso-timestamp.ts";
import { normalizeName } from "../../../campaign/names.ts";
import { AppError } from "../../../errors.ts";
import { todayOf } from "../../../listing/sums/page-filters.ts";
import {
  type Annotation,
  addAnnotation,
  deleteAnnotation,
  listAnnotations,
} from "../../../storage/annotations.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Page, PageRequest, WebSession } from "../page.ts";
import { emptyState } from "../ui/empty-state.ts";
import { formField } from "../ui/field.ts";
import { actionForm, readField, rejectField } from "../ui/form.ts";
import { isolatedText } from "../ui/isolated-text.ts";
import { columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";

/** Longer texts would cover the chart. */
const maxLength = 40;
/** Each page with a chart reads all of them. */
const maxAnnotations = 500;

export function annotationsPage({ database, now }: WebContext): Page {
  return {
    path: paths.web.annotations,
    role: "admin",
    async show(session, request) {
      const { t } = session.locale;
      const { id, timeZone } = session.organization;
      const annotations = await database.query((queries) => listAnnotations(queries, id));
      const today = isoDay(todayOf({ now: now(), timeZone }));
      const list =
        annotations.length === 0
          ? emptyState({ icon: "calendar", title: t("annotations.none"), text: t("annotations.noneHint") })
          : html`<section class="card">${annotationsTable(session, annotations)}</section>`;
      return {
        title: t("pages.annotations"),
        lead: t("annotations.lead"),
        body: html`${addForm(session, request, today)}${list}`,
      };
    },
    actions: {
      add: {
        role: "admin",
        async run({ organization, transaction, record, locale }, form) {
          const annotation = { day: readDay(locale, form), text: readText(locale, form) };
          await transaction(async (queries) => {
            const { length } = await listAnnotations(queries, organization.id);
            if (length >= maxAnnotations) {
              throw new AppError("conflict", locale.t("annotations.full", { max: maxAnnotations }));
            }
            await addAnnotation(queries, organization.id, annotation);
            await record(queries, "annotation.add", `${annotation.day} ${annotation.text}`);
          });
          return { notice: locale.t("annotations.added") };
        },
      },
      delete: {
        role: "admin",
        async run({ organization, transaction, record, locale }, form) {
          const annotation = { day: readDay(locale, form), text: readText(locale, form) };
          await transaction(async (queries) => {
            if (!(await deleteAnnotation(queries, organization.id, annotation))) {
              throw new AppError("not_found", locale.t("annotations.gone"));
            }
            await record(queries, "annotation.delete", `${annotation.day} ${annotation.text}`);
          });
          return { notice: locale.t("annotations.deleted") };
        },
      },
    },
  };
}

function readDay(locale: Locale, form: URLSearchParams): string {
  const { t } = locale;
  const text = readField(locale, form, "day");
  const parsed = parseIsoTimestamp(text);
  if (parsed?.kind === "date") return isoDay(parsed.date);
  return rejectField(locale, t("annotations.day"), text, t("annotations.dayRule"));
}

function readText(locale: Locale, form: URLSearchParams): string {
  const { t } = locale;
  const text = readField(locale, form, "text");
  const name = normalizeName(text);
  if (name !== undefined && [...name].length <= maxLength) return name;
  return rejectField(locale, t("annotations.text"), text, t("annotations.textRule", { max: maxLength }));
}

function addForm(session: WebSession, { rejected }: PageRequest, today: string): Html {
  const { t } = session.locale;
  const submitted = rejected?.action === "add" ? rejected : undefined;
  const problem = submitted?.problem;
  return html`<section class="card"><h2>${t("annotations.add")}</h2>
${actionForm(
  session,
  { action: "add", className: "fields" },
  formField(
    { name: "day", label: t("annotations.day"), isTight: true },
    problem,
    (attributes) =>
      html`<input ${attributes} type="date" required value="${submitted?.form.get("day") ?? today}">`,
  ),
  formField(
    { name: "text", label: t("annotations.text") },
    problem,
    (attributes) =>
      html`<input ${attributes} dir="auto" required maxlength="${maxLength}" autocomplete="off" value="${submitted?.form.get("text") ?? ""}">`,
  ),
  html`<button>${t("annotations.add")}</button>`,
)}</section>`;
}

function annotationsTable(session: WebSession, annotations: readonly Annotation[]): Html {
  const { t, format } = session.locale;
  const rows = annotations.map(({ day, text }) => {
    const parsed = parseIsoTimestamp(day);
    const date = parsed?.kind === "date" ? format.date(parsed.date) : day;
    const fields = html`<input type="hidden" name="day" value="${day}"><input type="hidden" name="text" value="${text}">`;
    const button = html`<button class="second small" aria-label="${t("annotations.deleteNamed", { text, date })}">${t("annotations.delete")}</button>`;
    return html`<tr><th scope="row" class="text">${isolatedText(text)}</th><td>${date}</td><td>${actionForm(session, { action: "delete" }, fields, button)}</td></tr>
`;
  });
  const headers = [
    textColumnHeader(t("annotations.text")),
    columnHeader(t("annotations.day")),
    columnHeader(t("annotations.delete")),
  ];
  return renderTable(t("pages.annotations"), headers, rows, { hidesCaption: true });
}
