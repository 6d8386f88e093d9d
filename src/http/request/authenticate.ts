// Authenticates the caller of a request: from its API key to its organization.

import type { FastifyRequest } from "fastify";
import type { KeyScope } from "../../access/api-key.ts";
import { AppError } from "../../errors.ts";
import { findOrganizationOfKey } from "../../storage/keys/api-keys.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { type ApiCaller, callerOf } from "./credentials.ts";
import type { KeyUsage } from "./key-usage.ts";
import { addToLog } from "./log.ts";

export interface AuthenticateOptions {
  database: Database;
  keyUsage: KeyUsage;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Finds the organization of a key and notes that the key was used. Nothing is cached: a deleted key is rejected by the
 * very next request.
 *
 * @param scope that the key needs
 * @throws AppError `unauthorized` if the key does not exist or has expired, `forbidden` if it has another scope
 */
export async function authenticate(
  { database, keyUsage, now }: AuthenticateOptions,
  { key, client }: ApiCaller,
  scope: KeyScope,
): Promise<{ organization: Organization; keyName: string; sender: number }> {
  const apiKey = await database.query((queries) => findOrganizationOfKey(queries, key));
  if (!apiKey) {
    throw new AppError(
      "unauthorized",
      "The API key does not exist; it may have been deleted. Create a new key in Settings, Integrations, Analytics API.",
    );
  }
  const { organization, keyId, keyName, sender, expiresAt } = apiKey;
  if (expiresAt !== null && expiresAt <= now()) {
    throw new AppError(
      "unauthorized",
      `The API key expired at ${new Date(expiresAt).toISOString()}. Create a new key in Settings, Integrations, Analytics API.`,
    );
  }
  if (apiKey.scope !== scope) {
    throw new AppError(
      "forbidden",
      `The API key has the scope "${apiKey.scope}". Use a key with the scope "${scope}".`,
    );
  }
  keyUsage.note(organization.id, keyId, { at: now(), client });
  return { organization, keyName, sender };
}

/** The organization that a request may read, which its log line then has. */
export async function findReader(
  options: AuthenticateOptions & { region: string },
  request: FastifyRequest,
): Promise<Organization> {
  const { organization } = await authenticate(options, callerOf(request.raw, options.region), "read");
  addToLog(request, { organization: organization.id });
  return organization;
}
