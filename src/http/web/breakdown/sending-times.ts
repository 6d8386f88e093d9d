// When to send: the open rate within two hours by weekday and hour of sending, and what these numbers can carry.

import type { SendingTime, SendingTimes } from "../../../listing/sums/sending-times.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { rangeInText } from "../../../locale/rate-text.ts";
import { numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import { columnHeader, type PageColumn, renderTable } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";

/** The darkest color; the lightest is 1. Texts are readable on all of them. */
const darkest = 4;

/** What a tab shows, and what screen readers hear of it after a choice. */
export interface ShownResults {
  summary: string;
  content: Html;
}

export function sendingTimesTable(locale: Locale, { times, campaigns, rate }: SendingTimes): ShownResults {
  const { t, format } = locale;
  const summary = t("overview.campaignCount", { count: campaigns });
  if (times.length === 0 || !rate)
    return { summary, content: html`<p class="card">${t("breakdown.noTimes")}</p>` };
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
    columnHeader(t("overview.breakdowns.weekday.column")),
    ...hours.map((hour) => columnHeader(format.hourOfDay(hour))),
  ];
  const head = html`<div class="card-head about-row"><h2>${title}</h2>${aboutNumbers(locale, [t("breakdown.timesNote")])}</div>`;
  const table = renderTable(title, headers, rows, { hidesCaption: true, isPinned: true });
  const content = html`<section class="card times">${head}<p><strong>${verdict(locale, times)}</strong></p><p class="soft small">${t("breakdown.timesScope", { campaigns, rate: format.rate(rate.value) })}</p>${table}</section>`;
  return { summary, content };
}

/** The rate with the number of campaigns. Its range and recipients are in the tooltip. */
function cellOf(locale: Locale, time: SendingTime, level: number): Html {
  const { t, format } = locale;
  const { campaigns, recipients, rate, side } = time;
  const title = t("breakdown.timeTitle", {
    time: timeName(locale, time),
    campaigns,
    recipients,
    rate: `${format.rate(rate.value)} ${rangeInText(locale, "openRate", rate)}`,
  });
  return html`<td class="l${level} n${Math.min(campaigns, 3)}${side !== 0 && " out"}" title="${title}">${format.roundRate(Math.round(100 * rate.value) / 100)} <small>n\u00a0=\u00a0${format.count(campaigns)}</small></td>`;
}

const timeName = ({ format }: Locale, { weekday, hour }: SendingTime) =>
  `${format.weekday(weekday)} ${format.hourOfDay(hour)}`;

/** Divides the times evenly among the colors. */
function levels(times: readonly SendingTime[]): (time: SendingTime) => number {
  const sorted = times.toSorted((one, other) => one.rate.value - other.rate.value);
  return (time) => 1 + Math.floor((sorted.indexOf(time) * darkest) / sorted.length);
}

/** What the numbers can carry, in a sentence. */
function verdict(locale: Locale, times: readonly SendingTime[]): string {
  const { t, format } = locale;
  const out = times.filter(({ side }) => side !== 0);
  if (out.length === 0) return t("breakdown.noHour");
  const listed = (wanted: 1 | -1) =>
    out
      .filter(({ side }) => side === wanted)
      .sort((one, other) => wanted * (other.rate.value - one.rate.value))
      .map((time) => `${timeName(locale, time)} (${format.rate(time.rate.value)})`)
      .join(", ");
  const [best, worst] = [listed(1), listed(-1)];
  const texts = [
    best !== "" && t("breakdown.bestHours", { times: best }),
    worst !== "" && t("breakdown.worstHours", { times: worst }),
  ];
  return texts.filter((text) => text !== false).join(" ");
}

export function sendingTimesFile(locale: Locale, { times }: SendingTimes, file: string): FileContent {
  const { t, format } = locale;
  const columns: PageColumn<SendingTime>[] = [
    { title: t("overview.breakdowns.weekday.column"), csv: ({ weekday }) => format.weekday(weekday) },
    { title: t("breakdown.hour"), csv: ({ hour }) => hour },
    { title: t("links.campaigns"), csv: ({ campaigns }) => campaigns },
    { title: t("audience.emails"), csv: ({ recipients }) => recipients },
    numberColumn(locale, t("breakdown.earlyRate"), "rate", ({ rate }) => rate.value),
    numberColumn(locale, t("breakdown.low"), "rate", ({ rate }) => rate.low),
    numberColumn(locale, t("breakdown.high"), "rate", ({ rate }) => rate.high),
  ];
  return csvFile(file, columns, [times]);
}
