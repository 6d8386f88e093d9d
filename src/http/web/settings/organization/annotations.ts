// The annotations at `/settings/annotations`: what happened on which day, for the charts.

import { isoDay } from "../../../../campaign/calendar/calendar-date.ts";
import { parseIsoTimestamp } from "../../../../campaign/calendar/iso-timestamp.ts";
import { normalizeName } from "../../../../campaign/fields/names.ts";
import { AppError } from "../../../../errors.ts";
import { todayOf } from "../../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { paths } from "../../../../paths.ts";
import {
  type Annotation,
  addAnnotation,
  deleteAnnotation,
  listAnnotations,
} from "../../../../storage/organizations/annotations.ts";
import type { Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { hiddenField, inputField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, readField, rejectField } from "../../ui/forms/form.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { dataTable } from "../../ui/lists/table.ts";

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
      const annotations = await database.queryOf(id, listAnnotations);
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
      async add({ transaction, record, locale }, form) {
        const annotation = readAnnotation(locale, form);
        await transaction(async (scope) => {
          const { length } = await listAnnotations(scope);
          if (length >= maxAnnotations) {
            throw new AppError("conflict", locale.t("annotations.full", { max: maxAnnotations }));
          }
          await addAnnotation(scope, annotation);
          await record(scope, "annotation.add", `${annotation.day} ${annotation.text}`);
        });
        return { notice: locale.t("annotations.added") };
      },
      async delete({ transaction, record, locale }, form) {
        const annotation = readAnnotation(locale, form);
        await transaction(async (scope) => {
          if (!(await deleteAnnotation(scope, annotation))) {
            throw new AppError("not_found", locale.t("annotations.gone"));
          }
          await record(scope, "annotation.delete", `${annotation.day} ${annotation.text}`);
        });
        return { notice: locale.t("annotations.deleted") };
      },
    },
  };
}

/** @throws AppError `bad_request` */
function readAnnotation(locale: Locale, form: URLSearchParams): Annotation {
  const { t } = locale;
  const [day, text] = [readField(locale, form, "day"), readField(locale, form, "text")];
  const parsed = parseIsoTimestamp(day);
  if (parsed?.kind !== "date") return rejectField(locale, t("annotations.day"), day, t("csvLinks.dateRule"));
  const name = normalizeName(text);
  if (name !== undefined && [...name].length <= maxLength) return { day: isoDay(parsed.date), text: name };
  return rejectField(locale, t("annotations.text"), text, t("annotations.textRule", { max: maxLength }));
}

function addForm(session: WebSession, request: PageRequest, today: string): Html {
  const { t } = session.locale;
  const submitted = submittedOf(request, "add");
  const textInput = html` dir="auto" required maxlength="${maxLength}" autocomplete="off"`;
  return html`<section class="card"><h2>${t("annotations.add")}</h2>
${actionForm(
  session,
  { action: "add", className: "fields" },
  inputField(
    submitted,
    { name: "day", label: t("annotations.day"), isTight: true, value: today },
    html` type="date" required`,
  ),
  inputField(submitted, { name: "text", label: t("annotations.text"), value: "" }, textInput),
  html`<button>${t("annotations.add")}</button>`,
)}</section>`;
}

function annotationsTable(session: WebSession, annotations: readonly Annotation[]): Html {
  const { t, format } = session.locale;
  const rows = annotations.map(({ day, text }) => {
    const parsed = parseIsoTimestamp(day);
    const date = parsed?.kind === "date" ? format.date(parsed.date) : day;
    const fields = [hiddenField("day", day), hiddenField("text", text)];
    const button = html`<button class="second small" aria-label="${t("annotations.deleteNamed", { text, date })}">${t("annotations.delete")}</button>`;
    return [isolatedText(text), date, actionForm(session, { action: "delete" }, fields, button)];
  });
  const titles = [t("annotations.text"), t("annotations.day"), t("annotations.delete")];
  return dataTable(t("pages.annotations"), titles, rows, { classes: ["text"], hidesCaption: true });
}
