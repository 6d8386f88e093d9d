// The table `rules`: which tag or team new campaigns get.

import { foldCase } from "../../campaign/fields/fold-case.ts";
import { quoteName } from "../../campaign/fields/names.ts";
import type { StoredCampaign } from "../campaigns/stored-campaign.ts";
import { objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";

/** What a rule compares. */
export const ruleFields = ["subject", "sender", "tool"] as const;

export type Rule = Omit<RowObject<"rules">, "organizationId">;

const toRule = objectsOf("rules");

/** Names a rule in the audit log. */
export const describeRule = ({ field, text }: Pick<Rule, "field" | "text">) => `${field}: ${quoteName(text)}`;

/** In the order in which they were added. Of two that set the team, the last one counts. @param values of the rules, by default of all */
export async function listRules(scope: Scope, values?: { tag_id: number }): Promise<Rule[]> {
  return (await scope.selectRows("rules", values).orderBy("created_at").orderBy("id").execute()).map(toRule);
}

export async function addRule(
  scope: Scope,
  { id, createdAt, field, text, tagId, team }: Rule,
): Promise<void> {
  await scope.insert("rules", { id, created_at: createdAt, field, text, tag_id: tagId, team }).execute();
}

/** @returns whether it existed */
export async function deleteRule(scope: Scope, id: number): Promise<boolean> {
  return (await scope.deleteRows("rules", { id })) > 0;
}

/** A subject contains the text; a sender or a tool is it. Letter case makes no difference. */
export function matchesRule(
  { field, text }: Pick<Rule, "field" | "text">,
  { campaign, origin }: Pick<StoredCampaign, "campaign" | "origin">,
): boolean {
  const wanted = foldCase(text);
  if (field === "subject") return foldCase(campaign.subject).includes(wanted);
  return foldCase((field === "sender" ? campaign.sentFrom : origin?.tool) ?? "") === wanted;
}
