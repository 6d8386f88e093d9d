// When to send: how the open rate within two hours differs from that of the same series, by weekday and hour of sending, and
// what these numbers can carry.

import type { Ranged } from "../../../campaign/ranges.ts";
import type { SendingTime, SendingTimes } from "../../../listing/sums/sending-times.ts";
import { type Html, html } from "../../../locale/html.ts";
import { isolate } from "../../../locale/isolated-text.ts";
import type { Locale } from "../../../locale/locale.ts";
import { rangeInText } from "../../../locale/rate-text.ts";
import type { ShownCampaigns } from "../filters/filtered-campaigns.ts";
import { numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import { columnHeader, type PageColumn, renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { noValue } from "../ui/numbers/number-or-dash.ts";

/** The darkest color; the lightest is 1. Texts are readable on all of them. */
const darkest = 4;

/** What a tab shows. */
export type ShownResults = Pick<ShownCampaigns, "summary" | "results">;

export function sendingTimesTable(locale: Locale, { times, campaigns, rate }: SendingTimes): ShownResults {
  const { t, format } = locale;
  const summary = t("overview.campaignCount", { count: campaigns });
  if (rate === null) return { summary, results: html`<p class="card">${t("breakdown.noTimes")}</p>` };
  const [first, last] = [
    Math.min(...times.map(({ hour }) => hour)),
    Math.max(...times.map(({ hour }) => hour)),
  ];
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const levelOf = levels(times);
  const rows = Array.from({ length: 7 }, (_, weekday) => weekday).map((weekday) => {
    const cells = hours.map((hour) => {
      const time = times.find((each) => each.weekday === weekday && each.hour === hour);
      return time ? cellOf(locale, time, levelOf(time)) : html`<td></td>`;
    });
    const isEmpty = times.every((time) => time.weekday !== weekday);
    return html`<tr${isEmpty && html` class="desk"`}><th scope="row">${format.weekday(weekday)}</th>${cells}</tr>\n`;
  });
  const title = t("breakdown.times");
  const headers = [
    columnHeader(t("breakdown.weekday")),
    ...hours.map((hour) => columnHeader(format.hourOfDay(hour))),
  ];
  const head = html`<div class="card-head about-row"><h2>${title}</h2>${aboutNumbers(locale, [t("breakdown.timesNote")])}</div>`;
  const table = renderTable(title, headers, rows, { hidesCaption: true, isPinned: true });
  const results = html`<section class="card times">${head}<p><strong>${verdict(locale, times)}</strong></p><p class="soft small">${t("breakdown.timesScope", { campaigns, rate: format.rate(rate) })}</p>${table}</section>`;
  return { summary, results };
}

/** The difference with the number of campaigns. What it rests on is in the tooltip. */
function cellOf(locale: Locale, time: SendingTime, level: number): Html {
  const { t, format } = locale;
  const { campaigns, recipients, difference, owner, side } = time;
  const title = [
    t("breakdown.timeTitle", {
      time: timeName(locale, time),
      campaigns,
      recipients,
      rate: format.rate(time.rate),
    }),
    difference &&
      `${pointsText(locale, difference)} ${rangeInText(locale, "enpsIndex", inPoints(difference))}`,
    owner !== undefined && t("breakdown.onlyTeam", { team: isolate(owner) }),
  ];
  const shown = difference ? format.index(inPoints(difference).value) : noValue(locale);
  return html`<td class="l${level} n${Math.min(campaigns, 3)}${side !== 0 && " out"}" title="${title.filter(Boolean).join(", ")}">${shown} <small>n\u00a0=\u00a0${format.count(campaigns)}</small></td>`;
}

const inPoints = ({ value, low, high }: Ranged): Ranged => ({
  value: 100 * value,
  low: 100 * low,
  high: 100 * high,
});

const pointsText = ({ t, format }: Locale, difference: Ranged) =>
  t("ui.points", { difference: format.pointChange(inPoints(difference).value) });

const timeName = ({ format }: Locale, { weekday, hour }: SendingTime) =>
  `${format.weekday(weekday)} ${format.hourOfDay(hour)}`;

/** Divides the times evenly among the colors. Those that are compared with none have no color. */
function levels(times: readonly SendingTime[]): (time: SendingTime) => number {
  const sorted = times
    .filter(({ difference }) => difference)
    .sort((one, other) => pointsOf(one) - pointsOf(other));
  return (time) => (time.difference ? 1 + Math.floor((sorted.indexOf(time) * darkest) / sorted.length) : 0);
}

const pointsOf = ({ difference }: SendingTime) => difference?.value ?? 0;

/** What the numbers can carry, in a sentence. */
function verdict(locale: Locale, times: readonly SendingTime[]): string {
  const { t } = locale;
  const out = times.filter(({ side }) => side !== 0);
  if (out.length === 0) return t("breakdown.noHour");
  const listed = (wanted: 1 | -1) =>
    out
      .filter(({ side }) => side === wanted)
      .sort((one, other) => wanted * (pointsOf(other) - pointsOf(one)))
      .map((time) => `${timeName(locale, time)} (${time.difference && pointsText(locale, time.difference)})`)
      .join(", ");
  const [best, worst] = [listed(1), listed(-1)];
  const texts = [
    best !== "" && t("breakdown.bestHours", { times: best }),
    worst !== "" && t("breakdown.worstHours", { times: worst }),
  ];
  return texts.filter(Boolean).join(" ");
}

export function sendingTimesFile(locale: Locale, { times }: SendingTimes, file: string): FileContent {
  const { t, format } = locale;
  const columns: PageColumn<SendingTime>[] = [
    { title: t("breakdown.weekday"), csv: ({ weekday }) => format.weekday(weekday) },
    { title: t("breakdown.hour"), csv: ({ hour }) => hour },
    { title: t("pages.campaigns"), csv: ({ campaigns }) => campaigns },
    { title: t("audience.emails"), csv: ({ recipients }) => recipients },
    numberColumn(locale, t("breakdown.earlyRate"), "rate", ({ rate }) => rate),
    ...(["value", "low", "high"] as const).map((name) => ({
      ...numberColumn(
        locale,
        t(`breakdown.differences.${name}`),
        "rate",
        (time: SendingTime) => time.difference?.[name] ?? null,
      ),
      unit: t("breakdown.points"),
    })),
  ];
  return csvFile(file, columns, [times]);
}
