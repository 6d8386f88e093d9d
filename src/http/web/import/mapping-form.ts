// The form that maps the columns of a file to fields.

import { dateOrders } from "../../../campaign/calendar/exported-time.ts";
import { emailRecordFieldNames } from "../../../campaign/email-record-schema.ts";
import { recordFields } from "../../../campaign/record-fields.ts";
import { rateForms } from "../../../counting/import/presets.ts";
import type { TableSample } from "../../../counting/import/table.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { selectField, selectOptions } from "../ui/field.ts";
import { dataTable } from "../ui/table.ts";
import type { ColumnChoices } from "./column-choices.ts";

/** Each has a menu of all fields. Columns beyond these are not imported. */
const maxColumns = 100;

export function mappingForm(
  locale: Locale,
  { header, rows }: TableSample,
  { choice, fields, tool }: ColumnChoices,
): Html {
  const { t, translate } = locale;
  const titles = Object.fromEntries([
    ["", t("imports.ignore")],
    ...emailRecordFieldNames.map((field) => [field, translate(`fields.${field}`, recordFields[field].title)]),
  ]);
  const tableRows = header.slice(0, maxColumns).map((column, index) => {
    const example = rows.map((row) => row[index] ?? "").find((cell) => cell !== "") ?? "";
    const select = html`<select name="c${index}" aria-label="${t("imports.fieldOf", { column })}">${selectOptions(titles, fields[index] ?? "")}</select>`;
    return [html`<bdi>${column}</bdi>`, html`<bdi class="soft">${example.slice(0, 80)}</bdi>`, select];
  });
  const columns = [t("imports.column"), t("imports.example"), t("imports.field")];
  const orders = {
    "": t("imports.unknownOrder"),
    ...pick(dateOrders, (order) => t(`imports.dateOrders.${order}`)),
  };
  const defaultRates = tool === undefined ? "fraction" : "percent";
  return html`<section class="card"><h2>${t("imports.columns")}</h2>
<p>${tool === undefined ? t("imports.mapHint") : t("imports.recognized", { tool })}</p>
<form method="get"><input type="hidden" name="mapped" value="1">
${dataTable(t("imports.columns"), columns, tableRows, { classes: ["text"], isStacked: true, hidesCaption: true })}
<div class="fields">${selectField(
    {},
    { name: "date_order", label: t("imports.dateOrder"), value: choice.dateOrder ?? "" },
    orders,
  )}${selectField(
    {},
    { name: "rates", label: t("imports.rates"), value: choice.rates ?? defaultRates },
    pick(rateForms, (form) => t(`imports.rateForms.${form}`)),
  )}<button class="second">${t("imports.updatePreview")}</button></div></form></section>
`;
}

function pick<Name extends string>(
  names: readonly Name[],
  text: (name: Name) => string,
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, text(name)]));
}
