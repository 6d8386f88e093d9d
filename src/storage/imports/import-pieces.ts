// The table `import_pieces`: the bytes of files that users import in the web application.

import type { Queries } from "../queries/database.ts";

export async function addPiece(
  queries: Queries,
  organizationId: number,
  { importId, position, content }: { importId: number; position: number; content: Buffer },
): Promise<void> {
  await queries
    .insertInto("import_pieces")
    .values({ organization_id: organizationId, import_id: importId, position, content })
    .execute();
}

/** The first piece that starts at a position or after it. */
export function findPiece(
  queries: Queries,
  organizationId: number,
  importId: number,
  position: number,
): Promise<{ position: number; content: Buffer } | undefined> {
  return queries
    .selectFrom("import_pieces")
    .select(["position", "content"])
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId)
    .where("position", ">=", position)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
}

/** Deletes its first pieces, up to `limit`. @returns whether there may be more */
export async function deletePieces(
  queries: Queries,
  organizationId: number,
  importId: number,
  limit: number,
): Promise<boolean> {
  const first = await queries
    .selectFrom("import_pieces")
    .select("position")
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId)
    .orderBy("position")
    .limit(limit)
    .execute();
  const positions = first.map(({ position }) => position);
  if (positions.length === 0) return false;
  await queries
    .deleteFrom("import_pieces")
    .where("organization_id", "=", organizationId)
    .where("import_id", "=", importId)
    .where("position", "in", positions)
    .execute();
  return positions.length === limit;
}
