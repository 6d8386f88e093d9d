// The table `saved_views`: lists of campaigns that a user saved under a name.

import type { Queries } from "./database.ts";
import { nextId } from "./ids.ts";
import type { User } from "./users.ts";

export interface SavedView {
  id: number;
  /** Unique among the views of the user. */
  name: string;
  /** The query string of the list, without the question mark. */
  query: string;
}

type Owner = Pick<User, "organizationId" | "id">;

/** The views of a user, oldest first. */
export async function listSavedViews(queries: Queries, owner: Owner): Promise<SavedView[]> {
  return queries
    .selectFrom("saved_views")
    .select(["id", "name", "query"])
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.id)
    .orderBy("id")
    .execute();
}

export async function addSavedView(
  queries: Queries,
  owner: Owner,
  view: Omit<SavedView, "id">,
): Promise<SavedView> {
  const added = { id: await nextId(queries, "saved_views"), ...view };
  const row = { organization_id: owner.organizationId, user_id: owner.id, ...added };
  await queries.insertInto("saved_views").values(row).execute();
  return added;
}

export async function changeSavedView(
  queries: Queries,
  owner: Owner,
  { id, name, query }: SavedView,
): Promise<void> {
  await queries
    .updateTable("saved_views")
    .set({ name, query })
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.id)
    .where("id", "=", id)
    .execute();
}

export async function deleteSavedView(queries: Queries, owner: Owner, id: number): Promise<void> {
  await queries
    .deleteFrom("saved_views")
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", owner.id)
    .where("id", "=", id)
    .execute();
}
