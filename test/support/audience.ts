// The directory of an organization, for tests.

import { addAttributes } from "../../src/counting/audience/add-attributes.ts";
import { replaceDirectory } from "../../src/counting/audience/save-directory.ts";
import type { Organization } from "../../src/storage/organizations.ts";
import type { World } from "./world.ts";

/** Adds the attributes, and replaces the directory. @param rows values by recipient and attribute */
export async function putDirectory(
  { database }: World,
  { id }: Organization,
  rows: Record<string, Record<string, string>>,
): Promise<void> {
  const names = [...new Set(Object.values(rows).flatMap((values) => Object.keys(values)))];
  await database.transaction((queries) => addAttributes(queries, id, names));
  const list = Object.entries(rows).map(([recipient, values], index) => ({
    ...{ line: index + 1, recipient, values },
  }));
  await replaceDirectory(database, id, list, async () => undefined);
}
