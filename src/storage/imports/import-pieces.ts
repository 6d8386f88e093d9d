// The table `import_pieces`: the bytes of files that users import in the web application.

import type { Scope } from "../queries/scope.ts";

export async function addPiece(
  scope: Scope,
  { importId, position, content }: { importId: number; position: number; content: Buffer },
): Promise<void> {
  await scope.insert("import_pieces", { import_id: importId, position, content }).execute();
}

/** The first piece that starts at a position or after it. */
export function findPiece(
  scope: Scope,
  importId: number,
  position: number,
): Promise<{ position: number; content: Buffer } | undefined> {
  return scope
    .from("import_pieces")
    .select(["position", "content"])
    .where("import_id", "=", importId)
    .where("position", ">=", position)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
}

/** Deletes its first pieces, up to `limit`. @returns whether there may be more */
export async function deletePieces(scope: Scope, importId: number, limit: number): Promise<boolean> {
  const first = await scope
    .from("import_pieces")
    .select("position")
    .where("import_id", "=", importId)
    .orderBy("position")
    .limit(limit)
    .execute();
  const positions = first.map(({ position }) => position);
  if (positions.length === 0) return false;
  await scope
    .delete("import_pieces")
    .where("import_id", "=", importId)
    .where("position", "in", positions)
    .execute();
  return positions.length === limit;
}
