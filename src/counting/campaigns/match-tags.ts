// Matches the tags of a campaign by name with the tags of the organization, and creates missing tags.

import { paletteColor, type Tag } from "../../campaign/campaign.ts";
import type { TagReference } from "../../campaign/parse-tags.ts";
import { addTag, findTagsByName } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { changeTag } from "./change-tag.ts";

/**
 * Existing tags keep their color. A new tag without a color gets one derived from its name.
 *
 * @param isSaid as in {@link findTagsByName}
 * @param uncolored names of tags that this import created without a color; the next color named for one of them applies
 * @returns all tags of the organization by id, and the id of each by its name
 */
export async function matchTags(
  scope: Scope,
  {
    named,
    isSaid = false,
    uncolored = new Set(),
    now,
  }: { named: readonly TagReference[]; isSaid?: boolean; uncolored?: Set<string>; now: number },
): Promise<{ tags: Map<number, Tag>; idsOf(named: readonly TagReference[]): number[] }> {
  const tags = await findTagsByName(scope, isSaid);
  for (const { name, color } of named) {
    const tag = tags.get(name);
    if (!tag) {
      tags.set(name, await addTag(scope, { name, color: color ?? paletteColor(name) }));
      if (color === null) uncolored.add(name);
    } else if (color !== null && uncolored.delete(name)) {
      await changeTag(scope, { id: tag.id, change: { color }, now });
      tags.set(name, { ...tag, color });
    }
  }
  return {
    tags: new Map(Array.from(tags.values(), (tag) => [tag.id, tag])),
    idsOf: (references) => references.map(({ name }) => (tags.get(name) as Tag).id),
  };
}
