// A PostgreSQL role as a tool would use it: it may sign in, and has no rights.

import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Cleanup } from "./world.ts";

type Rows = Record<string, unknown>[];

export interface GuestRole {
  name: string;
  /** Of the database, for a connection as this role. */
  url: string;
  /** Runs a statement as this role. */
  ask(statement: string): Promise<Rows>;
}

/** Creates a role on the server of a database. Its name has upper case, a quote and a space. */
export async function makeGuestRole(test: Cleanup, databaseUrl: string): Promise<GuestRole> {
  const name = `Test "Role" ${randomBytes(6).toString("hex")}`;
  const quoted = pg.escapeIdentifier(name);
  const password = randomBytes(12).toString("hex");
  await askAs(databaseUrl, `create role ${quoted} login password '${password}'`);
  const url = new URL(databaseUrl);
  url.username = encodeURIComponent(name);
  url.password = password;
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  test.after(async () => {
    await pool.end();
    await askAs(databaseUrl, `drop owned by ${quoted}; drop role ${quoted}`);
  });
  const ask = async (statement: string) => (await pool.query<Rows[number]>(statement)).rows;
  return { name, url: url.href, ask };
}

/** Runs a statement as the user of a URL. */
export async function askAs(url: string, statement: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Rows[number]>(statement)).rows;
  } finally {
    await client.end();
  }
}
