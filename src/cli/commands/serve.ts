// The command `serve`: runs the server until SIGTERM or SIGINT.

import { type Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../config.ts";
import {
  type ComponentName,
  componentNames,
  components,
  defaultComponents,
} from "../../http/server/components.ts";
import { keepHeapsSmall, keepThreadsSmall } from "../../limits/small-memory.ts";
import { paths, webPaths } from "../../paths.ts";
import { type Output, printResult } from "../shell/output.ts";
import { outputOf, type Shell, settingsOf } from "../shell/shell.ts";

export interface ServeOptions {
  host?: string;
  port?: string;
}

interface ServeCommandOptions extends ServeOptions {
  only?: ComponentName[];
  reusePort?: boolean;
}

export function addTo(command: Command, shell: Shell): void {
  command
    .option("--host <HOST>", "address to listen on (overrides HOST)")
    .option("--port <PORT>", "port to listen on (overrides PORT)")
    .option(
      "--only <COMPONENTS>",
      `serve only these components, separated by commas: ${componentsHelp}`,
      parseComponents,
    )
    .option("--reuse-port", "share the port with other processes that have this option (Linux and BSD)")
    .action(async ({ only: named, reusePort = false, ...options }: ServeCommandOptions) => {
      const settings = serveSettings(shell, options);
      const only = named ?? defaultComponents(settings);
      keepThreadsSmall();
      const { startServer } = await import("../../http/server/start.ts");
      const { url, monitoring, setUpUrl, stop } = await startServer(settings, only, {
        sharesPort: reusePort,
        version: command.parent?.version()?.split(" ", 1)[0] ?? "",
      });
      keepHeapsSmall();
      // Listens for signals before it prints: a reader of the line may send one at once.
      const stopped = shell.untilStopped();
      printServing(outputOf(shell, command), only, settings.PUBLIC_URL, {
        url,
        ...(monitoring && { monitoring }),
        ...(setUpUrl && { set_up: setUpUrl }),
      });
      await stopped;
      await stop();
    });
}

interface ServingRow {
  url: string;
  monitoring?: string;
  set_up?: string;
}

function printServing(
  output: Output,
  only: readonly ComponentName[],
  publicUrl: string,
  row: ServingRow,
): void {
  const url = publicUrl || row.url;
  const servesAll = defaultComponents().every((name) => only.includes(name));
  const served = servesAll
    ? `the API at ${url}${paths.api.emails} and the web application at ${url}${webPaths.signIn}`
    : `${only.join(", ")} at ${url}`;
  const listening = url === row.url ? "" : `, listening at ${row.url}`;
  const setUp = row.set_up
    ? `\n\nOpen this link to set up your organization. It works until there is one:\n\n  ${row.set_up}\n`
    : "";
  printResult(output, row, `Serving ${served}${listening} (Ctrl-C to stop)${setUp}`);
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

export function serveSettings(shell: Shell, { host, port }: ServeOptions): Settings {
  return settingsOf(shell, { HOST: host, PORT: port });
}
