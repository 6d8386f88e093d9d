// The command `pull`: copies campaigns from a hosted service with the same API, once or again and again.

import { type Command, InvalidArgumentError, Option } from "commander";
import { isLoopback } from "../../access/loopback.ts";
import { dayMs, hourMs, minuteMs } from "../../campaign/calendar/durations.ts";
import { parseIsoTimestamp } from "../../campaign/calendar/iso-timestamp.ts";
import { settings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { isoSeconds } from "../pull/iso-seconds.ts";
import { pullCampaigns } from "../pull/pull-campaigns.ts";
import type { PullOptions } from "../pull/save-pages.ts";
import { baseUrlOf } from "../shell/base-url.ts";
import { accepting, confirmOption, organizationOption, wholeNumber } from "../shell/options.ts";
import { outputOf, type Shell, settingsOf } from "../shell/shell.ts";
import { readSecret } from "../source/source-secret.ts";

interface PullCommandOptions extends Omit<PullOptions, "key"> {
  key?: string;
  every?: number;
  yes?: true;
  allowHttp?: true;
}

export function addTo(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .addOption(organizationOption)
    .requiredOption(
      "--from <URL>",
      "base URL of the hosted service, such as https://www.example.com",
      parseFrom,
    )
    .option("--key <->", "- reads the API key from standard input (default: EMAIL_ANALYTICS_PULL_KEY)")
    .option("--sent-after <DATE>", "copy only campaigns sent at or after this time, ISO-8601", parseSentAfter)
    .addOption(
      new Option("--last-days <DAYS>", "copy only campaigns of the last days")
        .argParser(wholeNumber(1, 36_500))
        .conflicts("sentAfter"),
    )
    .option("--every <TIME>", "continue, and pull again after this time, such as 30m, 6h or 1d", parseEvery)
    .addOption(
      new Option(
        "--prune",
        "also delete imported campaigns that the hosted service does not have; counted campaigns stay",
      ).conflicts(["sentAfter", "lastDays"]),
    )
    .option("--prune-many", "let --prune delete more than a tenth of the imported campaigns")
    .option(...confirmOption)
    .option("--dry-run", "fetch and validate everything without saving it")
    .option("--verbose", "list all warnings")
    .option("--allow-http", "allow http, which others on the way can read")
    .action(async (options: PullCommandOptions, running: Command) => {
      const controller = new AbortController();
      void shell.untilStopped().then(() => controller.abort());
      const pull = await readOptions(options, shell, running);
      const output = outputOf(shell, running);
      const pullOnce = () => pullCampaigns(shell, output, pull, controller.signal);
      if (options.every === undefined) setExitCode(await pullOnce());
      else await repeat(pullOnce, options.every, shell, controller.signal);
    });
}

async function readOptions(
  options: PullCommandOptions,
  shell: Shell,
  command: Command,
): Promise<PullOptions> {
  const { from, prune, yes, dryRun, allowHttp } = options;
  if (prune && !yes && !dryRun) {
    command.error("error: --prune deletes campaigns; add --dry-run to see how many, and --yes to confirm");
  }
  if (from.protocol === "http:" && !allowHttp && !isLoopback(from.href)) {
    command.error("error: --from: the key would be readable on the way; use https, or add --allow-http");
  }
  return { ...options, key: await readKey(options.key, shell, command) };
}

const keyAdvice = "use --key - and standard input, or set EMAIL_ANALYTICS_PULL_KEY";

/** The messages never contain the key. */
async function readKey(option: string | undefined, shell: Shell, command: Command): Promise<string> {
  if (option !== undefined && option !== "-") {
    command.error(`error: --key: the process list would show the key; ${keyAdvice}`);
  }
  const key = (await readSecret(shell, option)) ?? settingsOf(shell).EMAIL_ANALYTICS_PULL_KEY;
  const { parse, accepts } = settings.EMAIL_ANALYTICS_PULL_KEY;
  if (parse(key) === undefined) command.error(`error: --key: the value is not ${accepts}`);
  if (key === "") command.error(`error: no API key of the hosted service; ${keyAdvice}`);
  return key;
}

/** Pulls until the signal. A failure that may pass does not end it. */
async function repeat(
  pull: () => Promise<number>,
  everyMs: number,
  shell: Shell,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = shell.now();
    try {
      await pull();
    } catch (error) {
      const mayPass =
        error instanceof AppError && (error.code === "unavailable" || error.code === "conflict");
      if (!mayPass) throw error;
      shell.stderr.write(signal.aborted ? `${error.message}\n` : `error: ${error.message}\n`);
    }
    if (signal.aborted) return;
    const next = Math.max(startedAt + everyMs, shell.now());
    shell.stderr.write(`The next pull is at ${isoSeconds(next)}.\n`);
    await shell.sleep(next - shell.now(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

function parseFrom(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) && !url.username && !url.password) {
    return baseUrlOf(url);
  }
  throw new InvalidArgumentError("It is an https URL without credentials, query or fragment.");
}

const parseSentAfter = accepting(
  parseIsoTimestamp,
  "Use YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DDThh:mm:ss±hh:mm.",
);

const units = { m: minuteMs, h: hourMs, d: dayMs } as const;
/** Timers take at most 24 days. */
const maxEveryMs = 7 * dayMs;

function parseEvery(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * units[(unit ?? "m") as keyof typeof units];
  if (ms >= minuteMs && ms <= maxEveryMs) return ms;
  throw new InvalidArgumentError("It is a number with m, h or d, from 1m to 7d.");
}
