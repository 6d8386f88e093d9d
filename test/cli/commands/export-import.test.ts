// `export`, then `import` into another organization with the same time zone, then GET: the same bytes.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { company } from "../../../src/counting/sample/company.ts";
import { demoCampaigns } from "../../../src/counting/sample/reported-campaigns.ts";
import { anyText } from "../../support/any-text.ts";
import { randomCases } from "../../support/random-cases.ts";
import { makeWorld, present, run, serve, type World } from "../../support/world.ts";

/** Imports the export of an organization into a new one. */
async function exportAndImport(world: World, from: number, format: "ndjson" | "csv", timeZone: string) {
  const { organization, key } = await world.addOrganization({ timeZone });
  const { stdout } = await run(world.databaseUrl, `export --organization ${from} --format ${format}`);
  const argv = ["import", "--organization", String(organization.id), "-"];
  const imported = await run(world.databaseUrl, argv, { stdin: stdout });
  assert.equal(imported.exitCode, 0, imported.stderr);
  const again = await run(world.databaseUrl, argv, { stdin: stdout });
  assert.match(again.stdout, /^Imported: 0 added, 0 changed, \d+ unchanged\.\n$/);
  return { key, text: stdout, id: organization.id };
}

test("the records of the demo are the same after export and import, in NDJSON and CSV", async (t) => {
  const world = await makeWorld(t);
  const timeZone = "Europe/Stockholm";
  const { organization, key } = await world.addOrganization({ timeZone });
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)));
  const service = await serve(t, world);
  for (const format of ["ndjson", "csv"] as const) {
    const copy = await exportAndImport(world, organization.id, format, timeZone);
    const back = await run(world.databaseUrl, `export --organization ${copy.id} --format ${format}`);
    assert.equal(back.stdout, copy.text);
    for (const page of [1, 2, 3, 4]) {
      const path = `/data_api/v1/emails?per_page=100&page=${page}`;
      const [there, here] = [await service.get(path, { key: copy.key }), await service.get(path, { key })];
      assert.ok(here.body.emails.length > 0);
      assert.equal(there.text, here.text);
    }
  }
});

const oddCharacters = [
  ..."\"'\\;,#\n\r\t |=+-@\u00a0\u2028\u202f\ufeff\u0001\u001b\u007f\u0085😀é\u0301ÅKaZ09",
];
const oddText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...oddCharacters), maxLength: 12 }),
  anyText({ maxLength: 12 }).map((text) => text.replaceAll("\0", "")),
  fc.constantFrom("", " ", "null", "0", "#4E79A7", '""', "a #000000", "\\;", "=1+1", "\r\n", "1,5", "emails"),
);
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 5 });
const count = orNull(fc.oneof(fc.nat(1_000), fc.constantFrom(0, 9_007_199_254_740_991)));
const rate = orNull(
  fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1, 5e-324, 1e-7, 1e21, 1.7976931348623157e308, 0.1 + 0.2),
  ),
);
const average = orNull(fc.double({ noNaN: true, noDefaultInfinity: true }));
const color = fc.stringMatching(/^#[0-9A-Fa-f]{6}$/);
const tagName = oddText.map((name) => name.trim()).filter((name) => name !== "");
const tags = fc.uniqueArray(fc.record({ name: tagName, color }), {
  selector: ({ name }) => name,
  maxLength: 4,
});
const sentAt = fc.date({ min: new Date("0001-01-02"), max: new Date(present), noInvalidDate: true });

const anyRecord = fc.record({
  id: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(9_007_199_254_740_991, 2 ** 31, 2 ** 32 + 1)),
  subject: oddText,
  sent_at: sentAt.map((date) => date.toISOString()),
  sent_from: orNull(oddText),
  organization_team: orNull(oddText),
  sending_type: orNull(oddText),
  tracking_type: orNull(oddText),
  open_rate: rate,
  click_rate: rate,
  unique_opens: count,
  multiple_opens: count,
  unopened: count,
  total_opens: count,
  unique_clicks: count,
  multiple_clicks: count,
  total_clicks: count,
  click_per_unique_open_rate: rate,
  desktop_open_rate: rate,
  mobile_open_rate: rate,
  tags,
  recipient_count: count,
  recipients: orNull(oddText),
  read_time_glanced: rate,
  read_time_skimmed: rate,
  read_time_read: rate,
  surveys_count: count,
  enps_score_average: average,
  enps_reactions_count: count,
  enps_comments_count: count,
  survey_reactions_count: count,
  survey_reactions_comments_count: count,
  sent: count,
  delivered: count,
  bounced: count,
  bounced_hard: count,
  bounced_soft: count,
  suppressed: count,
  unsubscribed: count,
  complained: count,
});
const anyRecords = fc.uniqueArray(anyRecord, { selector: ({ id }) => id, minLength: 1, maxLength: 5 });
const anyZone = fc.constantFrom("UTC", "America/Sao_Paulo", "Asia/Kathmandu", "Europe/Amsterdam");

test("arbitrary records are the same after export and import, in NDJSON and CSV", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world);
  const path = "/data_api/v1/emails?per_page=100";
  const property = fc.asyncProperty(anyRecords, anyZone, async (records, timeZone) => {
    const { organization, key } = await world.addOrganization({ timeZone });
    const argv = ["import", "--organization", String(organization.id), "-"];
    const first = await run(world.databaseUrl, argv, { stdin: JSON.stringify(records) });
    assert.equal(first.exitCode, 0, first.stderr);

    const here = await service.get(path, { key });
    assert.equal(here.body.emails.length, records.length);
    for (const format of ["ndjson", "csv"] as const) {
      const copy = await exportAndImport(world, organization.id, format, timeZone);
      assert.equal((await service.get(path, { key: copy.key })).text, here.text);
    }
    const { stdout } = await run(world.databaseUrl, `export --organization ${organization.id} --json`);
    const given = new Map(records.map((record) => [record.id, record]));
    for (const line of stdout.trimEnd().split("\n")) {
      const { tags: kept, ...record } = JSON.parse(line) as (typeof records)[number];
      const { tags: wanted, ...expected } = given.get(record.id) ?? records[0] ?? assert.fail();
      assert.equal(JSON.stringify(record), JSON.stringify(expected));
      assert.deepEqual(new Set(kept.map(({ name }) => name)), new Set(wanted.map(({ name }) => name)));
    }
  });
  await fc.assert(property, { numRuns: randomCases(6) });
});
