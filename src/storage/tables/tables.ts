// All tables. Times in them are whole milliseconds since 1970.

import { audienceTables } from "./audience.ts";
import { campaignTables } from "./campaigns.ts";
import { type Column, type ColumnKind, integer, type RowOf, type Table, text, textOf } from "./columns.ts";
import { organizationColumns, organizationTables } from "./organizations.ts";
import { publishedTables } from "./published.ts";
import { userTables } from "./users.ts";

/** The tables whose rows do not belong to an organization. */
const sharedTables = {
  /**
   * The organization of each user's email: an email belongs to one user across all organizations. No unique index of a
   * table that Citus distributes can do without the organization. No foreign key either, because Citus allows none from a
   * table that every node has to a distributed one.
   */
  user_emails: { key: ["email"], columns: { email: text, organization_id: integer } },

  /** Background work that one process at a time does for all of them. */
  leases: {
    isTemporary: true,
    key: ["name"],
    columns: {
      name: textOf<"upkeep" | "backup" | "notifications">(),
      /** A random name of the process; empty for `backup`. */
      holder: text,
      /** When the lease ends, by the clock of the database. In `backup`: when the next backup is due. */
      expires_at: integer,
    },
  },

  /** SQLite only: the last id of each kind. PostgreSQL has sequences. A copy raises the last ids of its target. */
  counters: {
    isTemporary: true,
    key: ["name"],
    columns: {
      name: textOf<
        "organizations" | "api_keys" | "tags" | "ledgers" | "users" | "audit_log" | "audience_groups"
      >(),
      value: integer,
    },
  },
} satisfies Record<string, Table>;

const organizationId = { organization_id: integer };

/** Adds the organization to columns and keys. */
function ofOrganizations<Group extends Record<string, Table>>(group: Group) {
  const described = Object.entries(group).map(([name, { columns, key, ...others }]) => {
    const references = others.sqliteReferences ? {} : { organization_id: "organizations" };
    const all = { ...organizationId, ...columns };
    return [name, { references, ...others, columns: all, key: ["organization_id", ...key] }];
  });
  return Object.fromEntries(described) as {
    [Name in keyof Group]: Omit<Table, "columns"> & {
      columns: typeof organizationId & Group[Name]["columns"];
    };
  };
}

/** A table comes after those that it references. */
const all = {
  organizations: { key: ["id"], columns: organizationColumns },
  ...ofOrganizations({
    ...organizationTables,
    ...campaignTables,
    ...publishedTables,
    ...audienceTables,
    ...userTables,
  }),
  ...sharedTables,
};

export type TableName = keyof typeof all;

/** The rows of each table. */
export type Tables = { [Name in TableName]: RowOf<(typeof all)[Name]["columns"]> };

export const tables: Readonly<Record<TableName, Table>> = all;
export const tableNames = Object.keys(tables) as TableName[];

/** The kinds of columns of a table, by default of all. */
export function kindsOf(
  table: TableName,
  columns: readonly string[] = Object.keys(tables[table].columns),
): Record<string, ColumnKind> {
  return Object.fromEntries(columns.map((name) => [name, (tables[table].columns[name] as Column).kind]));
}

/** Tables with rows of a campaign. The code deletes these explicitly: not every one has a foreign key on both databases. */
export const tablesOfCampaigns = [
  ...(["api_keys", "imported_campaigns"] as const),
  ...(["campaign_tags", "campaign_hours", "campaign_links", "campaign_questions"] as const),
  ...(["campaign_groups", "released_groups"] as const),
];
