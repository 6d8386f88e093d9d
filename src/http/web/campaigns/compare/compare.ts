// The comparison of two to five campaigns at `/campaigns/compare`: their numbers side by side, and their opens by age.

import type { TrafficFilter } from "../../../../campaign/events/traffic.ts";
import { AppError } from "../../../../errors.ts";
import { toAgedCampaign } from "../../../../listing/reports/aged-campaigns.ts";
import {
  areRanked,
  bestOf,
  comparedCampaigns,
  openRatesAtSameAge,
} from "../../../../listing/reports/campaign-comparison.ts";
import { ageText } from "../../../../locale/age-text.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { webPaths } from "../../../../paths.ts";
import { isStillCounting, type StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Page, WebSession } from "../../frame/page.ts";
import { icon } from "../../ui/icons/icon.ts";
import { barCell, columnHeader, renderTable } from "../../ui/lists/table.ts";
import { aboutNumbers } from "../../ui/numbers/about-numbers.ts";
import { rateWithRange } from "../../ui/numbers/rate-with-range.ts";
import { badge } from "../../ui/texts/badge.ts";
import { subjectOf } from "../../ui/texts/subject.ts";
import {
  type ColumnName,
  campaignCell,
  columnNames,
  columnNumber,
  columnTitle,
  hasValue,
  rateInColumn,
  withMark,
} from "../campaign-columns.ts";
import { campaignMarks } from "../campaign-marks.ts";
import { campaignUrl, compareUrl, type Kept, listOf, listUrl } from "../campaign-url.ts";
import { findCampaign } from "../find-campaign.ts";
import { parseTraffic } from "../page/campaign-view.ts";
import { openingChart } from "../page/opening-curve.ts";

/** A higher value is better. Counts are not among them, because they grow with the number of recipients. */
const rated: ReadonlySet<ColumnName> = new Set([
  "open_rate",
  "click_rate",
  "click_to_open_rate",
  "read_time",
  "enps",
  "average_rating",
]);

export const comparisonPage: Page = {
  path: webPaths.compare,
  role: "viewer",
  async show(session, { query }) {
    const { organization, t } = session;
    const traffic = parseTraffic(session, query);
    const texts = query.getAll("ids").flatMap((value) => value.split(","));
    const ids = [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
    if (ids.length < comparedCampaigns.min || ids.length > comparedCampaigns.max)
      throw new AppError("bad_request", t("comparison.wrongNumber", { count: ids.length }));
    const kept = { traffic, list: listOf(query) };
    const campaigns = await session.snapshot(async (scope) => {
      const found: StoredCampaign[] = [];
      for (const id of ids) found.push(await findCampaign(scope, session, { params: { id } }));
      return found;
    });
    return {
      title: t("comparison.title"),
      breadcrumb: [{ url: listUrl(organization, kept), name: t("pages.campaigns") }],
      body: html`<section class="card compared">${numbersTable(session, campaigns, kept)}</section>
${opensCard(session, campaigns, traffic)}`,
    };
  },
};

function numbersTable(session: WebSession, campaigns: readonly StoredCampaign[], kept: Kept): Html {
  const { organization, now, t } = session;
  const { traffic } = kept;
  const shown = { locale: session, timeZone: organization.timeZone, traffic };
  const headers = campaigns.map(
    (stored) =>
      html`<th scope="col" class="text"><a href="${campaignUrl(stored.campaign.id, organization, kept)}">${subjectOf(session, stored.campaign)}</a>${campaignMarks(session, stored)}${removeLink(session, stored, campaigns, kept)}</th>`,
  );
  const known = columnNames.filter(
    (name) => name !== "kind" && campaigns.some((stored) => hasValue(name, stored, shown)),
  );
  const rows = known.flatMap((name) => {
    const numbers = campaigns.map((stored) => columnNumber(name, stored, shown));
    const isBest =
      rated.has(name) && areRanked(rateInColumn(name), campaigns, traffic) ? bestOf(numbers) : [];
    const cells = campaigns.map((stored, index) =>
      campaignCell(name, stored, shown, isBest[index] && badge(t("comparison.best"), "good")),
    );
    const row = html`<tr><th scope="row">${columnTitle(session, name)}</th>${cells}</tr>
`;
    return name === "open_rate" ? [row, ...sameAgeRow(session, campaigns, traffic, now)] : [row];
  });
  return html`${renderTable(t("comparison.caption"), [columnHeader(t("comparison.metric")), ...headers], rows, { hidesCaption: true, isPinned: true })}
<div class="about-row"><p class="soft small">${t("comparison.bestNote")}${whyNotRanked(session, campaigns, traffic)}</p>${aboutNumbers(session)}</div>`;
}

/** False if only two are compared. */
function removeLink(
  session: WebSession,
  { campaign }: StoredCampaign,
  campaigns: readonly StoredCampaign[],
  kept: Kept,
): HtmlValue {
  const { organization, t } = session;
  if (campaigns.length <= comparedCampaigns.min) return false;
  const others = campaigns.map((each) => each.campaign.id).filter((id) => id !== campaign.id);
  const name = t("comparison.remove", { subject: subjectText(session, campaign) });
  return html` <a class="remove" href="${compareUrl(organization, kept, others)}" title="${name}">${icon("close", name)}</a>`;
}

/** The open rates at the last age that all have reached, if one of them is still counting. */
function sameAgeRow(
  locale: Locale,
  campaigns: readonly StoredCampaign[],
  traffic: TrafficFilter,
  now: number,
): Html[] {
  const sameAge = openRatesAtSameAge(campaigns, traffic, now);
  if (!sameAge) return [];
  const { age, rates } = sameAge;
  const title = locale.t("comparison.openRateAt", { age: ageText(locale, age) });
  const isBest = bestOf(rates);
  const cells = rates.map((rate, index) => {
    const text = rateWithRange(locale, "openRate", rate.value, rate);
    const mark = isBest[index] && badge(locale.t("comparison.best"), "good");
    return barCell(rate.value, withMark(text, mark), title);
  });
  return [
    html`<tr><th scope="row">${title}</th>${cells}</tr>
`,
  ];
}

/** What the note says of campaigns that are not compared. */
function whyNotRanked(
  { t }: Locale,
  campaigns: readonly StoredCampaign[],
  traffic: TrafficFilter,
): HtmlValue {
  const count = campaigns.filter(isStillCounting).length;
  if (count > 0) return ` ${t("comparison.stillCounting", { count })}`;
  return !areRanked("openRate", campaigns, traffic) && ` ${t("ui.notCompared")}.`;
}

/** The open rates of the campaigns by age in one chart. */
function opensCard(session: WebSession, campaigns: readonly StoredCampaign[], traffic: TrafficFilter): Html {
  const { now, t } = session;
  const curves = campaigns.flatMap((stored) => {
    const campaign = toAgedCampaign(stored, traffic);
    return campaign ? { name: subjectText(session, stored.campaign), campaign } : [];
  });
  const others = campaigns.filter((stored) => !toAgedCampaign(stored, traffic));
  const subjects = others.map(({ campaign }) => subjectText(session, campaign)).join(", ");
  return html`<section class="card">${curves.length > 0 && openingChart(session, curves, { now })}${others.length > 0 && html`<p class="soft small">${t("comparison.noOpens", { subjects })}</p>`}</section>`;
}
