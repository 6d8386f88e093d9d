// The tables and their columns. Every key starts with the organization. Instants are whole milliseconds since 1970.

export interface Tables {
  counters: CountersTable;
  organizations: OrganizationsTable;
  api_keys: ApiKeysTable;
  tags: TagsTable;
  campaigns: CampaignsTable;
  campaign_tags: CampaignTagsTable;
}

/** The last id given out for each kind of thing, so that a deleted one's id never comes back as another's. */
export interface CountersTable {
  name: "organizations" | "api_keys" | "tags";
  value: number;
}

export interface OrganizationsTable {
  id: number;
  name: string;
  /** IANA name. */
  time_zone: string;
  /** Raised by any change that a reader could see; never repeats. */
  revision: number;
  /** Raised by any change after which all records of the organization have to be rendered anew. */
  rendering: number;
}

export interface ApiKeysTable {
  organization_id: number;
  id: number;
  name: string;
  /** The first characters of the key, to recognise it by. */
  beginning: string;
  /** SHA-256 of the key, in hex. The key itself is kept nowhere. */
  hash: string;
  created_at: number;
}

export interface TagsTable {
  organization_id: number;
  id: number;
  name: string;
  color: string;
}

export interface CampaignsTable {
  organization_id: number;
  id: number;
  subject: string;
  sent_at: number;
  sent_from: string | null;
  team: string | null;
  sending_type: string | null;
  tracking_type: string | null;
  recipient_count: number | null;
  recipients: string | null;
  surveys_count: number | null;
  /** JSON object of the numbers, exactly as they were given. */
  reported_metrics: string;
  /** The finished record: JSON, ready to be sent. */
  record: string;
  /** The rendering number under which `record` was made. */
  rendering: number;
}

export interface CampaignTagsTable {
  organization_id: number;
  campaign_id: number;
  tag_id: number;
}
