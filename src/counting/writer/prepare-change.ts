// Prepares the jobs of the writer thread that ingest no events: what each does in its transaction.

import { parseCountedCampaign } from "../../campaign/counted-campaign.ts";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { formatErrors } from "../../campaign/fields/validate-fields.ts";
import { AppError } from "../../errors.ts";
import { parseBoundedJson } from "../../limits/bounded-json.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { removeAttribute, renameAttribute } from "../audience/change-attribute.ts";
import { mergePart } from "../audience/merge-list.ts";
import type { ListRow } from "../audience/parse-list.ts";
import { giveUpList, stageRows, startList } from "../audience/stage-list.ts";
import { changeOrganization } from "../campaigns/change-organization.ts";
import { changeTag, removeTag } from "../campaigns/change-tag.ts";
import { closeCampaign } from "../campaigns/close-campaigns.ts";
import { correctCampaign, editCampaign } from "../campaigns/correct-campaign.ts";
import { forgetRecipient } from "../campaigns/forget-recipient.ts";
import { removeCampaign } from "../campaigns/remove-campaign.ts";
import { saveCountedCampaign } from "../campaigns/save-counted-campaign.ts";
import { batchLimits } from "../events/event-batch.ts";
import { replayPage } from "../events/replay.ts";
import { continueImport } from "../import/continue-import.ts";
import { startEdit, startImport } from "../import/import-upload.ts";
import { startUndo } from "../import/undo-import.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Limit on the body of a campaign, as sent and after decompression. */
export const maxCampaignBytes = 1024 * 1024;

/** Jobs that may take long count as large bodies: several in one group commit would make a long transaction. */
const longJobBytes = 1024 * 1024;

type Write = NonNullable<PreparedJob["write"]>;

/** What a job does in its transaction, and whether it may run again: between two runs others may have made the row again. */
interface PreparedChange {
  write: Write;
  isIdempotent: boolean;
  /** The bytes that the job counts as; {@link longJobBytes} by default. */
  bytes?: number;
}

/**
 * @returns undefined if the job ingests events
 * @throws AppError if the body cannot be read
 */
export function prepareChange(job: Job): PreparedJob | undefined {
  const change = changeOf(job);
  return change && { organizationId: job.organizationId, bytes: longJobBytes, ...change };
}

function changeOf({ now, body, isGzipped, task }: Job): PreparedChange | undefined {
  const once = (write: Write): PreparedChange => ({ write, isIdempotent: false });
  const again = (write: Write): PreparedChange => ({ write, isIdempotent: true });
  switch (task.name) {
    case "save_campaign":
    case "edit_campaign":
    case "correct_campaign": {
      const limits = { maxBytes: maxCampaignBytes, maxValues: batchLimits.values };
      const input = parseBoundedJson(body, isGzipped, limits);
      const change = again((scope, organization) =>
        task.name === "save_campaign"
          ? saveCampaign(scope, organization, { ...task, input, now })
          : task.name === "edit_campaign"
            ? editCampaign(scope, organization, { ...task, input, now })
            : correctCampaign(scope, organization, { ...task, input, now }),
      );
      return { ...change, bytes: body.length };
    }
    case "start_list":
      return once((scope) => startList(scope, { ...task, now }));
    case "stage_list": {
      const rows = JSON.parse(Buffer.from(body).toString()) as ListRow[];
      return again((scope, organization) => stageRows(scope, organization, { ...task, rows, now }));
    }
    case "give_up_list":
      return again((scope) => giveUpList(scope, task.list));
    case "merge_list":
      return once((scope, organization) => mergePart(scope, organization, { ...task, now }));
    case "remove_campaign":
      return {
        ...once((scope) => removeCampaign(scope, task.id, now, task.sender)),
        bytes: 0,
      };
    case "close_campaign":
      return once((scope, organization) => closeCampaign(scope, organization, task.id, now));
    case "forget_recipient":
      return once(async (scope, organization) => {
        const forgotten = await forgetRecipient(scope, organization, task.address, now, true);
        // The entry leaves the address out, because the audit log would keep it.
        const target = pluralize(forgotten.campaigns.length, "campaign");
        const entry = { at: now, actor: task.actor, action: "recipient.forget", target } as const;
        await recordAction(scope, entry);
        return forgotten;
      });
    case "remove_tag":
      return once((scope) => removeTag(scope, { ...task, now }));
    case "change_tag":
      return again((scope) => changeTag(scope, { ...task, now }));
    case "rename_attribute":
      return again((scope) => renameAttribute(scope, { id: task.id, name: task.newName, now }));
    case "remove_attribute":
      return once(async (scope, organization) => {
        const { id, actor, target } = task;
        const step = await removeAttribute(scope, organization, { id, now });
        const entry = { at: now, actor, action: "attribute.delete", target } as const;
        if (step === "removed") await recordAction(scope, entry);
        return step;
      });
    case "change_organization":
      return again((scope) => changeOrganization(scope, task.change, now, true));
    case "import_file":
      return once((scope, organization) => startImport(scope, organization, { ...task, now }));
    case "edit_campaigns":
      return once((scope) => startEdit(scope, task, now));
    case "undo_import":
      return once((scope) => startUndo(scope, { ...task, now }));
    case "continue_import":
      return again((scope, organization) => continueImport(scope, organization, { ...task, now }));
    case "replay": {
      const { campaign, after } = task;
      // Events that arrive between two pages are left to the next replay.
      const filter = { campaigns: campaign === undefined ? undefined : [campaign], receivedBefore: now + 1 };
      return again((scope, organization) => replayPage(scope, organization, { filter, after, now }));
    }
    default:
      return undefined;
  }
}

async function saveCampaign(
  scope: Scope,
  organization: Organization,
  {
    id,
    input,
    now,
    isNew = false,
    sender,
  }: { id: number; input: unknown; now: number; isNew?: boolean; sender?: number },
): Promise<"added" | "changed" | "unchanged"> {
  if (isNew && (await findCampaigns(scope, [id])).length > 0) {
    throw new AppError("conflict", `id: campaign ${id} exists already; use another id.`);
  }
  const read = parseCountedCampaign(id, input, organization.timeZone);
  if (!("errors" in read)) return saveCountedCampaign(scope, organization, read, now, sender ?? "user");
  throw new AppError("bad_request", `${formatErrors(read.errors)}.`);
}
