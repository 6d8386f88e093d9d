// The command `serve`: the service, until it is told to stop.

import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import type { Settings } from "../../config.ts";
import { type ComponentName, componentNames, components } from "../../http/components.ts";
import { startServer } from "../../http/start.ts";
import { printDone } from "../output.ts";
import { outputOf, type Shell, settingsOf } from "../shell.ts";

export function addServeCommand(command: Command, shell: Shell): void {
  command
    .description("Serve the API")
    .option("--host <HOST>", "the address to listen on, instead of HOST")
    .option("--port <PORT>", "the port to listen on, instead of PORT")
    .option("--only <DOORS>", `open only these doors, separated by commas: ${doorsHelp}`, parseDoors)
    .action(async ({ only = componentNames, ...options }: ServeOptions & { only?: ComponentName[] }) => {
      const settings = serveSettings(shell, options);
      const server = await startServer(settings, only);
      const { url, monitoring } = server;
      const isForAll = only.length === componentNames.length;
      const what = isForAll
        ? `${url}/data_api/v1/emails, and people at ${url}/`
        : `${only.join(", ")} at ${url}`;
      printDone(
        outputOf(shell, command),
        { url, ...(monitoring && { monitoring }) },
        `email-analytics serves ${what} (Ctrl-C to stop)`,
      );
      await shell.untilStopped();
      await server.stop();
    });
}

const doorsHelp = componentNames.map((name) => `${name} (${components[name].meaning})`).join("; ");

/** @param before those of the same option when it was given before */
function parseDoors(text: string, before: readonly ComponentName[] = []): ComponentName[] {
  const named: string[] = text.split(",").map((name) => name.trim());
  if (named.every((name) => componentNames.some((each) => each === name))) {
    return componentNames.filter((name) => before.includes(name) || named.includes(name));
  }
  throw new InvalidArgumentError(
    `The doors are ${componentNames.join(", ")}; several are separated by commas.`,
  );
}

export interface ServeOptions {
  host?: string;
  port?: string;
}

export function serveSettings(shell: Shell, { host, port }: ServeOptions): Settings {
  return settingsOf(shell, {
    ...(host !== undefined && { HOST: host }),
    ...(port !== undefined && { PORT: port }),
  });
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once, as it would without us. */
export async function untilSignal(): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(process, "SIGTERM", { signal }), once(process, "SIGINT", { signal })]);
  ended.abort();
}
