// SQL views of one organization, in a schema of its own, for tools that read PostgreSQL. They read with the rights of
// their owner, so that the role of a tool needs rights on this schema only.

import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { units } from "../../campaign/record-fields.ts";
import { AppError } from "../../errors.ts";
import { isPostgres } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import { sentAtIndex, type ViewColumn, views } from "./view-queries.ts";
import { refuseRole } from "./view-roles.ts";

export interface ViewSchema {
  organizationId: number;
  schema: string;
  /** Roles that can read the views. */
  roles: string[];
}

const schemaOf = (organizationId: number) => `analytics_${organizationId}`;
/** How the comments of our schemas start: a schema of the same name may belong to others. */
const commentOf = (organizationId: number) => `email-analytics: views of organization ${organizationId}, `;

/** A hash of the definitions, which changes with them. It ends the comment of a schema. */
function versionOf(organizationId: number): string {
  const definitions = Object.entries(views).map(([name, { query, ...rest }]) => [
    name,
    query(organizationId),
    rest,
  ]);
  return createHash("sha256")
    .update(JSON.stringify([definitions, sentAtIndex]))
    .digest("hex")
    .slice(0, 16);
}

export const viewNames = Object.keys(views);

/** The schemas with views, by organization; none on SQLite. */
export async function listViews(queries: Queries): Promise<ViewSchema[]> {
  if (!isPostgres(queries)) return [];
  const { rows } = await sql<{ schema: string; comment: string | null; roles: string[] }>`
    select nspname::text as schema, obj_description(oid, 'pg_namespace') as comment,
      array(select pg_get_userbyid(grantee)::text from aclexplode(nspacl)
        where grantee <> nspowner and grantee <> 0 and privilege_type = 'USAGE' order by 1) as roles
    from pg_catalog.pg_namespace where nspname ~ '^analytics_[0-9]+$'`.execute(queries);
  return rows
    .map(({ schema, ...rest }) => ({ schema, organizationId: Number(schema.split("_")[1]), ...rest }))
    .filter(({ organizationId, comment }) => comment?.startsWith(commentOf(organizationId)))
    .map(({ comment: _, ...schema }) => schema)
    .sort((a, b) => a.organizationId - b.organizationId);
}

/**
 * Creates the views of an organization, or creates them again, and lets a role read them.
 *
 * @throws AppError `conflict` on SQLite or Citus, if this user lacks a right, or if the role could read more than the views
 * @throws AppError `not_found` if the role does not exist
 */
export async function addViews(scope: Scope, role: string): Promise<ViewSchema> {
  if (!isPostgres(scope)) {
    throw new AppError("conflict", "SQL views need PostgreSQL; this database is SQLite");
  }
  await refuseCitus(scope.queries);
  const schema = schemaOf(scope.organizationId);
  await refuseRole(scope.queries, role, schema);
  const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(scope);
  const view = (await listViews(scope.queries)).find((each) => each.organizationId === scope.organizationId);
  if (rows.length > 0 && !view) {
    throw new AppError(
      "conflict",
      `the schema ${schema} exists and is not one of email-analytics; rename or drop it`,
    );
  }
  const roles = [...new Set([...(view?.roles ?? []), role])].sort();
  const added = { organizationId: scope.organizationId, schema, roles };
  await explainRefusal(async () => {
    if (!view) {
      await sql`create schema ${sql.id(schema)}`.execute(scope);
      await comment(scope.queries, added, "");
    }
    await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(scope);
    if (await isCurrent(scope.queries, added)) await grantViews(scope.queries, { schema, roles: [role] });
    else await replaceViews(scope.queries, added);
  });
  return added;
}

/**
 * Drops the views of an organization and their schema. Other objects that depend on them go only with `cascade`.
 *
 * @returns false if there are none
 */
export async function removeViews(scope: Scope, { cascade = false } = {}): Promise<boolean> {
  const all = await listViews(scope.queries);
  const view = all.find((each) => each.organizationId === scope.organizationId);
  if (!view) return false;
  const dependents = cascade ? sql`cascade` : sql`restrict`;
  await explainRefusal(async () => {
    await dropViews(scope.queries, view, dependents);
    await sql`drop schema ${sql.id(view.schema)} ${dependents}`.execute(scope);
    if (all.length === 1) await sql`drop index if exists ${sql.id(sentAtIndex.name)}`.execute(scope);
  });
  return true;
}

/** Drops all views, but keeps their schemas: a migration cannot change a column that a view reads. */
export async function dropAllViews(queries: Queries): Promise<void> {
  for (const schema of await listViews(queries)) {
    await explainRefusal(() => dropViews(queries, schema, sql`restrict`));
  }
}

/** Whether all views are as this version of the program has them. Needs no lock of a view, which a reader may have. */
export async function areViewsCurrent(queries: Queries): Promise<boolean> {
  for (const schema of await listViews(queries)) if (!(await isCurrent(queries, schema))) return false;
  return true;
}

async function isCurrent(queries: Queries, { schema, organizationId }: ViewSchema): Promise<boolean> {
  const { rows } = await sql<{ views: number; isIndexed: boolean; comment: string }>`
    select (select count(*) from pg_class where relnamespace = pg_namespace.oid and relkind = 'v'
        and relname in (${sql.join(viewNames)})) as views,
      to_regclass(${sentAtIndex.name}) is not null as "isIndexed", obj_description(oid, 'pg_namespace') as comment
    from pg_namespace where nspname = ${schema}`.execute(queries);
  const [found] = rows;
  const isComplete = found?.isIndexed === true && found.views === viewNames.length;
  return isComplete && found.comment === commentOf(organizationId) + versionOf(organizationId);
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
  const { organizationId, schema } = found;
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
  }
  await grantViews(queries, found);
  await comment(queries, found, versionOf(organizationId));
}

async function comment(
  queries: Queries,
  { schema, organizationId }: ViewSchema,
  version: string,
): Promise<void> {
  const text = sql.lit(commentOf(organizationId) + version);
  await sql`comment on schema ${sql.id(schema)} is ${text}`.execute(queries);
}

async function grantViews(
  queries: Queries,
  { schema, roles }: Pick<ViewSchema, "schema" | "roles">,
): Promise<void> {
  for (const role of roles) {
    const names = sql.join(viewNames.map((name) => sql.id(schema, name)));
    await sql`grant select on ${names} to ${sql.id(role)}`.execute(queries);
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
