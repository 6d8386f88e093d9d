// Icons: inline SVG in the color of the text.

import { Html, html } from "../../html.ts";
import { iconShapes } from "./icon-shapes.ts";

export type IconName = keyof typeof iconShapes;

/** An icon for the eye alone: screen readers skip it, so a text must say the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${new Html(iconShapes[name])}</svg>`;
}
