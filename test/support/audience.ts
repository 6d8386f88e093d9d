// Attributes, the directory of an organization, and lists of campaigns, for tests.

import { groupCountColumns } from "../../src/campaign/audience/group-counts.ts";
import { minuteMs } from "../../src/campaign/calendar/durations.ts";
import { addAttributes } from "../../src/counting/audience/add-attributes.ts";
import { replaceDirectory } from "../../src/counting/audience/save-directory.ts";
import { saveRecipientList } from "../../src/counting/audience/save-recipients.ts";
import { findOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import type { World } from "./world.ts";

/** Adds the attributes, and replaces the directory. @param rows values by recipient and attribute */
export async function putDirectory(
  { database }: World,
  { id }: Organization,
  rows: Record<string, Record<string, string>>,
): Promise<void> {
  const names = [...new Set(Object.values(rows).flatMap((values) => Object.keys(values)))];
  await database.transactionOf(id, (scope) => addAttributes(scope, names));
  const list = Object.entries(rows).map(([recipient, values], index) => ({
    ...{ line: index + 1, recipient, values },
  }));
  await replaceDirectory(database, id, [list], async () => undefined);
}

/** Adds attributes by which campaigns are counted that are registered, or get a list, from now on. */
export async function addAttributesTo(
  { database }: World,
  { id }: Organization,
  names: readonly string[],
): Promise<void> {
  await database.transactionOf(id, (scope) => addAttributes(scope, names));
}

/** Replaces the list of a campaign. @param groups of `count` recipients with the same values, numbered as in events.ts */
export async function saveList(
  { database, clock }: World,
  { id }: Organization,
  campaignId: number,
  groups: readonly { count: number; values: Readonly<Record<string, string>> }[],
): Promise<void> {
  const rows = groups
    .flatMap(({ count, values }) => Array.from({ length: count }, () => values))
    .map((values, index) => ({
      ...{ line: index + 1, values },
      recipient: `person-${index + 1}@example.com`,
    }));
  await database.transactionOf(id, async (scope) => {
    const organization = (await findOrganization(scope)) as Organization;
    await saveRecipientList(scope, organization, { id: campaignId, rows, now: clock.now });
  });
}

/** Lets the time pass after which readers see groups that changed: a minute, or with Anonymous tracking some days. */
export async function releaseGroups(world: World, afterMs = minuteMs): Promise<void> {
  world.clock.now += afterMs;
  await world.publishDue();
}

/** Columns in the order in which a copy of a group has them, after its id. */
export const countColumns = groupCountColumns;

/** An SQL statement that copies for readers the groups that meet a condition, on SQLite. */
export const copyGroupsIf = (condition: string) =>
  `insert into released_groups select organization_id, campaign_id, attribute_id, 0,
     json_group_array(json_array(group_id, ${countColumns.join(", ")}))
   from campaign_groups where ${condition} group by organization_id, campaign_id, attribute_id`;
