// Finds out whether the hosted service means the organization's time zone: `sent_at` does not say (specification 2.1).

import { minuteMs } from "../../campaign/calendar/durations.ts";
import { parseSentAt } from "../../campaign/calendar/exported-time.ts";
import { instantsOfWallTime, zoneOffset } from "../../campaign/calendar/time-zone.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { isoSeconds } from "./iso-seconds.ts";

interface TimeZoneCheck {
  /** Which time was understood. */
  note: string;
  /** Undefined if the service agrees. */
  warning: string | undefined;
}

/**
 * Requests the campaigns of the minute in which one of these was sent, as the organization's time zone has it.
 *
 * @param emails records of a page
 * @param findPage requests a page of the hosted service
 * @returns undefined if no time of theirs can be checked
 */
export async function checkTimeZone(
  emails: readonly unknown[],
  timeZone: string,
  findPage: (query: Record<string, string>) => Promise<unknown>,
): Promise<TimeZoneCheck | undefined> {
  for (const email of emails) {
    const { id, sent_at } = (email ?? {}) as { id?: unknown; sent_at?: unknown };
    const at = typeof sent_at === "string" ? parseSentAt(sent_at.trim(), timeZone) : undefined;
    if (at === undefined || isRepeated(at, timeZone)) continue;
    const note = `sent_at has no time zone and is read as ${timeZone}: campaign ${quote(id)}, ${quote(sent_at)}, was sent at ${isoSeconds(at)}.`;
    const window = { sent_after: isoSeconds(at), sent_before: isoSeconds(at + minuteMs) };
    const page = (await findPage({ ...window, per_page: "100" })) as { emails?: unknown };
    const isThere = Array.isArray(page?.emails) && page.emails.some((each) => each?.id === id);
    return { note, warning: isThere ? undefined : warningOf(id, isoSeconds(at), timeZone) };
  }
  return undefined;
}

/** Whether the clocks showed the same time twice, when they were set back. */
function isRepeated(at: number, timeZone: string): boolean {
  return instantsOfWallTime(at + zoneOffset(at, timeZone), timeZone).length > 1;
}

const warningOf = (id: unknown, at: string, timeZone: string) =>
  `the hosted service did not send campaign ${quote(id)} at ${at}, so its account has another time zone than ${timeZone}; give the organization the time zone of the account with "organization change --time-zone", and pull again`;
