// Jobs of the writer thread: what a request hands over, and what it gets back.

import type { Tag } from "../../campaign/campaign.ts";
import type { CampaignReference } from "../../campaign/events/event.ts";
import type { ImportTask, StoredImport } from "../../storage/imports/imports.ts";
import type { Source } from "../../storage/keys/sources.ts";
import type { AuditEntry } from "../../storage/organizations/audit-log.ts";
import type { Organization, OrganizationChange } from "../../storage/organizations/organizations.ts";
import type { QuarantinePosition } from "../../storage/quarantine/quarantine.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { RemovalStep } from "../audience/change-attribute.ts";
import type { CorrectionRequest } from "../campaigns/correct-campaign.ts";
import type { ForgetResult } from "../campaigns/forget-recipient.ts";
import type { BatchFormat } from "../events/event-batch.ts";
import type { ClassifiedEvent } from "../events/incoming-event.ts";
import type { IngestResult } from "../events/ingest-events.ts";
import type { ReplayPage } from "../events/replay.ts";
import type { WebhookSource } from "../events/webhook-batch.ts";
import type { EditRequest } from "../import/import-upload.ts";

/** One request to write, with its body still unparsed. */
export interface Job {
  organizationId: number;
  /** Time of arrival, in milliseconds since 1970. */
  now: number;
  body: Uint8Array;
  isGzipped: boolean;
  /** What the audit log keeps of it, if it changes something. */
  audit?: Omit<AuditEntry, "at"> | undefined;
  task:
    | { name: "ingest_events"; format: BatchFormat; sender: number }
    | ({
        name: "ingest_webhook";
        source: Pick<Source, "id" | "lastEventAt" | "reports">;
        sender: number;
      } & WebhookSource)
    /** The body is a JSON list of incoming events. */
    | { name: "ingest_tracked" }
    /** The body is its registration. `isNew`: it must not exist yet. `sender`: undefined for a user, as below. */
    | { name: "save_campaign"; id: number; isNew?: boolean; sender?: number }
    /** The body is an edit of its tags and its team. */
    | { name: "edit_campaign"; id: number; sender: number; actor: string }
    /** The body has the fields that change. */
    | ({ name: "correct_campaign" } & CorrectionRequest)
    /** A list of recipients: started, staged part by part, then merged part by part. The body has rows of the list. */
    | { name: "start_list"; id: number; sender: number }
    | { name: "stage_list"; list: number }
    | { name: "give_up_list"; list: number }
    /** `isMerging`: whether a part is merged already, so that a list that is gone was finished by another process. */
    | { name: "merge_list"; id: number; list: number; isMerging: boolean }
    | { name: "remove_campaign"; id: number; sender?: number }
    | { name: "close_campaign"; id: number }
    /** Writes to the audit log itself, because only it knows in how many campaigns the recipient was. */
    | { name: "forget_recipient"; address: string; actor: string }
    /** Replays one page of quarantined events, of one campaign or of all. */
    | { name: "replay"; campaign: CampaignReference | undefined; after: QuarantinePosition | undefined }
    /** Changes of tags, attributes and the organization publish again what they touch. */
    | { name: "change_tag"; id: number; change: Partial<Omit<Tag, "id">> }
    | { name: "remove_tag"; id: number; actor: string }
    | { name: "rename_attribute"; id: number; newName: string }
    | { name: "change_organization"; change: OrganizationChange }
    /** One step. The last one writes to the audit log itself. */
    | { name: "remove_attribute"; id: number; actor: string; target: string }
    /** Files of the web application. They write their own entries of the audit log. */
    | { name: "import_file"; id: number; actor: string; choices: string; task: ImportTask }
    | ({ name: "edit_campaigns" } & EditRequest)
    | { name: "undo_import"; id: number; actor: string }
    /** Does the next part of either. */
    | { name: "continue_import"; id: number };
}

/** A job without a body. */
export function toJob<Task extends Job["task"]>(
  organizationId: number,
  now: number,
  task: Task,
  audit: Job["audit"],
): Job & { task: Task } {
  return { organizationId, now, body: new Uint8Array(), isGzipped: false, task, audit };
}

/** Result of each task, by its name. */
export interface TaskResults {
  ingest_events: IngestResult;
  ingest_webhook: IngestResult & { ignored: number };
  ingest_tracked: IngestResult;
  save_campaign: "added" | "changed" | "unchanged";
  edit_campaign: "changed" | "unchanged";
  /** False if the campaign has other details by now. */
  correct_campaign: "added" | "changed" | "unchanged" | false;
  /** The id of the list. */
  start_list: number;
  stage_list: undefined;
  give_up_list: undefined;
  /** The number of recipients on the list. */
  merge_list: number | "more";
  /** Whether the campaign existed. */
  remove_campaign: boolean;
  close_campaign: undefined;
  forget_recipient: ForgetResult;
  replay: ReplayPage;
  /** Whether the tag existed. */
  change_tag: boolean;
  remove_tag: boolean;
  /** Whether the attribute existed. */
  rename_attribute: boolean;
  remove_attribute: RemovalStep;
  change_organization: undefined;
  import_file: undefined;
  /** The id by which it can be undone. */
  edit_campaigns: number;
  undo_import: undefined;
  /** The import after the last part. */
  continue_import: StoredImport | "more";
}

/** A parsed job, ready to run in a transaction. It may run again, see `Retry`. */
export interface PreparedJob {
  organizationId: number;
  /** Size of the body after decompression. */
  bytes: number;
  /** False for deletions: between two runs another process may have created the row again. */
  isIdempotent: boolean;
  /** Undefined if the job only ingests events. Resolves to its result. */
  write?(scope: Scope, organization: Organization): Promise<unknown>;
  /** The events that it only ingests: those of consecutive jobs are counted together. */
  events?: PreparedEvents;
}

export interface PreparedEvents {
  classify(organization: Organization): ClassifiedEvent[];
  options: { now: number; maxQuarantineBytes: number };
  /** Writes what depends on the counts. Resolves to the result of the job. */
  finish(scope: Scope, counts: IngestResult): Promise<unknown>;
}
