// The steps that bring a database, new or old, to the tables of this program. A step that was released never changes.

import { type Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { generateSecret } from "../../access/secret.ts";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { columnTypes, isPostgres, rowsInPlace } from "../differences.ts";
import { idSequences } from "../ids.ts";

type Step = Kysely<never>;

/** By their names, in the order of these. */
export type MigrationSteps = Record<string, Migration>;

export const migrations: MigrationSteps = {
  "0001_campaigns": {
    async up(database: Step) {
      const { text } = columnTypes(database);
      if (isPostgres(database)) await makeSequences(database);
      else {
        await database.schema
          .createTable("counters")
          .addColumn("name", text, (column) => column.primaryKey())
          .addColumn("value", "bigint", (column) => column.notNull())
          .execute();
      }

      await database.schema
        .createTable("organizations")
        .addColumn("id", "bigint", (column) => column.primaryKey())
        .addColumn("name", text, (column) => column.notNull())
        .addColumn("time_zone", text, (column) => column.notNull())
        .addColumn("revision", "bigint", (column) => column.notNull())
        .addColumn("rendering", "bigint", (column) => column.notNull())
        .execute();

      await organizationTable(database, "api_keys")
        .addColumn("name", text, (column) => column.notNull())
        .addColumn("beginning", text, (column) => column.notNull())
        .addColumn("hash", text, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addUniqueConstraint("api_keys_hash", ["organization_id", "hash"] as never)
        .execute();

      await organizationTable(database, "tags")
        .addColumn("name", text, (column) => column.notNull())
        .addColumn("color", text, (column) => column.notNull())
        .addUniqueConstraint("tags_name", ["organization_id", "name"] as never)
        .execute();

      await organizationTable(database, "campaigns")
        .addColumn("subject", text, (column) => column.notNull())
        .addColumn("sent_at", "bigint", (column) => column.notNull())
        .addColumn("sent_from", text)
        .addColumn("team", text)
        .addColumn("sending_type", text)
        .addColumn("tracking_type", text)
        .addColumn("recipient_count", "bigint")
        .addColumn("recipients", text)
        .addColumn("surveys_count", "bigint")
        .addColumn("reported_metrics", text, (column) => column.notNull())
        .addColumn("record", text, (column) => column.notNull())
        .addColumn("rendering", "bigint", (column) => column.notNull())
        .execute();
      await database.schema
        .createIndex("campaigns_sent_at")
        .on("campaigns")
        .columns(["organization_id", "sent_at", "id"])
        .execute();
      await database.schema
        .createIndex("campaigns_rendering")
        .on("campaigns")
        .columns(["organization_id", "rendering"])
        .execute();

      await database.schema
        .createTable("campaign_tags")
        .addColumn("organization_id", "bigint", (column) => column.notNull())
        .addColumn("campaign_id", "bigint", (column) => column.notNull())
        .addColumn("tag_id", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("campaign_tags_key", ["organization_id", "campaign_id", "tag_id"])
        .addForeignKeyConstraint(
          "campaign_tags_campaign",
          ["organization_id", "campaign_id"],
          "campaigns",
          ["organization_id", "id"],
          (key) => key.onDelete("cascade"),
        )
        .addForeignKeyConstraint(
          "campaign_tags_tag",
          ["organization_id", "tag_id"],
          "tags",
          ["organization_id", "id"],
          (key) => key.onDelete("cascade"),
        )
        .execute();
      await database.schema
        .createIndex("campaign_tags_tag_id")
        .on("campaign_tags")
        .columns(["organization_id", "tag_id", "campaign_id"])
        .execute();
    },
  },

  "0002_events": {
    async up(database: Step) {
      const { text, bytes } = columnTypes(database);
      const column = (
        table: string,
        name: string,
        type: typeof text | "bigint",
        byDefault?: string | number,
      ) =>
        database.schema
          .alterTable(table)
          .addColumn(name, type, (definition) =>
            byDefault === undefined ? definition : definition.notNull().defaultTo(byDefault),
          )
          .execute();
      await column("organizations", "counted_traffic", text, "people");
      await column("organizations", "close_after_days", "bigint", 400);
      await column("organizations", "close_nameless_after_days", "bigint", 90);
      await column("organizations", "secret", text, "");
      const { rows } = await sql<{ id: number }>`select id from organizations`.execute(database);
      for (const { id } of rows) {
        const secret = generateSecret();
        await sql`update organizations set secret = ${secret} where id = ${id}`.execute(database);
      }
      await column("api_keys", "scope", text, "read");
      await column("campaigns", "tallies", text);
      await column("campaigns", "external_id", text);
      await column("campaigns", "ledger_id", "bigint");
      await column("campaigns", "counted_since", "bigint");
      await column("campaigns", "closed_at", "bigint");
      await database.schema
        .createIndex("campaigns_external_id")
        .unique()
        .on("campaigns")
        .columns(["organization_id", "external_id"])
        .execute();

      await database.schema
        .createIndex("campaigns_ledger_id")
        .on("campaigns")
        .columns(["organization_id", "ledger_id"])
        .execute();

      await organizationTable(database, "ledgers")
        .addColumn("secret", text)
        .addColumn("forgotten", "bigint", (definition) => definition.notNull())
        .execute();
      await sql`create index ledgers_retired on ledgers (organization_id, id) where secret is null`.execute(
        database,
      );
      await ledgerTable(database, "event_ids")
        .addColumn("id", bytes, (definition) => definition.notNull())
        .addPrimaryKeyConstraint("event_ids_key", ["organization_id", "ledger_id", "id"] as never)
        .modifyEnd(rowsInPlace(database))
        .execute();
      await ledgerTable(database, "recipients")
        .addColumn("name", text, (definition) => definition.notNull())
        .addColumn("done", text, (definition) => definition.notNull())
        .addPrimaryKeyConstraint("recipients_key", ["organization_id", "ledger_id", "name"] as never)
        .modifyEnd(rowsInPlace(database))
        .execute();

      await database.schema
        .createTable("quarantine")
        .addColumn("organization_id", "bigint", (definition) => definition.notNull())
        .addColumn("campaign", text, (definition) => definition.notNull())
        .addColumn("event", text, (definition) => definition.notNull())
        .addColumn("reason", text, (definition) => definition.notNull())
        .addColumn("received_at", "bigint", (definition) => definition.notNull())
        .addColumn("content", bytes, (definition) => definition.notNull())
        .addPrimaryKeyConstraint("quarantine_key", ["organization_id", "event"])
        .addForeignKeyConstraint(
          "quarantine_organization",
          ["organization_id"],
          "organizations",
          ["id"],
          (key) => key.onDelete("cascade"),
        )
        .execute();
      await database.schema
        .createIndex("quarantine_campaign")
        .on("quarantine")
        .columns(["organization_id", "campaign"])
        .execute();
      await database.schema
        .createIndex("quarantine_received_at")
        .on("quarantine")
        .columns(["organization_id", "received_at", "event"])
        .execute();
    },
  },

  "0003_sources": {
    async up(database: Step) {
      const { text } = columnTypes(database);
      await database.schema
        .createTable("sources")
        .addColumn("organization_id", "bigint", (definition) => definition.notNull())
        .addColumn("id", text, (definition) => definition.notNull())
        .addColumn("provider", text, (definition) => definition.notNull())
        .addColumn("secret", text)
        .addColumn("campaign_field", text, (definition) => definition.notNull())
        .addColumn("created_at", "bigint", (definition) => definition.notNull())
        .addPrimaryKeyConstraint("sources_key", ["organization_id", "id"])
        .addForeignKeyConstraint(
          "sources_organization",
          ["organization_id"],
          "organizations",
          ["id"],
          (key) => key.onDelete("cascade"),
        )
        .execute();
    },
  },

  "0004_leases": {
    async up(database: Step) {
      const { text } = columnTypes(database);
      await database.schema
        .createTable("leases")
        .addColumn("name", text, (definition) => definition.primaryKey())
        .addColumn("holder", text, (definition) => definition.notNull())
        .addColumn("until", "bigint", (definition) => definition.notNull())
        .execute();
    },
  },

  "0005_timeline": {
    async up(database: Step) {
      for (const table of ["organizations", "campaigns"]) {
        await database.schema
          .alterTable(table)
          .addColumn("timeline_revision", "bigint", (definition) => definition.notNull().defaultTo(0))
          .execute();
      }
      await database.schema
        .createIndex("campaigns_timeline_revision")
        .on("campaigns")
        .columns(["organization_id", "timeline_revision", "id"])
        .execute();
      await database.schema
        .createTable("timeline_changes")
        .addColumn("organization_id", "bigint", (definition) => definition.notNull())
        .addColumn("revision", "bigint", (definition) => definition.notNull())
        .addColumn("campaign_id", "bigint")
        .addColumn("tag_id", "bigint")
        .addPrimaryKeyConstraint("timeline_changes_key", ["organization_id", "revision"])
        .addForeignKeyConstraint(
          "timeline_changes_organization",
          ["organization_id"],
          "organizations",
          ["id"],
          (key) => key.onDelete("cascade"),
        )
        .execute();
    },
  },

  "0006_web": {
    async up(database: Step) {
      const { text } = columnTypes(database);
      const addColumn = (table: string, name: string, type: typeof text | "bigint") =>
        database.schema.alterTable(table).addColumn(name, type).execute();
      await addColumn("api_keys", "made_by", text);
      await addColumn("api_keys", "last_used_at", "bigint");
      await addColumn("sources", "last_event_at", "bigint");
      // With all that is told of many events at once, so that they are not read one by one.
      await database.schema.dropIndex("quarantine_campaign").execute();
      await database.schema
        .createIndex("quarantine_group")
        .on("quarantine")
        .columns(["organization_id", "campaign", "reason", "received_at"])
        .execute();

      if (isPostgres(database)) await sql`create sequence ${sql.ref(idSequences.users)}`.execute(database);
      await organizationTable(database, "users")
        .addColumn("email", text, (column) => column.notNull())
        .addColumn("role", text, (column) => column.notNull())
        .addColumn("password", text)
        .addColumn("invitation_hash", text)
        .addColumn("invited_until", "bigint")
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("last_visit_at", "bigint")
        .addUniqueConstraint("users_email_of_organization", ["organization_id", "email"] as never)
        .execute();
      await database.schema.createIndex("users_email").on("users").column("email").execute();
      await database.schema
        .createTable("sessions")
        .addColumn("organization_id", "bigint", (column) => column.notNull())
        .addColumn("hash", text, (column) => column.notNull())
        .addColumn("user_id", "bigint", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("last_seen_at", "bigint", (column) => column.notNull())
        .addColumn("until", "bigint", (column) => column.notNull())
        .addColumn("client", text, (column) => column.notNull())
        .addPrimaryKeyConstraint("sessions_key", ["organization_id", "hash"])
        .addForeignKeyConstraint(
          "sessions_user",
          ["organization_id", "user_id"],
          "users",
          ["organization_id", "id"],
          (key) => key.onDelete("cascade"),
        )
        .execute();
      await database.schema
        .createIndex("sessions_user_id")
        .on("sessions")
        .columns(["organization_id", "user_id"])
        .execute();

      await campaignTable(database, "campaign_hours")
        .addColumn("quarter", "bigint", (column) => column.notNull())
        .addColumn("activity", text, (column) => column.notNull())
        .addColumn("verdict", text, (column) => column.notNull())
        .addColumn("count", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("campaign_hours_key", [
          "organization_id",
          "campaign_id",
          "quarter",
          "activity",
          "verdict",
        ] as never)
        .modifyEnd(rowsInPlace(database))
        .execute();
      await campaignTable(database, "campaign_links")
        .addColumn("link", "bigint", (column) => column.notNull())
        .addColumn("url", text, (column) => column.notNull())
        .addColumn("people_clicks", "bigint", (column) => column.notNull())
        .addColumn("all_clicks", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("campaign_links_key", ["organization_id", "campaign_id", "link"] as never)
        .modifyEnd(rowsInPlace(database))
        .execute();

      // Of campaigns that are open already nothing is in there yet: their clicks are added bit by bit.
      await database.schema
        .alterTable("ledgers")
        .addColumn("activity_after", text, (column) => column.defaultTo(""))
        .execute();
      await sql`create index ledgers_activity on ledgers (organization_id, id) where activity_after is not null`.execute(
        database,
      );

      // A team may be longer than an index of PostgreSQL takes. In part only, so that nothing but teams is looked for in
      // it: PostgreSQL would take it in place of the primary key while its statistics have not heard of the organization.
      await sql`
        create index campaigns_team on campaigns (organization_id, substr(team, 1, 200))
        where team is not null`.execute(database);
    },
  },

  "0007_search": {
    async up(database: Step) {
      if (isPostgres(database)) {
        // PostgreSQL would look for the campaign and the tag of each single row; what deletes these deletes them by name
        // (deleteCampaign, deleteTag, deleteOrganization).
        for (const [table, key] of [
          ["campaign_tags", "campaign_tags_campaign"],
          ["campaign_tags", "campaign_tags_tag"],
          ["campaign_hours", "campaign_hours_campaign"],
          ["campaign_links", "campaign_links_campaign"],
        ] as const) {
          await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(key)}`.execute(
            database,
          );
        }
        return;
      }
      // An index of PostgreSQL takes no text of any length.
      await sql`
        create index campaigns_texts on campaigns (organization_id, id, subject, substr(team, 1, 200))`.execute(
        database,
      );
    },
  },

  "0008_hours": {
    async up(database: Step) {
      await sql`alter table campaign_hours rename to campaign_quarters`.execute(database);
      if (isPostgres(database)) {
        // Names of constraints are names of indexes, and there is to be another one of this name.
        await sql`alter table campaign_quarters drop constraint campaign_hours_key`.execute(database);
      }
      // A part is longer than SQLite keeps well in a table without row numbers.
      await database.schema
        .createTable("campaign_hours")
        .addColumn("organization_id", "bigint", (column) => column.notNull())
        .addColumn("campaign_id", "bigint", (column) => column.notNull())
        .addColumn("part", "bigint", (column) => column.notNull())
        .addColumn("counts", columnTypes(database).text, (column) => column.notNull())
        .addPrimaryKeyConstraint("campaign_hours_key", ["organization_id", "campaign_id", "part"])
        .modifyEnd(isPostgres(database) ? rowsInPlace(database) : sql``)
        .execute();
      // From here on quarters of an hour are known by their number since 1970.
      await sql`
        insert into campaign_hours (organization_id, campaign_id, part, counts)
        select organization_id, campaign_id, 1, '{' || string_agg('"' || activity || '":{' || verdicts || '}', ',') || '}'
        from (
          select organization_id, campaign_id, activity, string_agg('"' || verdict || '":[' || numbers || ']', ',') as verdicts
          from (
            select organization_id, campaign_id, activity, verdict,
              string_agg((quarter / 900000) || ',' || count, ',') as numbers
            from campaign_quarters
            where count <> 0
            group by organization_id, campaign_id, activity, verdict
          ) as by_verdict
          group by organization_id, campaign_id, activity
        ) as by_activity
        group by organization_id, campaign_id`.execute(database);
      await database.schema.dropTable("campaign_quarters").execute();
    },
  },

  "0009_numbers": {
    async up(database: Step) {
      // PostgreSQL reads whole rows.
      if (isPostgres(database)) return;
      await sql`
        create index campaigns_numbers on campaigns (
          organization_id, id, recipient_count,
          case when tallies is null then json_array(
            reported_metrics -> 'unique_opens', reported_metrics -> 'unique_clicks',
            reported_metrics -> 'desktop_open_rate', reported_metrics -> 'mobile_open_rate',
            reported_metrics -> 'read_time_glanced', reported_metrics -> 'read_time_skimmed',
            reported_metrics -> 'read_time_read', reported_metrics -> 'enps_score_average',
            reported_metrics -> 'enps_reactions_count'
          ) else json_array(
            json_array(
              tallies -> '$.people.uniqueOpens', tallies -> '$.people.uniqueClicks',
              tallies -> '$.people.desktopOpens', tallies -> '$.people.mobileOpens',
              tallies -> '$.people.glanced', tallies -> '$.people.skimmed', tallies -> '$.people.read',
              tallies -> '$.people.enpsReactions', tallies -> '$.people.enpsScores',
              tallies -> '$.people.enpsPromoters', tallies -> '$.people.enpsDetractors'
            ),
            json_array(
              tallies -> '$.all.uniqueOpens', tallies -> '$.all.uniqueClicks', tallies -> '$.all.desktopOpens',
              tallies -> '$.all.mobileOpens', tallies -> '$.all.glanced', tallies -> '$.all.skimmed',
              tallies -> '$.all.read', tallies -> '$.all.enpsReactions', tallies -> '$.all.enpsScores',
              tallies -> '$.all.enpsPromoters', tallies -> '$.all.enpsDetractors'
            )
          ) end,
          substr(team, 1, 200))`.execute(database);
    },
  },
};

/** A table whose rows belong to a campaign and go with it. */
function campaignTable(database: Step, name: string) {
  return database.schema
    .createTable(name)
    .addColumn("organization_id", "bigint", (column) => column.notNull())
    .addColumn("campaign_id", "bigint", (column) => column.notNull())
    .addForeignKeyConstraint(
      `${name}_campaign`,
      ["organization_id", "campaign_id"] as never,
      "campaigns",
      ["organization_id", "id"],
      (key) => key.onDelete("cascade"),
    );
}

/** A table whose rows belong to a ledger and go with it. */
function ledgerTable(database: Step, name: string) {
  const table = database.schema
    .createTable(name)
    .addColumn("organization_id", "bigint", (column) => column.notNull())
    .addColumn("ledger_id", "bigint", (column) => column.notNull());
  // PostgreSQL would look for the ledger of each single row, which takes longer than all the rest; see deleteOrganization.
  return isPostgres(database)
    ? table
    : table.addForeignKeyConstraint(
        `${name}_ledger`,
        ["organization_id", "ledger_id"] as never,
        "ledgers",
        ["organization_id", "id"],
        (key) => key.onDelete("cascade"),
      );
}

/** Ids come from sequences: a row that counts them would let everybody wait for whoever took the last one. */
async function makeSequences(database: Step): Promise<void> {
  for (const name of Object.values(idSequences)) {
    if (name === idSequences.users) continue;
    await sql`create sequence ${sql.ref(name)}`.execute(database);
  }
}

/** A table whose rows belong to an organization and go with it. */
function organizationTable(database: Step, name: string) {
  return database.schema
    .createTable(name)
    .addColumn("organization_id", "bigint", (column) => column.notNull())
    .addColumn("id", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint(`${name}_key`, ["organization_id", "id"] as never)
    .addForeignKeyConstraint(
      `${name}_organization`,
      ["organization_id"] as never,
      "organizations",
      ["id"],
      (key) => key.onDelete("cascade"),
    );
}

/** One step after the other, each in a transaction that `transaction` gives. */
export type MigrationStep = (work: (queries: Queries) => Promise<string[]>) => Promise<string[]>;

/**
 * Runs the steps that a database has not seen yet: those that are done stay done, should it be cut off; several
 * processes may try at once, as far as `transaction` lets them in one after the other.
 *
 * @param steps all that this program knows
 * @returns the names of the steps that were run
 */
export async function migrate(
  transaction: MigrationStep,
  steps: MigrationSteps = migrations,
): Promise<string[]> {
  const migrated: string[] = [];
  for (;;) {
    const names = await transaction(async (queries) => {
      const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => steps } });
      const { error, results = [] } = await migrator.migrateUp();
      if (error) throw error;
      return results.map(({ migrationName }) => migrationName);
    });
    if (names.length === 0) return migrated;
    migrated.push(...names);
  }
}

/**
 * The steps that a database has not seen yet. (Nobody has to wait for a writer in order to learn that there are none.)
 *
 * @throws Refusal when a newer program has already changed the database
 */
export async function pendingMigrations(
  queries: Queries,
  { mustExist = false }: { mustExist?: boolean | undefined } = {},
): Promise<string[]> {
  const done = await executedMigrations(queries);
  if (mustExist && done.length === 0) throw notThere();
  if (done.every((name) => name in migrations))
    return Object.keys(migrations).filter((name) => !done.includes(name));
  throw new AppError(
    "conflict",
    "the database was made by a newer email-analytics; install that version, or use another DATABASE_URL",
  );
}

/** Says nothing of the address, which may hold a password. */
export function notThere(): AppError {
  return new AppError(
    "not_found",
    'there is no database of email-analytics at this address (DATABASE_URL, or --from of copy); is it the right one? To make a database there, run "email-analytics organization add" or "email-analytics migrate"',
  );
}

async function executedMigrations(queries: Queries): Promise<string[]> {
  try {
    const { rows } = await sql<{
      name: string;
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(queries);
    return rows.map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "42P01" || /^no such table/.test(message)) return [];
    throw error;
  }
}
