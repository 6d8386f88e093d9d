// Sample data for an organization without campaigns: an import of the newest campaigns of the fictional company.

import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { zoneOffset } from "../../campaign/calendar/time-zone.ts";
import { toNullableRecord } from "../../campaign/email-record.ts";
import { countCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import { addImport, listImports, neverExpires } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations.ts";
import { generateId } from "../import/generated-id.ts";
import { importUpload } from "../import/import-upload.ts";
import { appendPiece, compressPiece, discardImport } from "../import/upload.ts";
import { headOffice } from "./branches.ts";
import { demoCampaigns } from "./reported-campaigns.ts";

/** As long as the default period of pages, and the one before, with which they compare it. */
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
  queries: Queries,
  organization: Organization,
  { actor, now }: { actor: string; now: number },
): Promise<boolean> {
  const { id: organizationId, timeZone } = organization;
  if ((await countCampaigns(queries, organizationId)) > 0) return false;
  // An earlier sample whose campaigns were deleted one by one.
  for (const { id, expiresAt } of await listImports(queries, organizationId))
    if (expiresAt === neverExpires) await discardImport(queries, organizationId, id);
  const file = Buffer.from(sampleFile(timeZone, now));
  const id = await addImport(queries, organizationId, {
    ...{ createdAt: now, expiresAt: neverExpires, createdBy: actor },
    ...{ fileName: "sample data", bytes: file.length },
  });
  const piece = { id, position: 0, length: file.length, content: await compressPiece(file) };
  await appendPiece(queries, organizationId, piece);
  const request = { id, actor, now, expiresAt: neverExpires, choice: { timeZone } };
  await importUpload(queries, organization, request);
  return true;
}

/** NDJSON. Its ids are generated, so no campaign of the organization's own has one of them. */
function sampleFile(timeZone: string, now: number): string {
  const branch = { ...headOffice, firstHour: firstHour - zoneOffset(now, timeZone) / hourMs };
  const campaigns = demoCampaigns(branch, now - newestMs, now - sampleMs);
  const records = campaigns.map(({ campaign, tags, metrics }) => ({
    ...toNullableRecord(campaign, [], metrics),
    id: generateId(["sample data", campaign.id]),
    sent_at: new Date(campaign.sentAt).toISOString(),
    tags,
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
