// What an edit of many campaigns or a rule changes of one campaign.

import type { Tag } from "../../campaign/campaign.ts";
import { readAllCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Author, StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { CampaignsEdit } from "../../storage/imports/imports.ts";
import { matchesRule, type Rule } from "../../storage/organizations/rules.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { correct } from "./corrections.ts";

/** @returns undefined if the campaign is as the edit wants it */
export function edited<Stored extends Omit<StoredCampaign, "publishAt">>(
  stored: Stored,
  {
    edit: { add, remove, team },
    author,
    tags,
  }: { edit: CampaignsEdit; author: Author; tags: ReadonlyMap<number, Tag> },
): Stored | undefined {
  const { campaign, corrections } = stored;
  const ids = stored.tags.map(({ id }) => id);
  // A rule changes nothing that a person has set.
  const mayAdd =
    add &&
    !ids.includes(add.id) &&
    tags.has(add.id) &&
    !(author.isRule && corrections.tags?.removed.includes(add.id));
  const mayRemove = remove && ids.includes(remove.id);
  const maySet =
    team !== undefined &&
    team !== campaign.team &&
    !(author.isRule && corrections.team && !corrections.team.isRule);
  if (!mayAdd && !mayRemove && !maySet) return undefined;
  const tagIds = [...ids.filter((id) => !mayRemove || id !== remove.id), ...(mayAdd ? [add.id] : [])];
  return correct(stored, { campaign: maySet ? { ...campaign, team } : campaign, tagIds }, { author }, tags);
}

/** Applies the rules of an organization to a new campaign. */
export function applyRules<Stored extends Omit<StoredCampaign, "publishAt">>(
  stored: Stored,
  rules: readonly Rule[],
  { tags, now }: { tags: ReadonlyMap<number, Tag>; now: number },
): Stored {
  let ruled = stored;
  for (const rule of rules.filter((each) => matchesRule(each, stored))) {
    const edit = editOf(rule, tags);
    ruled = edited(ruled, { edit, author: { at: now, by: "", ...edit.author }, tags }) ?? ruled;
  }
  return ruled;
}

/** The edit that a rule wants. */
export function editOf({ field, text, tagId, team }: Rule, tags: ReadonlyMap<number, Tag>): CampaignsEdit {
  const tag = tags.get(tagId ?? 0);
  return {
    ...(tag && { add: { id: tag.id, name: tag.name } }),
    ...(team !== null && { team }),
    author: { by: `${field}: ${text}`, isRule: true },
  };
}

/** The ids of the campaigns that a rule would change. @param all tags of the organization */
export async function findRuleChanges(scope: Scope, rule: Rule, all: readonly Tag[]): Promise<number[]> {
  const tags = new Map(all.map((tag) => [tag.id, tag]));
  const edit = editOf(rule, tags);
  const options = { edit, author: { at: 0, by: "", ...edit.author }, tags };
  return findMatching(scope, rule, (stored) => edited(stored, options) !== undefined);
}

/** The ids of the campaigns that match. */
export async function findMatching(
  scope: Scope,
  condition: Pick<Rule, "field" | "text">,
  isWanted: (stored: StoredCampaign) => boolean = () => true,
): Promise<number[]> {
  const ids: number[] = [];
  for await (const stored of readAllCampaigns(scope))
    if (matchesRule(condition, stored) && isWanted(stored)) ids.push(stored.campaign.id);
  return ids;
}
