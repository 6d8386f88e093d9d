// Compiles a statement once per database instead of for every request.

import type { CompiledQuery } from "kysely";
import type { Queries } from "./database.ts";

/**
 * @param build compiles the statement with placeholder values
 * @returns a function that runs it with other parameters, in the order of the placeholders
 */
export function prepare<Row>(
  build: (queries: Queries) => CompiledQuery<Row>,
): (queries: Queries, parameters: readonly unknown[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (queries, parameters) => {
    const { adapter } = queries.getExecutor();
    const statement = compiled.get(adapter) ?? build(queries);
    compiled.set(adapter, statement);
    const { rows } = await queries.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
