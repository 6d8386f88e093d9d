// Runs statements, usually of one transaction.

import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";

/** Of any organization: see {@link Scope}. */
export type Queries = Kysely<Tables>;
