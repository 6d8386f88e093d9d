// The form by which one chooses which campaigns a page is about. What is chosen stands in the address, to be kept or shared.

import type { Tag } from "../../../campaign/campaign.ts";
import { listTeams } from "../../../storage/campaigns/teams.ts";
import type { Database } from "../../../storage/database.ts";
import { listTags } from "../../../storage/tags.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { countedWords, formatCount } from "../ui/number-format.ts";
import { tagLabel } from "../ui/tag-label.ts";
import { type FilterFields, ranges, toQuery } from "./filters.ts";

/** More teams are no list to choose from. */
const teamsMax = 500;

/** More are no list to choose from either; an address may name any of them. */
const tagsMax = 500;

/** What can be chosen among. */
export interface Choices {
  teams: string[];
  tags: Tag[];
}

export async function findChoices(database: Database, organizationId: number): Promise<Choices> {
  const [teams, tags] = await Promise.all([
    database.query((queries) => listTeams(queries, organizationId, teamsMax)),
    database.query((queries) => listTags(queries, organizationId)),
  ]);
  return { teams, tags };
}

/** An address with a query, or without one where it is empty. */
export function addressOf(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}

/**
 * @param path of the page that it is for
 * @param more of the form, before its button; with the parameters that the links to ranges keep
 */
export function filterForm(
  path: string,
  fields: FilterFields,
  choices: Choices,
  more: { content?: HtmlValue; kept?: readonly (readonly [string, string])[] } = {},
): Html {
  const isDays = fields.sentAfter !== "" || fields.sentBefore !== "";
  const links = Object.entries(ranges).map(([range, name]) => {
    const query = toQuery({ ...fields, range, sentAfter: "", sentBefore: "" });
    for (const [key, value] of more.kept ?? []) query.set(key, value);
    const isChosen = !isDays && fields.range === range;
    return html`<li><a href="${addressOf(path, query)}"${isChosen && html` aria-current="true"`}>${name}</a></li>`;
  });
  return html`<nav aria-label="Time"><ul class="choices">${links}</ul></nav>
<form method="get" action="${path}" class="card">
${!isDays && fields.range !== "" && html`<input type="hidden" name="range" value="${fields.range}">`}
<div class="fields">
${more.content}
${dayField("sent_after", "From", fields.sentAfter)}
${dayField("sent_before", "Until", fields.sentBefore)}
${teamField(fields.team, choices.teams)}
<div class="field tight"><button>Show</button></div>
</div>
${tagChoice(fields.tagIds, choices.tags)}
</form>`;
}

function dayField(name: string, label: string, value: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${value}"></div>`;
}

function teamField(chosen: string, teams: readonly string[]): Html | false {
  const known = chosen === "" || teams.includes(chosen) ? teams : [chosen, ...teams];
  if (known.length === 0) return false;
  const options = known.map(
    (team) => html`<option value="${team}"${team === chosen && html` selected`}>${team}</option>`,
  );
  return html`<div class="field"><label for="team">Team</label>
<select id="team" name="team"><option value="">All teams</option>${options}</select></div>`;
}

function tagChoice(chosen: readonly string[], tags: readonly Tag[]): Html | false {
  const wanted = new Set(chosen);
  const checked = new Set(tags.map(({ id }) => String(id)).filter((id) => wanted.has(id)));
  // Ids that are nobody's go along, so that what is shown stays what was asked for.
  const foreign = chosen.filter((id) => !checked.has(id));
  const hidden = foreign.map((id) => html`<input type="hidden" name="tag_ids" value="${id}">`);
  if (tags.length === 0) return foreign.length > 0 && html`${hidden}`;
  const offered = tags.filter(({ id }, place) => place < tagsMax || checked.has(String(id)));
  const boxes = offered.map((tag) => {
    const isChecked = checked.has(String(tag.id)) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="tag_ids" value="${tag.id}"${isChecked}> ${tagLabel(tag)}</label>`;
  });
  const rest = tags.length - offered.length;
  const summary = checked.size === 0 ? "Tags" : `Tags (${formatCount(checked.size)} chosen)`;
  return html`<details class="tag-choice"${checked.size > 0 && html` open`}><summary>${summary}</summary>
<fieldset><legend>With any of these tags</legend><div class="boxes">${boxes}</div></fieldset>
${rest > 0 && html`<p class="hint">Not offered here: ${countedWords(rest, "more tag")}. The address of this page takes any of them: <code>tag_ids=</code> and their ids, with commas between them.</p>`}</details>${hidden}`;
}
