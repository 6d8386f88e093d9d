// Reads the jobs of the writing thread that bring no events: what they change, and how.

import { readCountedCampaign } from "../../campaign/counted-campaign.ts";
import { formatErrors } from "../../campaign/validate-fields.ts";
import { AppError } from "../../errors.ts";
import { parseBoundedJson } from "../../limits/bounded-json.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteTag } from "../../storage/tags.ts";
import { removeCampaign } from "../campaigns/close-campaigns.ts";
import { saveCountedCampaign } from "../campaigns/save-counted-campaign.ts";
import { batchLimits } from "../events/event-batch.ts";
import { replaySome } from "../events/replay.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Of a body with a campaign, unpacked. */
const campaignBytesMax = 1024 * 1024;

/**
 * @returns undefined where the job brings events
 * @throws Refusal when the body cannot be read
 */
export function prepareChange({ organizationId, now, body, isPacked, work }: Job): PreparedJob | undefined {
  if (work.name === "save_campaign") {
    const limits = { maxBytes: campaignBytesMax, maxValues: batchLimits.values };
    const input = parseBoundedJson(body, isPacked, limits);
    const write: PreparedJob["write"] = (queries, organization) =>
      saveCampaign(queries, organization, { id: work.id, input, now });
    return { organizationId, bytes: body.length, write };
  }
  if (work.name === "remove_campaign") {
    const write: PreparedJob["write"] = (queries) => removeCampaign(queries, organizationId, work.id, now);
    return { organizationId, bytes: 0, isOnce: true, write };
  }
  if (work.name === "remove_tag") {
    const write: PreparedJob["write"] = (queries) => deleteTag(queries, { organizationId, id: work.id, now });
    return { organizationId, bytes: 0, isOnce: true, write };
  }
  if (work.name === "replay") {
    const { campaign, after } = work;
    // What comes while one replay follows the other is none of theirs.
    const filter = { campaigns: campaign === undefined ? undefined : [campaign], receivedBefore: now + 1 };
    const write: PreparedJob["write"] = (queries, organization) =>
      replaySome(queries, organization, { filter, after, now });
    return { organizationId, bytes: replayBytes, write };
  }
  return undefined;
}

/** Together with others it would make a long transaction: so it takes the room of a large body. */
const replayBytes = 1024 * 1024;

async function saveCampaign(
  queries: Queries,
  organization: Organization,
  { id, input, now }: { id: number; input: unknown; now: number },
): Promise<"added" | "changed" | "unchanged"> {
  const read = readCountedCampaign(id, input, organization.timeZone);
  if (!("errors" in read)) return saveCountedCampaign(queries, organization, read, now);
  throw new AppError("bad_request", `${formatErrors(read.errors)}.`);
}
