// The first migration: every table, index and sequence of a new database. Later migrations change it, each in its own file.

import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres } from "../dialect-differences.ts";
import { idSequences } from "../ids.ts";

export const schema: Migration = {
  async up(database: Kysely<never>) {
    const terms = isPostgres(database) ? postgresTerms : sqliteTerms;
    const tables = [
      ...[organizations, users, campaigns, imports, audience],
      ...[published, ledgers, quarantine, upkeep],
    ].map((group) => group(terms));
    const ids = isPostgres(database) ? sequences : counters;
    for (const statement of [...ids, ...tables.flat()]) {
      await sql.raw(statement).execute(database);
    }
  },
};

/** What differs between the two databases in the statements below. */
interface Terms {
  text: string;
  bytes: string;
  /** Storage options of a table whose rows change with every event. */
  hot: string;
  /** The same for a table with rows longer than SQLite stores well in a table without rowid. */
  hotAndLong: string;
  /** A number that may have a fraction. */
  number: string;
  /** A foreign key of a table with many rows; the code deletes these rows explicitly where the database does not. */
  cascade: (name: string, columns: string, target: string) => string;
}

/** Storing rows in the key's B-tree, without a rowid, halves both size and work. */
const sqliteTerms: Terms = {
  text: "text",
  bytes: "blob",
  number: "real",
  hot: "without rowid",
  hotAndLong: "",
  cascade: (name, columns, target) =>
    `, constraint ${name} foreign key (organization_id, ${columns})
         references ${target} (organization_id, id) on delete cascade`,
};

/**
 * Text compares byte by byte, as in SQLite, so both databases sort alike. The fill factor leaves room in each page for new
 * row versions. Foreign keys on large tables are left out: PostgreSQL would look up the parent of every single row.
 */
const postgresTerms: Terms = {
  text: `text collate "C"`,
  bytes: "bytea",
  number: "double precision",
  hot: "with (fillfactor = 80)",
  hotAndLong: "with (fillfactor = 80)",
  cascade: () => "",
};

const ofOrganization = (table: string) => `
  constraint ${table}_organization foreign key (organization_id) references organizations (id) on delete cascade`;

/** A row that counts ids would make every transaction wait for the one that took the last id. */
const sequences = Object.values(idSequences).map((name) => `create sequence ${name}`);

const counters = ["create table counters (name text primary key, value bigint not null)"];

const organizations = ({ text }: Terms) => [
  `create table organizations (
    id bigint primary key,
    name ${text} not null,
    time_zone ${text} not null,
    revision bigint not null,
    revision_id bigint not null,
    history_id bigint not null,
    counted_traffic ${text} not null,
    min_answers bigint not null,
    min_group bigint not null,
    directory_version bigint not null,
    close_after_days bigint not null,
    close_nameless_after_days bigint not null,
    audit_days bigint not null,
    csv_links ${text} not null,
    share_links ${text} not null,
    persons ${text} not null,
    secret ${text} not null
  )`,
  `create table api_keys (
    organization_id bigint not null,
    id bigint not null,
    name ${text} not null,
    prefix ${text} not null,
    hash ${text} not null,
    created_at bigint not null,
    scope ${text} not null,
    created_by ${text},
    last_used_at bigint,
    first_used_at bigint,
    first_client ${text},
    first_rows bigint,
    requests_by_day ${text},
    expires_at bigint,
    selection ${text},
    constraint api_keys_key primary key (organization_id, id),
    constraint api_keys_hash unique (organization_id, hash),
    ${ofOrganization("api_keys")}
  )`,
  `create table tags (
    organization_id bigint not null,
    id bigint not null,
    name ${text} not null,
    color ${text} not null,
    constraint tags_key primary key (organization_id, id),
    constraint tags_name unique (organization_id, name),
    ${ofOrganization("tags")}
  )`,
  `create table sources (
    organization_id bigint not null,
    id ${text} not null,
    provider ${text} not null,
    secret ${text},
    campaign_field ${text} not null,
    created_at bigint not null,
    last_event_at bigint,
    constraint sources_key primary key (organization_id, id),
    ${ofOrganization("sources")}
  )`,
  `create table deliveries (
    organization_id bigint not null,
    source_id ${text} not null,
    id ${text} not null,
    at bigint not null,
    status bigint not null,
    reason ${text},
    accepted bigint,
    repeated bigint,
    quarantined bigint,
    body ${text},
    constraint deliveries_key primary key (organization_id, source_id, id),
    constraint deliveries_source foreign key (organization_id, source_id)
      references sources (organization_id, id) on delete cascade
  )`,
  `create table audit_log (
    organization_id bigint not null,
    id bigint not null,
    at bigint not null,
    actor ${text} not null,
    action ${text} not null,
    target ${text} not null,
    constraint audit_log_key primary key (organization_id, id),
    ${ofOrganization("audit_log")}
  )`,
  "create index audit_log_at on audit_log (organization_id, at)",
];

const users = ({ text, bytes }: Terms) => [
  `create table chats (
    organization_id bigint not null,
    service ${text} not null,
    url ${text} not null,
    language ${text} not null,
    notifications ${text} not null,
    constraint chats_key primary key (organization_id, service),
    ${ofOrganization("chats")}
  )`,
  `create table annotations (
    organization_id bigint not null,
    day ${text} not null,
    text ${text} not null,
    constraint annotations_key primary key (organization_id, day, text),
    ${ofOrganization("annotations")}
  )`,
  `create table outbox (
    organization_id bigint not null,
    kind ${text} not null,
    about ${text} not null,
    recipient ${text} not null,
    state ${text} not null,
    due_at bigint not null,
    attempts bigint not null,
    created_at bigint not null,
    changed_at bigint not null,
    problem ${text},
    constraint outbox_key primary key (organization_id, kind, about, recipient),
    ${ofOrganization("outbox")}
  )`,
  "create index outbox_due on outbox (due_at) where state = 'pending'",
  `create table users (
    organization_id bigint not null,
    id bigint not null,
    email ${text} not null,
    role ${text} not null,
    password ${text},
    invite_hash ${text},
    invite_expires_at bigint,
    created_at bigint not null,
    last_visit_at bigint,
    language ${text},
    totp_secret ${text},
    totp_step bigint,
    recovery_hashes ${text},
    notifications ${text} not null,
    constraint users_key primary key (organization_id, id),
    constraint users_organization_email unique (organization_id, email),
    ${ofOrganization("users")}
  )`,
  // No unique index of a table that Citus distributes can do without the organization. No foreign key either, because
  // Citus allows none from a table that every node has to a distributed one.
  `create table user_emails (
    email ${text} primary key,
    organization_id bigint not null
  )`,
  `create table sessions (
    organization_id bigint not null,
    hash ${text} not null,
    user_id bigint not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null,
    client ${text} not null,
    constraint sessions_key primary key (organization_id, hash),
    constraint sessions_user foreign key (organization_id, user_id)
      references users (organization_id, id) on delete cascade
  )`,
  "create index sessions_user_id on sessions (organization_id, user_id)",
  `create table passkeys (
    organization_id bigint not null,
    id ${text} not null,
    user_id bigint not null,
    name ${text} not null,
    public_key ${bytes} not null,
    counter bigint not null,
    created_at bigint not null,
    last_used_at bigint,
    challenged_at bigint not null,
    constraint passkeys_key primary key (organization_id, id),
    constraint passkeys_user foreign key (organization_id, user_id)
      references users (organization_id, id) on delete cascade
  )`,
  "create index passkeys_user_id on passkeys (organization_id, user_id)",
];

const campaigns = (terms: Terms) => [
  campaignsTable(terms),
  "create index campaigns_sent_at on campaigns (organization_id, sent_at, id)",
  "create unique index campaigns_external_id on campaigns (organization_id, external_id)",
  "create index campaigns_ledger_id on campaigns (organization_id, ledger_id)",
  "create index campaigns_publish_at on campaigns (organization_id, publish_at, id) where publish_at is not null",
  ...campaignDetails(terms),
];

const campaignsTable = ({ text, hotAndLong }: Terms) => `
  create table campaigns (
    organization_id bigint not null,
    id bigint not null,
    subject ${text} not null,
    sent_at bigint not null,
    sent_from ${text},
    team ${text},
    sending_type ${text},
    tracking_type ${text},
    recipient_count bigint,
    recipients ${text},
    surveys_count bigint,
    reported_metrics ${text} not null,
    tallies ${text},
    external_id ${text},
    ledger_id bigint,
    registered_at bigint,
    closed_at bigint,
    publish_at bigint,
    attributes ${text},
    listed bigint,
    source_id ${text},
    constraint campaigns_key primary key (organization_id, id),
    ${ofOrganization("campaigns")}
  ) ${hotAndLong}`;

const campaignDetails = ({ text, hot, hotAndLong, cascade }: Terms) => [
  `create table campaign_tags (
    organization_id bigint not null,
    campaign_id bigint not null,
    tag_id bigint not null,
    constraint campaign_tags_key primary key (organization_id, campaign_id, tag_id)
    ${cascade("campaign_tags_campaign", "campaign_id", "campaigns")}
    ${cascade("campaign_tags_tag", "tag_id", "tags")}
  )`,
  "create index campaign_tags_tag_id on campaign_tags (organization_id, tag_id, campaign_id)",
  `create table campaign_hours (
    organization_id bigint not null,
    campaign_id bigint not null,
    part bigint not null,
    counts ${text} not null,
    constraint campaign_hours_key primary key (organization_id, campaign_id, part)
  ) ${hotAndLong}`,
  `create table campaign_links (
    organization_id bigint not null,
    campaign_id bigint not null,
    link bigint not null,
    url ${text} not null,
    people_clicks bigint not null,
    all_clicks bigint not null,
    constraint campaign_links_key primary key (organization_id, campaign_id, link)
    ${cascade("campaign_links_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
  // The survey is its kind and id, as in the state of a recipient.
  `create table campaign_questions (
    organization_id bigint not null,
    campaign_id bigint not null,
    survey ${text} not null,
    question ${text} not null,
    constraint campaign_questions_key primary key (organization_id, campaign_id, survey)
    ${cascade("campaign_questions_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
  `create table done_comments (
    organization_id bigint not null,
    campaign_id bigint not null,
    comment ${text} not null,
    constraint done_comments_key primary key (organization_id, campaign_id, comment)
    ${cascade("done_comments_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
  `create table campaign_groups (
    organization_id bigint not null,
    campaign_id bigint not null,
    group_id bigint not null,
    attribute_id bigint not null,
    recipients bigint not null,
    people_opens bigint not null,
    all_opens bigint not null,
    people_clicks bigint not null,
    all_clicks bigint not null,
    glanced bigint not null,
    skimmed bigint not null,
    read bigint not null,
    enps_reactions bigint not null,
    enps_scores bigint not null,
    enps_promoters bigint not null,
    enps_detractors bigint not null,
    survey_reactions bigint not null,
    constraint campaign_groups_key primary key (organization_id, campaign_id, group_id)
    ${cascade("campaign_groups_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
  `create table campaign_overlaps (
    organization_id bigint not null,
    campaign_id bigint not null,
    group_id bigint not null,
    other_id bigint not null,
    recipients bigint not null,
    enps_reactions bigint not null,
    constraint campaign_overlaps_key primary key (organization_id, campaign_id, group_id, other_id)
    ${cascade("campaign_overlaps_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
  `create table released_groups (
    organization_id bigint not null,
    campaign_id bigint not null,
    attribute_id bigint not null,
    group_id bigint not null,
    counted_at bigint not null,
    recipients bigint not null,
    people_opens bigint not null,
    all_opens bigint not null,
    people_clicks bigint,
    all_clicks bigint,
    glanced bigint,
    skimmed bigint,
    read bigint,
    enps_reactions bigint,
    enps_scores bigint,
    enps_promoters bigint,
    enps_detractors bigint,
    survey_reactions bigint,
    constraint released_groups_key primary key (organization_id, campaign_id, attribute_id, group_id)
    ${cascade("released_groups_campaign", "campaign_id", "campaigns")}
  ) ${hot}`,
];

const audience = ({ text, hot }: Terms) => [
  `create table audience_groups (
    organization_id bigint not null,
    id bigint not null,
    attribute_id bigint not null,
    name ${text} not null,
    constraint audience_groups_key primary key (organization_id, id),
    ${ofOrganization("audience_groups")}
  )`,
  // No foreign key to the organization: the code deletes these rows.
  `create table directory (
    organization_id bigint not null,
    version bigint not null,
    recipient ${text} not null,
    groups ${text} not null,
    constraint directory_key primary key (organization_id, version, recipient)
  ) ${hot}`,
];

/** What readers see of the campaigns that were sent. Publishing writes all three, in the transaction of the change. */
const published = ({ text, number, hot }: Terms) => [
  // In the order of pages. No foreign key to the campaign: SQLite would search all rows for its id.
  `create table emails (
    organization_id bigint not null,
    sent_at bigint not null,
    id bigint not null,
    subject ${text} not null,
    sent_from ${text},
    organization_team ${text},
    sending_type ${text},
    tracking_type ${text},
    open_rate ${number},
    click_rate ${number},
    unique_opens bigint,
    multiple_opens bigint,
    unopened bigint,
    total_opens bigint,
    unique_clicks bigint,
    multiple_clicks bigint,
    total_clicks bigint,
    click_per_unique_open_rate ${number},
    desktop_open_rate ${number},
    mobile_open_rate ${number},
    tags ${text} not null,
    recipient_count bigint,
    recipients ${text},
    read_time_glanced ${number},
    read_time_skimmed ${number},
    read_time_read ${number},
    surveys_count bigint,
    enps_score_average ${number},
    enps_reactions_count bigint,
    enps_comments_count bigint,
    survey_reactions_count bigint,
    survey_reactions_comments_count bigint,
    sent_on ${text} not null,
    sent_hour bigint not null,
    tag_names ${text} not null,
    kind ${text} not null,
    closed_at bigint,
    updated_at bigint not null,
    unique_opens_24h bigint,
    open_rate_24h ${number},
    unique_clicks_24h bigint,
    click_rate_24h ${number},
    unique_opens_72h bigint,
    open_rate_72h ${number},
    unique_clicks_72h bigint,
    click_rate_72h ${number},
    unique_opens_7d bigint,
    open_rate_7d ${number},
    unique_clicks_7d bigint,
    click_rate_7d ${number},
    open_rate_low ${number},
    open_rate_high ${number},
    click_rate_low ${number},
    click_rate_high ${number},
    record ${text} not null,
    constraint emails_key primary key (organization_id, sent_at, id),
    ${ofOrganization("emails")}
  ) ${hot}`,
  "create index emails_id on emails (organization_id, id)",
  `create table sums (
    organization_id bigint not null,
    traffic ${text} not null,
    sent_at bigint not null,
    campaign_id bigint not null,
    team ${text},
    sending_type ${text},
    tracking_type ${text},
    kind ${text} not null,
    surveys ${text} not null,
    recipient_count bigint,
    unique_opens bigint,
    unique_clicks bigint,
    comments_count bigint,
    answers bigint,
    counted_campaigns bigint not null,
    recipients bigint not null,
    settled_campaigns bigint not null,
    settled_counted bigint not null,
    opens bigint not null,
    open_recipients bigint not null,
    open_campaigns bigint not null,
    clicks bigint not null,
    click_recipients bigint not null,
    click_campaigns bigint not null,
    openers bigint not null,
    clickers bigint not null,
    opened_campaigns bigint not null,
    desktop ${number} not null,
    mobile ${number} not null,
    device_campaigns bigint not null,
    glanced ${number} not null,
    skimmed ${number} not null,
    read ${number} not null,
    read_campaigns bigint not null,
    ratings bigint not null,
    scores ${number} not null,
    rated_campaigns bigint not null,
    promoters bigint not null,
    detractors bigint not null,
    indexed bigint not null,
    indexed_campaigns bigint not null,
    surveyed_campaigns bigint not null,
    unanswered_campaigns bigint not null,
    maybe_surveyed_campaigns bigint not null,
    proven_people bigint not null,
    people_called_machines bigint not null,
    proven_machines bigint not null,
    machines_caught bigint not null,
    constraint sums_key primary key (organization_id, traffic, sent_at, campaign_id),
    ${ofOrganization("sums")}
  ) ${hot}`,
  `create table changes (
    organization_id bigint not null,
    campaign_id bigint not null,
    revision bigint not null,
    revision_id bigint not null,
    order_revision bigint not null,
    sent_at bigint,
    constraint changes_key primary key (organization_id, campaign_id),
    ${ofOrganization("changes")}
  ) ${hot}`,
  "create index changes_revision on changes (organization_id, revision, campaign_id)",
  "create index changes_order_revision on changes (organization_id, order_revision, campaign_id)",
];

const ledgers = ({ text, bytes, hot }: Terms) => [
  `create table ledgers (
    organization_id bigint not null,
    id bigint not null,
    secret ${text},
    forgotten_id bigint,
    constraint ledgers_key primary key (organization_id, id),
    ${ofOrganization("ledgers")}
  )`,
  "create index ledgers_retired on ledgers (organization_id, id) where secret is null",
  // The next two have no foreign keys: every event would look up its ledger. The code deletes their rows.
  `create table event_ids (
    organization_id bigint not null,
    ledger_id bigint not null,
    id ${bytes} not null,
    constraint event_ids_key primary key (organization_id, ledger_id, id)
  ) ${hot}`,
  `create table recipients (
    organization_id bigint not null,
    ledger_id bigint not null,
    name ${text} not null,
    state ${text} not null,
    opened bigint not null,
    constraint recipients_key primary key (organization_id, ledger_id, name)
  ) ${hot}`,
];

const quarantine = ({ text, bytes }: Terms) => [
  `create table quarantine (
    organization_id bigint not null,
    campaign_reference ${text} not null,
    event_hash ${text} not null,
    reason ${text} not null,
    received_at bigint not null,
    content ${bytes} not null,
    constraint quarantine_key primary key (organization_id, event_hash),
    ${ofOrganization("quarantine")}
  )`,
  // Covers the summary of the quarantine, so that it does not read every event.
  `create index quarantine_groups
     on quarantine (organization_id, campaign_reference, reason, received_at)`,
  "create index quarantine_received_at on quarantine (organization_id, received_at, event_hash)",
];

const imports = ({ text, bytes }: Terms) => [
  `create table imports (
    organization_id bigint not null,
    id bigint not null,
    state ${text} not null,
    created_at bigint not null,
    expires_at bigint not null,
    created_by ${text} not null,
    file_name ${text} not null,
    bytes bigint not null,
    received bigint not null,
    imported_at bigint,
    added bigint,
    changed bigint,
    unchanged bigint,
    tags ${text},
    constraint imports_key primary key (organization_id, id),
    ${ofOrganization("imports")}
  )`,
  "create index imports_expires_at on imports (organization_id, expires_at)",
  `create table import_pieces (
    organization_id bigint not null,
    import_id bigint not null,
    position bigint not null,
    content ${bytes} not null,
    constraint import_pieces_key primary key (organization_id, import_id, position),
    ${ofOrganization("import_pieces")}
  )`,
  `create table imported_campaigns (
    organization_id bigint not null,
    import_id bigint not null,
    campaign_id bigint not null,
    before ${text},
    after ${text} not null,
    constraint imported_campaigns_key primary key (organization_id, import_id, campaign_id),
    ${ofOrganization("imported_campaigns")}
  )`,
];

const upkeep = ({ text }: Terms) => [
  `create table leases (name ${text} primary key, holder ${text} not null, expires_at bigint not null)`,
];
