// The table of organizations, and what belongs to them beside their campaigns and users.

import type { StoredScope } from "../../access/api-key.ts";
import type { AuditAction } from "../../access/audit-actions.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { bytes, integer, integerOrNull, type Table, text, textOf, textOrNull } from "./columns.ts";

/** Whether an organization allows something that it may refuse. */
type Choice = "refuse" | "allow";

export const organizationColumns = {
  id: integer,
  name: text,
  /** IANA name. */
  time_zone: text,
  /** Raised by any change that a reader could see. */
  revision: integer,
  /** Random, new with each revision: the same revision may name another state after a backup was restored. */
  revision_id: integer,
  /** Random. Another one means that the revisions of clients belong to another database, or to a state that was lost. */
  history_id: integer,
  counted_traffic: textOf<TrafficFilter>(),
  /** Survey results from fewer answers are withheld in campaigns without names. */
  min_answers: integer,
  /** Groups of fewer recipients are withheld. */
  min_group: integer,
  /** The version of the directory that counts; 0 without a directory. */
  directory_version: integer,
  /** Days after its send time when a counted campaign is closed. */
  close_after_days: integer,
  /** The same for campaigns whose recipients have no names (Anonymous, Overall). */
  close_nameless_after_days: integer,
  /** Days after which entries of the audit log are deleted. */
  audit_days: integer,
  /** Whether links return campaigns without a key in a header. */
  csv_links: textOf<Choice>(),
  /** Whether links show pages to visitors without an account. */
  share_links: textOf<Choice>(),
  /** Whether recipients may have names: if refused, no campaign has Individual tracking. */
  persons: textOf<Choice>(),
  /** Whether the overview lists the steps of the set-up that are left. */
  set_up: textOf<"shown" | "dismissed">(),
  /** The last campaign id that was given out or chosen, but for those that imports generate. */
  last_campaign_id: integer,
  /** 32 random bytes in hex: encrypts and hashes quarantined events. */
  secret: text,
};

/**
 * `uploading` until all of its bytes are there, `waiting` until the user imports or discards it. `importing` and `undoing`
 * last several transactions; upkeep goes on with them if the process ends.
 */
type ImportState =
  | "uploading"
  | "waiting"
  | "unreadable"
  | "importing"
  | "imported"
  | "undoing"
  | "undone"
  | "discarded";

export const organizationTables = {
  api_keys: {
    key: ["id"],
    unique: { api_keys_hash: ["hash"] },
    columns: {
      id: integer,
      name: text,
      /** The first characters of the key, by which people recognize it. */
      prefix: text,
      /** SHA-256 of the key, in hex. The key itself is not stored. */
      hash: text,
      created_at: integer,
      scope: textOf<StoredScope>(),
      /** The email of the user who created it in the web application; null if a command did. */
      created_by: textOrNull,
      /** The start of the last minute in which it was used; null before its first use. */
      last_used_at: integerOrNull,
      /** Null before its first use. */
      first_used_at: integerOrNull,
      /** The User-Agent of its first request; empty if the request had none. Null before its first use. */
      first_client: textOrNull,
      /** Null for a key that does not expire. */
      expires_at: integerOrNull,
      /** The query string of a CSV link, or the page of a share link; null for other keys. */
      selection: textOrNull,
      /** The campaign that a share link shows. The link is deleted with it. */
      campaign_id: integerOrNull,
      /** Who sends with it: its own id, or that of the key that it replaces if a command rolled that one. */
      sender: integer,
    },
  },

  tags: {
    key: ["id"],
    unique: { tags_name: ["name"] },
    columns: { id: integer, name: text, color: text },
  },

  /** Names that tags had before they were renamed. Files and senders may still say them. */
  former_tag_names: {
    key: ["name"],
    references: { tag_id: "tags" },
    columns: { name: text, tag_id: integer },
  },

  /** The webhooks of email providers. */
  sources: {
    key: ["id"],
    columns: {
      /** The last part of the webhook URL: contains the organization and cannot be guessed. */
      id: text,
      provider: text,
      /** What the provider signs with or sends along. Checking it needs the plain text. */
      secret: textOrNull,
      /** The field of the provider's events that names the campaign. */
      campaign_field: text,
      created_at: integer,
      /** When its last open, click or other event of a reader arrived, up to a minute too early; null before the first one. */
      last_event_at: integerOrNull,
      /** JSON object: when each type of delivery event last arrived that it sends; 0 if an admin only says that it does. */
      reports: text,
      /** A number that no key has. It changes with a secret that is set in the web application. */
      sender: integer,
      /** The email of the user who added it or set its secret in the web application; null if commands did both. */
      created_by: textOrNull,
    },
  },

  /** The latest webhook requests of a source. */
  deliveries: {
    key: ["source_id", "id"],
    references: { source_id: "sources" },
    columns: {
      source_id: text,
      id: text,
      /** When the request arrived. */
      at: integer,
      /** The HTTP status of the response. */
      status: integer,
      /** The error message of a rejected request. */
      reason: textOrNull,
      /** New events; null if the request was rejected. */
      accepted: integerOrNull,
      repeated: integerOrNull,
      quarantined: integerOrNull,
    },
  },

  /** Who did what, append-only. */
  audit_log: {
    key: ["id"],
    indexes: ["create index audit_log_at on audit_log (organization_id, at)"],
    columns: { id: integer, at: integer, actor: text, action: textOf<AuditAction>(), target: text },
  },

  /** Which tag or team new campaigns get. */
  rules: {
    key: ["id"],
    columns: {
      /** The id is random. */
      id: integer,
      created_at: integer,
      field: textOf<"subject" | "sender" | "tool">(),
      text,
      /** The tag that it adds; null if it sets a team. */
      tag_id: integerOrNull,
      team: textOrNull,
    },
  },

  /** Files of campaigns from the web application, and edits of many: while they arrive and wait, and for as long as they can be undone. */
  imports: {
    key: ["id"],
    indexes: ["create index imports_expires_at on imports (organization_id, expires_at)"],
    columns: {
      /** The id is random. */
      id: integer,
      state: textOf<ImportState>(),
      created_at: integer,
      /** When upkeep deletes it. */
      expires_at: integer,
      /** The email of the user who uploaded it, or has imported or undone it since. */
      created_by: text,
      file_name: text,
      /** The size of the whole file, then of the pieces that have arrived. */
      bytes: integer,
      received: integer,
      /** The newest reading, which has its rows in `import_pieces`; null before the first one. */
      reading: integerOrNull,
      /** The choices that it has read the whole file with; null if it has not. */
      choices: textOrNull,
      /** The time of the last transaction that imported or undid a part; null before the first. */
      worked_at: integerOrNull,
      /** How many campaigns were imported so far; null before. */
      added: integerOrNull,
      changed: integerOrNull,
      unchanged: integerOrNull,
      /** How many of them were removed and restored so far by undoing; null before. */
      removed: integerOrNull,
      restored: integerOrNull,
      /** JSON list of the ids of tags that it added; null before. */
      tags: textOrNull,
      /** JSON of what the user chose for all its campaigns; null for nothing. */
      task: textOrNull,
    },
  },

  import_pieces: {
    key: ["import_id", "position"],
    columns: {
      /** The import; or its reading, for pieces with its rows. */
      import_id: integer,
      /** Where it starts in the file; the number of a piece with rows. */
      position: integer,
      /** The content is compressed with zstd. */
      content: bytes,
    },
  },

  /** How files with a header were last imported, so that the next one is read in the same way. */
  import_mappings: {
    key: ["header"],
    columns: {
      /** SHA-256 of the titles of the columns, in hex. */
      header: text,
      /** The choices of the mapping form as a query string. */
      choices: text,
      used_at: integer,
    },
  },

  /** The imports that brought a campaign and can be undone, in order, with what it was before each. */
  imported_campaigns: {
    key: ["import_id", "campaign_id"],
    indexes: [
      "create index imported_campaigns_campaign on imported_campaigns (organization_id, campaign_id, position)",
    ],
    columns: {
      import_id: integer,
      campaign_id: integer,
      /** Orders the imports of the campaign, oldest first. */
      position: integer,
      /** JSON of the campaign before, without its tags; null if the import added it. */
      before: textOrNull,
      /** JSON list of the ids of its tags before. */
      tags_before: text,
    },
  },
} satisfies Record<string, Table>;
