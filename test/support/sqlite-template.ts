// A SQLite file that has the tables: hundreds of tests need a database, and a copy takes a tenth of the time.

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/open-database.ts";

/** Names the template for all processes of a test run. */
const templateVariable = "TEST_SQLITE_TEMPLATE";

/**
 * Creates the template, before test processes start.
 *
 * @returns a function that removes it
 */
export async function makeSqliteTemplate(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "email-analytics-template-"));
  const file = join(folder, "template.db");
  await (await openDatabase(`sqlite:${file}`)).close();
  process.env[templateVariable] = file;
  return async () => rmSync(folder, { recursive: true, force: true });
}

/** Copies the template. A file that runs without the setup of a test run begins without tables. */
export function copySqliteTemplate(file: string): void {
  const template = process.env[templateVariable];
  if (template) copyFileSync(template, file);
}
