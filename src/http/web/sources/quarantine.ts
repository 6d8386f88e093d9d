// What is set aside, on the page of sources: how many events wait for which campaign, since when, and why.

import { hasPermission } from "../../../access/role.ts";
import { formatSentAt } from "../../../campaign/calendar/sent-at.ts";
import type { CampaignReference } from "../../../campaign/events/event.ts";
import { problems } from "../../../counting/events/problems.ts";
import type { StoredCampaign } from "../../../storage/campaigns/campaigns.ts";
import { findCampaignsByReference } from "../../../storage/campaigns/counted-campaigns.ts";
import type { Database } from "../../../storage/database.ts";
import { countQuarantined, listQuarantineGroups, type QuarantineGroup } from "../../../storage/quarantine.ts";
import { type Html, html } from "../../html.ts";
import type { Visitor } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import { countedWords } from "../ui/number-format.ts";
import { head, numberCell, numberHead, tableOf, wordsHead } from "../ui/table.ts";

/** More of them than anybody would read say nothing more. */
const groupsMax = 50;

export interface QuarantineView {
  total: number;
  /** The largest ones. */
  groups: readonly QuarantineGroup[];
  /** Of those campaigns, the ones that there are. */
  campaigns: ReadonlyMap<CampaignReference, StoredCampaign>;
}

export async function findQuarantineView(
  database: Pick<Database, "query">,
  organizationId: number,
): Promise<QuarantineView> {
  // One after the other, so that others have their turn in between.
  const total = await database.query((queries) => countQuarantined(queries, organizationId));
  if (total === 0) return { total, groups: [], campaigns: new Map() };
  const groups = await database.query((queries) => listQuarantineGroups(queries, organizationId, groupsMax));
  const references = [...new Set(groups.flatMap(({ campaign }) => campaign ?? []))];
  const campaigns = await database.query((queries) =>
    findCampaignsByReference(queries, organizationId, references),
  );
  return { total, groups, campaigns };
}

export function quarantineSection(visitor: Visitor, { total, groups, campaigns }: QuarantineView): Html {
  if (total === 0) {
    return html`<section class="card"><h2>Set aside</h2><p>Events that cannot be counted wait here. There are none.</p></section>`;
  }
  const isAdmin = hasPermission(visitor.user.role, "admin");
  const shown = groups.reduce((sum, { events }) => sum + events, 0);
  const rest = shown < total ? `; another ${countedWords(total - shown, "event")} in smaller groups` : "";
  const caption = `By campaign and reason${rest}`;
  const heads = [
    wordsHead("Campaign"),
    wordsHead("Why"),
    numberHead("Events"),
    head("First came"),
    head("Last came"),
    isAdmin && head("Replay"),
  ];
  const rows = groups.map((group) => groupRow(visitor, group, campaigns, isAdmin));
  return html`<section class="card"><h2>Set aside</h2>
<p>${countedWords(total, "event")} could not be counted, or not yet, and ${total === 1 ? "waits" : "wait"} here. To replay is to look at them again: what can be counted now is counted, and the rest stays.</p>
${isAdmin && actionForm(visitor, { action: "replay" }, html`<p><button>Replay all</button></p>`)}
${tableOf(caption, heads, rows, "Events that are set aside")}
</section>`;
}

function groupRow(
  visitor: Visitor,
  { campaign, reason, events, oldest, newest }: QuarantineGroup,
  campaigns: QuarantineView["campaigns"],
  isAdmin: boolean,
): Html {
  const at = (instant: number) => formatSentAt(instant, visitor.organization.timeZone);
  const stored = campaign === undefined ? undefined : campaigns.get(campaign)?.campaign;
  const name = campaign === undefined ? "cannot be told" : JSON.stringify(campaign);
  const label = `Replay the events of campaign ${name}`;
  const replay =
    campaign !== undefined &&
    actionForm(
      visitor,
      { action: "replay" },
      html`<input type="hidden" name="campaign" value="${JSON.stringify(campaign)}"><button class="second" aria-label="${label}">Replay</button>`,
    );
  return html`<tr><th scope="row" class="words">${stored ? html`<a href="/campaigns/${stored.id}">${stored.subject || name}</a>` : name}</th>
<td class="words">${problems[reason].meaning}</td>
${numberCell(events)}
<td>${at(oldest)}</td><td>${at(newest)}</td>
${isAdmin && html`<td>${replay}</td>`}</tr>
`;
}
