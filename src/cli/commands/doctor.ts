// The command `doctor`: looks for mistakes in a deployment, and says how to correct them.

import { styleText } from "node:util";
import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { AppError } from "../../errors.ts";
import { listOrganizations } from "../../storage/organizations/organizations.ts";
import { type DoctorOptions, databaseChecks } from "../doctor/database-checks.ts";
import { type Finding, ok, problem } from "../doctor/finding.ts";
import { settingsChecks } from "../doctor/settings-checks.ts";
import { type Output, printable } from "../shell/output.ts";
import { type ProgressBar, progressBar } from "../shell/progress-bar.ts";
import { outputOf, type Shell, settingsOf, withDatabase } from "../shell/shell.ts";

const marks = { ok: ["green", "✓"], warning: ["yellow", "!"], problem: ["red", "✗"] } as const;

export function addTo(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .option("--full", "also check the whole database for damage, and recount all open campaigns")
    .option("--repair", "correct the numbers that have drifted; includes --full")
    .option("--vacuum", "also rewrite the database, so that no deleted data remains in unused space")
    .action(async (options: DoctorOptions, running: Command) => {
      const output = outputOf(shell, running);
      const bar = progressBar(output);
      const counts = { ok: 0, warning: 0, problem: 0 };
      const report = (check: string, found: Finding) => {
        bar.clear();
        counts[found.status] += 1;
        print(output, check, found);
      };
      const versions = `email-analytics ${running.parent?.version()}.`;
      report("versions", ok(versions));
      await examine(shell, { ...options, bar }, report);
      const sums = `${pluralize(counts.problem, "problem")}, ${pluralize(counts.warning, "warning")}.`;
      if (!output.json) output.stderr.write(`${sums}\n`);
      setExitCode(counts.problem > 0 ? 1 : 0);
    });
}

type Report = (check: string, found: Finding) => void;

async function examine(
  shell: Shell,
  { bar, ...options }: DoctorOptions & { bar: ProgressBar },
  report: Report,
): Promise<void> {
  try {
    const settings = settingsOf(shell);
    await runAll(settingsChecks, settings, report);
    await withDatabase(shell, async (database) => {
      const organizations = await database.snapshot(listOrganizations);
      const examined = { settings, database, organizations, options, now: shell.now, bar };
      await runAll(databaseChecks(options, settings), examined, report);
    }).finally(() => bar.clear());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "bad_request") report("settings", problem(`${error.message}. Correct the setting.`));
    else report("database", problem(withNextStep(error.message)));
  }
}

/** A message that says what to do does so after a semicolon. */
function withNextStep(message: string): string {
  return message.includes("; ") ? `${message}.` : `${message}. Correct DATABASE_URL, or restore a backup.`;
}

async function runAll<Input>(
  checks: Readonly<Record<string, (input: Input) => AsyncGenerator<Finding>>>,
  input: Input,
  report: Report,
): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    try {
      let last: Finding | undefined;
      let isInOrder = true;
      for await (const result of check(input)) {
        last = result;
        // The summary at the end of a check would contradict what it found.
        const isSummary = result.status === "ok" && result.organization === null;
        if (!isSummary || isInOrder) report(name, result);
        isInOrder &&= result.status === "ok";
      }
      if (!last) report(name, ok("In order."));
    } catch (error) {
      report(name, problem((error as Error).message.replace(/\.?$/, ".")));
    }
  }
}

function print({ json, stdout }: Output, check: string, found: Finding): void {
  if (json) {
    stdout.write(`${JSON.stringify({ check, ...found })}\n`);
    return;
  }
  const [color, mark] = marks[found.status];
  const { organization, campaign } = found;
  const place =
    organization === null
      ? ""
      : `organization ${organization}${campaign === null ? "" : `, campaign ${campaign}`}: `;
  const text = printable(place + found.message);
  stdout.write(
    `${styleText(color, mark, { stream: stdout as NodeJS.WriteStream })} ${check.padEnd(11)} ${text}\n`,
  );
}
