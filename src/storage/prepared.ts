// A statement that is put together once for each database, since it is needed for every request.

import type { Compilable, CompiledQuery } from "kysely";
import type { Queries } from "./database.ts";

/**
 * @param build the statement, with any parameters
 * @returns runs it with others, in the order in which they stand in it
 */
export function prepare<Row>(
  build: (queries: Queries) => Compilable<Row>,
): (queries: Queries, parameters: readonly unknown[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async (queries, parameters) => {
    const { adapter } = queries.getExecutor();
    const statement = compiled.get(adapter) ?? build(queries).compile();
    compiled.set(adapter, statement);
    const { rows } = await queries.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
