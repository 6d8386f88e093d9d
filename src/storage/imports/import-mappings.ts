// The table `import_mappings`: how an organization last imported files with a header.

import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

/** An organization keeps so many, those that it used last. */
const maxMappings = 50;

/** Returns the choices by the hash of the header, those that were used last first. */
export async function findMappings(scope: Scope): Promise<Map<string, string>> {
  const rows = await scope.selectRows("import_mappings").orderBy("used_at", "desc").execute();
  return new Map(rows.map(({ header, choices }) => [header, choices]));
}

const upsertMappings = upsertInto("import_mappings");

export async function saveMapping(
  scope: Scope,
  mapping: { header: string; choices: string; used_at: number },
): Promise<void> {
  await upsertMappings(scope, [mapping]);
  const oldest = [...(await findMappings(scope)).keys()].slice(maxMappings);
  for (const each of oldest) await deleteMapping(scope, each);
}

export async function deleteMapping(scope: Scope, header: string): Promise<void> {
  await scope.deleteRows("import_mappings", { header });
}
