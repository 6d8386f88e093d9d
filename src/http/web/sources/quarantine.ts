// The quarantine on the sources page: how many events could not be counted, by campaign and reason.

import { hasPermission } from "../../../access/role.ts";
import type { CampaignReference } from "../../../campaign/events/event.ts";
import { findUnreadableFields } from "../../../counting/events/describe-quarantined-event.ts";
import { problems } from "../../../counting/events/problems.ts";
import { findCampaignsByReference } from "../../../storage/campaigns/campaign-references.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Database, Queries } from "../../../storage/database.ts";
import type { Organization } from "../../../storage/organizations.ts";
import { countQuarantined, readQuarantined } from "../../../storage/quarantine/quarantine.ts";
import { listQuarantineGroups, type QuarantineGroup } from "../../../storage/quarantine/quarantine-groups.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import type { WebSession } from "../page.ts";
import { actionForm } from "../ui/form.ts";
import { subjectOf } from "../ui/subject.ts";
import {
  cellLabel,
  columnHeader,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";

const maxGroups = 50;

/** Groups of unreadable events of which one is decrypted. */
const maxExplained = 10;

type UnreadableFields = ReturnType<typeof findUnreadableFields>;

interface QuarantineView {
  /** The number of quarantined events. */
  total: number;
  /** The largest groups. */
  groups: readonly QuarantineGroup[];
  /** The campaigns of the groups that exist. */
  campaigns: ReadonlyMap<CampaignReference, StoredCampaign>;
  /** The wrong or missing fields of the first event of a group. */
  unreadable: ReadonlyMap<QuarantineGroup, UnreadableFields>;
}

export async function findQuarantineView(
  database: Pick<Database, "query">,
  organization: Organization,
): Promise<QuarantineView> {
  const organizationId = organization.id;
  // Separate queries, so that the database can serve other requests in between.
  const total = await database.query((queries) => countQuarantined(queries, organizationId));
  if (total === 0) return { total, groups: [], campaigns: new Map(), unreadable: new Map() };
  const groups = await database.query((queries) => listQuarantineGroups(queries, organizationId, maxGroups));
  const references = [...new Set(groups.flatMap(({ campaign }) => campaign ?? []))];
  const campaigns = await database.query((queries) =>
    findCampaignsByReference(queries, organizationId, references),
  );
  const unreadable = new Map<QuarantineGroup, UnreadableFields>();
  for (const group of groups.filter(({ reason }) => reason === "unreadable").slice(0, maxExplained)) {
    const [event] = await database.query((queries) => readFirstOf(queries, organizationId, group));
    if (event) unreadable.set(group, findUnreadableFields(organization, event));
  }
  return { total, groups, campaigns, unreadable };
}

function readFirstOf(queries: Queries, organizationId: number, { campaign, reason }: QuarantineGroup) {
  const filter = { campaigns: [campaign], reason };
  return readQuarantined(queries, organizationId, { filter, after: undefined, limit: 1 });
}

/** Only admins see the Replay buttons, and only where a replay may count something. */
export function quarantineSection(session: WebSession, view: QuarantineView): Html {
  const { total, groups, campaigns } = view;
  const { locale } = session;
  const { t } = locale;
  const heading = html`<h2>${t("sources.quarantine")}</h2>`;
  if (total === 0)
    return html`<section class="card">${heading}<p>${t("sources.noQuarantined")}</p></section>`;
  const shown = groups.reduce((sum, { events }) => sum + events, 0);
  const mayCount = total > shown || groups.some((group) => mayCountNow(group, campaigns));
  const canReplay = mayCount && hasPermission(session.user.role, "admin");
  const headers = [
    textColumnHeader(t("sources.campaign")),
    textColumnHeader(t("sources.reason")),
    numberColumnHeader(t("sources.events")),
    columnHeader(t("sources.firstReceived")),
    columnHeader(t("sources.lastReceived")),
    canReplay && columnHeader(t("sources.replay")),
  ];
  const rows = groups.map((group) => groupRow(session, group, view, canReplay));
  const caption =
    total === shown ? t("sources.quarantineCaption") : t("sources.otherGroups", { events: total - shown });
  const button = html`<p><button>${t("sources.replayAll")}</button></p>`;
  return html`<section class="card">${heading}
<p>${t("sources.quarantined", { events: total })} ${mayCount ? t("sources.replayHelp") : t("sources.nothingCounts")}</p>
${canReplay && actionForm(session, { action: "replay" }, button)}
${renderTable(caption, headers, rows, { name: t("sources.quarantine"), isStacked: true })}
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
  { campaigns, unreadable }: QuarantineView,
  canReplay: boolean,
): Html {
  const { campaign, reason, events, oldest, newest } = group;
  const { locale, organization } = session;
  const { t, translate, format } = locale;
  const formatTime = (at: number) => format.dateTime(at, organization.timeZone);
  const stored = campaign === undefined ? undefined : campaigns.get(campaign)?.campaign;
  const name = campaign === undefined ? t("sources.unknownCampaign") : JSON.stringify(campaign);
  const label = t("sources.replayCampaign", { name });
  const replay =
    mayCountNow(group, campaigns) &&
    actionForm(
      session,
      { action: "replay" },
      html`<input type="hidden" name="campaign" value="${JSON.stringify(campaign)}"><button class="second" aria-label="${label}">${t("sources.replay")}</button>`,
    );
  return html`<tr><th scope="row" class="text">${stored ? html`<a href="/campaigns/${stored.id}">${stored.subject ? subjectOf(locale, stored) : name}</a>` : name}</th>
<td class="text wide"${cellLabel(t("sources.reason"))}>${translate(`problems.${reason}`, problems[reason].meaning)}${unreadableFields(locale, unreadable.get(group))}</td>
${numberCell(locale, events, t("sources.events"))}
<td${cellLabel(t("sources.firstReceived"))}>${formatTime(oldest)}</td><td${cellLabel(t("sources.lastReceived"))}>${formatTime(newest)}</td>
${canReplay && html`<td>${replay}</td>`}</tr>
`;
}

/** The accepted values are in English, as in error messages. */
function unreadableFields({ t }: Locale, fields: UnreadableFields = []): HtmlValue {
  if (fields.length === 0) return false;
  const items = fields.map(
    ({ field, accepted }, index) =>
      html`${index > 0 && "; "}<code>${field}</code> <span lang="en">(${accepted})</span>`,
  );
  return html` <span class="soft">${t("sources.firstUnreadable")} ${items}</span>`;
}
