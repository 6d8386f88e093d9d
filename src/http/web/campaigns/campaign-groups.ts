// The tab with the results of a campaign by an attribute of its recipients, such as their department.

import { type CopiedGroup, restId } from "../../../campaign/audience/copy-groups.ts";
import { sumsOfGroup } from "../../../campaign/audience/group-sums.ts";
import { dayMs } from "../../../campaign/calendar/durations.ts";
import { hasNames, minRatingsOf } from "../../../campaign/release-answers.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type AudienceGroup, listGroups } from "../../../storage/audience/groups.ts";
import { findCopies } from "../../../storage/audience/released-groups.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { emptyState } from "../ui/empty-state.ts";
import { attributeMenu, chooseAttribute, groupName, rateCell } from "../ui/group-cells.ts";
import { noValue } from "../ui/number-or-dash.ts";
import {
  barCell,
  cellLabel,
  numberCell,
  numberColumnHeader,
  renderTable,
  textColumnHeader,
} from "../ui/table.ts";
import type { WebContext } from "../web-context.ts";
import { type CampaignView, tabUrl } from "./campaign-view.ts";

interface ShownGroup extends AudienceGroup {
  counted: CopiedGroup;
  sums: Sums;
}

export async function groupsTab(view: CampaignView, { database }: WebContext): Promise<Html> {
  const { session, stored, traffic } = view;
  const { t } = session.locale;
  const { id } = session.organization;
  const { names, counted } = await database.snapshot(async (queries) => ({
    names: new Map((await listGroups(queries, id)).map((group) => [group.id, group])),
    counted: await findCopies(queries, id, [stored.campaign.id]),
  }));
  const attributes = (stored.counting?.attributeIds ?? []).flatMap((each) => names.get(each) ?? []);
  const attribute = chooseAttribute(attributes, view.query);
  const own = counted.filter(({ attributeId }) => attributeId === attribute?.id);
  if (!attribute || own.length === 0) return noGroups(view, attribute);
  const groups = own
    .flatMap((group): ShownGroup[] => {
      const named = names.get(group.groupId);
      return named ? [{ ...named, counted: group, sums: sumsOfGroup(group, traffic) }] : [];
    })
    .sort(compareGroups);
  const choice = attributeMenu(
    session.locale,
    attributes,
    attribute,
    (each) => `${tabUrl(view, { tab: "audience" })}&attribute=${each.id}#menu-attribute`,
  );
  const title = t("audience.by", { attribute: attribute.name });
  return html`<section class="card"><div class="list-head"><h2>${title}</h2>${choice}</div>
${groups.length > 0 && groupsTable(view, attribute, groups)}${notes(view, own)}</section>`;
}

function noGroups({ session, stored }: CampaignView, attribute: AudienceGroup | undefined): Html {
  const { locale, organization } = session;
  const { t } = locale;
  const isLater = attribute !== undefined && !hasNames(stored.campaign);
  return emptyState({
    ...{ icon: "people", title: t("audience.noGroups") },
    text: isLater ? t("audience.copies", { min: organization.minGroup }) : t("audience.noGroupsHint"),
  });
}

/** By the open rate, which all campaigns of one list have, or the opens. Recipients without a value are last. */
function compareGroups(a: ShownGroup, b: ShownGroup): number {
  const isUnknown = ({ id, attributeId }: AudienceGroup) => Number(id === attributeId);
  const rateOf = ({ sums }: ShownGroup) => coveredRateOf(sums, "openRate").rate ?? 0;
  return isUnknown(a) - isUnknown(b) || rateOf(b) - rateOf(a) || a.name.localeCompare(b.name);
}

function groupsTable(view: CampaignView, attribute: AudienceGroup, groups: readonly ShownGroup[]): Html {
  const { locale } = view.session;
  const { t } = locale;
  const { numbers } = view.stored;
  const hasRatings = "tallies" in numbers && numbers.tallies.people.enpsReactions > 0;
  const most = Math.max(...groups.map(({ sums }) => sums.opens));
  const rows = groups.map(({ counted, sums, ...group }) => {
    const cells = [
      numberCell(locale, counted.recipients, t("audience.recipients")),
      ...activityCells(view, counted, { sums, most }),
      ...readCells(view, sums),
      hasRatings && ratingCell(view, counted, sums),
    ];
    return html`<tr><th scope="row" class="text">${groupName(locale, group)}</th>${cells}</tr>\n`;
  });
  const titles = [t("audience.recipients"), ...activityTitles(view), ...readTitles(view)];
  const headers = [textColumnHeader(attribute.name), ...titles.map(numberColumnHeader)];
  const caption = t("audience.caption", { attribute: attribute.name });
  const all = [...headers, hasRatings && numberColumnHeader(t("overview.rates.enpsIndex"))];
  return renderTable(caption, all, rows, { isStacked: true, hidesCaption: true });
}

const hasList = ({ stored }: CampaignView) => (stored.counting?.listed ?? null) !== null;

function activityTitles(view: CampaignView): string[] {
  const { t } = view.session.locale;
  const [opened, clicked] = [t("audience.opened"), t("audience.clicked")];
  if (!hasList(view)) return [opened, clicked];
  return [opened, t("campaign.keyNumbers.openRate"), clicked, t("campaign.keyNumbers.clickRate")];
}

/** Rates need the recipients of a list. @param most opens of a group */
function activityCells(
  view: CampaignView,
  counted: CopiedGroup,
  { sums, most }: { sums: Sums; most: number },
): Html[] {
  const { locale } = view.session;
  const clicksCell = (label: string) =>
    counted.peopleClicks === null
      ? withheldCell(view, label, locale.t("audience.clicksWithheld"))
      : numberCell(locale, sums.clicks, label);
  const [opened = "", second = "", clicked = "", clickRate = ""] = activityTitles(view);
  if (!hasList(view)) {
    const opens = barCell(most > 0 ? sums.opens / most : null, locale.format.count(sums.opens), opened);
    return [opens, clicksCell(second)];
  }
  return [
    numberCell(locale, sums.opens, opened),
    rateCell(locale, sums, { name: "openRate", label: second, hasBar: true }),
    clicksCell(clicked),
    rateCell(locale, sums, { name: "clickRate", label: clickRate }),
  ];
}

const readNames = ["glanced", "skimmed", "read"] as const;

const readTitles = ({ session: { locale } }: CampaignView) =>
  readNames.map((name) => locale.t(`recipients.readTimes.${name}`));

function readCells(view: CampaignView, sums: Sums): Html[] {
  const titles = readTitles(view);
  return readNames.map((name, index) =>
    rateCell(view.session.locale, sums, { name: `${name}Share`, label: titles[index] ?? name }),
  );
}

function ratingCell(view: CampaignView, group: CopiedGroup, sums: Sums): Html {
  const { locale } = view.session;
  const label = locale.t("overview.rates.enpsIndex");
  if (group.enpsReactions === 0 || group.enpsScores !== null) {
    return rateCell(locale, sums, { name: "enpsIndex", label });
  }
  const isLater = group.enpsReactions === null;
  const reason = isLater ? locale.t("audience.ratingsLater") : locale.t("audience.ratingsWithheld");
  return withheldCell(view, label, reason);
}

function withheldCell({ session: { locale } }: CampaignView, label: string, reason: string): Html {
  return html`<td class="number"${cellLabel(label)}>${noValue(locale, reason)}</td>`;
}

/** What the table does not show, and why. @param groups of the attribute */
function notes(view: CampaignView, groups: readonly CopiedGroup[]): HtmlValue {
  const { session, stored } = view;
  const { organization, locale } = session;
  const { t } = locale;
  const rest = groups.find(({ groupId }) => groupId === restId);
  const unrated = groups.filter(
    ({ groupId, ...group }) =>
      groupId !== restId && (group.enpsReactions ?? 0) > 0 && group.enpsScores === null,
  );
  const texts = [
    rest &&
      rest.recipients > 0 &&
      t("audience.withheld", { recipients: rest.recipients, min: organization.minGroup }),
    unrated.length > 0 &&
      t("audience.withheldRatings", {
        groups: unrated.length,
        min: minRatingsOf(stored.campaign, organization.minAnswers),
      }),
    ...copyNotes(view, groups),
    !hasList(view) && t("audience.noList"),
    t("audience.numbersNote"),
  ];
  return texts.map((text) => text && html`<p class="soft small">${text}</p>`);
}

/** From when the numbers of a campaign without names are, and when they change. */
function copyNotes({ session, stored }: CampaignView, groups: readonly CopiedGroup[]): string[] {
  const { organization, locale } = session;
  const { campaign } = stored;
  if (hasNames(campaign)) return [];
  const countedAt = Math.max(...groups.map((group) => group.countedAt));
  return [
    locale.t("audience.countedAfter", { days: Math.floor((countedAt - campaign.sentAt) / dayMs) }),
    locale.t("audience.copies", { min: organization.minGroup }),
  ];
}
