// The page `/help/fields`: the meaning of each number and field, from the metric contract.

import { metricContract } from "../../../campaign/feed/metric-contract.ts";
import { units } from "../../../campaign/record-fields.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Page } from "../page.ts";
import type { Strings } from "../strings/en.ts";
import { renderInline } from "../ui/markdown.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

type ContractField = (typeof metricContract.fields)[number];

export const fieldsPage: Page = {
  path: `${paths.web.help}/fields`,
  role: "viewer",
  async show({ locale }) {
    const strings = locale.strings.help;
    const { fields, counts } = metricContract;
    const headers = [
      textColumnHeader(strings.field),
      textColumnHeader(strings.meaning),
      columnHeader(strings.unit),
      columnHeader(strings.formula),
      textColumnHeader(strings.whenNull),
    ];
    const countRows = counts.map(
      ({ name, description }) =>
        html`<tr><th scope="row"><code>${name}</code></th><td class="text wide">${description}</td></tr>\n`,
    );
    const body = html`<p>${renderInline(strings.fieldsIntro)}</p>
<section class="card" lang="en">${renderTable(
      strings.fieldsCaption(fields.length),
      headers,
      fields.map((field) => fieldRow(strings, field)),
      { isStacked: true },
    )}</section>
<section class="card" lang="en">${renderTable(strings.countsCaption, [columnHeader(strings.count), textColumnHeader(strings.meaning)], countRows, { isStacked: true })}</section>`;
    const headingLink = html`<a href="${paths.web.help}">${strings.allTopics}</a>`;
    return { title: strings.fieldsTitle, body, headingLink };
  },
};

function fieldRow(
  strings: Strings["help"],
  { name, title, unit, description, definition, formula, rounding, null: nullMeans }: ContractField,
): Html {
  return html`<tr id="${name}"><th scope="row" class="text">${title}<br><code>${name}</code></th>
<td class="text wide">${renderInline(definition ?? description)}</td><td${cellLabel(strings.unit)}>${unit !== null && units[unit]}</td>
<td class="wide"${cellLabel(strings.formula)}>${formula !== null && html`<code>${formula}</code>`}${rounding !== null && html`<br><span class="soft small">${strings.rounding(rounding)}</span>`}</td>
<td class="text wide"${cellLabel(strings.whenNull)}>${nullMeans}</td></tr>
`;
}
