// A service with campaigns, and connector files that are filled in with its URL. Test files of a process share it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { connectorText } from "../../src/http/connect/connector-text.ts";
import { campaign, makeFolder, makeSqliteWorld, serve } from "./world.ts";

export const world = await makeSqliteWorld({ after });
export const service = await serve({ after }, world);
const added = await world.addOrganization();
export const { key, organization } = added;
await world.save(organization, [
  campaign({ id: 1, tags: ["Newsletter"], metrics: { enps_score_average: 0, enps_reactions_count: 0 } }),
  campaign({ id: 2, subject: "=1+1", sentAt: Date.UTC(2025, 5, 1, 9), recipientCount: 1000 }),
]);

/** What a user sets before running a script. */
export const environment = { ...process.env, EMAIL_ANALYTICS_KEY: key };

/** A connector file with the URL of the service. */
export const textOf = (path: string) => connectorText(path, service.url);

/** Saves a connector file in a folder of its own. */
export function saved(path: string): { cwd: string; file: string } {
  const cwd = makeFolder({ after });
  const file = join(cwd, path.split("/").at(-1) ?? "");
  writeFileSync(file, textOf(path));
  return { cwd, file };
}
