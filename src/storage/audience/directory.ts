// The table `directory`: which groups the recipients of an organization belong to. Recipients are hashed, so it has no names.

import { sql } from "kysely";
import type { GroupsByAttribute } from "../../campaign/events/recipient.ts";
import type { Organization } from "../organizations/organizations.ts";
import { fromKeys } from "../queries/dialect-differences.ts";
import { insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

/** The groups of recipients, by their hash. Those who are not in the directory are left out. */
export async function findInDirectory(
  scope: Scope,
  { directoryVersion }: Pick<Organization, "directoryVersion">,
  hashes: readonly string[],
): Promise<Map<string, GroupsByAttribute>> {
  if (directoryVersion === 0 || hashes.length === 0) return new Map();
  const keys = hashes.toSorted().map((hash) => [directoryVersion, hash]);
  const { rows } = await sql<{ recipient: string; groups: string }>`
    select directory.recipient as recipient, directory.groups as groups
    ${fromKeys(scope, "directory", ["version", "recipient"], keys)}`.execute(scope);
  return new Map(rows.map(({ recipient, groups }) => [recipient, JSON.parse(groups)]));
}

/** Adds recipients to a version of the directory, or replaces them. */
export async function addToDirectory(
  scope: Scope,
  version: number,
  recipients: readonly { hash: string; groups: GroupsByAttribute }[],
): Promise<void> {
  const rows = recipients
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ hash, groups }) => [version, hash, groups]);
  const kinds = { version: "integer", recipient: "text", groups: "json" } as const;
  await insertRows(scope, { into: "directory", kinds, rows });
}

/** The number of recipients in the directory. */
export async function countDirectory(
  scope: Scope,
  { directoryVersion }: Pick<Organization, "directoryVersion">,
): Promise<number> {
  return scope.countRows("directory", { version: directoryVersion });
}

/** Whether any version has the recipient. */
export async function isInDirectory(scope: Scope, hash: string): Promise<boolean> {
  const row = await scope
    .from("directory")
    .select("version")
    .where("recipient", "=", hash)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a recipient from every version, so that an import that is under way does not keep it. @returns whether there was one */
export async function removeFromDirectory(scope: Scope, hash: string): Promise<boolean> {
  const { numDeletedRows } = await scope
    .delete("directory")
    .where("version", "in", (versions) =>
      versions
        .selectFrom("directory as version")
        .select("version.version")
        .distinct()
        .where("version.organization_id", "=", scope.organizationId),
    )
    .where("recipient", "=", hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Deletes up to `limit` rows of one version other than `kept`.
 *
 * @param options.only this version; undefined takes any
 * @returns whether there may be more
 */
export async function deleteOldDirectory(
  scope: Scope,
  { kept, only, limit }: { kept: number; only?: number | undefined; limit: number },
): Promise<boolean> {
  const first = (compare: "<" | ">") =>
    scope
      .from("directory")
      .select("version")
      .where("version", compare, kept)
      .orderBy("version")
      .limit(1)
      .executeTakeFirst();
  const version = only ?? ((await first("<")) ?? (await first(">")))?.version;
  if (version === undefined || version === kept) return false;
  const hasMore = await scope.deleteFirst("directory", { version }, "recipient", limit);
  return hasMore || only === undefined;
}
