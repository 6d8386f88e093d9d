// The commands `csv-link add|allow|refuse`: links that return a selection of campaigns as CSV without a header.

import type { Command } from "commander";
import { dayMs } from "../../../campaign/calendar/durations.ts";
import { nameTaken } from "../../../campaign/fields/names.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { AppError } from "../../../errors.ts";
import { parseDownloadQuery } from "../../../http/api/emails-query.ts";
import { paths } from "../../../paths.ts";
import { addApiKey, findKeyByName } from "../../../storage/keys/api-keys.ts";
import { saveOrganization } from "../../../storage/organizations/organizations.ts";
import { findUnknownTags } from "../../../storage/organizations/tags.ts";
import type { Choice } from "../../../storage/tables/organizations.ts";
import { organizationOption, parseDays, parseName } from "../../shell/options.ts";
import { printResult } from "../../shell/output.ts";
import { publicUrlOf, warnWithoutPublicUrl } from "../../shell/public-url.ts";
import { outputOf, type Shell, settingsOf, writeOfOrganization } from "../../shell/shell.ts";

const defaultDays = 30;

export function addCsvLinkCommands(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  defineSwitch(group, shell, "allow", "Let the CSV links of an organization work");
  defineSwitch(group, shell, "refuse", "Let no CSV link of an organization work, from the next request on");
}

interface AddLinkOptions {
  organization: number;
  name: string;
  days: number;
  sentAfter?: string;
  sentBefore?: string;
  tagIds?: string;
}

function defineAdd(group: Command, shell: Shell): void {
  group
    .command("add")
    .description(
      "Create a link that returns campaigns as CSV. It is shown only once, and everyone who has it can read them. key list shows links, and key delete revokes them.",
    )
    .addOption(organizationOption)
    .requiredOption("--name <NAME>", "name of the link, such as the spreadsheet that uses it", parseName)
    .option("--days <DAYS>", "days until it expires", parseDays, defaultDays)
    .option("--sent-after <TIME>", "only campaigns sent at or after this time, as in the API")
    .option("--sent-before <TIME>", "only campaigns sent at or before this time")
    .option("--tag-ids <IDS>", "only campaigns with any of these tags")
    .action(async (options: AddLinkOptions, command: Command) => {
      const { organization: organizationId, name, days } = options;
      const region = settingsOf(shell).REGION;
      const expiresAt = shell.now() + days * dayMs;
      const { id, text } = await writeOfOrganization(
        shell,
        organizationId,
        async (scope, record, { csvLinks, timeZone }) => {
          if (csvLinks !== "allow") {
            throw new AppError(
              "conflict",
              `organization ${organizationId} does not allow CSV links; run "email-analytics csv-link allow --organization ${organizationId}"`,
            );
          }
          const selection = selectionOf(options);
          const { tagIds } = parseDownloadQuery(selection, timeZone);
          // In a query, an empty list is no filter. Here it may be a variable that is not set.
          if (options.tagIds !== undefined && !tagIds) {
            throw new AppError(
              "bad_request",
              `--tag-ids ${quote(options.tagIds)} names no tag; leave it out for all campaigns`,
            );
          }
          const [unknown] = await findUnknownTags(scope, tagIds ?? []);
          if (unknown !== undefined) {
            throw new AppError(
              "not_found",
              `--tag-ids: organization ${organizationId} has no tag ${unknown}; see "email-analytics tag list --organization ${organizationId}"`,
            );
          }
          const key = { name, region, now: shell.now(), expiresAt, selection };
          const same = await findKeyByName(scope, key);
          if (same) throw new AppError("conflict", nameTaken("key", same));
          await record("csv-link.add", name);
          return addApiKey(scope, { ...key, scope: "csv-link" });
        },
      );
      const url = `${publicUrlOf(shell)}${paths.api.csvLinks}${text}.csv`;
      const expires = new Date(expiresAt).toISOString();
      const note = `Created link ${id}, which expires at ${expires}. Save it now: it is not shown again.`;
      printResult(outputOf(shell, command), { id, name, expires_at: expires, url }, url, note);
      warnWithoutPublicUrl(shell, "link", "spreadsheets");
    });
}

/** The query string of a download. */
function selectionOf({ sentAfter, sentBefore, tagIds }: AddLinkOptions): string {
  const given = { sent_after: sentAfter, sent_before: sentBefore, tag_ids: tagIds };
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(pairs).toString();
}

function defineSwitch(group: Command, shell: Shell, csvLinks: Choice, description: string): void {
  group
    .command(csvLinks)
    .description(description)
    .addOption(organizationOption)
    .action(async ({ organization: id }: { organization: number }, command: Command) => {
      await writeOfOrganization(shell, id, async (scope, record, { name }) => {
        await saveOrganization(scope, { csvLinks });
        await record(`csv-link.${csvLinks}`, name);
      });
      const text = csvLinks === "allow" ? "work" : "are refused";
      printResult(
        outputOf(shell, command),
        { id, csv_links: csvLinks },
        `The CSV links of organization ${id} ${text}.`,
      );
    });
}
