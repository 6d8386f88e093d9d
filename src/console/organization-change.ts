// What is changed of an organization on its page: it alone meanwhile, and only what differs.

import { Refusal } from "../errors.ts";
import type { Queries } from "../storage/database.ts";
import { lockOrganization, type Organization, type OrganizationChange } from "../storage/organizations.ts";

/** The organization as it is, which nobody else changes until the transaction ends. @throws Refusal */
export async function takeOrganization(queries: Queries, id: number): Promise<Organization> {
  const organization = await lockOrganization(queries, id);
  if (organization) return organization;
  throw new Refusal("not_found", "The organization is there no more.");
}

/** What is the same is not changed again: a time zone lets every record be rendered anew. */
export function differenceOf(before: Organization, wanted: OrganizationChange): OrganizationChange {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}
