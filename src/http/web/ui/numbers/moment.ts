// A time as its distance from now, with the exact one as a tooltip.

import { hourMs } from "../../../../campaign/calendar/durations.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";

/** A session: who reads it, where and when. */
interface Reader extends Locale {
  now: number;
  organization: { timeZone: string };
}

/** `3 days ago`, `in 12 months`. @param textOf makes a text of it, such as `expires in 12 months` */
export function moment(
  { now, organization: { timeZone }, format }: Reader,
  at: number,
  textOf = (time: string) => time,
): Html {
  return timeElement(at, format.dateTime(at, timeZone), textOf(format.relativeTime(at - now)));
}

/** Shows a time that was last stored within an hour before. */
export function momentByHour({ now, organization: { timeZone }, t, format }: Reader, at: number): Html {
  const text = now - at < hourMs ? t("ui.withinHour") : format.relativeTime(at - now);
  return timeElement(at, format.dateTime(at, timeZone), text);
}

const timeElement = (at: number, exact: string, text: string) =>
  html`<time datetime="${new Date(at).toISOString()}" title="${exact}">${text}</time>`;
