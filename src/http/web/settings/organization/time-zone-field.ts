// The field of a time zone: a list of all, each with its offset now, such as "Europe/Stockholm, UTC+1".

import { hourMs, minuteMs } from "../../../../campaign/calendar/durations.ts";
import {
  isTimeZone,
  listTimeZones,
  type TimeZone,
  zoneOffset,
} from "../../../../campaign/calendar/time-zone.ts";
import type { Html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { type Submitted, selectField } from "../../ui/forms/field.ts";
import { readField, rejectField } from "../../ui/forms/form.ts";

const name = "time_zone";

function textOf({ name: zone, offset }: TimeZone): string {
  if (zone === "UTC") return zone;
  const hours = Math.floor(Math.abs(offset) / hourMs);
  const minutes = (Math.abs(offset) % hourMs) / minuteMs;
  return `${zone}, UTC${offset < 0 ? "-" : "+"}${hours}${minutes > 0 ? `:${String(minutes).padStart(2, "0")}` : ""}`;
}

/** @param value the name of a zone, which may be one that lists leave out, such as `US/Eastern` */
export function timeZoneField(
  { t }: Locale,
  submitted: Submitted,
  { value, now }: { value: string; now: number },
): Html {
  const zones = [{ name: value, offset: zoneOffset(now, value) }, ...listTimeZones(now)];
  const titles = Object.fromEntries(zones.map((zone) => [zone.name, textOf(zone)]));
  return selectField(
    submitted,
    { name, label: t("organization.timeZone"), hint: t("organization.timeZoneHint"), value },
    titles,
  );
}

/** @throws AppError `bad_request` if it is no zone */
export function readTimeZone(locale: Locale, form: URLSearchParams): string {
  const zone = readField(locale, form, name);
  if (isTimeZone(zone)) return zone;
  return rejectField(locale, locale.t("organization.timeZone"), zone, locale.t("organization.timeZoneRule"));
}
