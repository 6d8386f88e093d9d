// Changes settings of the organization.

import { describeChange } from "../../../../access/audit-actions.ts";
import type { OrganizationChange } from "../../../../storage/organizations/organizations.ts";
import type { Actor } from "../../frame/page.ts";

/** Leaves out values that it has already: some changes publish every campaign again, which the writer thread does. */
export async function changeOrganization(
  { organization, write }: Actor,
  wanted: OrganizationChange,
): Promise<void> {
  const names = Object.keys(wanted) as (keyof OrganizationChange)[];
  const changed = names.filter((name) => wanted[name] !== organization[name]);
  if (changed.length === 0) return;
  const change: OrganizationChange = Object.fromEntries(changed.map((name) => [name, wanted[name]]));
  await write({ name: "change_organization", change }, ["organization.change", describeChange(change)]);
}
