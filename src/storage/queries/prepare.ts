// Compiles a statement once per database instead of for every request.

import type { CompiledQuery } from "kysely";
import type { Queries } from "./queries.ts";
import type { Scope } from "./scope.ts";
import { WaitingSqliteAdapter } from "./sqlite-adapter.ts";

/**
 * @param build compiles the statement with placeholder values
 * @returns a function that runs it with other parameters, in the order of the placeholders
 */
export function prepare<Row>(
  build: (queries: Queries) => CompiledQuery<Row>,
): (scope: Pick<Scope, "queries">, parameters: readonly unknown[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async ({ queries }, parameters) => {
    const { adapter } = queries.getExecutor();
    let statement = compiled.get(adapter);
    if (!statement) {
      statement = build(queries);
      compiled.set(adapter, statement);
    }
    if (adapter instanceof WaitingSqliteAdapter) return adapter.run(statement.sql, parameters) as Row[];
    const { rows } = await queries.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
