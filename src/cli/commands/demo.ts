// The command `demo`: the service with a small made-up world, or one such for each region, in a folder that is gone
// afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { Settings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { type Branch, branches, headOffice } from "../demo/branches.ts";
import { type DemoService, startDemoService } from "../demo/demo-server.ts";
import { type Output, printDone, printRows } from "../output.ts";
import { outputOf, type Shell } from "../shell.ts";
import { type ServeOptions, serveSettings } from "./serve.ts";

const regions = Object.keys(branches);

export function addDemoCommand(command: Command, shell: Shell): void {
  command
    .description("Serve a small made-up world, to try the API; nothing is kept")
    .option("--host <HOST>", "the address to listen on, instead of HOST")
    .option("--port <PORT>", "the port to listen on, instead of PORT")
    .option(
      "--regions",
      `serve the regions ${regions.join(", ")}, each with data of its own, on free ports; or on PORT and those after it, where one is given`,
    )
    .action(async ({ regions: isOfRegions, ...options }: ServeOptions & { regions?: true }) => {
      // From the beginning, so that the folder goes even when the demo is stopped before it is ready.
      const stopped = shell.untilStopped();
      const folder = await mkdtemp(join(tmpdir(), "email-analytics-demo-"));
      const services: DemoService[] = [];
      try {
        const asked = isOfRegions
          ? regionalServices(shell, options, folder)
          : [{ branch: headOffice, settings: demoSettings(shell, options, folder) }];
        for (const { branch, settings } of asked) {
          services.push(await startDemoService(settings, branch, shell.now()));
        }
        const output = outputOf(shell, command);
        if (isOfRegions) printRegions(output, services);
        else for (const service of services) printInvitation(output, service);
        await stopped;
      } finally {
        await Promise.all(services.map((service) => service.stop()));
        await rm(folder, { recursive: true, force: true });
      }
    });
}

function demoSettings(
  shell: Shell,
  options: ServeOptions,
  folder: string,
  given: Record<string, string> = {},
): Settings {
  const environment = {
    ...shell.environment,
    LOG_LEVEL: shell.environment.LOG_LEVEL ?? "warn",
    DATABASE_URL: `sqlite:${join(folder, "demo.db")}`,
    DATABASE_READ_URL: "",
    ...given,
  };
  return serveSettings({ ...shell, environment }, options);
}

const lastPort = 65_535;

/** One for each region: on free ports, or on the port that is given and those after it. */
function regionalServices(
  shell: Shell,
  options: ServeOptions,
  folder: string,
): { branch: Branch; settings: Settings }[] {
  const port = options.port ?? shell.environment.PORT ?? "0";
  const first = demoSettings(shell, { ...options, port }, folder).PORT;
  const last = first + regions.length - 1;
  if (last > lastPort) {
    const taken = `the ${regions.length} regions take the ports ${first} to ${last}`;
    throw new AppError("bad_request", `PORT: ${taken}, and ${lastPort} is the last one`);
  }
  return Object.entries(branches).map(([region, branch], index) => {
    const own = String(first === 0 ? 0 : first + index);
    const settings = demoSettings(shell, { ...options, port: own }, folder, {
      REGION: region,
      DATABASE_URL: `sqlite:${join(folder, `${region}.db`)}`,
      // One public address cannot lead to several services.
      PUBLIC_URL: "",
      TRACKING_URL: "",
    });
    return { branch, settings };
  });
}

function printInvitation(output: Output, { url, signInUrl, key, campaigns, tagId }: DemoService): void {
  const curl = (query: string) => curlOf({ url, key }, query);
  const lines = [
    `${headOffice.organization.name}, a made-up company, sent ${campaigns.imported} campaigns in 2023 to 2025, and ${campaigns.counted} in the last year`,
    "that are counted from their events. Look at them in a browser, signed in as an admin:",
    "",
    `  ${signInUrl}`,
    "",
    "For your tools, they are served at",
    "",
    `  address  ${url}/data_api/v1/emails`,
    `  API key  ${key}`,
    "",
    "Paste one of these into another terminal:",
    "",
    curl("?per_page=2"),
    curl("?sent_after=2024-06-01&sent_before=2024-06-30"),
    curl(`?tag_ids=${tagId}&per_page=100`),
    "",
    "Ctrl-C to stop.",
  ];
  printDone(output, { url, key, sign_in: signInUrl }, lines.join("\n"));
}

/** For people a table with words around it, for programs its rows alone. */
function printRegions(output: Output, services: readonly DemoService[]): void {
  const say = (...lines: string[]) => {
    if (!output.json) output.stdout.write(`${lines.join("\n")}\n`);
  };
  const { name } = headOffice.organization;
  const rows = services.map(({ region, url, key }) => ({ region, url, key }));
  const [first] = rows;
  say(`${name}, a made-up company, has a branch in each of these regions, which share nothing:`, "");
  printRows(output, rows, "");
  say("", "Paste this into another terminal, and try the key at another address:", "");
  if (first) say(curlOf(first, "?per_page=2"), "", "Ctrl-C to stop.");
}

function curlOf({ url, key }: { url: string; key: string }, query: string): string {
  return `  curl -H "Authorization: Bearer ${key}" "${url}/data_api/v1/emails${query}"`;
}
