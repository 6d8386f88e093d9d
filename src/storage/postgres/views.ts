// SQL views of one organization, in a schema of its own, for tools that read PostgreSQL. They read with the rights of
// their owner, so that the role of a tool needs rights on this schema only.

import { type RawBuilder, sql } from "kysely";
import { units } from "../../campaign/record-fields.ts";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { isPostgres } from "../dialect-differences.ts";
import { distributedTables, referenceTables } from "./distribute.ts";
import { sentAtIndex, type ViewColumn, views } from "./view-queries.ts";

export interface ViewSchema {
  organizationId: number;
  schema: string;
  /** Roles that can read the views. */
  roles: string[];
}

const schemaOf = (organizationId: number) => `analytics_${organizationId}`;
/** The comment of our schemas: a schema of the same name may belong to others. */
const commentOf = (organizationId: number) => `email-analytics: views of organization ${organizationId}`;

export const viewNames = Object.keys(views);

/** The schemas with views, by organization; none on SQLite. */
export async function listViews(queries: Queries): Promise<ViewSchema[]> {
  if (!isPostgres(queries)) return [];
  const { rows } = await sql<{ schema: string; comment: string; roles: string[] }>`
    select nspname::text as schema, obj_description(oid, 'pg_namespace') as comment,
      array(select pg_get_userbyid(grantee)::text from aclexplode(nspacl)
        where grantee <> nspowner and grantee <> 0 and privilege_type = 'USAGE' order by 1) as roles
    from pg_catalog.pg_namespace where nspname ~ '^analytics_[0-9]+$'`.execute(queries);
  return rows
    .map(({ schema, ...rest }) => ({ schema, organizationId: Number(schema.split("_")[1]), ...rest }))
    .filter(({ organizationId, comment }) => comment === commentOf(organizationId))
    .map(({ comment: _, ...schema }) => schema)
    .sort((a, b) => a.organizationId - b.organizationId);
}

/**
 * Creates the views of an organization, or creates them again, and lets a role read them.
 *
 * @throws AppError `conflict` on SQLite or Citus, if this user lacks a right, or if the role could read more than the views
 * @throws AppError `not_found` if the role does not exist
 */
export async function addViews(queries: Queries, organizationId: number, role: string): Promise<ViewSchema> {
  if (!isPostgres(queries)) {
    throw new AppError("conflict", "SQL views need PostgreSQL; this database is SQLite");
  }
  await refuseCitus(queries);
  await refuseRole(queries, role);
  const schema = schemaOf(organizationId);
  const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(
    queries,
  );
  const found = (await listViews(queries)).find((each) => each.organizationId === organizationId);
  if (rows.length > 0 && !found) {
    throw new AppError(
      "conflict",
      `the schema ${schema} exists and is not one of email-analytics; rename or drop it`,
    );
  }
  const roles = [...new Set([...(found?.roles ?? []), role])].sort();
  const added = { organizationId, schema, roles };
  await explainRefusal(async () => {
    if (!found) {
      const comment = sql.lit(commentOf(organizationId));
      await sql`create schema ${sql.id(schema)}`.execute(queries);
      await sql`comment on schema ${sql.id(schema)} is ${comment}`.execute(queries);
    }
    await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(queries);
    await replaceViews(queries, added);
  });
  return added;
}

/**
 * Drops the views of an organization and their schema. Other objects that depend on them go only with `cascade`.
 *
 * @returns false if there are none
 */
export async function removeViews(
  queries: Queries,
  organizationId: number,
  { cascade = false } = {},
): Promise<boolean> {
  const all = await listViews(queries);
  const found = all.find((each) => each.organizationId === organizationId);
  if (!found) return false;
  const dependents = cascade ? sql`cascade` : sql`restrict`;
  await explainRefusal(async () => {
    await dropViews(queries, found, dependents);
    await sql`drop schema ${sql.id(found.schema)} ${dependents}`.execute(queries);
    if (all.length === 1) await sql`drop index if exists ${sql.id(sentAtIndex.name)}`.execute(queries);
  });
  return true;
}

/** Drops all views, but keeps their schemas: a migration cannot change a column that a view reads. */
export async function dropAllViews(queries: Queries): Promise<void> {
  for (const schema of await listViews(queries)) {
    await explainRefusal(() => dropViews(queries, schema, sql`restrict`));
  }
}

/** Creates the views of all organizations that have any as this version of the program has them. */
export async function replaceAllViews(queries: Queries): Promise<void> {
  for (const schema of await listViews(queries)) {
    await explainRefusal(() => replaceViews(queries, schema));
  }
}

async function dropViews(
  queries: Queries,
  { schema }: ViewSchema,
  dependents: RawBuilder<unknown>,
): Promise<void> {
  for (const name of viewNames) {
    await sql`drop view if exists ${sql.id(schema, name)} ${dependents}`.execute(queries);
  }
}

async function replaceViews(queries: Queries, found: ViewSchema): Promise<void> {
  const { organizationId, schema, roles } = found;
  await sql`create index if not exists ${sql.id(sentAtIndex.name)} ${sql.raw(sentAtIndex.definition)}`.execute(
    queries,
  );
  await dropViews(queries, found, sql`restrict`);
  for (const [name, { description, columns, query }] of Object.entries(views)) {
    const view = sql.id(schema, name);
    const names = sql.join(columns.map((column) => sql.id(column.name)));
    // A barrier: otherwise PostgreSQL may evaluate a condition of the reader on rows of other organizations.
    await sql`create view ${view} (${names}) with (security_barrier) as ${sql.raw(query(organizationId))}`.execute(
      queries,
    );
    await sql`comment on view ${view} is ${sql.lit(description)}`.execute(queries);
    for (const column of columns) {
      const comment = sql.lit(describeColumn(column));
      await sql`comment on column ${sql.id(schema, name, column.name)} is ${comment}`.execute(queries);
    }
    for (const role of roles) await sql`grant select on ${view} to ${sql.id(role)}`.execute(queries);
  }
}

function describeColumn({ description, unit = "count", nullMeans }: ViewColumn): string {
  const sentences = [
    description,
    ...(unit === "count" ? [] : [`Unit: ${units[unit]}.`]),
    ...(nullMeans === undefined ? [] : [`Null: ${nullMeans}`]),
  ];
  return sentences.join(" ");
}

/** On Citus, nodes check the rights of the role that connects, not of the owner of a view. */
async function refuseCitus(queries: Queries): Promise<void> {
  const extension = await sql`select 1 from pg_extension where extname = 'citus'`.execute(queries);
  if (extension.rows.length === 0) return;
  const { rows } =
    await sql`select 1 from citus_tables where citus_table_type = 'distributed' limit 1`.execute(queries);
  if (rows.length === 0) return;
  throw new AppError(
    "conflict",
    "SQL views do not work with tables that Citus distributes, because its nodes would need rights for the role; use downloads",
  );
}

/** @throws AppError unless the role exists and reads no other organization */
async function refuseRole(queries: Queries, role: string): Promise<void> {
  const name = quote(role);
  const found = await sql`select from pg_catalog.pg_roles where rolname::text = ${role}`.execute(queries);
  if (found.rows.length === 0) {
    throw new AppError(
      "not_found",
      `the role ${name} does not exist; create it with: create role ${name} login password '…'`,
    );
  }
  const risk = await findRisk(queries, role);
  if (!risk) return;
  const through = risk.holder === role ? "" : ` is a member of ${quote(risk.holder)}, which`;
  throw new AppError(
    "conflict",
    `the role ${name}${through} ${risk.right}, and so could read all organizations; revoke that right, or use a role without other rights`,
  );
}

interface Risk {
  /** The role, or one that it is a member of. */
  holder: string;
  right: string;
}

/**
 * The worst right by which a role gets at rows of other organizations. The rights of a role that it is a member of count
 * even if they are not inherited: `set role` gives them. Who may create functions or operators in a schema of the search
 * path can have other users run them.
 */
async function findRisk(queries: Queries, role: string): Promise<Risk | undefined> {
  const tables = sql.join([...distributedTables, ...referenceTables]);
  const { rows } = await sql<Risk>`
    select held.rolname::text as holder, risk.right
    from pg_catalog.pg_roles as held, lateral (
      select 1 as rank, 'is a superuser' as right where held.rolsuper
      union all select 2, 'can replicate the database' where held.rolreplication
      union all select 2, 'passes row security (BYPASSRLS)' where held.rolbypassrls
      union all select 3, 'can give itself other roles (CREATEROLE)' where held.rolcreaterole
      union all select 4, 'has rights on the whole server' where held.rolname like 'pg\\_%'
      union all select 5, 'can read or change the table ' || min(relname::text)
        from pg_catalog.pg_class
        where relnamespace = current_schema()::regnamespace and relname in (${tables})
          and (relowner = held.oid or has_table_privilege(held.oid, pg_class.oid, ${tableRights})
            or has_any_column_privilege(held.oid, pg_class.oid, ${columnRights}))
        having count(*) > 0
      union all select 6, 'can create schemas in the database'
        where has_database_privilege(held.oid, current_database(), 'create')
      union all select 7, 'can create objects in the schema ' || min(path.name::text)
        from unnest(current_schemas(false)) as path (name)
        where has_schema_privilege(held.oid, path.name::text, 'create')
        having count(*) > 0
    ) as risk
    where pg_has_role(${role}, held.oid, 'member')
    order by rank, held.rolname <> ${role}, held.rolname limit 1`.execute(queries);
  return rows[0];
}

const tableRights = "select, insert, update, delete, truncate, references, trigger";
const columnRights = "select, insert, update, references";

const quote = (role: string) => `"${role.replaceAll('"', '""')}"`;

const permissionDenied = "42501";

async function explainRefusal(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== permissionDenied) throw error;
    throw new AppError(
      "conflict",
      `this database user may not change views (${message}); run the command as the owner of the tables, who needs the right to create schemas: grant create on database … to …`,
      error,
    );
  }
}
