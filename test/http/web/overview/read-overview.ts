// Reads the key metrics of the overview page.

import { textOf } from "../../../support/pages.ts";

/** Without a wide range behind a rate. */
export const withoutRange = (text = "") => text.replace(/ \([\d–]+\)$/, "");

/** The key metrics by name: value, change, and what they are from. */
export function metricsIn(text: string): Record<string, string[]> {
  const list = /<ul class="metrics">(.*?)<\/ul>/s.exec(text)?.[1] ?? "";
  const metrics = list
    .split("</li>")
    .slice(0, -1)
    .map((metric) => {
      const [, name = "", value = "", change = "", from = ""] =
        /<span class="name">(.*?)<\/span>\s*<span class="value"><b[^>]*>(.*?)<\/b>(.*?)<\/span>\n(?:.*?<span class="from">(.*?)<\/span>)?/s.exec(
          metric,
        ) ?? [];
      return [name, [textOf(value), textOf(change), textOf(from)]];
    });
  return Object.fromEntries(metrics);
}
