// The button of a search, in front of its field. It is no tab stop: Enter in the field searches too.

import { type Html, html } from "../../html.ts";
import type { Strings } from "../strings/en.ts";
import { icon } from "./icon.ts";

export function searchButton({ ui }: Strings): Html {
  return html`<button class="plain" tabindex="-1" aria-label="${ui.search}">${icon("search")}</button>`;
}
