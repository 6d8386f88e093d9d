// The fields of an organization that a form changes.

import type { Organization, OrganizationChange } from "../../../storage/organizations.ts";

/** Leaves out equal fields, because a changed time zone renders every record again. */
export function changedFields(before: Organization, wanted: OrganizationChange): OrganizationChange {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== before[name]).map((name) => [name, wanted[name]]),
  );
}
