// Loaded before the tests on PostgreSQL (`--import`), in all of their threads: reads every statement that the program
// sends, and fails one that several shards of a cluster would have to answer, because it does not say whose rows it is
// about. Those that rightly do not are named below, with the reason.

import pg from "pg";
import { distributedTables } from "../../src/storage/postgres/distribute.ts";

/** Those that are spread by `organization_id`; `organizations` is by its `id`. */
const spread = distributedTables.filter((table) => table !== "organizations");

/** Statements that are about all organizations, by what stands in them and in no other. */
export const aboutAll: { shape: RegExp; why: string }[] = [
  {
    shape: /^select \* from "organizations" order by "id"$/,
    why: "commands and the calendar go through all of them",
  },
  {
    shape: /^select "id" from "organizations" where exists \(select "campaigns"\."id" from "campaigns"/,
    why: "upkeep looks for outdated records of anybody, in one process at a time",
  },
  {
    shape:
      /^select "organization_id" as "organizationId", "id" from "ledgers" where "secret" is null limit \$1$/,
    why: "upkeep looks for what anybody's closed campaigns have left, in one process at a time",
  },
  {
    shape:
      /^select distinct ("campaigns"\."organization_id" from "campaigns" inner join "organizations"|"organization_id" from "quarantine" where "received_at" < \$1$)/,
    why: "upkeep looks for what is due by the calendar, in one process at a time",
  },
  {
    shape: /^select \* from "users" where "email" = \$1 order by "organization_id"$/,
    why: "whoever signs in says their email, and nobody knows yet of which organization they are",
  },
  { shape: /^vacuum full \w+$/, why: "a command for a whole database" },
];

/** What is no statement about rows of an organization. */
const ofNobody = [
  /^(begin|commit|rollback|set|create|alter|drop)\b/,
  /^select (current_setting|pg_|nextval|create_distributed_table)/,
  /kysely_migration|pg_catalog|information_schema|pg_extension|pg_constraint|pg_class|citus_tables/,
  /^insert into leases /,
];

/** @returns what is wrong with a statement; undefined for one that a single shard can answer */
export function faultOf(statement: string): string | undefined {
  const text = statement.replace(/\s+/g, " ").trim();
  if (ofNobody.some((shape) => shape.test(text)) || aboutAll.some(({ shape }) => shape.test(text)))
    return undefined;
  const tables = mentions(text, `(?:from|join|into|update) "?(?:${spread.join("|")})\\b`);
  const named = mentions(text, '"?organization_id"?');
  const isTied = /organization_id"? = \$\d|\("?organization_id"?,/.test(text);
  if (tables > 0)
    return isTied && named >= tables ? undefined : "does not name organization_id of each table";
  if (!/\borganizations\b/.test(text)) return "is about a table that is not known here";
  const isOfOne = /where "id" = \$\d|^insert into "organizations" \("id",/.test(text);
  return isOfOne ? undefined : "does not name the id of the organization";
}

function mentions(text: string, shape: string): number {
  return text.match(new RegExp(shape, "g"))?.length ?? 0;
}

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;

function checked(this: pg.Client, ...given: unknown[]): unknown {
  const [first] = given;
  const text = typeof first === "string" ? first : (first as { text?: string }).text;
  // Of the tests' own connections none has this name.
  const isOfProgram =
    (this as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
      .application_name === "email-analytics";
  const fault = isOfProgram && text !== undefined ? faultOf(text) : undefined;
  if (fault !== undefined && !isExcused()) throw new Error(`not for one shard: it ${fault}: ${text}`);
  return query.apply(this, given);
}

/** Files whose statements are about a whole database: a copy of all of it. */
const wholeDatabase = /\/src\/storage\/copy\//;

/** Whether a test has made up the statement: then no file of the program has asked for it, but only handed it on. */
function isExcused(): boolean {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = "" } = new Error("where am I?");
  Error.stackTraceLimit = usual;
  return wholeDatabase.test(stack) || !/\/src\/(?!storage\/postgres\/)/.test(stack);
}

Object.assign(pg.Client.prototype, { query: checked });
