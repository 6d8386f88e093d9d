// The list of all migrations. A released migration never changes; a later one is a file of its own, added at the end.

import type { Migration } from "kysely/migration";
import { schema } from "./0001-schema.ts";

/** Migrations by name, in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>;

export const migrations: Migrations = {
  "0001_schema": schema,
};
