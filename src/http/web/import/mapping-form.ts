// The form that maps the columns of a file to fields.

import { dateOrders } from "../../../campaign/calendar/exported-time.ts";
import { importFieldNames, importFields } from "../../../campaign/reported-campaign.ts";
import { rateForms } from "../../../counting/import/mapping/presets.ts";
import { maxMappedColumns } from "../../../counting/import/prepare-campaigns.ts";
import type { ImportPreview } from "../../../counting/import/preview-import.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { WebSession } from "../frame/page.ts";
import { hiddenField, selectField, selectOptions } from "../ui/forms/field.ts";
import { actionForm } from "../ui/forms/form.ts";
import { dataTable } from "../ui/lists/table.ts";

/** Columns without a field are folded, once those that are needed have one. */
export function mappingForm(
  session: WebSession,
  { columns, choices: { choice, fields, tool, isSaved, key = "" } }: ImportPreview,
): Html {
  const { t, translate } = session;
  const titles = Object.fromEntries([
    ["", t("imports.ignore")],
    ...importFieldNames.map((field) => [field, translate(`fields.${field}`, importFields[field].title)]),
  ]);
  const rows = columns.slice(0, maxMappedColumns).map(({ title, examples }, index) => {
    const example = examples.find((cell) => cell !== "") ?? "";
    const label = t("imports.fieldOf", { column: title });
    const select = html`<select name="c${index}" aria-label="${label}">${selectOptions(titles, fields[index] ?? "")}</select>`;
    return [html`<bdi>${title}</bdi>`, html`<bdi class="soft">${example.slice(0, 80)}</bdi>`, select];
  });
  const isFolded = fields.includes("subject") && fields.includes("sent_at");
  const ignored = rows.filter((_, index) => isFolded && fields[index] === undefined);
  const columnTitles = [t("imports.column"), t("imports.example"), t("help.field")];
  const table = (caption: string, some: typeof rows) =>
    dataTable(caption, columnTitles, some, { classes: ["text"], isStacked: true, hidesCaption: true });
  const summary = t("imports.ignored", { count: ignored.length });
  const orders = {
    "": t("imports.unknownOrder"),
    ...pick(dateOrders, (order) => t(`imports.dateOrders.${order}`)),
  };
  return html`<section class="card"><h2>${t("imports.columns")}</h2>
<div class="row"><span>${isSaved ? t("imports.saved") : tool === undefined ? t("imports.mapHint") : t("imports.recognized", { tool })}</span>
${isSaved && actionForm(session, "forget", hiddenField("header", key), html`<button class="second small">${t("imports.forget")}</button>`)}</div>
<form method="get"><input type="hidden" name="mapped" value="1">
${table(
  t("imports.columns"),
  rows.filter((row) => !ignored.includes(row)),
)}
${ignored.length > 0 && html`<details class="more-fields"><summary>${summary}</summary>${table(summary, ignored)}</details>`}
<div class="fields">${selectField(
    {},
    { name: "date_order", label: t("imports.dateOrder"), value: choice.dateOrder ?? "" },
    orders,
  )}${selectField(
    {},
    { name: "rates", label: t("imports.rates"), value: choice.rates ?? "" },
    { "": t("imports.unknownOrder"), ...pick(rateForms, (form) => t(`imports.rateForms.${form}`)) },
  )}<button class="second">${t("imports.updatePreview")}</button></div></form></section>
`;
}

function pick<Name extends string>(
  names: readonly Name[],
  text: (name: Name) => string,
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, text(name)]));
}
