// Statements that the server keeps under a name: parsing and planning one can cost more than running it.

import { hash } from "node:crypto";
import type pg from "pg";

/** Maps SQL to its name, the same in every process, because PgBouncer lends its connections to all. */
const names = new Map<string, string>();

/** Makes servers keep this statement as long as the connection, so name constant SQL only. */
export function nameStatement(sql: string): void {
  names.set(sql, `email_analytics_${hash("sha256", sql).slice(0, 16)}`);
}

/**
 * Clients of one pool. Once the server refuses a name, all of them send statements without names: PgBouncer before 1.21
 * sends a statement to a connection that does not know its name.
 */
export function clientWithNames(Client: typeof pg.Client): typeof pg.Client {
  let refusesNames = false;
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver has many overloads.
    override query(...given: any[]): any {
      const [config, values] = given;
      const name = typeof config === "string" && !refusesNames ? names.get(config) : undefined;
      if (name === undefined) return Reflect.apply(super.query, this, given);
      return super.query({ name, text: config, values }).catch((error: unknown) => {
        refusesNames ||= isNameRefused(error);
        throw error;
      });
    }
  };
}

const unknownName = "26000";
const knownName = "42P05";

/** Whether the statement was not run because of its name, or because the server keeps it from before a migration. */
export function isNameRefused(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === unknownName || code === knownName || routine === "RevalidateCachedQuery";
}
