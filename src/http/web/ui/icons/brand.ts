// The product's name and mark: an envelope whose flap and sides are the columns of a chart.

import { type Html, html } from "../../../../locale/html.ts";

export const productName = "email-analytics";

const flap = "M9 23V10.5l7 6 7-6V23M16 23v-1.5";

/** The mark in the colors of the theme. */
export const mark: Html = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect class="plate" width="32" height="32" rx="8"/><path class="ink" d="${flap}"/></svg>`;

/** The mark as a file, for tabs of browsers. */
export const markFile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3350cc"/><path d="${flap}" fill="none" stroke="#fff" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
