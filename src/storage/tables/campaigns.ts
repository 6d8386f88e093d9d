// The tables of campaigns, and of what counted ones are counted from.

import type { Opened } from "../../campaign/events/tally.ts";
import { bytes, integer, integerOf, integerOrNull, type Table, text, textOf, textOrNull } from "./columns.ts";

export type QuarantineReason =
  | "unknown_campaign"
  | "reported_campaign"
  | "test_sending"
  | "unreadable"
  | "wrong_sender";

export const campaignTables = {
  campaigns: {
    changes: "often, long",
    key: ["id"],
    indexes: [
      "create index campaigns_sent_at on campaigns (organization_id, sent_at, id)",
      "create unique index campaigns_external_id on campaigns (organization_id, external_id)",
      "create index campaigns_ledger_id on campaigns (organization_id, ledger_id)",
      "create index campaigns_origin on campaigns (organization_id, origin_tool, origin_id) where origin_tool is not null",
      "create index campaigns_publish_at on campaigns (organization_id, publish_at, id) where publish_at is not null",
    ],
    columns: {
      id: integer,
      /** Random: tells the campaign from one with the same id that was deleted. */
      registration: integer,
      subject: text,
      sent_at: integer,
      sent_from: textOrNull,
      team: textOrNull,
      sending_type: textOrNull,
      tracking_type: textOrNull,
      recipient_count: integerOrNull,
      recipients: textOrNull,
      surveys_count: integerOrNull,
      /** JSON object of the numbers exactly as reported; `null` for a counted campaign. */
      reported_metrics: text,
      /** JSON of a counted campaign's tallies. */
      tallies: textOrNull,
      /** The sender's own id of a counted campaign, unique in the organization. */
      external_id: textOrNull,
      /** The ledger of a counted campaign until it is closed. */
      ledger_id: integerOrNull,
      /** When a counted campaign was registered. */
      registered_at: integerOrNull,
      closed_at: integerOrNull,
      /**
       * When it is published next without a change: at its send time, if it is scheduled, when it reaches a recorded age, a
       * reported one only the last, and when changes of its groups are copied for readers. Null after that.
       */
      publish_at: integerOrNull,
      /** JSON list of the attributes by which it is counted; null if there are none. */
      attributes: textOrNull,
      /** Recipients of its list; null without a list. */
      listed: integerOrNull,
      /** The source that delivered its last events; null if no email provider did. The source may be deleted. */
      source_id: textOrNull,
      /** JSON object: by sender, the last day on which the audit log has its events. Null for a reported campaign. */
      senders: textOrNull,
      /** JSON object: what people set, and what the file or the sender says instead. Null if they set nothing. */
      corrections: textOrNull,
      /** The tool of an imported campaign, and its id there; null if its file kept the ids of records. */
      origin_tool: textOrNull,
      origin_id: textOrNull,
    },
  },

  campaign_tags: {
    key: ["campaign_id", "tag_id"],
    sqliteReferences: { campaign_id: "campaigns", tag_id: "tags" },
    indexes: ["create index campaign_tags_tag_id on campaign_tags (organization_id, tag_id, campaign_id)"],
    columns: { campaign_id: integer, tag_id: integer },
  },

  /** When a counted campaign was opened and clicked, in parts that add up. Recipients keep no times of opens. */
  campaign_hours: {
    changes: "often, long",
    key: ["campaign_id", "part"],
    references: {},
    columns: {
      campaign_id: integer,
      /** The number of the part, from 1 and without gaps. */
      part: integer,
      /** JSON in the format of `HourCounts`. */
      counts: text,
    },
  },

  /** The clicked links of a counted campaign. */
  campaign_links: {
    changes: "often",
    key: ["campaign_id", "link"],
    sqliteReferences: { campaign_id: "campaigns" },
    columns: {
      campaign_id: integer,
      /** Keyed hash of the shown URL; 0 for all other links together. */
      link: integer,
      /** The URL without query and fragment, which may identify the recipient. */
      url: text,
      people_clicks: integer,
      all_clicks: integer,
    },
  },

  campaign_questions: {
    changes: "often",
    key: ["campaign_id", "survey"],
    sqliteReferences: { campaign_id: "campaigns" },
    columns: {
      campaign_id: integer,
      /** Kind and id, as in the state of a recipient: `enps s-1`. */
      survey: text,
      question: text,
    },
  },

  /** What named a deleted campaign whose recipients had no names. Another one with names would get its late events. */
  nameless_references: {
    key: ["reference"],
    columns: {
      /** JSON of the campaign's id or external id. */
      reference: text,
    },
  },

  /** The data that a counted campaign's numbers are counted from. It is deleted when the campaign is closed or deleted. */
  ledgers: {
    key: ["id"],
    indexes: ["create index ledgers_retired on ledgers (organization_id, id) where secret is null"],
    columns: {
      id: integer,
      /** 32 random bytes in hex; null once the ledger is retired, after which its rows are deleted in the background. */
      secret: textOrNull,
      /** Identifies when the last recipient was forgotten, even after a backup was restored; null if none was. */
      forgotten_id: integerOrNull,
    },
  },

  /** The ids of counted events, to deduplicate them. No foreign key, as below: every event would look up its ledger. */
  event_ids: {
    changes: "often",
    key: ["ledger_id", "id"],
    references: {},
    columns: {
      ledger_id: integer,
      /** A hash of 16 bytes. */
      id: bytes,
    },
  },

  recipients: {
    changes: "often",
    key: ["ledger_id", "name"],
    references: {},
    indexes: ["create index recipients_held on recipients (organization_id, ledger_id) where held = 1"],
    columns: {
      ledger_id: integer,
      /** The email address or id with Individual tracking, otherwise a hash. */
      name: text,
      /** JSON of what the recipient has done. */
      state: text,
      /** Whether the recipient opened the campaign; see {@link Opened}. */
      opened: integerOf<Opened>(),
      /** 1 if an answer of the recipient waits for others. */
      held: integerOf<0 | 1>(),
    },
  },

  /** Events that cannot be counted, or not yet. */
  quarantine: {
    key: ["event_hash"],
    indexes: [
      // Covers the summary of the quarantine, so that it does not read every event.
      "create index quarantine_groups on quarantine (organization_id, campaign_reference, reason, received_at, bytes)",
      "create index quarantine_alike on quarantine (organization_id, alike_hash)",
      "create index quarantine_received_at on quarantine (organization_id, received_at, event_hash)",
    ],
    columns: {
      /** JSON of the campaign's id or external id; `null` if the event does not say. */
      campaign_reference: text,
      /** Hash of the campaign and the event id, in hex. */
      event_hash: text,
      reason: textOf<QuarantineReason>(),
      /** Hash of the campaign, the recipient and the kind; null if the event is unreadable. */
      alike_hash: textOrNull,
      received_at: integer,
      /** The event without IP and user agent, encrypted. */
      content: bytes,
      /** What it takes on disk, about. */
      bytes: integer,
    },
  },
} satisfies Record<string, Table>;
