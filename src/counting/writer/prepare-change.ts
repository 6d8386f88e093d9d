// Prepares the jobs of the writer thread that change campaigns, tags or the quarantine.

import { parseCountedCampaign } from "../../campaign/counted-campaign.ts";
import { pluralize } from "../../campaign/pluralize.ts";
import { formatErrors } from "../../campaign/validate-fields.ts";
import { AppError } from "../../errors.ts";
import { parseBoundedJson } from "../../limits/bounded-json.ts";
import { recordAction } from "../../storage/audit-log.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { removeAttribute, renameAttribute } from "../audience/change-attribute.ts";
import { parseList } from "../audience/parse-list.ts";
import { saveRecipientList } from "../audience/save-recipients.ts";
import { changeOrganization } from "../campaigns/change-organization.ts";
import { changeTag, removeTag } from "../campaigns/change-tag.ts";
import { closeCampaign } from "../campaigns/close-campaigns.ts";
import { correctCampaign } from "../campaigns/correct-campaign.ts";
import { forgetRecipient } from "../campaigns/forget-recipient.ts";
import { removeCampaign } from "../campaigns/remove-campaign.ts";
import { saveCountedCampaign } from "../campaigns/save-counted-campaign.ts";
import { batchLimits } from "../events/event-batch.ts";
import { replayPage } from "../events/replay.ts";
import { importUpload, undoImport } from "../import/import-upload.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Limit on the body of a campaign, as sent and after decompression. */
export const maxCampaignBytes = 1024 * 1024;

/** Jobs that may take long count as large bodies: several in one group commit would make a long transaction. */
const longJobBytes = 1024 * 1024;

/**
 * @returns undefined if the job ingests events
 * @throws AppError if the body cannot be read
 */
export function prepareChange({ organizationId, now, body, isGzipped, task }: Job): PreparedJob | undefined {
  if (task.name === "save_campaign" || task.name === "correct_campaign") {
    const limits = { maxBytes: maxCampaignBytes, maxValues: batchLimits.values };
    const input = parseBoundedJson(body, isGzipped, limits);
    const save = task.name === "save_campaign" ? saveCampaign : correctCampaign;
    const write: PreparedJob["write"] = (queries, organization) =>
      save(queries, organization, { ...task, input, now });
    return { organizationId, bytes: body.length, isIdempotent: true, write };
  }
  if (task.name === "save_recipients") {
    const rows = parseList(body, task.format, isGzipped);
    const write: PreparedJob["write"] = (queries, organization) =>
      saveRecipientList(queries, organization, { id: task.id, rows, now });
    return { organizationId, bytes: Math.max(body.length, longJobBytes), isIdempotent: true, write };
  }
  if (task.name === "remove_campaign") {
    const write: PreparedJob["write"] = (queries) => removeCampaign(queries, organizationId, task.id, now);
    return { organizationId, bytes: 0, isIdempotent: false, write };
  }
  if (task.name === "close_campaign") {
    const write: PreparedJob["write"] = async (queries, organization) => {
      await closeCampaign(queries, organization, task.id, now);
      return "closed";
    };
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "forget_recipient") {
    const { address, actor } = task;
    const write: PreparedJob["write"] = async (queries, organization) => {
      const forgotten = await forgetRecipient(queries, organization, address, now);
      // Without the address, which would not be forgotten then.
      const target = pluralize(forgotten.campaigns.length, "campaign");
      await recordAction(queries, organizationId, { at: now, actor, action: "recipient.forget", target });
      return forgotten;
    };
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "remove_tag") {
    const write: PreparedJob["write"] = (queries, organization) =>
      removeTag(queries, organization, task.id, now);
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "change_tag") {
    const write: PreparedJob["write"] = (queries, organization) =>
      changeTag(queries, organization, { ...task, now });
    return { organizationId, bytes: longJobBytes, isIdempotent: true, write };
  }
  if (task.name === "rename_attribute") {
    const { id, newName: name } = task;
    const write: PreparedJob["write"] = (queries, organization) =>
      renameAttribute(queries, organization, { id, name, now });
    return { organizationId, bytes: longJobBytes, isIdempotent: true, write };
  }
  if (task.name === "remove_attribute") {
    const { id, actor, target } = task;
    const write: PreparedJob["write"] = async (queries, organization) => {
      const step = await removeAttribute(queries, organization, { id, now });
      const entry = { at: now, actor, action: "attribute.delete", target } as const;
      if (step === "removed") await recordAction(queries, organizationId, entry);
      return step;
    };
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "change_organization") {
    const write: PreparedJob["write"] = async (queries) => {
      await changeOrganization(queries, organizationId, task.change, now);
      return "changed";
    };
    return { organizationId, bytes: longJobBytes, isIdempotent: true, write };
  }
  if (task.name === "import_file") {
    const write: PreparedJob["write"] = (queries, organization) =>
      importUpload(queries, organization, { ...task, now });
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "undo_import") {
    const write: PreparedJob["write"] = (queries, organization) =>
      undoImport(queries, organization, { ...task, now });
    return { organizationId, bytes: longJobBytes, isIdempotent: false, write };
  }
  if (task.name === "replay") {
    const { campaign, after } = task;
    // Events that arrive between two pages are left to the next replay.
    const filter = { campaigns: campaign === undefined ? undefined : [campaign], receivedBefore: now + 1 };
    const write: PreparedJob["write"] = (queries, organization) =>
      replayPage(queries, organization, { filter, after, now });
    return { organizationId, bytes: longJobBytes, isIdempotent: true, write };
  }
  return undefined;
}

async function saveCampaign(
  queries: Queries,
  organization: Organization,
  { id, input, now, isNew = false }: { id: number; input: unknown; now: number; isNew?: boolean },
): Promise<"added" | "changed" | "unchanged"> {
  if (isNew && (await findCampaigns(queries, organization.id, [id])).length > 0) {
    throw new AppError("conflict", `id: campaign ${id} exists already; use another id.`);
  }
  const read = parseCountedCampaign(id, input, organization.timeZone);
  if (!("errors" in read)) return saveCountedCampaign(queries, organization, read, now);
  throw new AppError("bad_request", `${formatErrors(read.errors)}.`);
}
