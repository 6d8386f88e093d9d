// The command `report`: prints what the digest says, of any period.

import { type Command, Option } from "commander";
import { dateAt } from "../../campaign/calendar/calendar-date.ts";
import { orNotFound } from "../../errors.ts";
import { letterHtml, letterText } from "../../letters/letter.ts";
import { reportJson, reportLetter } from "../../letters/report-letter.ts";
import { readReport } from "../../listing/reports/period-report.ts";
import { acceptedReportPeriods, reportPeriod } from "../../listing/reports/report-period.ts";
import { locales } from "../../locale/locale.ts";
import { type Language, languages } from "../../locale/preferred-language.ts";
import { accepting, organizationOption } from "../shell/options.ts";
import { publicUrlOf } from "../shell/public-url.ts";
import { outputOf, requireOrganization, type Shell, withDatabase } from "../shell/shell.ts";

interface ReportOptions {
  organization: number;
  period: string;
  format: "text" | "html" | "json";
  language: Language;
}

export function addTo(command: Command, shell: Shell): void {
  command
    .addOption(organizationOption)
    .option("--period <PERIOD>", `one of ${acceptedReportPeriods}`, parsePeriod, "last-week")
    .addOption(
      new Option("--format <FORMAT>", "how to print it").choices(["text", "html", "json"]).default("text"),
    )
    .addOption(
      new Option("--language <LANGUAGE>", "the language of text and html").choices(languages).default("en"),
    )
    .action(async ({ organization: id, period: name, format, language }: ReportOptions, running: Command) => {
      const read = await withDatabase(shell, async (database) => {
        const organization = await database.snapshotOf(id, requireOrganization);
        const period = reportPeriod(name, dateAt(shell.now(), organization.timeZone));
        return period && readReport({ database, now: shell.now }, organization, period);
      });
      const problem = `no campaign was sent in the period ${name}; choose another --period`;
      const report = orNotFound(read, problem);
      const { json, stdout } = outputOf(shell, running);
      if (json || format === "json") {
        stdout.write(`${JSON.stringify(reportJson(report), undefined, json ? undefined : 2)}\n`);
        return;
      }
      const letter = reportLetter(locales[language], report, publicUrlOf(shell));
      stdout.write(format === "html" ? `${letterHtml(letter)}\n` : letterText(letter));
    });
}

/** Whether there is such a period does not depend on the day. */
const parsePeriod = accepting(
  (text) => reportPeriod(text, { year: 2026, month: 1, day: 1 }),
  `A period is one of ${acceptedReportPeriods}.`,
);
