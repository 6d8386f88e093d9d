// The table `user_emails`: the organization of each user's email. Its primary key makes an email unique in the deployment.

import type { Queries } from "../queries/database.ts";
import { deleteRows } from "../queries/rows.ts";

/** Reserves an email for a user. @returns false if a user of any organization has it */
export async function claimEmail(queries: Queries, email: string, organizationId: number): Promise<boolean> {
  // Waits for a transaction that is adding the same email.
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto("user_emails")
    .values({ email, organization_id: organizationId })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the organization whose user has an email; undefined if no user has it. */
export async function findOrganizationOfEmail(queries: Queries, email: string): Promise<number | undefined> {
  const row = await queries
    .selectFrom("user_emails")
    .select("organization_id")
    .where("email", "=", email)
    .executeTakeFirst();
  return row?.organization_id;
}

export async function releaseEmail(queries: Queries, email: string, organizationId: number): Promise<void> {
  await deleteRows(queries, "user_emails", { email, organization_id: organizationId });
}

/** Releases the emails of all users of an organization. */
export async function releaseEmails(queries: Queries, organizationId: number): Promise<void> {
  await deleteRows(queries, "user_emails", { organization_id: organizationId });
}
