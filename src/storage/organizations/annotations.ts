// The table `annotations`: what happened on a day, such as a new intranet. Charts show them.

import type { Scope } from "../queries/scope.ts";

export interface Annotation {
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
}

/** Returns the annotations, newest first. */
export async function listAnnotations(scope: Scope): Promise<Annotation[]> {
  return scope.from("annotations").select(["day", "text"]).orderBy("day", "desc").orderBy("text").execute();
}

/** An annotation that exists stays. */
export async function addAnnotation(scope: Scope, annotation: Annotation): Promise<void> {
  await scope
    .insert("annotations", { ...annotation })
    .onConflict((conflict) => conflict.columns(["organization_id", "day", "text"]).doNothing())
    .execute();
}

/** @returns whether it existed */
export async function deleteAnnotation(scope: Scope, { day, text }: Annotation): Promise<boolean> {
  return (await scope.deleteRows("annotations", { day, text })) > 0;
}
