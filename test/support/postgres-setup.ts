// What the test runner does around all tests that run on PostgreSQL: a server is started, unless TEST_DATABASE_URL names
// another one, and a template is made there. The processes of the tests inherit both names.

import { makeTemplate } from "./postgres-databases.ts";
import { startPostgres } from "./postgres-server.ts";

const undo: (() => Promise<void>)[] = [];

export async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    const server = await startPostgres();
    undo.unshift(server.remove);
    process.env.TEST_DATABASE_URL = server.url();
  }
  undo.unshift(await makeTemplate(process.env.TEST_DATABASE_URL));
}

/** Also when the tests are interrupted. */
export async function globalTeardown(): Promise<void> {
  for (const step of undo) await step();
}
