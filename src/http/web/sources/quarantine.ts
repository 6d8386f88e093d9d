// The quarantine on the sources page: how many events could not be counted, by campaign and reason.

import type { CampaignReference } from "../../../campaign/events/event.ts";
import { findUnreadableFields } from "../../../counting/events/describe-quarantined-event.ts";
import { problems } from "../../../counting/events/problems.ts";
import { isAlmostFull } from "../../../counting/events/quarantine-events.ts";
import { type Html, type HtmlValue, html, joinHtml } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { findCampaignsByReference } from "../../../storage/campaigns/campaign-references.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../../../storage/organizations/organizations.ts";
import { countQuarantined, readQuarantined } from "../../../storage/quarantine/quarantine.ts";
import type { QuarantineFilter } from "../../../storage/quarantine/quarantine-filter.ts";
import { type QuarantineGroup, summarizeQuarantine } from "../../../storage/quarantine/quarantine-groups.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { WebSession } from "../frame/page.ts";
import { megabytes } from "../import/upload-form.ts";
import { hiddenField } from "../ui/forms/field.ts";
import { actionForm } from "../ui/forms/form.ts";
import { dataTable } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";
import { subjectOf } from "../ui/texts/subject.ts";

const maxGroups = 50;

/** Groups of unreadable events of which one is decrypted. */
const maxExplained = 10;

type UnreadableFields = ReturnType<typeof findUnreadableFields>;

interface QuarantineView {
  /** The number of quarantined events. */
  total: number;
  bytes: number;
  /** The largest groups. */
  groups: readonly QuarantineGroup[];
  /** The campaigns of the groups that exist. */
  campaigns: ReadonlyMap<CampaignReference, StoredCampaign>;
  /** The wrong or missing fields of the first event of a group. */
  unreadable: ReadonlyMap<QuarantineGroup, UnreadableFields>;
}

export async function findQuarantineView(
  scope: Scope,
  organization: Organization,
  filter: QuarantineFilter = {},
): Promise<QuarantineView> {
  const { events: total, bytes } = await countQuarantined(scope, filter);
  if (total === 0) return { total, bytes, groups: [], campaigns: new Map(), unreadable: new Map() };
  const groups = await summarizeQuarantine(scope, filter, maxGroups);
  const campaigns = await findCampaignsByReference(scope, [
    ...new Set(groups.flatMap(({ campaign }) => campaign ?? [])),
  ]);
  const unreadable = new Map<QuarantineGroup, UnreadableFields>();
  for (const group of groups.filter(({ reason }) => reason === "unreadable").slice(0, maxExplained)) {
    const [event] = await readFirstOf(scope, group);
    if (event) unreadable.set(group, findUnreadableFields(organization, event));
  }
  return { total, bytes, groups, campaigns, unreadable };
}

function readFirstOf(scope: Scope, { campaign, reason }: QuarantineGroup) {
  return readQuarantined(scope, { filter: { campaigns: [campaign], reason }, after: undefined, limit: 1 });
}

/** Only admins see the buttons, and those to replay only where a replay may count something. */
export function quarantineSection(session: WebSession, view: QuarantineView, maxBytes: number): Html {
  const { total, bytes, groups, campaigns } = view;
  const { isAdmin, t } = session;
  const heading = html`<h2>${t("sources.quarantine")}</h2>`;
  if (total === 0)
    return html`<section class="card">${heading}<p>${t("sources.noQuarantined")}</p></section>`;
  const mayCount = total > countShown(view) || groups.some((group) => mayCountNow(group, campaigns));
  const replayAll = html`<button class="second">${t("sources.replayAll")}</button>`;
  const discardAll = html`<button class="second">${t("sources.discardAll")}</button>`;
  return html`<section class="card">${heading}
<p>${t("sources.quarantined", { events: total })} ${mayCount ? t("sources.replayHelp") : t("sources.nothingCounts")}</p>
${isAlmostFull(bytes, maxBytes) && html`<p class="warning">${t("sources.quarantineFull", { size: megabytes(bytes), max: megabytes(maxBytes) })}</p>`}
${isAdmin && html`<div class="row">${mayCount && actionForm(session, "replay", replayAll)}${actionForm(session, "discard", discardAll)}</div>`}
${quarantineTable(session, view, isAdmin ? (group) => groupActions(session, group, campaigns) : undefined)}
</section>`;
}

const countShown = ({ groups }: QuarantineView) => groups.reduce((sum, { events }) => sum + events, 0);

/** The largest groups, with their problems. @param actions the last column, if there is one */
export function quarantineTable(
  session: WebSession,
  view: QuarantineView,
  actions?: (group: QuarantineGroup) => Html,
): Html {
  const { t } = session;
  const rows = view.groups.map((group) => [
    ...groupCells(session, group, view.unreadable.get(group), view.campaigns),
    ...(actions ? [actions(group)] : []),
  ]);
  const others = view.total - countShown(view);
  const caption =
    others === 0 ? t("sources.quarantineCaption") : t("sources.otherGroups", { events: others });
  return dataTable(
    caption,
    [
      t("sources.campaign"),
      t("sources.reason"),
      t("sources.events"),
      t("sources.firstReceived"),
      t("sources.lastReceived"),
      ...(actions ? [t("people.actions")] : []),
    ],
    rows,
    { name: t("sources.quarantine"), classes: ["text", "text", "number", "", "", "bare"], isStacked: true },
  );
}

function groupActions(
  session: WebSession,
  group: QuarantineGroup,
  campaigns: QuarantineView["campaigns"],
): Html {
  const { t } = session;
  const { campaign, reason } = group;
  const name = nameOf(session, campaign);
  const field = hiddenField("campaign", JSON.stringify(campaign ?? null));
  const replay = html`<button class="second" aria-label="${t("sources.replayCampaign", { name })}">${t("sources.replay")}</button>`;
  const discard = html`<button class="second" aria-label="${t("sources.discardCampaign", { name })}">${t("sources.discard")}</button>`;
  const reasonField = hiddenField("reason", reason);
  const register =
    reason === "unknown_campaign" &&
    campaign !== undefined &&
    html`<a class="button second" href="${webPaths.registerCampaign}?${typeof campaign === "number" ? "id" : "external_id"}=${encodeURIComponent(campaign)}">${t("campaign.registerButton")}</a>`;
  return html`<div class="row">${register}${mayCountNow(group, campaigns) && actionForm(session, "replay", field, replay)}${actionForm(session, "discard", field, reasonField, discard)}</div>`;
}

const nameOf = ({ t }: Locale, campaign: CampaignReference | undefined) =>
  campaign === undefined ? t("sources.unknownCampaign") : JSON.stringify(campaign);

/** Whether the campaign of the events counts: it is registered and open. Events that cannot be read never count. */
function mayCountNow({ campaign, reason }: QuarantineGroup, campaigns: QuarantineView["campaigns"]): boolean {
  const counting = campaign === undefined ? undefined : campaigns.get(campaign)?.counting;
  return reason !== "unreadable" && counting?.closedAt === null;
}

function groupCells(
  session: WebSession,
  { campaign, reason, ...group }: QuarantineGroup,
  unreadable: UnreadableFields | undefined,
  campaigns: QuarantineView["campaigns"],
): HtmlValue[] {
  const { translate, timeText } = session;
  const stored = campaign === undefined ? undefined : campaigns.get(campaign)?.campaign;
  const name = nameOf(session, campaign);
  return [
    stored
      ? html`<a href="/campaigns/${stored.id}">${stored.subject ? subjectOf(session, stored) : name}</a>`
      : name,
    html`${translate(`problems.${reason}`, problems[reason].meaning)}${unreadableFields(session, unreadable)}`,
    numberOrDash(session, "count", group.events),
    timeText(group.oldest),
    timeText(group.newest),
  ];
}

/** The accepted values are in English, as in error messages. */
function unreadableFields({ t }: Locale, fields: UnreadableFields = []): HtmlValue {
  if (fields.length === 0) return false;
  const items = fields.map(
    ({ field, accepted }) => html`<code>${field}</code> <span lang="en">(${accepted})</span>`,
  );
  return html` <span class="soft">${t("sources.firstUnreadable")} ${joinHtml(items, "; ")}</span>`;
}
