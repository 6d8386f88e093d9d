// A choice of tags in a form.

import type { Tag } from "../../../campaign/campaign.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { tagLabel } from "../ui/tag-label.ts";

/** Longer lists are of no use in a form. */
const maxTags = 500;

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
  // Unknown tag ids stay in the choice, so that submitting the form again does not widen it.
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
