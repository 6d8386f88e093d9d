// Reads the jobs of the writing thread that bring no events: what they change, and how.

import { readCountedCampaign } from "../campaign/counted-campaign.ts";
import { inWords } from "../campaign/fields.ts";
import { Refusal } from "../errors.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import { deleteTag } from "../storage/tags.ts";
import { removeCampaign } from "./close-campaigns.ts";
import { batchLimits, readJson } from "./event-batch.ts";
import type { Job, Work } from "./jobs.ts";
import { replaySome } from "./replay.ts";
import { saveCountedCampaign } from "./save-counted-campaign.ts";

/** Of a body with a campaign, unpacked. */
const campaignBytesMax = 1024 * 1024;

/**
 * @returns undefined where the job brings events
 * @throws Refusal when the body cannot be read
 */
export function readChange({ organizationId, now, body, isPacked, work }: Job): Work | undefined {
  if (work.name === "save_campaign") {
    const bounds = { bytesMax: campaignBytesMax, valuesMax: batchLimits.values };
    const input = readJson(body, isPacked, bounds);
    const write: Work["write"] = (queries, organization) =>
      saveCampaign(queries, organization, { id: work.id, input, now });
    return { organizationId, bytes: body.length, write };
  }
  if (work.name === "remove_campaign") {
    const write: Work["write"] = (queries) => removeCampaign(queries, organizationId, work.id, now);
    return { organizationId, bytes: 0, isOnce: true, write };
  }
  if (work.name === "remove_tag") {
    const write: Work["write"] = (queries) => deleteTag(queries, { organizationId, id: work.id, now });
    return { organizationId, bytes: 0, isOnce: true, write };
  }
  if (work.name === "replay") {
    const { campaign, after } = work;
    // What comes while one replay follows the other is none of theirs.
    const filter = { campaigns: campaign === undefined ? undefined : [campaign], receivedBefore: now + 1 };
    const write: Work["write"] = (queries, organization) =>
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
  if (!("faults" in read)) return saveCountedCampaign(queries, organization, read, now);
  throw new Refusal("bad_request", `${inWords(read.faults)}.`);
}
