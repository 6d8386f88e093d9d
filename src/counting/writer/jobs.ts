// What the writing thread is given to do by one request, what becomes of it, and what a job is once it was read.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { QuarantinePosition } from "../../storage/quarantine.ts";
import type { Arrival } from "../events/arrival.ts";
import type { BatchFormat } from "../events/event-batch.ts";
import type { IngestResult } from "../events/ingest-events.ts";
import type { ReplayedSome } from "../events/replay.ts";

/** What is to be written, as it came. */
export interface Job {
  organizationId: number;
  /** The time of arrival, in milliseconds since 1970. */
  now: number;
  body: Uint8Array;
  /** Whether the body is packed by gzip. */
  isPacked: boolean;
  work:
    | { name: "ingest_events"; format: BatchFormat }
    | ({ name: "ingest_webhook" } & WebhookSource)
    /** The body is a JSON list of entries. */
    | { name: "ingest_tracked" }
    | { name: "save_campaign"; id: number }
    | { name: "remove_campaign"; id: number }
    /** Of the events that wait for the campaign, or of all, some after the last one of those before. */
    | { name: "replay"; campaign: CampaignReference | undefined; after: QuarantinePosition | undefined }
    | { name: "remove_tag"; id: number };
}

/** What there is to know of a provider's request in order to read its body. */
export interface WebhookSource {
  provider: string;
  campaignField: string;
  /** The source of which it is to be noted that events have come. */
  sourceToNote?: string | undefined;
}

export interface Results {
  ingest_events: IngestResult;
  ingest_webhook: IngestResult & { ignored: number };
  ingest_tracked: IngestResult;
  save_campaign: "added" | "changed" | "unchanged";
  /** Whether there was such a campaign. */
  remove_campaign: boolean;
  replay: ReplayedSome;
  /** Whether there was such a tag. */
  remove_tag: boolean;
}

/** What becomes of a job. */
export type Result = Results[keyof Results];

/** A job that was read: what is left is to be done within a transaction, and may be done again (see `Again`). */
export interface PreparedJob {
  organizationId: number;
  /** Of its body, unpacked. */
  bytes: number;
  /** Whether to do it twice would change something: another process may have made it anew in between. */
  isOnce?: boolean;
  write(queries: Queries, organization: Organization): Promise<Result>;
  /** Where it does nothing but bring events: several such jobs in a row are written like one. */
  events?: {
    arrivals(organization: Organization): Arrival[];
    options: { now: number; quarantineMax: number };
    toResult(result: IngestResult): Result;
    /** What is left to be written when they are. */
    finish(queries: Queries, result: IngestResult): Promise<void>;
  };
}
