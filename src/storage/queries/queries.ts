// Runs statements, usually of one transaction.

import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";

/** Queries that no {@link Scope} limits to one organization. */
export type Queries = Kysely<Tables>;
