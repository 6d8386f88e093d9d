// The values that filters offer.

import type { Tag } from "../../../campaign/campaign.ts";
import type { NumbersTable } from "../../../listing/numbers/numbers-table.ts";
import type { Database } from "../../../storage/database.ts";
import { listTags } from "../../../storage/tags.ts";

export interface FilterOptions {
  teams: readonly string[];
  sendingTypes: readonly string[];
  groups: readonly string[];
  /** All of them. */
  tags: readonly Tag[];
}

/** Longer lists are of no use in a menu. A URL may still name any other value. */
const maxOptions = 500;

export async function findFilterOptions(
  database: Database,
  organizationId: number,
  { chunks }: NumbersTable,
): Promise<FilterOptions> {
  return {
    teams: optionsOf(chunks.map(({ texts }) => texts.team.values)),
    sendingTypes: optionsOf(chunks.map(({ texts }) => texts.sendingType.values)),
    groups: optionsOf(chunks.map(({ groups }) => groups.values)),
    tags: await database.query((queries) => listTags(queries, organizationId)),
  };
}

function optionsOf(columns: readonly (readonly (string | null)[])[]): string[] {
  const values = new Set(columns.flat().filter((value) => value !== null && value !== ""));
  return ([...values] as string[]).sort().slice(0, maxOptions);
}
