// Sample data for an organization without campaigns: an import of the newest campaigns of the fictional company.

import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { zoneOffset } from "../../campaign/calendar/time-zone.ts";
import { countCampaigns } from "../../storage/campaigns/campaigns.ts";
import {
  addImport,
  findImport,
  listImports,
  neverExpires,
  type StoredImport,
} from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { finishImport, importRows } from "../import/import-upload.ts";
import { generateId } from "../import/mapping/generated-id.ts";
import type { ParsedEntry } from "../import/parse-entries.ts";
import { discardImport } from "../import/upload.ts";
import { company } from "./company.ts";
import { demoCampaigns } from "./reported-campaigns.ts";

/** The sample spans the default period of pages and the one before, with which they compare it. */
const sampleMs = 180 * dayMs;
/** The age of the newest campaign, at least. */
const newestMs = 36 * hourMs;
/** When the working day starts, in the time zone of the organization. */
const firstHour = 8;

/**
 * Imports the sample in one transaction. It can be undone at any time.
 *
 * @param request.actor the email of the user
 * @returns whether it was added: not to an organization that has campaigns
 */
export async function addSample(
  scope: Scope,
  organization: Organization,
  { actor, now }: { actor: string; now: number },
): Promise<boolean> {
  const { timeZone } = organization;
  if ((await countCampaigns(scope)) > 0) return false;
  // An earlier sample whose campaigns were deleted one by one.
  for (const { id, expiresAt } of await listImports(scope))
    if (expiresAt === neverExpires) await discardImport(scope, id);
  const fileName = "sample data";
  const started = { createdAt: now, expiresAt: neverExpires, createdBy: actor, fileName, bytes: 0 };
  const id = await addImport(scope, started);
  const added = (await findImport(scope, id)) as StoredImport;
  const imported = await importRows(scope, organization, added, sampleRows(timeZone, now), now);
  await finishImport(scope, imported, now);
  return true;
}

/** Their ids are generated, so no campaign of the organization's own has one of them. */
function sampleRows(timeZone: string, now: number): ParsedEntry[] {
  const local = { ...company, firstHour: firstHour - zoneOffset(now, timeZone) / hourMs };
  return demoCampaigns(local, now - newestMs, now - sampleMs).map((reported) => {
    const { campaign } = reported;
    const id = generateId(["sample data", campaign.id]);
    return { where: `campaign ${campaign.id}`, reported: { ...reported, campaign: { ...campaign, id } } };
  });
}
