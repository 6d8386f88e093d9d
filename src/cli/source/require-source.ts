// Finds the source that a command names.

import { orNotFound } from "../../errors.ts";
import { findSource, type Source } from "../../storage/keys/sources.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { accepting } from "../shell/options.ts";
import { requireOrganizationForUpdate } from "../shell/shell.ts";

/** @throws AppError `not_found` if the organization has no such source */
export async function requireSource(scope: Scope, id: string): Promise<Source> {
  await requireOrganizationForUpdate(scope);
  const source = await findSource(scope.queries, id);
  return orNotFound(
    source?.organizationId === scope.organizationId && source,
    `organization ${scope.organizationId} has no source ${id}; see "email-analytics source list"`,
  );
}

export const parseSourceId = accepting(
  (text) => /^\d+-[0-9a-f]{32}$/.test(text),
  "The ID of a source is the last part of its webhook URL.",
);
