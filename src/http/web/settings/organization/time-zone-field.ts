// The field of a time zone: its name with its offset now, such as "Europe/Stockholm, UTC+1", and a list of all of them.

import { hourMs, minuteMs } from "../../../../campaign/calendar/durations.ts";
import {
  isTimeZone,
  listTimeZones,
  type TimeZone,
  zoneOffset,
} from "../../../../campaign/calendar/time-zone.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { inputField, type Submitted } from "../../ui/forms/field.ts";
import { readField, rejectField } from "../../ui/forms/form.ts";

const name = "time_zone";

/** What the field shows. */
export function timeZoneText(timeZone: string, now: number): string {
  return textOf({ name: timeZone, offset: zoneOffset(now, timeZone) });
}

function textOf({ name: zone, offset }: TimeZone): string {
  if (zone === "UTC") return zone;
  const hours = Math.floor(Math.abs(offset) / hourMs);
  const minutes = (Math.abs(offset) % hourMs) / minuteMs;
  // A hyphen, so that people find UTC-3 as they type it.
  return `${zone}, UTC${offset < 0 ? "-" : "+"}${hours}${minutes > 0 ? `:${String(minutes).padStart(2, "0")}` : ""}`;
}

/** @param value a text of {@link timeZoneText} */
export function timeZoneField(
  { t }: Locale,
  submitted: Submitted,
  { value, now }: { value: string; now: number },
): Html {
  const options = listTimeZones(now).map((zone) => html`<option value="${textOf(zone)}">`);
  const field = { name, label: t("organization.timeZone"), hint: t("organization.timeZoneHint"), value };
  const input = html` list="time_zones" maxlength="80" autocomplete="off" required`;
  return html`${inputField(submitted, field, input)}<datalist id="time_zones">${options}</datalist>`;
}

/**
 * Returns the name of the zone. It can be typed without its offset, which says nothing of another day.
 *
 * @throws AppError `bad_request`
 */
export function readTimeZone(locale: Locale, form: URLSearchParams): string {
  const text = readField(locale, form, name);
  const zone = text.replace(/, *UTC[+-]\d{1,2}(:\d{2})?$/, "");
  if (isTimeZone(zone)) return zone;
  return rejectField(locale, locale.t("organization.timeZone"), text, locale.t("organization.timeZoneRule"));
}
