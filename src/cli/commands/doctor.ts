// The command `doctor`: looks for mistakes in a deployment, and says how to correct them.

import { styleText } from "node:util";
import type { Command } from "commander";
import { pluralize } from "../../campaign/pluralize.ts";
import { AppError } from "../../errors.ts";
import { listOrganizations } from "../../storage/organizations.ts";
import { type DoctorOptions, databaseChecks } from "../doctor/database-checks.ts";
import { type Finding, ok, problem } from "../doctor/finding.ts";
import { settingsChecks } from "../doctor/settings-checks.ts";
import { type Output, printable } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { outputOf, type Shell, settingsOf, withDatabase } from "../shell.ts";

type FoundByCheck = AsyncGenerator<[check: string, Finding]>;

const marks = { ok: ["green", "✓"], warning: ["yellow", "!"], problem: ["red", "✗"] } as const;

export function addDoctorCommand(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .option("--full", "also check the whole database for damage, and recount all open campaigns")
    .option("--repair", "correct the numbers that have drifted; includes --full")
    .option("--vacuum", "also rewrite the database, so that no deleted data remains in unused space")
    .action(async (options: DoctorOptions, running: Command) => {
      const output = outputOf(shell, running);
      const counts = { ok: 0, warning: 0, problem: 0 };
      const versions = `email-analytics ${running.parent?.version()}, Node ${process.versions.node}.`;
      print(output, "versions", ok(versions));
      for await (const [check, found] of examine(shell, options, output)) {
        counts[found.status] += 1;
        print(output, check, found);
      }
      const sums = `${pluralize(counts.problem, "problem")}, ${pluralize(counts.warning, "warning")}.`;
      if (!output.json) output.stderr.write(`${sums}\n`);
      setExitCode(counts.problem > 0 ? 1 : 0);
    });
}

async function* examine(shell: Shell, options: DoctorOptions, output: Output): FoundByCheck {
  const found: [string, Finding][] = [];
  const bar = progressBar(output);
  try {
    const settings = settingsOf(shell);
    yield* runAll(settingsChecks, settings);
    await withDatabase(shell, async (database) => {
      const organizations = await database.snapshot(listOrganizations);
      const examined = { settings, database, organizations, options, now: shell.now, bar };
      for await (const each of runAll(databaseChecks, examined)) found.push(each);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const check = error.code === "bad_request" ? "settings" : "database";
    found.push([check, problem(`${error.message}. Correct this, and run doctor again.`)]);
  } finally {
    bar.clear();
  }
  yield* found;
}

async function* runAll<Input>(
  checks: Readonly<Record<string, (input: Input) => AsyncGenerator<Finding>>>,
  input: Input,
): FoundByCheck {
  for (const [name, check] of Object.entries(checks)) {
    try {
      for await (const found of check(input)) yield [name, found];
    } catch (error) {
      yield [name, problem((error as Error).message.replace(/\.?$/, "."))];
    }
  }
}

function print({ json, stdout }: Output, check: string, found: Finding): void {
  if (json) {
    stdout.write(`${JSON.stringify({ check, ...found })}\n`);
    return;
  }
  const [color, mark] = marks[found.status];
  const places = [
    found.organization && `organization ${found.organization}`,
    found.campaign && `campaign ${found.campaign}`,
  ];
  const place = places.filter(Boolean).join(", ");
  const text = printable(place === "" ? found.message : `${place}: ${found.message}`);
  stdout.write(
    `${styleText(color, mark, { stream: stdout as NodeJS.WriteStream })} ${check.padEnd(11)} ${text}\n`,
  );
}
