// The tables and their columns. Every key but that of `user_emails` starts with the organization. Times are whole milliseconds since 1970.

import type { StoredScope } from "../access/api-key.ts";
import type { AuditAction } from "../access/audit-actions.ts";
import type { ChatService, NotificationKind, RecipientKey } from "../access/notification-kinds.ts";
import type { Role } from "../access/role.ts";
import type { GroupCountColumn } from "../campaign/audience/group-counts.ts";
import type { KindOfNumbers, SurveyFilter } from "../campaign/campaign-number.ts";
import type { Opened, ProofName } from "../campaign/events/tally.ts";
import type { TrafficFilter } from "../campaign/events/traffic.ts";
import type { TypedRecord } from "../campaign/feed/typed-record.ts";
import type { SnakeCase, SumColumns } from "../campaign/sums.ts";

/** Whether an organization allows something that it may refuse. */
export type Choice = "refuse" | "allow";

export interface Tables {
  counters: CountersTable;
  organizations: OrganizationsTable;
  api_keys: ApiKeysTable;
  tags: TagsTable;
  campaigns: CampaignsTable;
  emails: EmailsTable;
  sums: SumsTable;
  changes: ChangesTable;
  campaign_tags: CampaignTagsTable;
  ledgers: LedgersTable;
  event_ids: EventIdsTable;
  recipients: RecipientsTable;
  quarantine: QuarantineTable;
  sources: SourcesTable;
  deliveries: DeliveriesTable;
  users: UsersTable;
  user_emails: UserEmailsTable;
  outbox: OutboxTable;
  annotations: AnnotationsTable;
  chats: ChatsTable;
  sessions: SessionsTable;
  passkeys: PasskeysTable;
  campaign_hours: CampaignHoursTable;
  campaign_links: CampaignLinksTable;
  campaign_questions: CampaignQuestionsTable;
  done_comments: DoneCommentsTable;
  audit_log: AuditLogTable;
  leases: LeasesTable;
  audience_groups: AudienceGroupsTable;
  directory: DirectoryTable;
  campaign_groups: CampaignGroupsTable;
  campaign_overlaps: CampaignOverlapsTable;
  released_groups: ReleasedGroupsTable;
  imports: ImportsTable;
  import_pieces: ImportPiecesTable;
  imported_campaigns: ImportedCampaignsTable;
}

/** Tables with rows of a campaign. The code deletes these explicitly: not every one has a foreign key on both databases. */
export const campaignTables = [
  "campaign_tags",
  "campaign_hours",
  "campaign_links",
  "campaign_questions",
  "done_comments",
  "campaign_groups",
  "campaign_overlaps",
  "released_groups",
] as const;

/** SQLite only: the last id of each kind. PostgreSQL has sequences. */
export interface CountersTable {
  name: "organizations" | "api_keys" | "tags" | "ledgers" | "users" | "audit_log" | "audience_groups";
  value: number;
}

export interface OrganizationsTable {
  id: number;
  name: string;
  /** IANA name. */
  time_zone: string;
  /** Raised by any change that a reader could see. */
  revision: number;
  /** Random, new with each revision: the same revision may name another state after a backup was restored. */
  revision_id: number;
  /** Random. Another one means that the revisions of clients belong to another database, or to a state that was lost. */
  history_id: number;
  counted_traffic: TrafficFilter;
  /** Survey results from fewer answers are withheld in campaigns without names. */
  min_answers: number;
  /** Groups of fewer recipients are withheld. */
  min_group: number;
  /** The version of the directory that counts; 0 without a directory. */
  directory_version: number;
  /** Days after its send time when a counted campaign is closed. */
  close_after_days: number;
  /** The same for campaigns whose recipients have no names (Anonymous, Overall). */
  close_nameless_after_days: number;
  /** Days after which entries of the audit log are deleted. */
  audit_days: number;
  /** Whether links return campaigns without a key in a header. */
  csv_links: Choice;
  /** Whether links show pages to visitors without an account. */
  share_links: Choice;
  /** Whether recipients may have names: if refused, no campaign has Individual tracking. */
  persons: Choice;
  /** 32 random bytes in hex: encrypts and hashes quarantined events. */
  secret: string;
}

interface ApiKeysTable {
  organization_id: number;
  id: number;
  name: string;
  /** The first characters of the key, by which people recognize it. */
  prefix: string;
  /** SHA-256 of the key, in hex. The key itself is not stored. */
  hash: string;
  scope: StoredScope;
  created_at: number;
  /** The email of the user who created it in the web application; null if a command did. */
  created_by: string | null;
  /** The start of the last minute in which it was used; null before its first use. */
  last_used_at: number | null;
  /** Null before its first use. */
  first_used_at: number | null;
  /** The User-Agent of its first request; empty if the request had none. Null before its first use. */
  first_client: string | null;
  /** The rows of the first page, download or OData table that it read; null before that. */
  first_rows: number | null;
  /** JSON: the number of requests by date of the organization; null before its first use. */
  requests_by_day: string | null;
  /** Null for a key that does not expire. */
  expires_at: number | null;
  /** The query string of a CSV link, or the page of a share link; null for other keys. */
  selection: string | null;
}

interface TagsTable {
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
  /** JSON object of the numbers exactly as reported; `null` for a counted campaign. */
  reported_metrics: string;
  /** JSON of a counted campaign's tallies. */
  tallies: string | null;
  /** The sender's own id of a counted campaign, unique in the organization. */
  external_id: string | null;
  /** The ledger of a counted campaign until it is closed. */
  ledger_id: number | null;
  /** When a counted campaign was registered. */
  registered_at: number | null;
  closed_at: number | null;
  /**
   * When it is published next without a change: at its send time, if it is scheduled, when it reaches a recorded age, a
   * reported one only the last, and when changes of its groups are copied for readers. Null after that.
   */
  publish_at: number | null;
  /** JSON list of the attributes by which it is counted; null if there are none. */
  attributes: string | null;
  /** Recipients of its list; null without a list. */
  listed: number | null;
  /** The source that delivered its last events; null if no email provider did. The source may be deleted. */
  source_id: string | null;
}

/** A campaign that was sent, with a column per field of the feed. Its key is the order of pages. */
interface EmailsTable extends TypedRecord {
  organization_id: number;
  /** The record of v1 as JSON, ready to send. */
  record: string;
}

/** What one campaign adds to any total, with one traffic (see `Sums`), and what its human traffic says of the filter. */
export interface SumsTable extends SumColumns, ProofColumns {
  organization_id: number;
  traffic: TrafficFilter;
  /** Of the campaign, like the next four. */
  sent_at: number;
  campaign_id: number;
  team: string | null;
  sending_type: string | null;
  tracking_type: string | null;
  kind: KindOfNumbers;
  surveys: SurveyFilter;
  /** Null if it is not known, like the next four. */
  recipient_count: number | null;
  unique_opens: number | null;
  unique_clicks: number | null;
  comments_count: number | null;
  /** Ratings and other answers to surveys. */
  answers: number | null;
}

type ProofColumns = { [Name in ProofName as SnakeCase<Name>]: number };

interface CampaignTagsTable {
  organization_id: number;
  campaign_id: number;
  tag_id: number;
}

/** The data that a counted campaign's numbers are counted from. It is deleted when the campaign is closed or deleted. */
interface LedgersTable {
  organization_id: number;
  id: number;
  /** 32 random bytes in hex; null once the ledger is retired, after which its rows are deleted in the background. */
  secret: string | null;
  /** Identifies when the last recipient was forgotten, even after a backup was restored; null if none was. */
  forgotten_id: number | null;
}

/** The ids of counted events, to deduplicate them. */
interface EventIdsTable {
  organization_id: number;
  ledger_id: number;
  /** A hash of 16 bytes. */
  id: Buffer;
}

interface RecipientsTable {
  organization_id: number;
  ledger_id: number;
  /** The email address or id with Individual tracking, otherwise a hash. */
  name: string;
  /** JSON of what the recipient has done. */
  state: string;
  /** Whether the recipient opened the campaign; see {@link Opened}. */
  opened: Opened;
}

/** Events that cannot be counted, or not yet. */
interface QuarantineTable {
  organization_id: number;
  /** JSON of the campaign's id or external id; `null` if the event does not say. */
  campaign_reference: string;
  /** Hash of the campaign and the event id, in hex. */
  event_hash: string;
  reason: QuarantineReason;
  received_at: number;
  /** The event without IP and user agent, encrypted. */
  content: Buffer;
}

export type QuarantineReason = "unknown_campaign" | "reported_campaign" | "test_sending" | "unreadable";

/** The webhooks of email providers. */
export interface SourcesTable {
  organization_id: number;
  /** The last part of the webhook URL: contains the organization and cannot be guessed. */
  id: string;
  provider: string;
  /** What the provider signs with or sends along. Checking it needs the plain text. */
  secret: string | null;
  /** The field of the provider's events that names the campaign. */
  campaign_field: string;
  created_at: number;
  /** When its last event arrived, up to a minute too early; null before the first one. */
  last_event_at: number | null;
}

/** The latest webhook requests of a source. */
export interface DeliveriesTable {
  organization_id: number;
  source_id: string;
  id: string;
  /** When the request arrived. */
  at: number;
  /** The HTTP status of the response. */
  status: number;
  /** The error message of a rejected request. */
  reason: string | null;
  /** New events; null if the request was rejected. */
  accepted: number | null;
  repeated: number | null;
  quarantined: number | null;
  /** JSON without personal data; null if there was none. */
  body: string | null;
}

/** The people who may sign in to the web application. */
export interface UsersTable {
  organization_id: number;
  id: number;
  /** Trimmed, lower case, Unicode NFC. */
  email: string;
  role: Role;
  /** Password hash with its parameters; null until the user chooses a password. */
  password: string | null;
  /** SHA-256, in hex, of the secret in the invite link; null without one. */
  invite_hash: string | null;
  invite_expires_at: number | null;
  created_at: number;
  last_visit_at: number | null;
  /** BCP 47 tag of the language of pages; null for that of the browser. */
  language: string | null;
  /** Base32 secret of the authenticator app; null without a second factor, as the next two. Checking a code needs the plain text. */
  totp_secret: string | null;
  /** The last 30-second step whose code was accepted. */
  totp_step: number | null;
  /** JSON list of SHA-256 in hex, of the recovery codes that were not used. */
  recovery_hashes: string | null;
  /** The kinds of mail that the user chose, separated by spaces. */
  notifications: string;
}

/** Mails and messages to chats. */
export interface OutboxTable {
  organization_id: number;
  kind: NotificationKind;
  /** What it is about, such as the Monday of a digest. */
  about: string;
  recipient: RecipientKey;
  /** `sending` for good if the process died: whether it arrived is not known. */
  state: "pending" | "sending" | "sent" | "failed";
  /** When it is sent, or retried. */
  due_at: number;
  attempts: number;
  created_at: number;
  /** When its state changed. */
  changed_at: number;
  /** What the mail server or the chat answered last; null if nothing was wrong. */
  problem: string | null;
}

/** What happened on a day. */
interface AnnotationsTable {
  organization_id: number;
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
}

/** Where an organization posts to a chat. */
interface ChatsTable {
  organization_id: number;
  service: ChatService;
  /** A secret of the service: it needs the plain text. */
  url: string;
  language: string;
  /** As those of users. */
  notifications: string;
}

/** The organization of each user's email: an email belongs to one user across all organizations. */
interface UserEmailsTable {
  email: string;
  organization_id: number;
}

/** The public keys with which users sign in without a password. */
export interface PasskeysTable {
  organization_id: number;
  /** The credential's id in base64url. */
  id: string;
  user_id: number;
  name: string;
  /** COSE key. */
  public_key: Buffer;
  /** How often it was used, as it says; 0 if it does not count. */
  counter: number;
  created_at: number;
  last_used_at: number | null;
  /** When the challenge of its last use was made; 0 before. Each challenge is accepted once. */
  challenged_at: number;
}

/** Signed-in browsers. */
export interface SessionsTable {
  organization_id: number;
  /** SHA-256 of the secret in the cookie, in hex. The secret itself is not stored. */
  hash: string;
  user_id: number;
  created_at: number;
  /** To the hour. */
  last_seen_at: number;
  expires_at: number;
  /** A readable name of the browser. */
  client: string;
}

/** When a counted campaign was opened and clicked, in parts that add up. Recipients keep no times of opens. */
interface CampaignHoursTable {
  organization_id: number;
  campaign_id: number;
  /** From 1, without gaps. */
  part: number;
  /** JSON in the format of `HourCounts`. */
  counts: string;
}

/** The clicked links of a counted campaign. */
interface CampaignLinksTable {
  organization_id: number;
  campaign_id: number;
  /** Keyed hash of the shown URL; 0 for all other links together. */
  link: number;
  /** The URL without query and fragment, which may identify the recipient. */
  url: string;
  people_clicks: number;
  all_clicks: number;
}

interface CampaignQuestionsTable {
  organization_id: number;
  campaign_id: number;
  /** Kind and id: `enps s-1`. */
  survey: string;
  question: string;
}

interface DoneCommentsTable {
  organization_id: number;
  campaign_id: number;
  /** A hash, which says neither who wrote it nor when. */
  comment: string;
}

/** The attributes of an organization, such as Department, and their values. */
interface AudienceGroupsTable {
  organization_id: number;
  id: number;
  /** Its own id for an attribute, whose group are the recipients without a value. */
  attribute_id: number;
  name: string;
}

/** Which groups the recipients of an organization belong to. */
interface DirectoryTable {
  organization_id: number;
  /** A version is written in several transactions. Only that of the organization counts. */
  version: number;
  /** Hash of the recipient, keyed with the organization's secret. */
  recipient: string;
  /** JSON object: the group by attribute. */
  groups: string;
}

/** What a campaign counts by group, as it is now. Readers see {@link ReleasedGroupsTable}. */
export interface CampaignGroupsTable extends Record<GroupCountColumn, number> {
  organization_id: number;
  campaign_id: number;
  group_id: number;
  attribute_id: number;
}

type NeverWithheld = "recipients" | "people_opens" | "all_opens";

/** The copy of {@link CampaignGroupsTable} that readers see. It changes rarely. Withheld counts are null. */
export interface ReleasedGroupsTable
  extends Record<NeverWithheld, number>,
    Record<Exclude<GroupCountColumn, NeverWithheld>, number | null> {
  organization_id: number;
  campaign_id: number;
  attribute_id: number;
  /** 0 for what the withheld groups of the attribute have together. */
  group_id: number;
  counted_at: number;
}

/** What two groups of different attributes share in a campaign. */
interface CampaignOverlapsTable {
  organization_id: number;
  campaign_id: number;
  /** The smaller id. */
  group_id: number;
  other_id: number;
  recipients: number;
  enps_reactions: number;
}

/**
 * The change log: the last change of each campaign that was ever published. A deleted campaign keeps its row, so that no
 * client ever misses a deletion.
 */
interface ChangesTable {
  organization_id: number;
  campaign_id: number;
  /** Of the organization, when the record of the campaign last changed, or when it was deleted. */
  revision: number;
  /** Of the organization then. Unlike the revision, it does not repeat after a backup was restored. */
  revision_id: number;
  /** The revision at which the campaign was last added, moved, retagged or deleted. */
  order_revision: number;
  /** Of the campaign; null if it is deleted. */
  sent_at: number | null;
}

/** Who did what, append-only. */
interface AuditLogTable {
  organization_id: number;
  id: number;
  at: number;
  actor: string;
  action: AuditAction;
  target: string;
}

/** Background work that one process at a time does for all of them. */
export interface LeasesTable {
  name: "upkeep" | "backup" | "notifications";
  /** A random name of the process; empty for `backup`. */
  holder: string;
  /** By the clock of the database. `backup`: when the next one is due. */
  expires_at: number;
}

/** Files of campaigns from the web application: while they arrive and wait, and for as long as they can be undone. */
export interface ImportsTable {
  organization_id: number;
  /** Random. */
  id: number;
  state: ImportState;
  created_at: number;
  /** When upkeep deletes it. */
  expires_at: number;
  /** The email of the user. */
  created_by: string;
  file_name: string;
  /** Of the whole file, and of the pieces that have arrived. */
  bytes: number;
  received: number;
  /** When it was imported, and how many campaigns; null before. */
  imported_at: number | null;
  added: number | null;
  changed: number | null;
  unchanged: number | null;
  /** JSON list of the ids of tags that it added; null before. */
  tags: string | null;
}

/** `uploading` until all of its bytes are there, `waiting` until the user imports or discards it. */
export type ImportState = "uploading" | "waiting" | "imported" | "undone" | "discarded";

interface ImportPiecesTable {
  organization_id: number;
  import_id: number;
  /** Where it starts in the file. */
  position: number;
  /** Compressed with zstd. */
  content: Buffer;
}

/** What an import changed, so that it can be undone. */
interface ImportedCampaignsTable {
  organization_id: number;
  import_id: number;
  campaign_id: number;
  /** JSON of the campaign before; null if the import added it. */
  before: string | null;
  /** Hash of the campaign after, in hex: a campaign that has another one was changed since. */
  after: string;
}
