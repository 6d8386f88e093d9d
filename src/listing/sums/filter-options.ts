// The values that filters offer.

import type { Tag } from "../../campaign/campaign.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findKnownValues } from "../../storage/sums/sum-queries.ts";
import { groupsOf } from "./campaign-filter.ts";

export interface FilterOptions {
  teams: readonly string[];
  sendingTypes: readonly string[];
  groups: readonly string[];
  /** The list of tags is complete. */
  tags: readonly Tag[];
}

/** Longer lists are of no use in a menu. A URL may still name any other value. */
const maxOptions = 500;

export async function findFilterOptions(scope: Scope): Promise<FilterOptions> {
  const { teams, sendingTypes, recipients } = await findKnownValues(scope);
  const groups = [...new Set(recipients.flatMap(groupsOf))];
  const listed = (values: string[]) => values.sort().slice(0, maxOptions);
  return {
    teams: listed(teams),
    sendingTypes: listed(sendingTypes),
    groups: listed(groups),
    tags: await listTags(scope),
  };
}
