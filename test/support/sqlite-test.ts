// Tests of a file that runs on both databases, in which PostgreSQL would only repeat what other tests run on it.

import test, { type TestContext } from "node:test";

/** Registers a test in the SQLite run alone. */
export const sqliteTest: (title: string, run: (t: TestContext) => void | Promise<void>) => void = process.env
  .TEST_DATABASE_URL
  ? () => undefined
  : test;
