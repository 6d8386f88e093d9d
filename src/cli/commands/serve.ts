// The command `serve`: runs the server until SIGTERM or SIGINT.

import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../config.ts";
import { type ComponentName, componentNames, components } from "../../http/components.ts";
import { paths } from "../../http/paths.ts";
import { startServer } from "../../http/start.ts";
import { printResult } from "../output.ts";
import { outputOf, type Shell, settingsOf } from "../shell.ts";

export interface ServeOptions {
  host?: string;
  port?: string;
}

export function addServeCommand(command: Command, shell: Shell): void {
  command
    .description("Run the server")
    .option("--host <HOST>", "address to listen on (overrides HOST)")
    .option("--port <PORT>", "port to listen on (overrides PORT)")
    .option(
      "--only <COMPONENTS>",
      `serve only these components, separated by commas: ${componentsHelp}`,
      parseComponents,
    )
    .action(async ({ only = componentNames, ...options }: ServeOptions & { only?: ComponentName[] }) => {
      const server = await startServer(serveSettings(shell, options), only);
      const { url, monitoring } = server;
      const servesAll = only.length === componentNames.length;
      printResult(
        outputOf(shell, command),
        { url, ...(monitoring && { monitoring }) },
        servesAll
          ? `Serving the API at ${url}${paths.api.emails} and the web application at ${url}${paths.web.overview} (Ctrl-C to stop)`
          : `Serving ${only.join(", ")} at ${url} (Ctrl-C to stop)`,
      );
      await shell.untilStopped();
      await server.stop();
    });
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
  return settingsOf(shell, {
    ...(host !== undefined && { HOST: host }),
    ...(port !== undefined && { PORT: port }),
  });
}

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process immediately, as Node does by default. */
export async function untilSignal(): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(process, "SIGTERM", { signal }), once(process, "SIGINT", { signal })]);
  ended.abort();
}
