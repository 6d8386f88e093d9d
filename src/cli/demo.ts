// The command `demo`: the service with a small made-up world, in a folder that is gone afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { saveReportedCampaigns } from "../counting/save-reported-campaigns.ts";
import { addApiKey } from "../storage/api-keys.ts";
import { openDatabase } from "../storage/database.ts";
import { addOrganization } from "../storage/organizations.ts";
import { listTags } from "../storage/tags.ts";
import { demoCampaigns, demoOrganization } from "./demo-world.ts";
import { printDone } from "./output.ts";
import { type ServeOptions, serveSettings, startServing } from "./serve.ts";
import { outputOf, type Shell } from "./shell.ts";

export function addDemoCommand(command: Command, shell: Shell): void {
  command
    .description("Serve a small made-up world, to try the API; nothing is kept")
    .option("--host <HOST>", "the address to listen on, instead of HOST")
    .option("--port <PORT>", "the port to listen on, instead of PORT")
    .action(async (options: ServeOptions) => {
      // From the beginning, so that the folder goes even when the demo is stopped before it is ready.
      const stopped = shell.untilStopped();
      const folder = await mkdtemp(join(tmpdir(), "email-analytics-demo-"));
      try {
        const quiet = shell.environment.LOG_LEVEL ?? "warn";
        const settings = serveSettings(
          {
            ...shell,
            environment: {
              ...shell.environment,
              DATABASE_URL: `sqlite:${join(folder, "demo.db")}`,
              LOG_LEVEL: quiet,
            },
          },
          options,
        );
        const world = await makeWorld(settings.DATABASE_URL, settings.REGION, shell.now());
        const server = await startServing(settings);
        const { url } = server;
        printDone(outputOf(shell, command), { url, key: world.key }, invitation(url, world));
        await stopped;
        await server.stop();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

interface World {
  key: string;
  campaigns: number;
  tagId: number;
}

async function makeWorld(databaseUrl: string, region: string, now: number): Promise<World> {
  const database = await openDatabase(databaseUrl);
  try {
    return await database.write(async (queries) => {
      const organization = await addOrganization(queries, { ...demoOrganization, now });
      const campaigns = demoCampaigns();
      await saveReportedCampaigns(queries, organization, campaigns, now);
      const key = await addApiKey(queries, { organizationId: organization.id, name: "demo", region, now });
      const newsletter = (await listTags(queries, organization.id)).find(({ name }) => name === "Newsletter");
      return { key: key.text, campaigns: campaigns.length, tagId: newsletter?.id ?? 1 };
    });
  } finally {
    await database.close();
  }
}

function invitation(url: string, { key, campaigns, tagId }: World): string {
  const emails = `${url}/data_api/v1/emails`;
  const curl = (query: string) => `  curl -H "Authorization: Bearer ${key}" "${emails}${query}"`;
  return [
    `${demoOrganization.name}, a made-up company, sent ${campaigns} campaigns in 2023 to 2025. They are served at`,
    "",
    `  address  ${emails}`,
    `  API key  ${key}`,
    "",
    "Paste one of these into another terminal:",
    "",
    curl("?per_page=2"),
    curl("?sent_after=2024-06-01&sent_before=2024-06-30"),
    curl(`?tag_ids=${tagId}&per_page=100`),
    "",
    "Ctrl-C to stop.",
  ].join("\n");
}
