// The button of a search, in front of its field.

import { type Html, html } from "../../html.ts";
import type { Strings } from "../strings/en.ts";
import { icon } from "./icon.ts";

export function searchButton({ ui }: Strings): Html {
  return html`<button class="plain" aria-label="${ui.search}">${icon("search")}</button>`;
}
