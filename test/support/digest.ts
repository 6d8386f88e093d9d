// The digest of the last week, as the mail has it.

import { dateAt, isoDay } from "../../src/campaign/calendar/calendar-date.ts";
import { letterHtml, letterText } from "../../src/letters/letter.ts";
import { reportLetter } from "../../src/letters/report-letter.ts";
import { readReport } from "../../src/listing/reports/period-report.ts";
import { mondayOf, weekReportOf } from "../../src/listing/reports/report-period.ts";
import { locales } from "../../src/locale/locale.ts";
import { findOrganization } from "../../src/storage/organizations/organizations.ts";
import type { WebWorld } from "./web-world.ts";

const weekMs = 7 * 86_400_000;

/** Its text and its HTML, at the time of the clock. */
export async function digestOf({
  world: { database, clock },
  organization: { id },
}: Pick<WebWorld, "world" | "organization">): Promise<{ text: string; html: string }> {
  const organization = await database.queryOf(id, findOrganization);
  if (!organization) throw new Error(`no organization ${id}`);
  const monday = isoDay(mondayOf(dateAt(clock.now - weekMs, organization.timeZone)));
  const report = await readReport({ database, now: () => clock.now }, organization, weekReportOf(monday));
  if (!report) throw new Error("no campaign was sent");
  const letter = reportLetter(locales.en, report, "http://127.0.0.1");
  return { text: letterText(letter).trimEnd(), html: String(letterHtml(letter)) };
}
