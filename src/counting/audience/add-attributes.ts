// Adds attributes to an organization.

import { audienceLimits } from "../../campaign/audience/group-counts.ts";
import { findSameName } from "../../campaign/fields/names.ts";
import { AppError } from "../../errors.ts";
import { addGroup, listAttributes } from "../../storage/audience/store-groups.ts";
import type { Scope } from "../../storage/queries/scope.ts";

/**
 * Adds the attributes that the organization lacks. Campaigns that are registered, or get a list, from now on are counted
 * by them.
 *
 * @param names accepted by `normalizeName`
 * @throws AppError `conflict` if there would be too many
 */
export async function addAttributes(scope: Scope, names: readonly string[]): Promise<string[]> {
  const known = await listAttributes(scope);
  const added = names.filter((name) => findSameName(known, name) === undefined);
  if (known.length + added.length > audienceLimits.attributes) {
    const problem = `${known.length + added.length} attributes are too many`;
    throw new AppError("conflict", `${problem}; an organization may have ${audienceLimits.attributes}`);
  }
  for (const name of added) await addGroup(scope, { attributeId: undefined, name });
  return added;
}
