// A tag's color and name.

import type { Tag } from "../../../../campaign/campaign.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";

export function tagLabel({ name, color }: Pick<Tag, "name" | "color">): Html {
  return html`<span class="tag"><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="${color}"/></svg>${isolatedText(name)}</span>`;
}
