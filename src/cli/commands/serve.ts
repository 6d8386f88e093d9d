// The command `serve`: runs the server until SIGTERM or SIGINT.

import { type Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../config.ts";
import { type ComponentName, componentNames, components } from "../../http/components.ts";
import { paths } from "../../http/paths.ts";
import { type Output, printResult } from "../output.ts";
import { isInGroup, maxProcesses, serveInGroup, startProcessGroup } from "../process-group.ts";
import { outputOf, type Shell, settingsOf } from "../shell.ts";

export interface ServeOptions {
  host?: string;
  port?: string;
}

interface ServeCommandOptions extends ServeOptions {
  only?: ComponentName[];
  processes?: number;
}

export function addServeCommand(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .option("--host <HOST>", "address to listen on (overrides HOST)")
    .option("--port <PORT>", "port to listen on (overrides PORT)")
    .option(
      "--only <COMPONENTS>",
      `serve only these components, separated by commas: ${componentsHelp}`,
      parseComponents,
    )
    .option(
      "--processes <NUMBER>",
      "number of processes that share the port, at most one per CPU core (default: 1)",
      parseProcesses,
    )
    .action(async ({ only = componentNames, processes = 1, ...options }: ServeCommandOptions) => {
      const settings = serveSettings(shell, options);
      const print = (row: ServingRow) => printServing(outputOf(shell, command), only, row);
      if (isInGroup) await serveInGroup(settings, only, shell.untilStopped);
      else if (processes === 1) await serveAlone(shell, settings, only, print);
      else setExitCode(await serveTogether(shell, settings, only, processes, print));
    });
}

interface ServingRow {
  url: string;
  monitoring?: string;
  processes?: { pid: number; monitoring?: string | undefined }[];
}

async function serveAlone(
  shell: Shell,
  settings: Settings,
  only: readonly ComponentName[],
  print: (row: ServingRow) => void,
): Promise<void> {
  const { startServer } = await import("../../http/start.ts");
  const { url, monitoring, stop } = await startServer(settings, only);
  // Before it prints: a reader of the line may send a signal at once.
  const stopped = shell.untilStopped();
  print({ url, ...(monitoring && { monitoring }) });
  await stopped;
  await stop();
}

/** @returns the exit code */
async function serveTogether(
  shell: Shell,
  settings: Settings,
  only: readonly ComponentName[],
  count: number,
  print: (row: ServingRow) => void,
): Promise<number> {
  const group = await startProcessGroup(count, settings, only);
  if (typeof group === "number") return group;
  const stopped = shell.untilStopped();
  print({ url: group.url, processes: group.processes });
  await stopped;
  return await group.stop();
}

function printServing(output: Output, only: readonly ComponentName[], row: ServingRow): void {
  const { url } = row;
  const servesAll = only.length === componentNames.length;
  printResult(
    output,
    row,
    servesAll
      ? `Serving the API at ${url}${paths.api.emails} and the web application at ${url}${paths.web.overview} (Ctrl-C to stop)`
      : `Serving ${only.join(", ")} at ${url} (Ctrl-C to stop)`,
  );
}

const componentsHelp = componentNames.map((name) => `${name} (${components[name].meaning})`).join("; ");

/** @param previous the components of an earlier `--only`, because the option can be repeated */
function parseComponents(text: string, previous: readonly ComponentName[] = []): ComponentName[] {
  const named: string[] = text.split(",").map((name) => name.trim());
  if (named.every((name) => componentNames.some((each) => each === name))) {
    return componentNames.filter((name) => previous.includes(name) || named.includes(name));
  }
  throw new InvalidArgumentError(
    `The components are ${componentNames.join(", ")}; separate several with commas.`,
  );
}

function parseProcesses(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= maxProcesses) return count;
  throw new InvalidArgumentError(`The number of processes is a whole number from 1 to ${maxProcesses}.`);
}

export function serveSettings(shell: Shell, { host, port }: ServeOptions): Settings {
  return settingsOf(shell, {
    ...(host !== undefined && { HOST: host }),
    ...(port !== undefined && { PORT: port }),
  });
}
