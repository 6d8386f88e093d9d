// Gives a database the queries of one organization.

import type { Database, UnscopedDatabase } from "./database.ts";
import type { Queries } from "./queries.ts";
import { Scope } from "./scope.ts";

export function withScopes(database: UnscopedDatabase): Database {
  const ofScope =
    <Result>(id: number, work: (scope: Scope) => Promise<Result>) =>
    (queries: Queries) =>
      work(new Scope(queries, id));
  return {
    ...database,
    queryOf(id, work) {
      return this.query(ofScope(id, work));
    },
    snapshotOf(id, work, retry) {
      return this.snapshot(ofScope(id, work), retry);
    },
    transactionOf(id, work, retry) {
      return this.transaction(ofScope(id, work), retry);
    },
  };
}
