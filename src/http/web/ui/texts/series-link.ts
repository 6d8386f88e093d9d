// Links to the page of a series: from a tag, a team and a sender.

import type { Tag } from "../../../../campaign/campaign.ts";
import { type Html, html } from "../../../../locale/html.ts";
import { isolatedText } from "../../../../locale/isolated-text.ts";
import { webPaths } from "../../../../paths.ts";
import { tagLabel } from "./tag-label.ts";

/** What makes campaigns a series, by its parameter in the URL. */
export const seriesKinds = ["tag", "team", "sender"] as const;
export type SeriesKind = (typeof seriesKinds)[number];

/** @param value the id of a tag, or a name */
export function seriesUrl(by: SeriesKind, value: string | number): string {
  return `${webPaths.series}?${new URLSearchParams({ [by]: String(value) })}`;
}

export const tagLink = (tag: Tag): Html => html`<a href="${seriesUrl("tag", tag.id)}">${tagLabel(tag)}</a>`;

/** @returns nothing without a name */
export function seriesLink(by: "team" | "sender", name: string | null): Html | null {
  return name ? html`<a href="${seriesUrl(by, name)}">${isolatedText(name)}</a>` : null;
}
