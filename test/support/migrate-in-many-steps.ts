// Migrates the PostgreSQL database DATABASE_URL in many slow steps: a program for tests that kill it.

import { type Migrations, migrations } from "../../src/storage/migrations/migrations.ts";
import { migratePostgres } from "../../src/storage/postgres/migrate.ts";

const slowSteps = Array.from({ length: 8 }, (_, index) => {
  const column = `added_${index}`;
  const statements = [`alter table campaigns add column ${column} text`, "select pg_sleep(0.05)"];
  return [`900${index}_${column}`, () => statements] as const;
});

/** The program's migrations and eight slow ones after them. */
export const migrationsOfTest: Migrations = { ...migrations, ...Object.fromEntries(slowSteps) };

if (import.meta.main) await migratePostgres(process.env.DATABASE_URL ?? "", migrationsOfTest);
