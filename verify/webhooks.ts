// Bodies of every provider, changed at random: never a failure of the service, never a wrong count.

import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { pino } from "pino";
import { hourMs } from "../src/campaign/calendar/durations.ts";
import { startWriterThread } from "../src/counting/writer/writer-thread.ts";
import { buildServer } from "../src/http/server.ts";
import { type ProviderName, providerNames } from "../src/providers/providers.ts";
import type { Database } from "../src/storage/database.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { addSource } from "../src/storage/sources.ts";
import { Random } from "../test/support/histories.ts";
import { run } from "../test/support/world.ts";
import { madeUpCampaign } from "./made-up-events.ts";
import { type Deed, type Sent, sendings, snsCertificate } from "./provider-bodies.ts";
import { type Keys, makeOrganization, readRecords } from "./service.ts";

export interface WebhooksOptions {
  folder: string;
  /** Changed bodies of each provider. */
  bodies: number;
  say: (line: string) => void;
}

/** Far from each other, so that no change of a digit makes one of the other. */
const campaigns = { whole: 4242, changed: 7_777_777 } as const;
const connections = 16;
/** One request in so many is whole, and its events are known. */
const wholeEvery = 20;

interface Told {
  status: number;
  text: string;
}

/**
 * @throws AssertionError at the first 5xx, forged request that is taken, or number that is not what was taken
 */
export async function verifyWebhooks({ folder, bodies, say }: WebhooksOptions): Promise<void> {
  const path = join(folder, "webhooks.db");
  const databaseUrl = `sqlite:${path}`;
  const keys = await makeOrganization(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const service = await serveHere(database, databaseUrl);
  try {
    await register(service.url, keys);
    let whole = { opens: 0, clicks: 0 };
    let accepted = 0;
    for (const provider of providerNames) {
      const source = await database.transaction((queries) =>
        addSource(queries, {
          organizationId: keys.organizationId,
          provider,
          secret: sendings[provider].secret,
          campaignField: "campaign_id",
          now: Date.now(),
        }),
      );
      const url = `${service.url}/ingest/v1/webhooks/${source.id}`;
      const outcome = await pour({ provider, url, bodies });
      whole = { opens: whole.opens + outcome.opens, clicks: whole.clicks + outcome.clicks };
      accepted += outcome.accepted;
      say(`${provider.padEnd(10)} ${outcome.summary}`);
    }
    assert.deepEqual(service.failures, []);
    const records = await readRecords(service.url, keys.read);
    const { total_opens, total_clicks } = records.get(campaigns.whole) ?? {};
    assert.deepEqual({ opens: total_opens, clicks: total_clicks }, whole);
    assert.equal(countRows(path, "event_ids"), accepted);
    assert.equal(countDone(path), accepted);
    const recount = await run(databaseUrl, ["recount", "--organization", String(keys.organizationId)]);
    assert.equal(recount.exitCode, 0, recount.stdout + recount.stderr);
    say(
      `${accepted} events were taken, each is counted once; ${whole.opens} opens and ${whole.clicks} clicks of whole requests among them`,
    );
  } finally {
    await service.stop();
    await database.close();
  }
}

/** The service in this process, so that nobody else has to be asked for a certificate. */
async function serveHere(database: Database, databaseUrl: string) {
  const failures: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => failures.push(line) });
  const writing = startWriterThread({
    databaseUrl,
    queueBytesMax: 256 * 1024 * 1024,
    quarantineMax: 100_000_000,
  });
  let url = "";
  const app = buildServer({
    database,
    writing,
    region: "local",
    publicUrl: () => url,
    memory: { pages: 0, timelines: 0 },
    tracking: { secrets: [], url: () => url, readingsMax: 0 },
    log,
    ask: async () => snsCertificate,
  });
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url,
    failures,
    async stop() {
      await app.close();
      await writing.stop();
    },
  };
}

async function register(url: string, keys: Keys): Promise<void> {
  for (const id of Object.values(campaigns)) {
    const answer = await fetch(`${url}/ingest/v1/campaigns/${id}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${keys.ingest}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...madeUpCampaign(1),
        external_id: `campaign-${id}`,
        tracking_type: "Individual",
        sending_type: "Immediate",
        sent_at: new Date(Date.now() - hourMs).toISOString(),
      }),
    });
    assert.equal(answer.status, 201, await answer.text());
  }
}

/** Sends changed bodies of one provider, forged ones, and between them whole ones, each of which comes twice. */
async function pour({ provider, url, bodies }: { provider: ProviderName; url: string; bodies: number }) {
  const sending = sendings[provider];
  const random = new Random(providerNames.indexOf(provider));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const path = new URL(url).pathname;
  const total = { opens: 0, clicks: 0, accepted: 0, quarantined: 0, repeated: 0 };
  const statuses = new Map<string, number>();
  const take = ({ status, text }: Told, kind: string) => {
    statuses.set(`${kind} ${status}`, (statuses.get(`${kind} ${status}`) ?? 0) + 1);
    assert.ok(status < 500, `${provider}: ${status} ${text}`);
    if (status !== 200) return;
    const answer = JSON.parse(text) as Record<"accepted" | "repeated" | "quarantined", number>;
    for (const name of ["accepted", "repeated", "quarantined"] as const) total[name] += answer[name] ?? 0;
  };
  const sendWhole = async (index: number) => {
    const deeds = makeDeeds(random, provider, campaigns.whole, index);
    const text = JSON.stringify(sending.document(deeds));
    for (let time = 0; time < 2; time++) {
      const answer = await ask(url, sending.send(text, url), agent);
      assert.equal(answer.status, 200, `${provider}: ${answer.text}`);
      take(answer, "whole");
    }
    // A click implies an open, and each deed is of another recipient.
    total.opens += deeds.length;
    total.clicks += deeds.filter(({ type }) => type === "click").length;
  };
  const sendChanged = async (index: number) => {
    const document = sending.document(makeDeeds(random, provider, campaigns.changed, index));
    const isOfText = random.chance(40);
    const text = isOfText
      ? changeText(random, JSON.stringify(document))
      : JSON.stringify(changeValue(random, document));
    const sent = sending.send(text ?? "", url);
    if (sending.forge && random.chance(20)) {
      const forged = sending.forge(sending.send(JSON.stringify(document), url));
      const answer = await ask(url, forged, agent);
      assert.equal(answer.status, 401, `${provider} ${path}: a forged request was taken`);
      take(answer, "forged");
      return;
    }
    take(await ask(url, random.chance(15) ? cutShort(random, sent) : sent, agent), "changed");
  };
  let next = 0;
  const connection = async () => {
    for (let index = next++; index < bodies; index = next++) {
      if (index % wholeEvery === 0) await sendWhole(index);
      await sendChanged(index);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  agent.destroy();
  const seen = [...statuses].sort().map(([name, count]) => `${name}: ${count}`);
  return {
    ...total,
    summary: `${seen.join(", ")}; accepted ${total.accepted}, set aside ${total.quarantined}, repeated ${total.repeated}`,
  };
}

function makeDeeds(random: Random, provider: ProviderName, campaign: number, index: number): Deed[] {
  const count = sendings[provider].isBatch ? random.between(1, 3) : 1;
  return Array.from({ length: count }, (_, place) => ({
    campaign,
    // A recipient of its own for each, so that no burst of clicks is one.
    recipient: `${provider}-${index}-${place}@example.com`,
    type: random.pick(["open", "click"] as const),
    number: index,
    at: Date.now() - 60_000,
  }));
}

function ask(url: string, { body, headers }: Sent, agent: Agent): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method: "POST",
      agent,
      headers: { ...headers, "content-length": body.length },
    });
    asked.on("response", (response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** Values that nobody expects. */
const oddities: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 60,
  0.1,
  "",
  " ",
  "\0",
  "\ud800",
  "ﷺ".repeat(300),
  "x".repeat(20_000),
  "2026-02-30T25:61:61Z",
  "1".repeat(400),
  "__proto__",
  [],
  {},
  [[]],
  [null, 1, "a", {}],
  { constructor: 1, toString: "x" },
];

/** One value somewhere in a document is another one, is missing, or is there twice. */
function changeValue(random: Random, document: unknown): unknown {
  const copy = { root: structuredClone(document) };
  let parent: Record<string, unknown> | unknown[] = copy;
  let name: string | number = "root";
  for (;;) {
    const value: unknown = (parent as Record<string, unknown>)[name];
    if (typeof value !== "object" || value === null || random.chance(10)) break;
    const names: string[] = Object.keys(value);
    if (names.length === 0) break;
    parent = value as Record<string, unknown>;
    name = random.pick(names);
  }
  const fields = parent as Record<string, unknown>;
  const what = random.between(1, 5);
  if (what === 1 && Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (what === 1) delete fields[name];
  else if (what === 2 && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]));
  else if (what === 3) fields[name] = nest(random.between(1, 3_000), fields[name]);
  else fields[name] = random.pick(oddities);
  return copy.root;
}

function nest(depth: number, value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
}

/** Some characters of a text are others, are missing, or are there twice. */
function changeText(random: Random, text: string): string {
  let changed = text;
  for (let times = random.between(1, 4); times > 0; times--) {
    const at = random.between(0, Math.max(0, changed.length - 1));
    const some = changed.slice(at, at + random.between(1, 30));
    const other = random.pick([
      "",
      some + some,
      '"',
      "}",
      "[",
      "\\",
      "\u0000",
      "e9",
      "é",
      ",",
      some.toUpperCase(),
    ]);
    changed = changed.slice(0, at) + other + changed.slice(at + some.length);
  }
  return changed;
}

function cutShort(random: Random, { body, headers }: Sent): Sent {
  return { body: body.subarray(0, random.between(0, body.length)), headers };
}

function countRows(path: string, table: string): number {
  const sqlite = new Sqlite(path, { readonly: true });
  const rows = sqlite.prepare(`select count(*) from ${table}`).pluck().get() as number;
  sqlite.close();
  return rows;
}

/** How many events stand with the recipients. */
function countDone(path: string): number {
  const sqlite = new Sqlite(path, { readonly: true });
  let events = 0;
  for (const text of sqlite.prepare("select state from recipients").pluck().iterate()) {
    const { opens = {}, clicks = [], moreClicks = {}, readings = {} } = JSON.parse(text as string);
    const counts = [opens, moreClicks, readings].flatMap((each) => Object.values(each) as number[]);
    events += clicks.length + counts.reduce((sum, count) => sum + count, 0);
  }
  sqlite.close();
  return events;
}
