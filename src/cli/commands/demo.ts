// The command `demo`: runs the server with the data of a fictional company, or one server for each region, in a temporary
// folder.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { Settings } from "../../config.ts";
import { type Branch, branches, headOffice } from "../../counting/sample/branches.ts";
import { AppError } from "../../errors.ts";
import { type DemoServer, startDemoServer } from "../demo/demo-server.ts";
import { printDemo, printRegions } from "../demo/print-demo.ts";
import { outputOf, type Shell } from "../shell/shell.ts";
import { type ServeOptions, serveSettings } from "./serve.ts";

const regions = Object.keys(branches);

export function addDemoCommand(command: Command, shell: Shell): void {
  command
    .option("--host <HOST>", "address to listen on (overrides HOST)")
    .option("--port <PORT>", "port to listen on (overrides PORT)")
    .option(
      "--regions",
      `run one server for each of the regions ${regions.join(", ")}, each with its own data, on free ports; or on PORT and the ports after it, if PORT is set`,
    )
    .action(async ({ regions: isRegional, ...options }: ServeOptions & { regions?: true }) => {
      // Listens for the signal from the start, so that the folder is deleted even if the demo stops before it is ready.
      const stopped = shell.untilStopped();
      const folder = await mkdtemp(join(tmpdir(), "email-analytics-demo-"));
      const servers: DemoServer[] = [];
      try {
        const planned = isRegional
          ? regionalServers(shell, options, folder)
          : [{ branch: headOffice, settings: demoSettings(shell, options, folder) }];
        for (const { branch, settings } of planned) {
          servers.push(await startDemoServer(settings, branch, shell.now()));
        }
        const output = outputOf(shell, command);
        if (isRegional) printRegions(output, servers);
        else for (const server of servers) printDemo(output, server);
        await stopped;
      } finally {
        await Promise.all(servers.map((server) => server.stop()));
        await rm(folder, { recursive: true, force: true });
      }
    });
}

function demoSettings(
  shell: Shell,
  options: ServeOptions,
  folder: string,
  overrides: Record<string, string> = {},
): Settings {
  const environment = {
    ...shell.environment,
    LOG_LEVEL: shell.environment.LOG_LEVEL ?? "warn",
    DATABASE_URL: `sqlite:${join(folder, "demo.db")}`,
    ...overrides,
  };
  return serveSettings({ ...shell, environment }, options);
}

const lastPort = 65_535;

/** One server for each region: on free ports, or on the given port and those after it. */
function regionalServers(
  shell: Shell,
  options: ServeOptions,
  folder: string,
): { branch: Branch; settings: Settings }[] {
  const port = options.port ?? shell.environment.PORT ?? "0";
  const first = demoSettings(shell, { ...options, port }, folder).PORT;
  const last = first + regions.length - 1;
  if (last > lastPort) {
    throw new AppError(
      "bad_request",
      `PORT: ${first} is too high; the ${regions.length} regions need the ports ${first} to ${last}, and ${lastPort} is the last port`,
    );
  }
  return Object.entries(branches).map(([region, branch], index) => {
    const ownPort = String(first === 0 ? 0 : first + index);
    const settings = demoSettings(shell, { ...options, port: ownPort }, folder, {
      REGION: region,
      DATABASE_URL: `sqlite:${join(folder, `${region}.db`)}`,
      // One public URL cannot lead to several servers.
      PUBLIC_URL: "",
      TRACKING_URL: "",
    });
    return { branch, settings };
  });
}
