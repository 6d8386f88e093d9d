// The table `user_emails`: the organization of each user's email. Its primary key makes an email unique in the deployment.

import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";

/** Reserves an email for a user. @returns false if a user of any organization has it */
export async function claimEmail(scope: Scope, email: string): Promise<boolean> {
  // Waits for a transaction that is adding the same email.
  const { numInsertedOrUpdatedRows } = await scope
    .insert("user_emails", { email })
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

export async function releaseEmail(scope: Scope, email: string): Promise<void> {
  await scope.deleteRows("user_emails", { email });
}

/** Releases the emails of all users of an organization. */
export async function releaseEmails(scope: Scope): Promise<void> {
  await scope.deleteRows("user_emails");
}
