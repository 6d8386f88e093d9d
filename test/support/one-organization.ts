// Isolates organizations: checks that every statement that the program sends to PostgreSQL names one organization. It reads no
// rows of another one then, and a single shard of a Citus cluster can answer it. The tests load it with `--import`. Exceptions are listed below with a reason.

import pg from "pg";
import { distributedTables, referenceTables } from "../../src/storage/postgres/distribute.ts";

/** Tables distributed by `organization_id`; `organizations` is distributed by its `id`. */
const tablesOfOrganization = distributedTables.filter((table) => table !== "organizations");

/** Statements that concern all organizations. */
export const crossOrganization: { shape: RegExp; why: string }[] = [
  {
    shape: /^select \* from "organizations" order by "id"$/,
    why: "commands and upkeep iterate over all organizations",
  },
  {
    shape: /^lock table organizations in exclusive mode$/,
    why: "only one process adds the first organization",
  },
  {
    shape:
      /^select distinct "organization_id" from "campaigns" where "publish_at" is not null and "publish_at" <= \$1 and not exists /,
    why: "upkeep looks for campaigns of all organizations whose send time has come, in one process at a time",
  },
  {
    shape:
      /^select "organization_id" as "organizationId", "id" from "ledgers" where "secret" is null limit \$1$/,
    why: "upkeep looks for retired ledgers of all organizations, in one process at a time",
  },
  {
    shape:
      /^select distinct ("campaigns"\."organization_id" from "campaigns" inner join "organizations"|"organization_id" from "quarantine" where "received_at" < \$1$)/,
    why: "upkeep looks for due work of all organizations, in one process at a time",
  },
  {
    shape: /^select count\(\*\) as "events", min\("received_at"\) as "oldestAt" from "quarantine"$/,
    why: "a metric is of all organizations",
  },
  {
    shape:
      /^select id from organizations where exists \( select 1 from audit_log where organization_id = organizations\.id /,
    why: "upkeep looks for old entries of the audit logs of all organizations, in one process at a time",
  },
  {
    shape: /^select distinct "organization_id" from "imports" where "expires_at" < \$1$/,
    why: "upkeep looks for files of imports of all organizations that expired, in one process at a time",
  },
  {
    shape: /^select "organization_id" as "organizationId", "id" from "imports" where "state" in /,
    why: "upkeep looks for imports of all organizations whose process has ended, in one process at a time",
  },
  {
    shape: /^select "organization_id" as "organizationId", "ledger_id" as "ledgerId" from "recipient_lists" /,
    why: "upkeep looks for lists of all organizations whose process has ended, in one process at a time",
  },
  {
    shape: /^select distinct "organization_id" from "outbox" where "state" = \$1 and "due_at" <= \$2$/,
    why: "the sender looks for mail of all organizations that is due, in one process at a time",
  },
  {
    shape: /^select "state", count\(\*\) as "rows" from "outbox" where "state" <> \$1 /,
    why: "a metric is of all organizations",
  },
  { shape: /^vacuum full \w+$/, why: "a command that rewrites the whole database" },
];

/** Statements that concern no rows of an organization. */
const unrelated = [
  /^(begin|commit|rollback|set|create|alter|drop|comment|grant)\b/,
  /^select (current_setting|pg_|nextval|create_distributed_table|create_reference_table|truncate_local_data_after_distributing_table)/,
  /kysely_migration|pg_catalog|information_schema|pg_extension|pg_constraint|pg_class|citus_tables/,
  /^insert into leases |^select expires_at as "dueAt" from leases /,
];

/** @returns why a statement is refused; undefined if it names one organization */
export function problemOf(statement: string): string | undefined {
  const text = statement.replace(/\s+/g, " ").trim();
  if (unrelated.some((shape) => shape.test(text)) || crossOrganization.some(({ shape }) => shape.test(text)))
    return undefined;
  const tables = tablesIn(text);
  const named = mentions(text, '"?organization_id"?');
  const isBound = /organization_id"? = \$\d|\("?organization_id"?,/.test(text);
  if (subqueriesOfInsert(text).some((each) => tablesIn(each) > 0 && !/organization_id"? = \$\d/.test(each)))
    return "has a subquery that does not name the organization by a parameter, so that Citus inserts on all shards";
  if (tables > 0)
    return isBound && named >= tables ? undefined : "does not name organization_id of each table";
  if (mentions(text, `"(?:${referenceTables.join("|")})"`) > 0) return undefined;
  if (!/\borganizations\b/.test(text)) return "uses an unknown table";
  const isOfOne = /where "id" = \$\d|^insert into "organizations" \("id",/.test(text);
  return isOfOne ? undefined : "does not name the id of the organization";
}

/** Citus takes no organization over from the statement around a subquery. */
function subqueriesOfInsert(text: string): readonly string[] {
  return (text.startsWith("insert into ") && text.match(/\( ?select (?:[^()]|\([^()]*\))*\)/g)) || [];
}

function tablesIn(text: string): number {
  return mentions(text, `(?:from|join|into|update) "?(?:${tablesOfOrganization.join("|")})\\b`);
}

function mentions(text: string, shape: string): number {
  return text.match(new RegExp(shape, "g"))?.length ?? 0;
}

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;

function checked(this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given;
  const text = typeof first === "string" ? first : (first as { text?: string }).text;
  // The tests' own connections have no application name.
  const isOfProgram =
    (this as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
      .application_name === "email-analytics";
  const problem = isOfProgram && text !== undefined ? problemOf(text) : undefined;
  if (problem !== undefined && !isExcused())
    throw new Error(`a statement may touch rows of other organizations: it ${problem}: ${text}`);
  return query.apply(this, given);
}

/** A copy reads and writes the whole database, and a migration may. */
const wholeDatabase = /\/src\/storage\/(copy|migrations)\//;

/** Whether the statement comes from a test: then no source file but those of the driver is on the stack. */
function isExcused(): boolean {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error("stack");
  Error.stackTraceLimit = usual;
  return wholeDatabase.test(stack) || !/\/src\/(?!storage\/postgres\b)/.test(stack);
}

Object.assign(pg.Client.prototype, { query: checked });
