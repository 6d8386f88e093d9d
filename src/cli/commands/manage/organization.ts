// The commands `organization add|list|change|delete|restored|audit`: organizations, which own all other data.

import { type Command, Option } from "commander";
import { describeChange } from "../../../access/audit-actions.ts";
import { minGroupLimits } from "../../../campaign/audience/release-groups.ts";
import { isTimeZone } from "../../../campaign/calendar/time-zone.ts";
import { type TrafficFilter, trafficFilters } from "../../../campaign/events/traffic.ts";
import { pluralize } from "../../../campaign/fields/pluralize.ts";
import { minAnswersLimits } from "../../../campaign/release-answers.ts";
import { changeOrganization } from "../../../counting/campaigns/change-organization.ts";
import { refuseTakenName } from "../../../counting/campaigns/refuse-taken-name.ts";
import { removeNames } from "../../../counting/campaigns/remove-names.ts";
import { AppError } from "../../../errors.ts";
import { closesSooner, countCampaignsToClose } from "../../../storage/campaigns/campaigns-to-close.ts";
import { listActions } from "../../../storage/organizations/audit-log.ts";
import {
  addOrganization,
  deleteOrganization,
  listOrganizations,
  minAuditDays,
  type Organization,
  type OrganizationChange,
} from "../../../storage/organizations/organizations.ts";
import type { Database } from "../../../storage/queries/database.ts";
import { Scope } from "../../../storage/queries/scope.ts";
import { finishDeleting } from "../../shell/finish-deleting.ts";
import { accepting, parseIdOption, parseName, wholeNumber } from "../../shell/options.ts";
import { addListCommand, confirmed, organizationCommand } from "../../shell/organization-command.ts";
import { printResult, printRows } from "../../shell/output.ts";
import {
  outputOf,
  recordCommand,
  requireOrganization,
  requireOrganizationForUpdate,
  type Shell,
  withDatabase,
  writeOfOrganization,
} from "../../shell/shell.ts";

export function addTo(group: Command, shell: Shell): void {
  defineAdd(group, shell);
  defineList(group, shell);
  defineChange(group, shell);
  defineDelete(group, shell);
  addListCommand(group, shell, {
    name: "audit",
    description: "Print the audit log, newest first: who did what",
    read: async (scope) =>
      (await listActions(scope, {})).map(({ at, actor, action, target }) => ({
        at: new Date(at).toISOString(),
        actor,
        action,
        target,
      })),
    whenEmpty: "The audit log is empty.",
  });
}

function defineAdd(group: Command, shell: Shell): void {
  group
    .command("add")
    .description("Add an organization")
    .requiredOption("--name <NAME>", "name of the organization", parseName)
    .option("--time-zone <IANA>", "its time zone, such as Europe/Berlin", parseTimeZone, "UTC")
    .action(async ({ name, timeZone }: { name: string; timeZone: string }, command: Command) => {
      const added = await withDatabase(
        shell,
        (database) =>
          database.transaction(async (queries) => {
            refuseTakenName("organization", await listOrganizations(queries), name);
            const organization = await addOrganization(queries, { name, timeZone, now: shell.now() });
            await recordCommand(new Scope(queries, organization.id), shell, "organization.add", name);
            return organization;
          }),
        { mayCreate: true },
      );
      printResult(
        outputOf(shell, command),
        toRow(added),
        `Added organization ${added.id}. Next, create an API key: email-analytics key add --organization ${added.id} --name NAME`,
      );
    });
}

function defineList(group: Command, shell: Shell): void {
  group
    .command("list")
    .description("List all organizations")
    .action(async (_options: object, command: Command) => {
      const organizations = await withDatabase(shell, (database) => database.snapshot(listOrganizations));
      const whenEmpty =
        "There are no organizations. Set up the first one: email-analytics init --name NAME --email EMAIL";
      printRows(outputOf(shell, command), organizations.map(toRow), whenEmpty);
    });
}

const maxDays = 100_000;

type ChangeOrganizationOptions = {
  organization: number;
  count?: TrafficFilter;
  yes?: boolean;
} & OrganizationChange;

function defineChange(group: Command, shell: Shell): void {
  organizationCommand(group, "change", "Change an organization. All records show the change immediately.")
    .option("--name <NAME>", "new name", parseName)
    .option("--time-zone <IANA>", "new time zone", parseTimeZone)
    .addOption(
      new Option(
        "--count <TRAFFIC>",
        "what the numbers count: human activity only (people), or automated activity as well (all)",
      ).choices(trafficFilters),
    )
    .option(
      "--min-answers <N>",
      "withhold survey results from fewer answers in campaigns with Anonymous or Overall tracking; 1 to 50",
      wholeNumber(minAnswersLimits.min, minAnswersLimits.max),
    )
    .addOption(
      new Option(
        "--persons <CHOICE>",
        "whether recipients may have names; refuse replaces those of all campaigns by hashes, which needs --yes",
      ).choices(["allow", "refuse"]),
    )
    .option(
      "--min-group <N>",
      "withhold results of groups of fewer recipients, such as a department; 5 to 50",
      wholeNumber(minGroupLimits.min, minGroupLimits.max),
    )
    .option(
      "--close-after-days <DAYS>",
      "close counted campaigns this many days after sending",
      wholeNumber(1, maxDays),
    )
    .option(
      "--close-nameless-after-days <DAYS>",
      "the same for campaigns with Anonymous or Overall tracking",
      wholeNumber(1, maxDays),
    )
    .option(
      "--audit-days <DAYS>",
      `delete entries of the audit log after this many days, at least ${minAuditDays}`,
      wholeNumber(minAuditDays, maxDays),
    )
    .option("--yes", "confirm that campaigns close sooner, or lose their names; this cannot be undone")
    .action(
      async ({ organization: id, count, yes, ...rest }: ChangeOrganizationOptions, command: Command) => {
        const change = { ...rest, ...(count && { countedTraffic: count }) };
        if (Object.keys(change).length === 0) {
          const options =
            "--name, --time-zone, --count, --min-answers, --min-group, --persons, --close-after-days, --close-nameless-after-days or --audit-days";
          command.error(`error: nothing to change; pass ${options}`);
        }
        const changed = await writeOfOrganization(shell, id, async (scope, record, before) => {
          if (change.name !== undefined) {
            // In the web application, a refusal would tell one customer of another.
            const others = (await listOrganizations(scope.queries)).filter((each) => each.id !== id);
            refuseTakenName("organization", others, change.name);
          }
          if (!yes) refuseLosingNames(change);
          if (!yes) await refuseClosingSooner(scope, before, change, shell.now());
          await changeOrganization(scope, change, shell.now());
          await record("organization.change", describeChange(change));
          return requireOrganization(scope);
        });
        const warning =
          change.persons === "refuse"
            ? await withDatabase(shell, (database) => removeAllNames(database, id, shell.now()))
            : "";
        printResult(outputOf(shell, command), toRow(changed), `Changed organization ${id}.${warning}`);
      },
    );
}

/** @throws AppError `bad_request` if the change removes names */
function refuseLosingNames({ persons }: OrganizationChange): void {
  if (persons !== "refuse") return;
  const problem = "this replaces the names of all recipients by hashes, and their campaigns become Anonymous";
  throw new AppError("bad_request", `${problem}; add --yes to confirm`);
}

/** Removes them now: upkeep would do it within minutes. @returns a warning if traces may remain; else empty */
async function removeAllNames(database: Database, id: number, now: number): Promise<string> {
  while (await database.transactionOf(id, (scope) => removeNames(scope, now)));
  return finishDeleting(database);
}

/** @throws AppError `bad_request` if the change closes campaigns sooner */
async function refuseClosingSooner(
  scope: Scope,
  before: Organization,
  change: OrganizationChange,
  now: number,
): Promise<void> {
  const days = { ...before, ...change };
  if (!closesSooner(before, days)) return;
  const due = await countCampaignsToClose(scope, { now, days });
  throw new AppError(
    "bad_request",
    `this closes ${pluralize(due, "campaign")} now and others sooner, and deletes their recipients and event IDs; add --yes to confirm`,
  );
}

function defineDelete(group: Command, shell: Shell): void {
  const command = group
    .command("delete")
    .description("Delete an organization and all of its data")
    .requiredOption("--organization <ID>", "ID of the organization", parseIdOption);
  confirmed(command, "this deletes all data of the organization").action(
    async ({ organization: id }: { organization: number }) => {
      const { deleted, warning } = await withDatabase(shell, async (database) => {
        const organization = await database.transactionOf(id, async (scope) => {
          const existing = await requireOrganizationForUpdate(scope);
          await deleteOrganization(scope);
          return existing;
        });
        return { deleted: organization, warning: await finishDeleting(database) };
      });
      printResult(outputOf(shell, command), toRow(deleted), `Deleted organization ${id}.${warning}`);
    },
  );
}

function toRow(organization: Organization) {
  const { id, name, timeZone, countedTraffic, minAnswers, minGroup } = organization;
  const { closeAfterDays, closeNamelessAfterDays, auditDays, csvLinks, shareLinks, persons } = organization;
  return {
    id,
    name,
    time_zone: timeZone,
    count: countedTraffic,
    min_answers: minAnswers,
    min_group: minGroup,
    close_after_days: closeAfterDays,
    close_nameless_after_days: closeNamelessAfterDays,
    audit_days: auditDays,
    csv_links: csvLinks,
    share_links: shareLinks,
    persons,
  };
}

export const parseTimeZone = accepting(
  isTimeZone,
  "A time zone is an IANA name, such as Europe/Berlin or UTC.",
);
