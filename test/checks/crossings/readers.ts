// Everything that reads campaigns, compared with the model and with each other.

import assert from "node:assert/strict";
import { downloadRecords } from "../../support/downloads.ts";
import { answerOfTool } from "../../support/mcp.ts";
import { readRows } from "../../support/odata.ts";
import { requestPage } from "../../support/web-world.ts";
import type { Service } from "../../support/world.ts";
import { keyNumbersIn, rowsIn, textIn } from "../mcp/page-texts.ts";
import { localTime } from "../queries/local-time.ts";
import type { Crossing } from "./crossing.ts";
import type { Content } from "./model.ts";

type Shown = Record<string, unknown>;

/** The fields that the model knows, of a record. */
function expectedFields({ model }: Crossing, id: number, content: Content): Shown {
  const { sentAt, tags } = content;
  const common = {
    ...{ id, sent_at: localTime(sentAt, model.timeZone).text },
    tags: tags.map(({ name }) => name).sort(),
  };
  if (content.kind === "reported") return { ...common, subject: content.subject, ...content.values };
  const { subject, team, tracking_type, recipient_count } = content.fields;
  const fields = { subject, organization_team: team, tracking_type, recipient_count };
  return { ...common, ...fields, ...model.metricsOf(content) };
}

const idsOf = (records: readonly Shown[]) => records.map(({ id }) => id);
const namesOf = (tags: unknown) => (tags as { name: string }[]).map(({ name }) => name).sort();

/** Throws an AssertionError if two readers differ, or one from the model. */
export async function checkReaders(crossing: Crossing): Promise<void> {
  const { stage, random } = crossing;
  const records = await Promise.all(
    stage.services.map((service) => crossing.readAll(service, random.pick([2, 100]))),
  );
  const [first = [], second = []] = records;
  assert.deepEqual(first, second, "pages of both processes");
  checkModel(crossing, first);
  await checkColors(crossing, first);
  await checkChanges(crossing, first);
  await checkFeeds(crossing, first);
  await checkPages(crossing, first);
  await checkLinks(crossing, first);
  await checkKeys(crossing);
}

function checkModel(crossing: Crossing, emails: readonly Shown[]): void {
  const expected = crossing.model.published().map(([id, content]) => expectedFields(crossing, id, content));
  assert.deepEqual(idsOf(emails), idsOf(expected), "the campaigns");
  for (const [index, fields] of expected.entries()) {
    const email = emails[index] ?? {};
    const shown = Object.keys(fields).map((name) => [
      name,
      name === "tags" ? namesOf(email.tags) : email[name],
    ]);
    assert.deepEqual(Object.fromEntries(shown), fields, `campaign ${fields.id}`);
  }
}

/** Tags have the color that they were given, and are the same in all records. */
async function checkColors(crossing: Crossing, emails: readonly Shown[]): Promise<void> {
  const colors = new Map((await crossing.tags()).map(({ name, color }) => [name, color]));
  for (const { name, color } of crossing.model.tags) {
    if (color !== undefined && colors.has(name)) assert.equal(colors.get(name), color, name);
  }
  for (const { name, color } of emails.flatMap(({ tags }) => tags as { name: string; color: string }[])) {
    assert.equal(color, colors.get(name), `color of ${name}`);
  }
}

/** A client that reads changes since the last time, and one that begins. */
async function checkChanges(crossing: Crossing, emails: readonly Shown[]): Promise<void> {
  const fresh = crossing.newClient(100);
  await crossing.readChanges((client) => client.checkWith(fresh));
  assertSame(emails, [...fresh.copy.values()], "changes");
}

const shared = ["id", "subject", "unique_opens", "total_opens", "unique_clicks", "recipient_count"] as const;

/** Compares the fields that all readers have. A feed has null where the API has 0. */
function assertSame(emails: readonly Shown[], others: readonly Shown[], what: string): void {
  const pick = (record: Shown) => [...shared.map((name) => record[name] ?? 0), namesOf(record.tags)];
  const byId = (records: readonly Shown[]) => records.map(pick).sort(([a], [b]) => Number(a) - Number(b));
  assert.deepEqual(byId(others), byId(emails), what);
}

async function checkFeeds(crossing: Crossing, emails: readonly Shown[]): Promise<void> {
  const { readKey: key } = crossing;
  const source = () => ({ url: crossing.service.url, key });
  const downloaded = (await downloadRecords(source(), "ndjson")) as unknown as Shown[];
  assertSame(emails, downloaded, "download");
  const odata = (await readRows(source(), "/emails")) as unknown as Shown[];
  assertSame(emails, odata, "OData");
  const input = { period: "all", limit: 50 };
  const found = await answerOfTool<{ campaigns: number; found: Shown[] }>(source(), "find_campaigns", input);
  assert.equal(found.campaigns, emails.length, "campaigns of MCP");
  const inMcp = found.found.map((each) => [each.id, each.subject, each.opens ?? 0, each.clicks ?? 0]);
  const inApi = emails.map(({ id, subject, unique_opens, unique_clicks }) => [
    ...[id, { untrusted_text: subject }, unique_opens, unique_clicks],
  ]);
  assert.deepEqual(inMcp, inApi.slice(0, 50), "MCP");
}

async function checkPages(crossing: Crossing, emails: readonly Shown[]): Promise<void> {
  const { random, model } = crossing;
  const { text } = await crossing.getPage("/campaigns?period=all&columns=opens&columns=recipients&rows=100");
  const rows = rowsIn(text).map(({ html, byLabel }) => [
    Number(/href="\/campaigns\/(\d+)/.exec(html)?.[1]),
    numberIn(byLabel.get("Unique opens") ?? byLabel.get("Opens") ?? ""),
  ]);
  assert.deepEqual(
    rows,
    emails.slice(0, 100).map(({ id, unique_opens }) => [id, unique_opens]),
    "page of campaigns",
  );
  const tagPage = await crossing.getPage("/settings/tags");
  const counts = emails.flatMap(({ tags }) => namesOf(tags));
  for (const { html, header, byLabel } of rowsIn(tagPage.text)) {
    const name = header || textIn(html);
    const shown = counts.filter((each) => each === name).length;
    assert.equal(numberIn(byLabel.get("Campaigns") ?? ""), shown, `campaigns of the tag ${name}`);
  }
  const overview = await crossing.getPage("/?period=all");
  const isOfSample = model.imports.some(({ isSample, state }) => isSample && state === "imported");
  if (!isOfSample)
    assert.doesNotMatch(
      overview.text,
      /class="warning"><div class="row"><span>[^<]*sample data/i,
      "no sample data",
    );
  if (emails.length === 0) return;
  assert.equal(keyNumbersIn(overview.text).get("Campaigns")?.value, String(emails.length), "the overview");
  const { id, subject, unique_opens, recipient_count } = random.pick(emails);
  const page = await crossing.getPage(`/campaigns/${id}`);
  assert.equal(page.status, 200, `page of campaign ${id}`);
  assert.equal(titleOf(page.text), subject, `title of ${id}`);
  // The page says in words that more opened than were named.
  if (Number(unique_opens) > Number(recipient_count)) return;
  const openRate = textIn(keyNumbersIn(page.text).get("Open rate")?.html ?? "");
  assert.ok(openRate.includes(` ${unique_opens} of ${recipient_count}`), `page of ${id}: ${openRate}`);
}

const titleOf = (html: string) => textIn(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? "");
const numberIn = (cell: string) => Number(textIn(cell).replaceAll(/[,–]/g, "") || 0);

/** A share link shows the campaign that it was made for, or nothing. */
async function checkLinks(crossing: Crossing, emails: readonly Shown[]): Promise<void> {
  const { known, model, now } = crossing;
  const valid = new Set(known.shareLinks.map(({ url }) => url));
  for (const { url, name, campaign, expiresAt } of crossing.allShareLinks.values()) {
    const { status, text } = await requestPage(crossing.service.url + url);
    const slot = campaign && model.slotOf(campaign.id);
    const isShown = !slot || (slot.existence === campaign?.existence && slot.isPublished);
    const isValid = valid.has(url) && expiresAt > now;
    assert.equal(status, isValid && isShown ? 200 : 404, `${name} of campaign ${campaign?.id}`);
    const subject = emails.find(({ id }) => id === campaign?.id)?.subject;
    if (status === 200 && campaign) assert.equal(titleOf(text), subject, name);
  }
  for (const url of known.csvLinks.slice(-1)) {
    const { status, text } = await requestPage(crossing.service.url + url);
    assert.equal(status, 200, url);
    assert.equal(text.trimEnd().split("\r\n").length, emails.length + 1, "lines of a CSV link");
  }
}

async function checkKeys(crossing: Crossing): Promise<void> {
  const service: Service = crossing.service;
  for (const key of crossing.deletedKeys.slice(-2)) {
    assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401, "a deleted key");
  }
}
