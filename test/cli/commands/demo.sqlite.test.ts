// `demo`: its data is realistic and always the same. The test of the package starts the installed one, and runs what it prints.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { parseReportedCampaign, type ReportedCampaign } from "../../../src/campaign/reported-campaign.ts";
import { demoCounted } from "../../../src/cli/demo/counted-campaigns.ts";
import type { DemoServer } from "../../../src/cli/demo/demo-server.ts";
import { printDemo } from "../../../src/cli/demo/print-demo.ts";
import { company } from "../../../src/counting/sample/company.ts";
import { demoCampaigns } from "../../../src/counting/sample/reported-campaigns.ts";
import { demoSendings } from "../../../src/counting/sample/sendings.ts";
import { exported } from "../../support/import-files.ts";
import { start } from "../../support/process.ts";
import { collecting, makeFolder, makeWorld, serve } from "../../support/world.ts";

const until = Date.UTC(2026, 0, 1);
const campaigns = demoCampaigns(company, until);
/** One number of each campaign. Demo campaigns have all numbers. */
const numbers = (read: (each: ReportedCampaign) => number | null) =>
  campaigns.map((each) => Number(read(each)));
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("the imported campaigns of the demo are the same in every run", () => {
  const hash = createHash("sha256").update(JSON.stringify(campaigns)).digest("hex");
  assert.equal(hash, "9e28b66902be397158d03658deb8a7e40d3da0a0f9e094166c9e724b3f0e2071");
  assert.deepEqual(demoCampaigns(company, until), campaigns);
});

test("the demo has several hundred campaigns over three years, with IDs in the order of sending", () => {
  assert.equal(campaigns.length, 461);
  const expected = campaigns.map((_, index) => index + 1);
  const found = campaigns.map(({ campaign }) => campaign.id);
  assert.deepEqual(found, expected);
  const years = Map.groupBy(campaigns, ({ campaign }) => new Date(campaign.sentAt).getUTCFullYear());
  assert.deepEqual([...years.keys()], [2023, 2024, 2025]);
  for (const [year, sent] of years) assert.ok(sent.length > 100, `${year}: ${sent.length}`);
});

test("the demo has every sending type and tracking type, and no Timezone sending with Overall tracking", () => {
  const kinds = new Set(campaigns.map(({ campaign }) => `${campaign.sendingType} ${campaign.trackingType}`));
  assert.deepEqual([...kinds].sort(), [
    ...["Immediate Anonymous", "Immediate Individual", "Immediate Overall", "Scheduled Anonymous"],
    ...["Scheduled Individual", "Scheduled Overall", "Timezone Anonymous", "Timezone Individual"],
  ]);
});

test("the numbers of each demo campaign agree with each other", () => {
  for (const { campaign, metrics: m } of campaigns) {
    const recipients = Number(campaign.recipientCount);
    const opens = Number(m.unique_opens);
    assert.equal(opens + Number(m.multiple_opens), m.total_opens);
    assert.equal(Number(m.unique_clicks) + Number(m.multiple_clicks), m.total_clicks);
    assert.equal(opens + Number(m.unopened), recipients);
    assert.equal(m.open_rate, Math.round((opens / recipients) * 10_000) / 10_000);
    assert.equal(m.click_rate, Math.round((Number(m.unique_clicks) / recipients) * 10_000) / 10_000);
    const clickedOfOpened = (100 * Number(m.unique_clicks)) / opens;
    assert.ok(Math.abs(Number(m.click_per_unique_open_rate) - clickedOfOpened) <= 0.51);
    assert.equal(Number(m.desktop_open_rate) + Number(m.mobile_open_rate), 100);
    assert.equal(Number(m.read_time_glanced) + Number(m.read_time_skimmed) + Number(m.read_time_read), 100);
    assert.ok(Number(m.enps_comments_count) <= Number(m.enps_reactions_count));
    assert.ok(Number(m.survey_reactions_comments_count) <= Number(m.survey_reactions_count));
    assert.equal(Number(m.enps_reactions_count) > 0, Number(m.enps_score_average) > 0);
    const answered = [m.enps_reactions_count, m.survey_reactions_count].filter((count) => count !== 0);
    assert.ok(Number(campaign.surveysCount) >= answered.length);
  }
});

test("the demo data has seasons, series with different open rates, and some ratings", () => {
  const ratesIn = (month: number) =>
    campaigns
      .filter(({ campaign }) => new Date(campaign.sentAt).getUTCMonth() === month)
      .map(({ metrics }) => Number(metrics.open_rate));
  assert.ok(mean(ratesIn(6)) < 0.8 * mean(ratesIn(2)), "July is quieter than March");
  const series = Map.groupBy(campaigns, ({ tags }) => tags[0]?.name);
  assert.equal(series.size, 8);
  const appeals = [...series.values()].map((sent) =>
    mean(sent.map(({ metrics }) => Number(metrics.open_rate))),
  );
  assert.ok(Math.max(...appeals) > 1.5 * Math.min(...appeals));
  const weekdays = new Set(numbers(({ campaign }) => new Date(campaign.sentAt).getUTCDay()));
  assert.deepEqual([...weekdays].sort(), [1, 2, 3, 4, 5]);
  assert.ok(numbers(({ metrics }) => metrics.enps_reactions_count).some((count) => count > 0));
  assert.ok(numbers(({ metrics }) => metrics.survey_reactions_count).some((count) => count > 0));
});

test("the records of the demo can be imported without warnings", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization(company.organization);
  await world.save(organization, campaigns);
  for (const record of await exported(world)) {
    const { reported, ...problems } = parseReportedCampaign(record, "UTC");
    assert.deepEqual(problems, { errors: [], unknownFields: [], nullFields: [], tooLargeRates: [] });
  }
});

test("demo --json prints the URL, the key and the sign-in URL", () => {
  const { stream, text } = collecting();
  const printed = { url: "http://127.0.0.1:8080", key: "ea_key" };
  const data = { organizationId: 1, campaigns: { imported: 2, counted: 1 }, tagId: 3, userId: 4 };
  const signInUrl = `${printed.url}/welcome/secret`;
  const server = { ...printed, ...data, signInUrl, stop: async () => undefined } as DemoServer;
  printDemo({ json: true, stdout: stream, stderr: stream }, server);
  assert.deepEqual(JSON.parse(text()), { ...printed, sign_in: signInUrl });
});

test("demo deletes its folder when it is stopped early", async (t) => {
  const folder = makeFolder(t);
  const stopped = start(t, ["demo", "--port", "0"], { TMPDIR: folder });
  while (readdirSync(folder).length === 0) await setTimeout(2);
  assert.equal(await stopped.stop(), 0);
  assert.deepEqual(readdirSync(folder), []);
});

test("serve has no sign-in URL as the demo has", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world);
  assert.equal((await fetch(`${service.url}/welcome/${"a".repeat(64)}`)).status, 404);
});

test("the counted campaigns of the demo are the same in every run, with no event in the future", () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const sendings = demoSendings(company, now).slice(-30);
  const { campaigns: counted, events } = demoCounted(sendings, now);
  assert.deepEqual(demoCounted(sendings, now).events, events);
  assert.equal(counted.length, 30);
  assert.ok(events.length > 4_000, String(events.length));
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  assert.ok(events.every(({ at }) => Date.parse(String(at)) <= now));
});
