// CSV links, as admins create them in the web application.

import { dayMs } from "../../src/campaign/calendar/durations.ts";
import { paths } from "../../src/paths.ts";
import { addApiKey } from "../../src/storage/keys/api-keys.ts";
import { type Organization, saveOrganization } from "../../src/storage/organizations/organizations.ts";
import { region, type World } from "./world.ts";

export const switchCsvLinks = (world: World, organization: Organization, csvLinks: "allow" | "refuse") =>
  world.write(organization, (scope) => saveOrganization(scope, { csvLinks }));

/** @returns the id of the link, and its path */
export async function addCsvLink(
  world: World,
  organization: Organization,
  { name = "Sheet", selection = "", days = 30 } = {},
): Promise<{ id: number; path: string }> {
  const { now } = world.clock;
  const key = { name, scope: "csv-link", region, selection, now, expiresAt: now + days * dayMs } as const;
  const { id, text } = await world.write(organization, (scope) => addApiKey(scope, key));
  return { id, path: `${paths.api.csvLinks}${text}.csv` };
}
