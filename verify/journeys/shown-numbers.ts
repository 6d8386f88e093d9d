// Numbers as pages show them, and the same numbers from the records of the API.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import type { DemoSite } from "../../test/support/demo-site.ts";

/** A campaign in the list, with its cells by the titles of their columns. */
export interface ListedCampaign {
  id: number;
  subject: string;
  cells: Record<string, string>;
}

/** The campaigns on a page of the list. */
export function listedOn(page: Page): Promise<ListedCampaign[]> {
  return page.locator("[data-list] tbody tr").evaluateAll((rows) =>
    rows.map((row) => ({
      id: Number(/\d+$/.exec(row.querySelector("th a").pathname)?.[0]),
      subject: row.querySelector("th").innerText.trim(),
      cells: Object.fromEntries(
        [...row.querySelectorAll("[data-label]")].map((cell) => [cell.dataset.label, cell.innerText]),
      ),
    })),
  );
}

/** The cells of the last row of the list, which is of all campaigns. */
export function totalsOn(page: Page): Promise<Record<string, string>> {
  return page
    .locator("[data-list] tfoot tr")
    .evaluate((row) =>
      Object.fromEntries(
        [...row.querySelectorAll("[data-label]")].map((cell) => [cell.dataset.label, cell.innerText]),
      ),
    );
}

export function recordOf({ records }: DemoSite, id: number): FeedRecord {
  return records.find((record) => record.id === id) ?? assert.fail(`no campaign ${id}`);
}

/** Opens of all recipients. */
export function openRateOf(records: readonly Pick<FeedRecord, "unique_opens" | "recipient_count">[]): number {
  assert.ok(records.length > 0);
  const sum = (name: "unique_opens" | "recipient_count") =>
    records.reduce((total, record) => total + Number(record[name]), 0);
  return sum("unique_opens") / sum("recipient_count");
}

/** Checks that a text starts with a rate, as a percentage with one decimal. @param rate from 0 to 1 */
export function assertRate(text: string | undefined, rate: number | null): void {
  const [, shown] = /(\d+\.\d)%/.exec(text ?? "") ?? [];
  assert.ok(shown !== undefined, `no rate: ${text}`);
  assert.ok(Math.abs(Number(shown) - 100 * Number(rate)) < 0.0501, `${text} is not ${rate}`);
}
