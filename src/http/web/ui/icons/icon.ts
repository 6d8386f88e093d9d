// Icons: inline SVG in the color of the text.

import { Html, html } from "../../../../locale/html.ts";
import { iconShapes } from "./icon-shapes.ts";

export type IconName = keyof typeof iconShapes;

/** @param label what screen readers say; without one they skip the icon, and a text must say the same */
export function icon(name: IconName, label?: string): Html {
  const role = label === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`;
  return html`<svg class="icon" viewBox="0 0 24 24" ${role}>${new Html(iconShapes[name])}</svg>`;
}
