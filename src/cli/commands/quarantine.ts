// The commands `quarantine list|replay|discard`: events that could not be counted, or not yet.

import { type Command, InvalidArgumentError, Option } from "commander";
import type { CampaignReference } from "../../campaign/events/event.ts";
import { describeQuarantinedEvent } from "../../counting/events/describe-quarantined-event.ts";
import { problems } from "../../counting/events/problems.ts";
import { replayQuarantined } from "../../counting/events/replay.ts";
import type { Database } from "../../storage/database.ts";
import {
  deleteQuarantined,
  type QuarantinedEvent,
  type QuarantineFilter,
  readQuarantined,
  summarizeQuarantine,
} from "../../storage/quarantine.ts";
import { counted, type Output, printDone, printRows } from "../output.ts";
import { needOrganization, outputOf, parseId, type Shell, takeOrganization, withDatabase } from "../shell.ts";

interface Options {
  organization: number;
  campaign?: CampaignReference;
  reason?: QuarantineFilter["reason"];
}

function filterOf({ campaign, reason }: Options): QuarantineFilter {
  return { campaigns: campaign === undefined ? undefined : [campaign], reason };
}

const reasons = Object.entries(problems).flatMap(([name, { isQuarantined }]) => (isQuarantined ? name : []));

export function addQuarantineCommands(group: Command, shell: Shell): void {
  const command = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption("--organization <ID>", "whose events", parseId)
      .option(
        "--campaign <ID>",
        "only for this campaign: its number, or its external id in quotes",
        parseReference,
      )
      .addOption(new Option("--reason <REASON>", "only for this reason").choices(reasons));

  command("list", "List the events that are set aside, by campaign and reason")
    .option("--each", "every single event, and what is wrong with it")
    .action(async ({ each, ...options }: Options & { each?: boolean }, running: Command) => {
      const output = outputOf(shell, running);
      await withDatabase(shell, (database) =>
        (each ? listEach : listSummary)(database, output, options.organization, filterOf(options)),
      );
    });

  command("replay", "Count the events that can be counted now; the others stay set aside").action(
    async (options: Options, running: Command) => {
      const { accepted, repeated, quarantined, ignored } = await withDatabase(shell, (database) =>
        database.transaction(async (queries) =>
          replayQuarantined(
            queries,
            await takeOrganization(queries, options.organization),
            filterOf(options),
            shell.now(),
          ),
        ),
      );
      printDone(
        outputOf(shell, running),
        { accepted, repeated, quarantined, ignored },
        `Replayed: ${accepted} counted, ${repeated} had been counted already, ${ignored} ignored (closed or forgotten), ${quarantined} still set aside.`,
      );
    },
  );

  command("discard", "Delete events that are set aside; they are never counted")
    .option("--yes", "really delete them; there is no way back")
    .action(async ({ yes, ...options }: Options & { yes?: boolean }, running: Command) => {
      if (!yes) running.error("error: this deletes events that were never counted; add --yes to do it");
      const discarded = await withDatabase(shell, (database) =>
        database.transaction(async (queries) => {
          await takeOrganization(queries, options.organization);
          return deleteQuarantined(queries, options.organization, filterOf(options));
        }),
      );
      printDone(outputOf(shell, running), { discarded }, `Discarded ${counted(discarded, "event")}.`);
    });
}

const whenEmpty = "No event is set aside.";

async function listSummary(
  database: Database,
  output: Output,
  organization: number,
  filter: QuarantineFilter,
): Promise<void> {
  const found = await database.snapshot(async (queries) => {
    await needOrganization(queries, organization);
    return summarizeQuarantine(queries, organization, filter);
  });
  const rows = found.map(({ campaign, reason, events, since }) => ({
    campaign: shown(output, campaign),
    reason,
    events,
    since: new Date(since).toISOString(),
  }));
  printRows(output, rows, whenEmpty);
}

const eventsAtOnce = 500;

async function listEach(
  database: Database,
  output: Output,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<void> {
  const found = await database.snapshot(async (queries) => {
    const rows: object[] = [];
    const organization = await needOrganization(queries, organizationId);
    for (let after: QuarantinedEvent | undefined; ; ) {
      const some = await readQuarantined(queries, organizationId, { filter, after, limit: eventsAtOnce });
      if (some.length === 0) return rows;
      for (const event of some) {
        const { id, message } = describeQuarantinedEvent(organization, event);
        const { reason, receivedAt } = event;
        const campaign = shown(output, event.campaign);
        rows.push({ campaign, id, reason, since: new Date(receivedAt).toISOString(), message });
      }
      after = some.at(-1);
    }
  });
  printRows(output, found, whenEmpty);
}

/** For people an external id stands in quotes, since it may look like a number; it is taken by `--campaign` like that. */
function shown({ json }: Output, campaign: CampaignReference | undefined): CampaignReference | null {
  if (json) return campaign ?? null;
  return campaign === undefined ? "?" : JSON.stringify(campaign);
}

function parseReference(text: string): CampaignReference {
  if (/^\d+$/.test(text)) return parseId(text);
  if (!text.startsWith('"') && text !== "") return text;
  try {
    const external: unknown = JSON.parse(text);
    if (typeof external === "string" && external !== "") return external;
  } catch {
    // The message below says what is accepted.
  }
  throw new InvalidArgumentError(
    'A campaign is named by its number or its external id, as in 12 or "weekly".',
  );
}
