// The tab with the results of a campaign by an attribute of its recipients, such as their department.

import { type CopiedGroup, restId } from "../../../../campaign/audience/copy-groups.ts";
import { sumsOfGroup } from "../../../../campaign/audience/group-sums.ts";
import { dayMs } from "../../../../campaign/calendar/durations.ts";
import { hasNames, minRatingsOf } from "../../../../campaign/release-answers.ts";
import { type CoveredRateName, coveredRateOf } from "../../../../campaign/sum-rates.ts";
import type { Sums } from "../../../../campaign/sums.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { findCopies } from "../../../../storage/audience/released-groups.ts";
import { type AudienceGroup, listGroups } from "../../../../storage/audience/store-groups.ts";
import { hasLongList, type StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import { barColumn, nameColumn, numberColumn, rateColumn } from "../../frame/columns.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";
import { attributeMenu, chooseAttribute, groupName, rateText } from "../../ui/lists/group-cells.ts";
import { columnsTable, type PageColumn } from "../../ui/lists/table.ts";
import { noValue } from "../../ui/numbers/number-or-dash.ts";
import { type CampaignView, type ReadTab, tabUrl } from "./campaign-view.ts";

interface ShownGroup extends AudienceGroup {
  counted: CopiedGroup;
  sums: Sums;
}

export const readGroupsTab: ReadTab = async (scope, { stored }) => {
  const names = new Map((await listGroups(scope)).map((group) => [group.id, group]));
  const counted = await findCopies(scope, [stored.campaign.id]);
  return (view) => groupsTab(view, names, counted);
};

function groupsTab(
  view: CampaignView,
  names: ReadonlyMap<number, AudienceGroup>,
  counted: readonly CopiedGroup[],
): Html {
  const { stored, traffic } = view;
  const attributes = (stored.counting?.attributeIds ?? []).flatMap((each) => names.get(each) ?? []);
  const attribute = chooseAttribute(attributes, view.parameters);
  const own = counted.filter(({ attributeId }) => attributeId === attribute?.id);
  if (!attribute || own.length === 0) return noGroups(view, attribute);
  const groups = own
    .flatMap((group): ShownGroup[] => {
      const named = names.get(group.groupId);
      return named ? [{ ...named, counted: group, sums: sumsOfGroup(group, traffic) }] : [];
    })
    .sort(orderOf(view));
  const choice = attributeMenu(
    view,
    attributes,
    attribute,
    (each) => `${tabUrl(view, { tab: "audience" })}&attribute=${each.id}#menu-attribute`,
  );
  const title = view.t("audience.by", { attribute: attribute.name });
  return html`<section class="card"><div class="list-head"><h2>${title}</h2>${choice}</div>
${groups.length > 0 && groupsTable(view, attribute, groups)}${notes(view, own)}</section>`;
}

function noGroups(view: CampaignView, attribute: AudienceGroup | undefined): Html {
  const { stored, t } = view;
  const isLater = attribute !== undefined && !hasNames(stored.campaign);
  const later = isLater && t("audience.copies", { min: view.organization.minGroup });
  const text = longListText(view, stored) || later || t("audience.noGroupsHint");
  return emptyState({ icon: "people", title: t("audience.noGroups"), text });
}

function longListText({ t }: Locale, stored: StoredCampaign): string | false {
  const { campaign, counting } = stored;
  return (
    hasLongList(stored) &&
    t("audience.longList", { listed: counting?.listed ?? 0, recipients: campaign.recipientCount ?? 0 })
  );
}

/** Sorts by what the table shows: the open rate or, without a list, the opens. Recipients without a value are last. */
function orderOf(view: CampaignView): (a: ShownGroup, b: ShownGroup) => number {
  const isUnknown = ({ id, attributeId }: AudienceGroup) => Number(id === attributeId);
  const isListed = hasList(view);
  const rankOf = ({ sums }: ShownGroup) =>
    isListed ? (coveredRateOf(sums, "openRate").rate ?? 0) : sums.opens;
  return (a, b) => isUnknown(a) - isUnknown(b) || rankOf(b) - rankOf(a) || a.name.localeCompare(b.name);
}

function groupsTable(view: CampaignView, attribute: AudienceGroup, groups: readonly ShownGroup[]): Html {
  const columns = columnsOf(view, attribute, Math.max(...groups.map(({ sums }) => sums.opens), 1));
  return columnsTable(view, view.t("audience.caption", { attribute: attribute.name }), columns, groups, {
    isStacked: true,
    hidesCaption: true,
  });
}

/** Rates need the recipients of a list. @param most opens of a group */
function columnsOf(view: CampaignView, attribute: AudienceGroup, most: number): PageColumn<ShownGroup>[] {
  const { t, format } = view;
  const { numbers } = view.stored;
  const rate = (title: string, name: CoveredRateName, hasBar = false) =>
    rateColumn(view, title, name, (group: ShownGroup) => group, hasBar);
  const isListed = hasList(view);
  const opensOf = ({ sums }: ShownGroup) => sums.opens;
  const opened = t("audience.opened");
  const rating = (group: ShownGroup) => {
    const { enpsReactions, enpsScores } = group.counted;
    if (enpsReactions === 0 || enpsScores !== null) return rateText(view, group.sums, "enpsIndex");
    return noValue(view, enpsReactions === null ? t("audience.ratingsLater") : t("audience.ratingsWithheld"));
  };
  const hasRatings = "tallies" in numbers && numbers.tallies.people.enpsReactions > 0;
  return [
    {
      ...nameColumn(attribute.name, ({ name }: ShownGroup) => name),
      cell: (group) => groupName(view, group),
    },
    numberColumn(view, t("numbers.recipient_count"), "count", ({ counted }) => counted.recipients),
    isListed ? numberColumn(view, opened, "count", opensOf) : barColumn(view, opened, most, opensOf),
    ...(isListed ? [rate(t("numbers.openRate"), "openRate", true)] : []),
    {
      ...numberColumn(view, t("audience.clicked"), "count", ({ sums }: ShownGroup) => sums.clicks),
      cell: ({ counted, sums }) =>
        counted.peopleClicks === null
          ? noValue(view, t("audience.clicksWithheld"))
          : format.count(sums.clicks),
    },
    ...(isListed ? [rate(t("numbers.clickRate"), "clickRate")] : []),
    ...(["glanced", "skimmed", "read"] as const).map((name) =>
      rate(t(`recipients.readTimes.${name}`), `${name}Share`),
    ),
    ...(hasRatings ? [{ ...rate(t("numbers.enpsIndex"), "enpsIndex"), cell: rating }] : []),
  ];
}

const hasList = ({ stored }: CampaignView) => (stored.counting?.listed ?? null) !== null;

/** What the table does not show, and why. @param groups of the attribute */
function notes(view: CampaignView, groups: readonly CopiedGroup[]): HtmlValue {
  const { stored, organization, t } = view;
  const rest = groups.find(({ groupId }) => groupId === restId);
  const unrated = groups.filter(
    ({ groupId, ...group }) =>
      groupId !== restId && (group.enpsReactions ?? 0) > 0 && group.enpsScores === null,
  );
  const texts = [
    rest &&
      rest.recipients > 0 &&
      t("audience.withheld", {
        recipients: rest.recipients,
        min: organization.minGroup,
        isNamed: hasNames(stored.campaign),
      }),
    longListText(view, stored),
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

/** Says of when the numbers of a campaign without names are, and when they change. */
function copyNotes({ stored, organization, t }: CampaignView, groups: readonly CopiedGroup[]): string[] {
  const { campaign } = stored;
  if (hasNames(campaign)) return [];
  const countedAt = Math.max(...groups.map((group) => group.countedAt));
  return [
    t("audience.countedAfter", { days: Math.floor((countedAt - campaign.sentAt) / dayMs) }),
    t("audience.copies", { min: organization.minGroup }),
  ];
}
