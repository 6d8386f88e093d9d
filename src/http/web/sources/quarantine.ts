// The quarantine on the sources page: how many events could not be counted, by campaign and reason.

import { hasPermission } from "../../../access/role.ts";
import type { CampaignReference } from "../../../campaign/events/event.ts";
import { findCampaignsByReference } from "../../../storage/campaigns/campaign-references.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../../storage/database.ts";
import { countQuarantined } from "../../../storage/quarantine/quarantine.ts";
import { listQuarantineGroups, type QuarantineGroup } from "../../../storage/quarantine/quarantine-groups.ts";
import { type Html, html } from "../../html.ts";
import type { WebSession } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import {
  cellLabel,
  columnHeader,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";

const maxGroups = 50;

interface QuarantineView {
  /** The number of quarantined events. */
  total: number;
  /** The largest groups. */
  groups: readonly QuarantineGroup[];
  /** The campaigns of the groups that exist. */
  campaigns: ReadonlyMap<CampaignReference, StoredCampaign>;
}

export async function findQuarantineView(
  database: Pick<Database, "query">,
  organizationId: number,
): Promise<QuarantineView> {
  // Separate queries, so that the database can serve other requests in between.
  const total = await database.query((queries) => countQuarantined(queries, organizationId));
  if (total === 0) return { total, groups: [], campaigns: new Map() };
  const groups = await database.query((queries) => listQuarantineGroups(queries, organizationId, maxGroups));
  const references = [...new Set(groups.flatMap(({ campaign }) => campaign ?? []))];
  const campaigns = await database.query((queries) =>
    findCampaignsByReference(queries, organizationId, references),
  );
  return { total, groups, campaigns };
}

/** Only admins see the Replay buttons, and only where a replay may count something. */
export function quarantineSection(session: WebSession, { total, groups, campaigns }: QuarantineView): Html {
  const { locale } = session;
  const { strings } = locale;
  const heading = html`<h2>${strings.sources.quarantine}</h2>`;
  if (total === 0)
    return html`<section class="card">${heading}<p>${strings.sources.noQuarantined}</p></section>`;
  const shown = groups.reduce((sum, { events }) => sum + events, 0);
  const mayCount = total > shown || groups.some((group) => mayCountNow(group, campaigns));
  const canReplay = mayCount && hasPermission(session.user.role, "admin");
  const headers = [
    textColumnHeader(strings.sources.campaign),
    textColumnHeader(strings.sources.reason),
    numberColumnHeader(strings.sources.events),
    columnHeader(strings.sources.firstReceived),
    columnHeader(strings.sources.lastReceived),
    canReplay && columnHeader(strings.sources.replay),
  ];
  const rows = groups.map((group) => groupRow(session, group, campaigns, canReplay));
  const { quarantineCaption, otherGroups } = strings.sources;
  const caption = total === shown ? quarantineCaption : otherGroups(total - shown);
  const button = html`<p><button>${strings.sources.replayAll}</button></p>`;
  return html`<section class="card">${heading}
<p>${strings.sources.quarantined(total)} ${mayCount ? strings.sources.replayHelp : strings.sources.nothingCounts}</p>
${canReplay && actionForm(session, { action: "replay" }, button)}
${renderTable(caption, headers, rows, { name: strings.sources.quarantine, isStacked: true })}
</section>`;
}

/** Whether the campaign of the events counts: it is registered and open. Events that cannot be read never count. */
function mayCountNow({ campaign, reason }: QuarantineGroup, campaigns: QuarantineView["campaigns"]): boolean {
  const counting = campaign === undefined ? undefined : campaigns.get(campaign)?.counting;
  return reason !== "unreadable" && counting?.closedAt === null;
}

function groupRow(
  session: WebSession,
  group: QuarantineGroup,
  campaigns: QuarantineView["campaigns"],
  canReplay: boolean,
): Html {
  const { campaign, reason, events, oldest, newest } = group;
  const { locale, organization } = session;
  const { strings, format } = locale;
  const formatTime = (at: number) => format.dateTime(at, organization.timeZone);
  const stored = campaign === undefined ? undefined : campaigns.get(campaign)?.campaign;
  const name = campaign === undefined ? strings.sources.unknownCampaign : JSON.stringify(campaign);
  const label = strings.sources.replayCampaign(name);
  const replay =
    mayCountNow(group, campaigns) &&
    actionForm(
      session,
      { action: "replay" },
      html`<input type="hidden" name="campaign" value="${JSON.stringify(campaign)}"><button class="second" aria-label="${label}">${strings.sources.replay}</button>`,
    );
  return html`<tr><th scope="row" class="text">${stored ? html`<a href="/campaigns/${stored.id}">${stored.subject || name}</a>` : name}</th>
<td class="text wide"${cellLabel(strings.sources.reason)}>${strings.problems[reason]}</td>
${numberCell(locale, events, strings.sources.events)}
<td${cellLabel(strings.sources.firstReceived)}>${formatTime(oldest)}</td><td${cellLabel(strings.sources.lastReceived)}>${formatTime(newest)}</td>
${canReplay && html`<td>${replay}</td>`}</tr>
`;
}
