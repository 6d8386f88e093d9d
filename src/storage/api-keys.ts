// The table `api_keys`: who may read an organization's records, and who may send events. A key is shown once and kept as a hash.

import { hash } from "node:crypto";
import { type ApiKey, apiKeyBeginning, type KeyScope, newApiKey } from "../api-key.ts";
import type { Queries } from "./database.ts";
import { nextId } from "./ids.ts";
import { type Organization, toOrganization } from "./organizations.ts";
import { prepare } from "./prepared.ts";

export interface StoredApiKey {
  id: number;
  name: string;
  /** The first characters of the key, to recognise it by. */
  beginning: string;
  scope: KeyScope;
  createdAt: number;
}

/** Makes a key. Its text is returned this once and never again. */
export async function addApiKey(
  queries: Queries,
  {
    organizationId,
    name,
    scope = "read",
    region,
    now,
  }: { organizationId: number; name: string; scope?: KeyScope; region: string; now: number },
): Promise<{ id: number; text: string }> {
  const id = await nextId(queries, "api_keys");
  const text = newApiKey(region, organizationId);
  await queries
    .insertInto("api_keys")
    .values({
      organization_id: organizationId,
      id,
      name,
      beginning: apiKeyBeginning(text),
      hash: hashOf(text),
      scope,
      created_at: now,
    })
    .execute();
  return { id, text };
}

export async function listApiKeys(queries: Queries, organizationId: number): Promise<StoredApiKey[]> {
  return queries
    .selectFrom("api_keys")
    .select(["id", "name", "beginning", "scope", "created_at as createdAt"])
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();
}

const selectOrganizationOfKey = prepare((queries) =>
  queries
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .selectAll("organizations")
    .select("api_keys.scope")
    .where("api_keys.organization_id", "=", 0)
    .where("api_keys.hash", "=", "")
    .compile(),
);

/** The organization that a key opens, as it is now, and which door; undefined when the key was deleted or never made. */
export async function findOrganizationOfKey(
  queries: Queries,
  key: ApiKey,
): Promise<{ organization: Organization; scope: KeyScope } | undefined> {
  const [row] = await selectOrganizationOfKey(queries, [key.organizationId, hashOf(key.text)]);
  return row && { organization: toOrganization(row), scope: row.scope };
}

/** The next request with the key is refused. Returns whether there was such a key. */
export async function deleteApiKey(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom("api_keys")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** 190 random bits cannot be guessed, so no slow hash is needed; and a hash in an index leaks nothing by its timing. */
function hashOf(text: string): string {
  return hash("sha256", text);
}
