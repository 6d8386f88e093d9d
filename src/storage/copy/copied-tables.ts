// The tables that a copy includes, in the order of their foreign keys, with their keys and column types. Counters are
// copied as last ids; leases, sessions and the files of imports are temporary.

import { type GroupCountColumn, groupCountNames, groupCounts } from "../../campaign/audience/group-counts.ts";
import { emailColumns } from "../campaigns/emails.ts";
import { sumsColumns } from "../campaigns/sums.ts";
import type { ColumnKinds } from "../dialect-differences.ts";
import type { Tables } from "../tables.ts";

const groupCountKinds = Object.fromEntries(
  groupCountNames.map((name) => [groupCounts[name].column, "integer"]),
) as Record<GroupCountColumn, "integer">;

type TablesToCopy = Omit<
  Tables,
  "counters" | "leases" | "sessions" | "imports" | "import_pieces" | "imported_campaigns"
>;

export type CopiedTable = keyof TablesToCopy;

export const copiedTables: {
  readonly [Table in CopiedTable]: {
    /** The primary key. */
    key: readonly (keyof TablesToCopy[Table])[];
    /** A missing column, or one of another type, does not compile. */
    columns: ColumnKinds<TablesToCopy[Table]>;
  };
} = {
  organizations: {
    key: ["id"],
    columns: {
      id: "integer",
      name: "text",
      time_zone: "text",
      revision: "integer",
      revision_id: "integer",
      history_id: "integer",
      counted_traffic: "text",
      min_answers: "integer",
      min_group: "integer",
      directory_version: "integer",
      close_after_days: "integer",
      close_nameless_after_days: "integer",
      audit_days: "integer",
      csv_links: "text",
      share_links: "text",
      persons: "text",
      secret: "text",
    },
  },
  api_keys: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "integer",
      name: "text",
      prefix: "text",
      hash: "text",
      scope: "text",
      created_at: "integer",
      created_by: "text",
      last_used_at: "integer",
      first_used_at: "integer",
      first_client: "text",
      first_rows: "integer",
      requests_by_day: "text",
      expires_at: "integer",
      selection: "text",
    },
  },
  tags: {
    key: ["organization_id", "id"],
    columns: { organization_id: "integer", id: "integer", name: "text", color: "text" },
  },
  campaigns: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "integer",
      subject: "text",
      sent_at: "integer",
      sent_from: "text",
      team: "text",
      sending_type: "text",
      tracking_type: "text",
      recipient_count: "integer",
      recipients: "text",
      surveys_count: "integer",
      reported_metrics: "text",
      tallies: "text",
      external_id: "text",
      ledger_id: "integer",
      registered_at: "integer",
      closed_at: "integer",
      publish_at: "integer",
      attributes: "text",
      listed: "integer",
      source_id: "text",
    },
  },
  emails: {
    key: ["organization_id", "sent_at", "id"],
    columns: { organization_id: "integer", ...emailColumns },
  },
  sums: {
    key: ["organization_id", "traffic", "sent_at", "campaign_id"],
    columns: { organization_id: "integer", ...sumsColumns },
  },
  changes: {
    key: ["organization_id", "campaign_id"],
    columns: {
      organization_id: "integer",
      campaign_id: "integer",
      revision: "integer",
      revision_id: "integer",
      order_revision: "integer",
      sent_at: "integer",
    },
  },
  campaign_tags: {
    key: ["organization_id", "campaign_id", "tag_id"],
    columns: { organization_id: "integer", campaign_id: "integer", tag_id: "integer" },
  },
  ledgers: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "integer",
      secret: "text",
      forgotten_id: "integer",
    },
  },
  event_ids: {
    key: ["organization_id", "ledger_id", "id"],
    columns: { organization_id: "integer", ledger_id: "integer", id: "bytes" },
  },
  recipients: {
    key: ["organization_id", "ledger_id", "name"],
    columns: {
      organization_id: "integer",
      ledger_id: "integer",
      name: "text",
      state: "text",
      opened: "integer",
    },
  },
  quarantine: {
    key: ["organization_id", "event_hash"],
    columns: {
      organization_id: "integer",
      campaign_reference: "text",
      event_hash: "text",
      reason: "text",
      received_at: "integer",
      content: "bytes",
    },
  },
  sources: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "text",
      provider: "text",
      secret: "text",
      campaign_field: "text",
      created_at: "integer",
      last_event_at: "integer",
    },
  },
  deliveries: {
    key: ["organization_id", "source_id", "id"],
    columns: {
      organization_id: "integer",
      source_id: "text",
      id: "text",
      at: "integer",
      status: "integer",
      reason: "text",
      accepted: "integer",
      repeated: "integer",
      quarantined: "integer",
      body: "text",
    },
  },
  users: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "integer",
      email: "text",
      role: "text",
      password: "text",
      invite_hash: "text",
      invite_expires_at: "integer",
      created_at: "integer",
      last_visit_at: "integer",
      language: "text",
      notifications: "text",
      totp_secret: "text",
      totp_step: "integer",
      recovery_hashes: "text",
    },
  },
  passkeys: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "text",
      user_id: "integer",
      name: "text",
      public_key: "bytes",
      counter: "integer",
      created_at: "integer",
      last_used_at: "integer",
      challenged_at: "integer",
    },
  },
  annotations: {
    key: ["organization_id", "day", "text"],
    columns: { organization_id: "integer", day: "text", text: "text" },
  },
  chats: {
    key: ["organization_id", "service"],
    columns: {
      organization_id: "integer",
      service: "text",
      url: "text",
      language: "text",
      notifications: "text",
    },
  },
  outbox: {
    key: ["organization_id", "kind", "about", "recipient"],
    columns: {
      organization_id: "integer",
      kind: "text",
      about: "text",
      recipient: "text",
      state: "text",
      due_at: "integer",
      attempts: "integer",
      created_at: "integer",
      changed_at: "integer",
      problem: "text",
    },
  },
  user_emails: {
    key: ["email"],
    columns: { email: "text", organization_id: "integer" },
  },
  campaign_hours: {
    key: ["organization_id", "campaign_id", "part"],
    columns: { organization_id: "integer", campaign_id: "integer", part: "integer", counts: "text" },
  },
  campaign_links: {
    key: ["organization_id", "campaign_id", "link"],
    columns: {
      organization_id: "integer",
      campaign_id: "integer",
      link: "integer",
      url: "text",
      people_clicks: "integer",
      all_clicks: "integer",
    },
  },
  campaign_questions: {
    key: ["organization_id", "campaign_id", "survey"],
    columns: { organization_id: "integer", campaign_id: "integer", survey: "text", question: "text" },
  },
  done_comments: {
    key: ["organization_id", "campaign_id", "comment"],
    columns: { organization_id: "integer", campaign_id: "integer", comment: "text" },
  },
  audience_groups: {
    key: ["organization_id", "id"],
    columns: { organization_id: "integer", id: "integer", attribute_id: "integer", name: "text" },
  },
  directory: {
    key: ["organization_id", "version", "recipient"],
    columns: { organization_id: "integer", version: "integer", recipient: "text", groups: "text" },
  },
  campaign_groups: {
    key: ["organization_id", "campaign_id", "group_id"],
    columns: {
      organization_id: "integer",
      campaign_id: "integer",
      group_id: "integer",
      attribute_id: "integer",
      ...groupCountKinds,
    },
  },
  released_groups: {
    key: ["organization_id", "campaign_id", "attribute_id", "group_id"],
    columns: {
      organization_id: "integer",
      campaign_id: "integer",
      attribute_id: "integer",
      group_id: "integer",
      counted_at: "integer",
      ...groupCountKinds,
    },
  },
  campaign_overlaps: {
    key: ["organization_id", "campaign_id", "group_id", "other_id"],
    columns: {
      organization_id: "integer",
      campaign_id: "integer",
      group_id: "integer",
      other_id: "integer",
      recipients: "integer",
      enps_reactions: "integer",
    },
  },
  audit_log: {
    key: ["organization_id", "id"],
    columns: {
      organization_id: "integer",
      id: "integer",
      at: "integer",
      actor: "text",
      action: "text",
      target: "text",
    },
  },
};

export const copiedTableNames = Object.keys(copiedTables) as CopiedTable[];
