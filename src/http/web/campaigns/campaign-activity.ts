// How the opens and clicks of one campaign came in, as people read it: charts, days, who was at work, and links.

import { formatHours } from "../../../campaign/calendar/hours.ts";
import { type Activity, activities } from "../../../campaign/events/activity.ts";
import { clicksKept } from "../../../campaign/events/recipient.ts";
import { type CampaignActivity, daysShown, hoursShown } from "../../../listing/reports/campaign-activity.ts";
import { linksKept } from "../../../storage/campaigns/campaign-links.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { chartOf } from "../ui/charts.ts";
import { formatCount } from "../ui/number-format.ts";
import { head, numberCell, numberHead, tableOf, wordsHead } from "../ui/table.ts";

export function activityOf(
  activity: CampaignActivity,
  stored: StoredCampaign,
  { timeZone }: { timeZone: string },
): Html {
  if (activity.verdicts.length === 0) {
    return html`<section class="card"><h2>Opens and clicks</h2>
<p>No open or click has come in whose time is kept.</p></section>`;
  }
  const charts = activities.map(
    (of) => html`<section class="card">${hoursChart(activity, of, timeZone)}</section>`,
  );
  return html`<h2>Hour by hour, and day by day</h2>
${activity.hours.length > 0 && html`<div class="cards">${charts}</div>`}
<section class="card">${daysTable(activity)}</section>
<section class="card"><h2>What was counted as people, and what was not</h2>
${verdictsTable(activity)}
${restOf(activity, stored)}</section>
<section class="card"><h2>Links</h2>
${linksTable(activity)}</section>`;
}

function hoursChart({ hours }: CampaignActivity, of: Activity, timeZone: string): Html {
  return chartOf({
    title: `${of === "open" ? "Opens" : "Clicks"} in the first ${hoursShown} hours`,
    kind: "stacked",
    across: "Hour",
    labels: formatHours(
      hours.map(({ at }) => at),
      timeZone,
    ),
    series: [
      { name: "People", values: hours.map((hour) => hour[of].human) },
      { name: "Machines", values: hours.map((hour) => hour[of].automated) },
    ],
    format: formatCount,
  });
}

function daysTable({ days }: CampaignActivity): Html {
  const heads = ["Opens by people", "Opens by machines", "Clicks by people", "Clicks by machines"];
  const rows = days.map(
    ({ day, open, click }) =>
      html`<tr><th scope="row">${day}</th>${numberCell(open.human)}${numberCell(open.automated)}${numberCell(click.human)}${numberCell(click.automated)}</tr>\n`,
  );
  const caption =
    days.length < daysShown
      ? "Opens and clicks day by day"
      : `Opens and clicks on the last ${daysShown} days`;
  return tableOf(caption, [head("Day"), ...heads.map(numberHead)], rows);
}

function verdictsTable({ verdicts }: CampaignActivity): Html {
  const rows = verdicts.map(
    ({ title, meaning, isHuman, open, click }) =>
      html`<tr><th scope="row">${title}</th><td>${isHuman ? "people" : "machines"}</td><td class="words">${withCode(meaning)}</td>${numberCell(open)}${numberCell(click)}</tr>\n`,
  );
  const heads = [head("Who was at work"), head("Counted as"), wordsHead("Why")];
  return tableOf(
    "Opens and clicks by who was at work",
    [...heads, numberHead("Opens"), numberHead("Clicks")],
    rows,
  );
}

/** In the texts of the program, code stands between backquotes. */
function withCode(text: string): HtmlValue {
  return text.split("`").map((part, place) => (place % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** What the numbers hold and the hours do not. It can be told only as long as both numbers of the campaign are kept. */
function restOf({ verdicts }: CampaignActivity, { numbers, counting }: StoredCampaign): HtmlValue {
  if (!("counted" in numbers) || counting?.ledgerId === null) return false;
  const { totalOpens, totalClicks } = numbers.counted.all;
  const rest = (total: number, of: Activity) => total - verdicts.reduce((sum, each) => sum + each[of], 0);
  const [opens, clicks] = [rest(totalOpens, "open"), rest(totalClicks, "click")];
  return html`${opens > 0 && html`<p class="soft small">Opens that are not in this table: ${formatCount(opens)}. They are known only from a click, a reading or an answer.</p>`}
${clicks > 0 && html`<p class="soft small">Clicks that are not in this table: ${formatCount(clicks)}. They lie beyond the first ${formatCount(clicksKept)} of one recipient.</p>`}`;
}

function linksTable({ links }: CampaignActivity): Html {
  if (links.length === 0) return html`<p>No link was clicked.</p>`;
  const rows = links.map(
    ({ url, people, all }) =>
      html`<tr><th scope="row" class="words">${linkOf(url)}</th>${numberCell(people)}${numberCell(all)}</tr>\n`,
  );
  return html`${tableOf(
    "Links by people's clicks",
    [
      wordsHead("Link, without what may say whose it is"),
      numberHead("Clicks by people"),
      numberHead("All clicks"),
    ],
    rows,
  )}
<p class="soft small">The first ${formatCount(linksKept)} addresses that are clicked are counted apart, without what follows them after a question mark; all others together.</p>`;
}

/** A part of an address that was left out leads nowhere. */
function linkOf(url: string): HtmlValue {
  if (url === "") return "All other links";
  if (!/^https?:\/\//i.test(url) || url.includes("…")) return url;
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`;
}
