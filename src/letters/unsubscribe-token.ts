// The link in each mail that ends mails of its kind: signed, so that it works without a session.

import { type NotificationKind, notificationKinds } from "../access/notification-kinds.ts";
import { openToken, signToken } from "../access/signed-token.ts";
import { parseId } from "../campaign/fields/parse-id.ts";
import { webPaths } from "../paths.ts";
import { findOrganization, type Organization } from "../storage/organizations/organizations.ts";
import type { Queries } from "../storage/queries/queries.ts";
import { Scope } from "../storage/queries/scope.ts";
import { findUser, type User } from "../storage/users/users.ts";

const purpose = "unsubscribe";

export function unsubscribeUrl(
  publicUrl: string,
  { secret, id }: Organization,
  user: Pick<User, "id">,
  kind: NotificationKind,
): string {
  return `${publicUrl}${webPaths.unsubscribe}/${signToken(`${id}-${user.id}-${kind}`, { secret, purpose })}`;
}

/** Undefined if the link was not made by this service, or the user was removed. */
export async function findUnsubscribing(
  queries: Queries,
  token: string,
): Promise<{ organization: Organization; user: User; kind: NotificationKind } | undefined> {
  const [, organizationId, userId, name] = /^(\d+)-(\d+)-(\w+)\./.exec(token) ?? [];
  const [id, kind] = [parseId(organizationId ?? ""), notificationKinds.find((each) => each === name)];
  const organization = id === undefined ? undefined : await findOrganization(new Scope(queries, id));
  if (!organization || !kind || openToken(token, { secret: organization.secret, purpose }) === undefined) {
    return undefined;
  }
  const user = await findUser(new Scope(queries, organization.id), Number(userId));
  return user && { organization, user, kind };
}
