// Every other interface has the numbers by group of the download, or fewer: OData, other formats, SQL views, pages and their
// CSV. So what a reader learns of the download is all that there is to learn.

import assert from "node:assert/strict";
import { type FileFormatName, fileFormatNames } from "../../../src/formats/feed-files.ts";
import { listAttributes } from "../../../src/storage/audience/store-groups.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { downloadRows } from "../../support/downloads.ts";
import { type GuestRole, makeGuestRole } from "../../support/guest-role.ts";
import { readRows } from "../../support/odata.ts";
import { rowsIn } from "../../support/pages.ts";
import type { WebWorld } from "../../support/web-world.ts";
import { type Cleanup, succeeds } from "../../support/world.ts";

export type Row = Record<string, string | number | null>;

/** A role that reads SQL views. They need PostgreSQL, and no Citus. */
export async function makeViewsRole(test: Cleanup, databaseUrl: string): Promise<GuestRole | undefined> {
  return process.env.TEST_DATABASE === "postgres" ? makeGuestRole(test, databaseUrl) : undefined;
}

export async function addViews(databaseUrl: string, { id }: Organization, role: GuestRole): Promise<void> {
  const argv = ["views", "add", "--organization", `${id}`, "--role", role.name];
  await succeeds(databaseUrl, argv);
}

interface Asked {
  source: { url: string; key: string };
  /** Of a download. */
  groups: readonly Row[];
  role: GuestRole | undefined;
}

/** Asks again while others keep the service busy, as a client does. */
export async function askUntilFree<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!String(error).includes("Other downloads are running")) throw error;
    }
  }
}

/** The rows of a download. */
export const askForRows = (
  source: Asked["source"],
  table: "email_groups" | "emails",
  format: FileFormatName = "ndjson",
) => askUntilFree(() => downloadRows(table, source, format)) as Promise<unknown> as Promise<Row[]>;

/** @returns how many rows were compared */
export async function checkOthers(
  site: WebWorld,
  organization: Organization,
  { source, groups, role }: Asked,
): Promise<number> {
  assert.deepEqual(await askUntilFree(() => readRows(source, "/email_groups")), groups);
  for (const format of fileFormatNames) {
    assert.deepEqual(await askForRows(source, "email_groups", format), groups);
  }
  const order = "order by email_id, attribute, value";
  const views = await role?.ask(`select * from analytics_${organization.id}.email_groups ${order}`);
  const seenIn = (rows: readonly Row[]) =>
    rows.map((row) => [Number(row.email_id), row.value, Number(row.unique_opens), row.enps_score_average]);
  if (views) assert.deepEqual(seenIn(views as Row[]), seenIn(groups));
  const emails = await askForRows(source, "emails");
  const months = new Map(emails.map(({ id, sent_at }) => [id, `${sent_at}`.slice(0, 7)]));
  const viewer = await site.signIn("viewer", { organization });
  const attributes = await site.world.database.queryOf(organization.id, listAttributes);
  for (const { id, name } of attributes) {
    const own = groups.filter(({ attribute }) => attribute === name);
    for (const campaign of new Set(groups.map(({ email_id }) => email_id))) {
      const { text } = await viewer.get(`/campaigns/${campaign}?tab=audience&attribute=${id}`);
      const shown = own.filter(({ email_id }) => email_id === campaign);
      assert.deepEqual(
        rowsIn(text)
          .map(([value, size, opens, , clicks]) => [value, size, opens, clicks?.split(" ")[0]])
          .sort(),
        shown
          .map((row) =>
            [row.value, row.recipient_count, row.unique_opens, row.unique_clicks ?? "–"].map(String),
          )
          .sort(),
      );
    }
    // Without campaigns that are still counting.
    const { text } = await viewer.get(`/audience?attribute=${id}`);
    const [totals = "", ...byMonth] = text.split("Open rate over time");
    const page = rowsIn(totals);
    const file = (await viewer.get(`/audience.csv?attribute=${id}`)).text.trim().split("\r\n").slice(1);
    assert.equal(page.length, file.length);
    for (const [value, campaigns, size, openRate] of file.map((line) => line.split(","))) {
      const rows = own.filter((row) => row.value === value);
      const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
      assert.deepEqual([Number(campaigns), Number(size)], [rows.length, sum("recipient_count")]);
      const rate = (100 * sum("unique_opens")) / sum("recipient_count");
      assert.ok(Math.abs(Number(openRate) - rate) <= 0.051, `${openRate}, not ${rate}`);
      const [, , shownSize, shownRate] = page.find(([name]) => name === value) ?? [];
      assert.equal(shownSize, size);
      assert.ok(Math.abs(Number.parseFloat(shownRate ?? "") - Number(openRate)) <= 0.1);
    }
    const periods = await viewer.read(`/audience.csv?attribute=${id}&by=period`);
    checkPeriods(own, {
      months,
      file: periods.trim().split("\r\n").slice(1),
      page: rowsIn(byMonth.join("")),
    });
  }
  return groups.length * (fileFormatNames.length + 3 + (views ? 1 : 0));
}

/** The open rates by month are those of the released groups, and have no other number. @param months of the campaigns */
function checkPeriods(
  groups: readonly Row[],
  { months, file, page }: { months: ReadonlyMap<unknown, string>; file: readonly string[]; page: string[][] },
): void {
  const cells = Map.groupBy(groups, ({ value, email_id }) => `${value},${months.get(email_id)}`);
  assert.deepEqual(
    file.map((line) => line.split(",").slice(0, 2).join(",")).sort(),
    [...cells.keys()].sort(),
  );
  for (const line of file) {
    const [value, month, campaigns, of, size, openRate] = line.split(",");
    const rows = cells.get(`${value},${month}`) ?? [];
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    assert.deepEqual([Number(campaigns), Number(size)], [rows.length, sum("recipient_count")]);
    assert.equal(Number(of), [...months.values()].filter((each) => each === month).length);
    const rate = (100 * sum("unique_opens")) / sum("recipient_count");
    assert.equal(openRate !== "", 2 * rows.length >= Number(of));
    if (openRate !== "") assert.ok(Math.abs(Number(openRate) - rate) < 1e-9, line);
  }
  const rated = file.map((line) => line.split(",")).filter(([, , , , , rate]) => rate);
  for (const [value, ...shown] of page) {
    const rates = shown.filter((cell) => cell.includes("%")).map(Number.parseFloat);
    const written = rated.filter(([name]) => name === value).map(([, , , , , rate]) => Number(rate));
    assert.equal(rates.length, written.length);
    assert.ok(rates.every((rate, index) => Math.abs(rate - (written[index] ?? 0)) <= 0.051));
  }
  const values = new Set(groups.map(({ value }) => value)).size;
  const has2Months = new Set(file.map((line) => line.split(",")[1])).size > 1;
  assert.ok(page.length === values || (page.length === 0 && !has2Months));
}
