// The tables and their columns. Every key starts with the organization. Instants are whole milliseconds since 1970.

import type { KeyScope } from "../access/api-key.ts";
import type { Role } from "../access/role.ts";
import type { CountedTraffic } from "../campaign/events/traffic.ts";

export interface Tables {
  counters: CountersTable;
  organizations: OrganizationsTable;
  api_keys: ApiKeysTable;
  tags: TagsTable;
  campaigns: CampaignsTable;
  campaign_tags: CampaignTagsTable;
  ledgers: LedgersTable;
  event_ids: EventIdsTable;
  recipients: RecipientsTable;
  quarantine: QuarantineTable;
  sources: SourcesTable;
  users: UsersTable;
  sessions: SessionsTable;
  campaign_hours: CampaignHoursTable;
  campaign_links: CampaignLinksTable;
  timeline_changes: TimelineChangesTable;
  leases: LeasesTable;
}

/** On SQLite: the last id given out for each kind of thing. */
export interface CountersTable {
  name: "organizations" | "api_keys" | "tags" | "ledgers" | "users";
  value: number;
}

export interface OrganizationsTable {
  id: number;
  name: string;
  /** IANA name. */
  time_zone: string;
  /** Raised by any change that a reader could see; never repeats. */
  revision: number;
  /** The revision of the last change of which campaigns there are, when they were sent, or which tags they carry. */
  timeline_revision: number;
  /** Raised by any change after which every record of the organization has to be rendered again. */
  render_version: number;
  /** Which traffic its numbers count. */
  counted_traffic: CountedTraffic;
  /** A counted campaign is closed so many days after it was sent. */
  close_after_days: number;
  /** The same where recipients have no names: Anonymous and Overall. */
  close_nameless_after_days: number;
  /** 32 random bytes in hex: what hides and hashes the events that wait for their campaign. */
  secret: string;
}

export interface ApiKeysTable {
  organization_id: number;
  id: number;
  name: string;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  /** SHA-256 of the key, in hex. The key itself is kept nowhere. */
  hash: string;
  /** Which door it opens. */
  scope: KeyScope;
  created_at: number;
  /** The email of the user who made it in the web application; null where it was made by a command. */
  created_by: string | null;
  /** The beginning of the last hour in which it was used; null before its first use. */
  last_used_at: number | null;
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
  /** JSON object of the numbers, exactly as they were given; `null` for a counted campaign. */
  reported_metrics: string;
  /** Of a counted campaign: JSON of its tallies. */
  tallies: string | null;
  /** Of a counted campaign: the sender's own name for it, unique in the organization. */
  external_id: string | null;
  /** Of a counted campaign until it is closed: what its numbers are counted from. */
  ledger_id: number | null;
  /** Of a counted campaign: when it was registered. */
  registered_at: number | null;
  closed_at: number | null;
  /** The finished record: JSON, ready to be sent. */
  record: string;
  /** The render version under which `record` was made. */
  render_version: number;
  /** The organization's timeline revision of when it came, or when `sent_at` or its tags last changed. */
  timeline_revision: number;
}

export interface CampaignTagsTable {
  organization_id: number;
  campaign_id: number;
  tag_id: number;
}

/** What the numbers of one counted campaign are counted from. It goes when the campaign is closed or deleted. */
export interface LedgersTable {
  organization_id: number;
  id: number;
  /** 32 random bytes in hex; null once the ledger is retired, and then its rows are cleared away. */
  secret: string | null;
  /** How many of its recipients were forgotten. */
  forgotten_count: number;
}

/** The events that were counted, so that none is counted twice. */
export interface EventIdsTable {
  organization_id: number;
  ledger_id: number;
  /** 16 bytes: a hash. */
  id: Buffer;
}

/** What each recipient of a campaign has done. */
export interface RecipientsTable {
  organization_id: number;
  ledger_id: number;
  /** The address or id of an individual; a hash of any other. */
  name: string;
  /** JSON of what the recipient has done. */
  state: string;
}

/** Events that cannot be counted, or not yet. */
export interface QuarantineTable {
  organization_id: number;
  /** JSON of the campaign's number or of its external id; `null` where it cannot be told. */
  campaign_reference: string;
  /** Hash of its campaign and its id, in hex. */
  event_hash: string;
  reason: QuarantineReason;
  received_at: number;
  /** The event without IP and user agent, encrypted. */
  content: Buffer;
}

export type QuarantineReason = "unknown_campaign" | "reported_campaign" | "test_sending" | "unreadable";

/** The email providers whose events come in. */
export interface SourcesTable {
  organization_id: number;
  /** The last part of its address. It carries the organization, and nobody can guess it. */
  id: string;
  provider: string;
  /** What the provider signs with, or sends along: needed to check it, so it is kept as it is. */
  secret: string | null;
  /** The field of its events that names the campaign. */
  campaign_field: string;
  created_at: number;
  /** When its last event came, at most a minute too early; null before the first one. */
  last_event_at: number | null;
}

/** The people who may sign in to the web application. An email leads to one user in all organizations. */
export interface UsersTable {
  organization_id: number;
  id: number;
  /** Trimmed, lower case, Unicode NFC. */
  email: string;
  role: Role;
  /** The slow hash of the password with its parameters; null until one is chosen. */
  password: string | null;
  /** SHA-256, in hex, of the secret in the address at which a password can be chosen once; null without one. */
  invite_hash: string | null;
  invite_expires_at: number | null;
  created_at: number;
  last_visit_at: number | null;
}

/** Who is signed in, in which browser. */
export interface SessionsTable {
  organization_id: number;
  /** SHA-256 of the secret in the cookie, in hex. The secret itself is kept nowhere. */
  hash: string;
  user_id: number;
  created_at: number;
  /** To the hour. */
  last_seen_at: number;
  /** When it ends at the latest. */
  expires_at: number;
  /** The browser, in words. */
  client: string;
}

/** How opens and clicks of a counted campaign came in, in parts that add up: what is not kept of single recipients. */
export interface CampaignHoursTable {
  organization_id: number;
  campaign_id: number;
  /** From 1 on, without gaps. */
  part: number;
  /** JSON, as `HourCounts` makes it. */
  counts: string;
}

/** The links of a counted campaign that were clicked. */
export interface CampaignLinksTable {
  organization_id: number;
  campaign_id: number;
  /** The hash of the address that is kept, under the ledger's secret; 0 of all other links. */
  link: number;
  /** The address without query and fragment, which may say whose it is. */
  url: string;
  people_clicks: number;
  all_clicks: number;
}

/** What changed the timelines of organizations of late, so that a reader can catch up with them. */
export interface TimelineChangesTable {
  organization_id: number;
  revision: number;
  /** The campaign that was deleted; those that came or changed carry the revision themselves. */
  campaign_id: number | null;
  /** The tag that was deleted. */
  tag_id: number | null;
}

/** Work that one process at a time does for all of them, and which one. */
export interface LeasesTable {
  name: "upkeep";
  /** A name that the process has made up. */
  holder: string;
  /** By the clock of the database. */
  expires_at: number;
}
