// Checkboxes that choose tags in a form.

import type { Tag } from "../../../../campaign/campaign.ts";
import { type Html, type HtmlValue, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { tagLabel } from "./tag-label.ts";

/** Longer lists are of no use in a form. */
const maxTags = 500;

/**
 * The first tags, and each that is selected. Unknown tag ids stay in the form, so that submitting it again does not widen
 * the choice.
 *
 * @param moreText says how to name the tags that are not listed
 */
export function tagBoxes(
  { t }: Locale,
  tags: readonly Tag[],
  selected: ReadonlySet<number>,
  moreText: (count: number) => HtmlValue,
): Html {
  const known = new Set(tags.map(({ id }) => id));
  const hidden = [...selected]
    .filter((id) => !known.has(id))
    .map((id) => html`<input type="hidden" name="tag_ids" value="${id}">`);
  if (tags.length === 0) return html`${hidden}`;
  const listed = tags.filter(({ id }, index) => index < maxTags || selected.has(id));
  const boxes = listed.map((tag) => {
    const checked = selected.has(tag.id) && html` checked`;
    return html`<label class="inline"><input type="checkbox" name="tag_ids" value="${tag.id}"${checked}> ${tagLabel(tag)}</label>`;
  });
  const more = tags.length - listed.length;
  return html`${hidden}<fieldset><legend>${t("filters.withAnyTag")}</legend><div class="boxes">${boxes}</div></fieldset>
${more > 0 && html`<p class="hint">${moreText(more)}</p>`}`;
}
