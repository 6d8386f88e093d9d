// The page `/help/fields`: the meaning of each number and field, from the table of fields.

import { hourMs } from "../../../campaign/calendar/durations.ts";
import {
  type FeedField,
  feedFieldNames,
  feedFields,
  type NullMeaning,
} from "../../../campaign/feed/feed-fields.ts";
import { describeRounding, formulaOf } from "../../../campaign/feed/metric-contract.ts";
import { testForecasts } from "../../../campaign/forecast.ts";
import { formulaCounts, type RecordField, units } from "../../../campaign/record-fields.ts";
import { readAgedCampaigns } from "../../../listing/reports/aged-campaigns.ts";
import { ageText } from "../../../locale/age-text.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import type { Page, WebSession } from "../frame/page.ts";
import { cellLabel, columnHeader, dataTable, renderTable, textColumnHeader } from "../ui/lists/table.ts";
import { renderInline } from "../ui/texts/markdown.ts";

export const fieldsPath = `${webPaths.help}/fields`;

export const fieldsPage: Page = {
  path: fieldsPath,
  role: "viewer",
  async show(session) {
    const { translate, t } = session;
    const counts = Object.keys(formulaCounts) as (keyof typeof formulaCounts)[];
    const countRows = counts.map((name) => [
      html`<code>${name}</code>`,
      translate(`help.counts.${name}`, formulaCounts[name].description),
    ]);
    const countTitles = [t("help.count"), t("help.meaning")];
    const options = { classes: ["", "text bare"], isStacked: true };
    const headers = [
      textColumnHeader(t("help.field")),
      textColumnHeader(t("help.meaning")),
      columnHeader(t("help.unit")),
      columnHeader(t("help.formula")),
      textColumnHeader(t("help.whenNull")),
    ];
    const body = html`<p>${renderInline(t("help.fieldsIntro"))}</p>
<section class="card section">${renderTable(
      t("help.fieldsCaption", { count: feedFieldNames.length }),
      headers,
      feedFieldNames.map((name) => fieldRow(session, name)),
      { isStacked: true },
    )}</section>
<section class="card">${dataTable(t("help.countsCaption"), countTitles, countRows, options)}</section>
${await accuracyCard(session)}`;
    return {
      title: t("help.fieldsTitle"),
      body,
      headingLink: html`<a href="${webPaths.help}">${t("help.allTopics")}</a>`,
    };
  },
};

/** Forecasts are tried on the newest campaigns: with more, a page would take too long. */
const maxTried = 300;
const triedAges = [3 * hourMs, 24 * hourMs];

/** How many of the forecasts held that pages would have shown of the organization's own campaigns. */
async function accuracyCard(session: WebSession): Promise<Html> {
  const {
    now,
    organization: { countedTraffic: traffic },
    snapshot,
    t,
    format,
  } = session;
  const campaigns = await snapshot((scope) => readAgedCampaigns(scope, { traffic }, maxTried));
  const lines = triedAges.map((each) => {
    const { forecasts, held } = testForecasts(campaigns, each, now);
    const age = ageText(session, each);
    if (forecasts === 0) return t("help.noAccuracy", { age });
    return t("help.accuracy", { age, forecasts, held, share: format.rate(held / forecasts) });
  });
  return html`<section class="card"><h2>${t("help.accuracyTitle")}</h2><p>${t("help.accuracyNote")}</p>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

function fieldRow({ t, translate }: Locale, name: FeedField): Html {
  const field: RecordField & { nullMeans?: NullMeaning } = feedFields[name];
  const { unit, rounding, nullMeans } = field;
  const formula = formulaOf(field);
  return html`<tr id="${name}"><th scope="row" class="text">${translate(`fields.${name}`, field.title)}<br><code>${name}</code></th>
<td class="text">${renderInline(translate(`help.meanings.${name}`, field.definition ?? field.description))}</td><td${cellLabel(t("help.unit"))}>${unit && translate(`help.units.${unit}`, units[unit])}</td>
<td${cellLabel(t("help.formula"))}>${formula !== undefined && html`<code>${formula}</code>`}${rounding && html`<br><span class="soft small">${t("help.rounding", { rule: translate(`help.roundings.${rounding}`, describeRounding(rounding)) })}</span>`}</td>
<td class="text"${cellLabel(t("help.whenNull"))}>${nullMeans && translate(`help.nullMeanings.${nullMeans}`, nullMeans)}</td></tr>
`;
}
