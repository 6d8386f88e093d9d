// Which roles may read views: those that get at nothing of other organizations, by what the catalog says.

import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { Queries } from "../queries/queries.ts";
import { distributedTables, referenceTables } from "./distribute.ts";

/** @throws AppError unless the role exists and reads no other organization than those it was given */
export async function refuseRole(queries: Queries, role: string, schema: string): Promise<void> {
  const name = quote(role);
  const roles = await sql`select from pg_catalog.pg_roles where rolname::text = ${role}`.execute(queries);
  if (roles.rows.length === 0) {
    throw new AppError(
      "not_found",
      `the role ${name} does not exist; create it with: create role ${name} login password '…'`,
    );
  }
  const risk = await findRisk(queries, role, schema);
  if (!risk) return;
  const through = risk.holder === role ? "" : ` is a member of ${quote(risk.holder)}, which`;
  throw new AppError(
    "conflict",
    `the role ${name}${through} ${risk.right}, and so could read other organizations; revoke that right, or use a role without other rights`,
  );
}

interface Risk {
  /** The role, or one that it is a member of. */
  holder: string;
  right: string;
}

/**
 * The worst right by which a role gets at rows of other organizations. The rights of a role that it is a member of count
 * even if they are not inherited: `set role` gives them. Who may create functions or operators in a schema that is or will
 * be in a search path can have other users run them.
 */
async function findRisk(queries: Queries, role: string, schema: string): Promise<Risk | undefined> {
  const tables = sql.join([...distributedTables, ...referenceTables]);
  const { rows } = await sql<Risk>`
    with recursive tables as (
      select oid, relname, relowner from pg_catalog.pg_class
      where relnamespace = current_schema()::regnamespace and relname in (${tables})
    ), readers as (
      select oid from tables
      union
      select view.oid from readers
        join pg_depend on refclassid = 'pg_class'::regclass and refobjid = readers.oid
          and classid = 'pg_rewrite'::regclass
        join pg_rewrite on pg_rewrite.oid = objid
        join pg_class as view on view.oid = ev_class
      where view.relnamespace is distinct from to_regnamespace(${schema})
    ), schemas as (
      select oid, nspname, nspacl, nspowner, nspname ~ '^analytics_[0-9]+$' as has_views from pg_namespace
    )
    select held.rolname::text as holder, risk.right
    from pg_catalog.pg_roles as held, lateral (
      select 1 as rank, 'is a superuser' as right where held.rolsuper
      union all select 2, 'can replicate the database' where held.rolreplication
      union all select 2, 'passes row security (BYPASSRLS)' where held.rolbypassrls
      union all select 3, 'can give itself other roles (CREATEROLE)' where held.rolcreaterole
      union all select 4, 'has rights on the whole server' where held.rolname like 'pg\\_%'
      union all select 5, 'can read or change the table ' || min(relname::text)
        from tables
        where relowner = held.oid or has_table_privilege(held.oid, tables.oid, ${tableRights})
          or has_any_column_privilege(held.oid, tables.oid, ${columnRights})
        having count(*) > 0
      union all select 6, 'can create schemas in the database'
        where has_database_privilege(held.oid, current_database(), 'create')
      union all select 7, 'can create objects in the schema ' || min(nspname::text)
        from schemas
        where nspname !~ '^pg_(toast_)?temp_'
          and (nspowner = held.oid or has_schema_privilege(held.oid, schemas.oid, 'create'))
        having count(*) > 0
      union all select 8, 'can read the schema ' || min(nspname::text)
        from schemas, aclexplode(nspacl)
        where has_views and nspname <> ${schema} and grantee <> nspowner
          and (grantee = 0 or grantee = held.oid and held.rolname <> ${role})
        having count(*) > 0
      union all select 8, 'has the member ' || quote_ident(min(member.rolname)) || ', which can read the schema ' || min(nspname::text)
        from schemas, aclexplode(nspacl) join pg_roles as member on member.oid = grantee
        where held.rolname = ${role} and has_views and nspname <> ${schema} and grantee <> nspowner
          and not member.rolsuper and member.oid <> held.oid and pg_has_role(member.oid, held.oid, 'member')
        having count(*) > 0
      union all select 9, 'can read the view ' || min(format('%I.%I', nspname, relname))
        from readers join pg_class on pg_class.oid = readers.oid join schemas on schemas.oid = relnamespace
        where relkind in ('v', 'm') and not has_views
          and (has_table_privilege(held.oid, readers.oid, 'select')
            or has_any_column_privilege(held.oid, readers.oid, 'select'))
        having count(*) > 0
      union all select 10, 'can call the SECURITY DEFINER function ' || min(format('%I.%I', nspname, proname))
        from pg_proc join schemas on schemas.oid = pronamespace
        where prosecdef and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
          and has_function_privilege(held.oid, pg_proc.oid, 'execute')
          and exists (select from pg_roles as other where pg_has_role(${role}, other.oid, 'member')
            and has_schema_privilege(other.oid, pronamespace, 'usage'))
          and exists (select from readers where has_table_privilege(proowner, readers.oid, 'select')
            or has_any_column_privilege(proowner, readers.oid, 'select'))
          and not exists (select from pg_depend
            where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
        having count(*) > 0
    ) as risk
    where pg_has_role(${role}, held.oid, 'member')
    order by rank, held.rolname <> ${role}, held.rolname limit 1`.execute(queries);
  return rows[0];
}

const tableRights = "select, insert, update, delete, truncate, references, trigger";
const columnRights = "select, insert, update, references";

const quote = (role: string) => `"${role.replaceAll('"', '""')}"`;
