// Tags come with campaigns, by name: the organization's own, or new ones.

import { paletteColor, type Tag } from "../../campaign/campaign.ts";
import type { TagReference } from "../../campaign/named-tags.ts";
import type { Queries } from "../../storage/database.ts";
import { addTag, changeTag, listTags } from "../../storage/tags.ts";

/** The organization's tags by name; those it does not have yet are made, with their colour or one for their name. */
export async function matchTags(
  queries: Queries,
  {
    organizationId,
    named,
    uncolored,
    now,
  }: { organizationId: number; named: readonly TagReference[]; uncolored: Set<string>; now: number },
): Promise<Map<string, Tag>> {
  const tags = new Map((await listTags(queries, organizationId)).map((tag) => [tag.name, tag]));
  for (const { name, color } of named) {
    const tag = tags.get(name);
    if (!tag) {
      tags.set(name, await addTag(queries, { organizationId, name, color: color ?? paletteColor(name) }));
      if (color === null) uncolored.add(name);
    } else if (color !== null && uncolored.delete(name)) {
      await changeTag(queries, { organizationId, id: tag.id, change: { color }, now });
      tags.set(name, { ...tag, color });
    }
  }
  return tags;
}
