// The table `annotations`: what happened on a day, such as a new intranet. Charts show them.

import type { Queries } from "../queries/database.ts";
import { deleteRows } from "../queries/rows.ts";

export interface Annotation {
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
}

/** Newest first. */
export async function listAnnotations(queries: Queries, organizationId: number): Promise<Annotation[]> {
  return queries
    .selectFrom("annotations")
    .select(["day", "text"])
    .where("organization_id", "=", organizationId)
    .orderBy("day", "desc")
    .orderBy("text")
    .execute();
}

/** An annotation that exists stays. */
export async function addAnnotation(
  queries: Queries,
  organizationId: number,
  annotation: Annotation,
): Promise<void> {
  await queries
    .insertInto("annotations")
    .values({ organization_id: organizationId, ...annotation })
    .onConflict((conflict) => conflict.columns(["organization_id", "day", "text"]).doNothing())
    .execute();
}

/** @returns whether it existed */
export async function deleteAnnotation(
  queries: Queries,
  organizationId: number,
  { day, text }: Annotation,
): Promise<boolean> {
  return (await deleteRows(queries, "annotations", { organization_id: organizationId, day, text })) > 0;
}
