// The filter form. It sends a GET request, so the URL holds the filters and can be bookmarked and shared.

import type { Tag } from "../../../campaign/campaign.ts";
import { listTeams } from "../../../storage/campaigns/teams.ts";
import type { Database } from "../../../storage/database.ts";
import { listTags } from "../../../storage/tags.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { type FilterFields, filterQuery, timeRanges } from "./filters.ts";

/** Longer lists are of no use in a form. */
const maxTeams = 500;

/** A URL may still name any other tag. */
const maxTags = 500;

/** The teams and tags to choose from. */
interface FormOptions {
  teams: string[];
  tags: Tag[];
}

/**
 * @param path of the page
 * @param search more fields of the form, and the query parameters that the links to time ranges keep
 */
export function filterForm(
  locale: Locale,
  path: string,
  fields: FilterFields,
  options: FormOptions,
  search: { content?: HtmlValue; kept?: readonly (readonly [string, string])[] } = {},
): Html {
  const { strings } = locale;
  const hasDates = fields.sentAfter !== "" || fields.sentBefore !== "";
  const links = timeRanges.map((range) => {
    const query = filterQuery({ ...fields, range, sentAfter: "", sentBefore: "" });
    for (const [key, value] of search.kept ?? []) query.set(key, value);
    const isCurrent = !hasDates && fields.range === range;
    return html`<li><a href="${urlWithQuery(path, query)}"${isCurrent && html` aria-current="true"`}>${strings.campaigns.ranges[range]}</a></li>`;
  });
  return html`<nav aria-label="${strings.campaigns.timeRange}"><ul class="choices">${links}</ul></nav>
<form method="get" action="${path}" class="card">
${!hasDates && fields.range !== "" && html`<input type="hidden" name="range" value="${fields.range}">`}
<div class="fields">
${search.content}
${dateField("sent_after", strings.campaigns.from, fields.sentAfter)}
${dateField("sent_before", strings.campaigns.until, fields.sentBefore)}
${teamField(locale, fields.team, options.teams)}
<div class="field tight"><button>${strings.campaigns.apply}</button></div>
</div>
${tagChoice(locale, fields.tagIds, options.tags, strings.campaigns.moreTags)}
</form>`;
}

export async function findFilterOptions(database: Database, organizationId: number): Promise<FormOptions> {
  const [teams, tags] = await Promise.all([
    database.query((queries) => listTeams(queries, organizationId, maxTeams)),
    database.query((queries) => listTags(queries, organizationId)),
  ]);
  return { teams, tags };
}

/** A path with a query string, unless the query is empty. */
export function urlWithQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}

function dateField(name: string, label: string, value: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${value}"></div>`;
}

function teamField({ strings }: Locale, selected: string, teams: readonly string[]): Html | false {
  const listed = selected === "" || teams.includes(selected) ? teams : [selected, ...teams];
  if (listed.length === 0) return false;
  const options = listed.map(
    (team) => html`<option value="${team}"${team === selected && html` selected`}>${team}</option>`,
  );
  return html`<div class="field"><label for="team">${strings.campaigns.team}</label>
<select id="team" name="team"><option value="">${strings.campaigns.allTeams}</option>${options}</select></div>`;
}

/**
 * Checkboxes of tags, folded unless one is selected.
 *
 * @param moreText says how to name the tags that are not listed
 */
export function tagChoice(
  { strings }: Locale,
  selected: readonly string[],
  tags: readonly Tag[],
  moreText: (count: number) => HtmlValue,
): Html | false {
  const wanted = new Set(selected);
  const checked = new Set(tags.map(({ id }) => String(id)).filter((id) => wanted.has(id)));
  // Unknown tag ids stay in the filter, so that applying the form again does not widen it.
  const unknown = selected.filter((id) => !checked.has(id));
  const hidden = unknown.map((id) => html`<input type="hidden" name="tag_ids" value="${id}">`);
  if (tags.length === 0) return unknown.length > 0 && html`${hidden}`;
  const listed = tags.filter(({ id }, index) => index < maxTags || checked.has(String(id)));
  const boxes = listed.map((tag) => {
    const isChecked = checked.has(String(tag.id)) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="tag_ids" value="${tag.id}"${isChecked}> ${tagLabel(tag)}</label>`;
  });
  const more = tags.length - listed.length;
  const summary = checked.size === 0 ? strings.campaigns.tags : strings.campaigns.tagsSelected(checked.size);
  return html`<details class="tag-choice"${checked.size > 0 && html` open`}><summary>${summary}</summary>
<fieldset><legend>${strings.campaigns.withAnyTag}</legend><div class="boxes">${boxes}</div></fieldset>
${more > 0 && html`<p class="hint">${moreText(more)}</p>`}</details>${hidden}`;
}
