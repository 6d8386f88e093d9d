// Of what is wanted of an organization, what differs from how it is.

import type { Organization, OrganizationChange } from "../../../storage/organizations.ts";

/** What is the same is not changed again: a time zone lets every record be rendered anew. */
export function differenceOf(before: Organization, wanted: OrganizationChange): OrganizationChange {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}
