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
export function deletePieces(scope: Scope, importId: number, limit: number): Promise<boolean> {
  return scope.deleteFirst("import_pieces", { import_id: importId }, "position", limit);
}
