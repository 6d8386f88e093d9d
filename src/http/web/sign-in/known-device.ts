// Known devices: browsers from which a user signed in before. Failures elsewhere do not make them wait.

import type { FastifyRequest } from "fastify";
import { isGenuineDeviceToken, type KnownDevice, parseDeviceToken } from "../../../access/device-token.ts";
import type { Caller } from "../../../limits/limit-fairly.ts";
import { findOrganization } from "../../../storage/organizations/organizations.ts";
import { findCredentials } from "../../../storage/users/second-factors.ts";
import { findUser, type User } from "../../../storage/users/users.ts";
import { networkOf } from "../../request/network-of.ts";
import type { GuestRequest } from "../frame/begin-session.ts";

/** Returns the device of a request if the user with this email signed in from it before, with today's password and second factor. */
export async function findKnownDevice(
  { request, database, cookies }: GuestRequest,
  email: string,
): Promise<KnownDevice | undefined> {
  const token = cookies.read(request, "device");
  const device = parseDeviceToken(token);
  if (!device) return undefined;
  return database.queryOf(device.organizationId, async (scope) => {
    const user = await findUser(scope, device.userId);
    if (user?.email !== email) return undefined;
    const organization = await findOrganization(scope);
    const secret = organization && organization.secret + (await findCredentials(scope, user));
    return secret && isGenuineDeviceToken(token, secret) ? device : undefined;
  });
}

/** Who waits for the password check of a sign-in. */
export function callerOf({ ip }: FastifyRequest, device: KnownDevice | undefined): Caller {
  if (!device) return { key: networkOf(ip), isKnown: false };
  return userAsCaller({ organizationId: device.organizationId, id: device.userId });
}

/** Who waits for a password hash after proving to be the user. */
export function userAsCaller({ organizationId, id }: Pick<User, "organizationId" | "id">): Caller {
  return { key: `${organizationId}.${id}`, isKnown: true };
}
