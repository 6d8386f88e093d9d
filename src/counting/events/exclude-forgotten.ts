// Excludes the events of forgotten recipients, so that nothing of them is counted or quarantined, nor their ids used up.

import { findRecipients } from "../../storage/ledgers/recipients.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CountableEvent, forgottenNameOf } from "./countable-event.ts";
import type { ExcludedEvent } from "./exclude-events.ts";

/** Gives such events the reason `forgotten`, and moves the countable ones to the excluded ones. */
export async function excludeForgotten(
  scope: Scope,
  organization: Organization,
  { countable, excluded }: { countable: CountableEvent[]; excluded: ExcludedEvent[] },
): Promise<void> {
  const candidates = [...countable, ...excluded].flatMap((event) => {
    const campaign = "campaign" in event ? event.campaign : event;
    const { stored, ledger } = campaign ?? {};
    if (!stored || !ledger || ("reason" in event && event.reason === "wrong_sender")) return [];
    const name = forgottenNameOf(organization, event.classified, { stored, ledger });
    return name === undefined ? [] : [{ event, ledgerId: ledger.id, name }];
  });
  if (candidates.length === 0) return;
  const found = await findRecipients(scope, candidates);
  const forgotten = new Set(found.map(({ ledgerId, name }) => `${ledgerId} ${name}`));
  for (const { event, ledgerId, name } of candidates) {
    if (!forgotten.has(`${ledgerId} ${name}`)) continue;
    if ("campaign" in event) event.reason = "forgotten";
    else {
      const { classified, stored, ledger } = countable.splice(
        countable.indexOf(event),
        1,
      )[0] as CountableEvent;
      excluded.push({ classified, campaign: { stored, ledger }, reason: "forgotten" });
    }
  }
}
