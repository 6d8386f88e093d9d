// Counts the recipients of a campaign by the combination of all their groups.

import { sql } from "kysely";
import type { Combination } from "../../campaign/audience/known-parts.ts";
import type { GroupsByAttribute, Recipient } from "../../campaign/events/recipient.ts";
import { contribution } from "../../campaign/events/tally.ts";
import { jsonMember } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** The combinations of a ledger. Recipients who answered have one of their own for each state. */
export async function findCombinations(scope: Scope, ledgerId: number): Promise<Combination[]> {
  // Quotes within texts are escaped in JSON, so that this finds the key alone.
  const { rows } = await sql<{ groups: string; answers: string | null; recipients: number; active: number }>`
    select groups, answers, count(*) as recipients, sum(case when opened > 0 then 1 else 0 end) as active
    from (select ${jsonMember(scope, "state", "groups")} as groups, opened,
        case when state like '%"surveys":%' then state end as answers
      from recipients where organization_id = ${scope.organizationId} and ledger_id = ${ledgerId}) as listed
    where groups is not null group by groups, answers`.execute(scope);
  return rows.map(({ groups, answers, ...counts }) => {
    const [recipients, active] = [Number(counts.recipients), Number(counts.active)];
    const { enpsReactions } = contribution(
      answers === null ? {} : (JSON.parse(answers) as Recipient),
      "people",
    );
    const own = JSON.parse(groups) as GroupsByAttribute;
    return { groups: own, recipients, active, enpsReactions: recipients * enpsReactions };
  });
}
