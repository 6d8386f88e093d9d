// The page `/help/fields`: the meaning of each number and field, from the table of fields.

import {
  type FeedField,
  feedFieldNames,
  feedFields,
  type NullMeaning,
} from "../../../campaign/feed/feed-fields.ts";
import { formulaOf } from "../../../campaign/feed/metric-contract.ts";
import { formulaCounts, type RecordField } from "../../../campaign/record-fields.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { Locale } from "../locale.ts";
import type { Page } from "../page.ts";
import { renderInline } from "../ui/markdown.ts";
import { cellLabel, columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";

export const fieldsPage: Page = {
  path: `${paths.web.help}/fields`,
  role: "viewer",
  async show({ locale }) {
    const strings = locale.strings.help;
    const headers = [
      textColumnHeader(strings.field),
      textColumnHeader(strings.meaning),
      columnHeader(strings.unit),
      columnHeader(strings.formula),
      textColumnHeader(strings.whenNull),
    ];
    const counts = Object.keys(formulaCounts) as (keyof typeof formulaCounts)[];
    const countRows = counts.map(
      (name) =>
        html`<tr><th scope="row"><code>${name}</code></th><td class="text wide">${strings.counts[name]}</td></tr>\n`,
    );
    const body = html`<p>${renderInline(strings.fieldsIntro)}</p>
<ul>${strings.pageNumbers.map((text) => html`<li>${text}</li>`)}</ul>
<section class="card section">${renderTable(
      strings.fieldsCaption(feedFieldNames.length),
      headers,
      feedFieldNames.map((name) => fieldRow(locale, name)),
      { isStacked: true },
    )}</section>
<section class="card">${renderTable(strings.countsCaption, [columnHeader(strings.count), textColumnHeader(strings.meaning)], countRows, { isStacked: true })}</section>`;
    const headingLink = html`<a href="${paths.web.help}">${strings.allTopics}</a>`;
    return { title: strings.fieldsTitle, body, headingLink };
  },
};

function fieldRow({ strings }: Locale, name: FeedField): Html {
  const { help, fields } = strings;
  const field: RecordField & { nullMeans?: NullMeaning } = feedFields[name];
  const { unit, rounding, nullMeans } = field;
  const formula = formulaOf(field);
  return html`<tr id="${name}"><th scope="row" class="text">${fields[name]}<br><code>${name}</code></th>
<td class="text wide">${renderInline(help.meanings[name])}</td><td${cellLabel(help.unit)}>${unit && help.units[unit]}</td>
<td class="wide"${cellLabel(help.formula)}>${formula !== undefined && html`<code>${formula}</code>`}${rounding && html`<br><span class="soft small">${help.rounding(help.roundings[rounding])}</span>`}</td>
<td class="text wide"${cellLabel(help.whenNull)}>${nullMeans && help.nullMeanings[nullMeans]}</td></tr>
`;
}
