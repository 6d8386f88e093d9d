// An organization that two server processes and commands change in turn: each process shows at once what the other one
// and the commands have changed.

import assert from "node:assert/strict";
import { generateCampaign } from "../../support/generated-events.ts";
import { request } from "../../support/request.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  sendEvents,
} from "../../support/service-process.ts";
import { run } from "../../support/world.ts";

type Services = readonly [RunningService, RunningService];

interface Exchange {
  databaseUrl: string;
  keys: Keys;
  /** Receives the next change. */
  writer: RunningService;
  /** Must show it. */
  reader: RunningService;
}

interface Page {
  emails: { id: number; unique_opens: number; tags: { name: string }[] }[];
}

/** @returns how many rounds were made until `isOver` */
export async function exchangeUntil(
  databaseUrl: string,
  services: Services,
  isOver: () => boolean,
): Promise<number> {
  const keys = await makeOrganization(databaseUrl);
  const of = ["--organization", String(keys.organizationId)];
  const [tag] = await command(databaseUrl, ["tag", "add", ...of, "--name", "Tag 0", "--color", "#4E79A7"]);
  let round = 0;
  do {
    round += 1;
    const [writer, reader] = round % 2 === 0 ? services : services.toReversed();
    const exchange = {
      databaseUrl,
      keys,
      writer: writer as RunningService,
      reader: reader as RunningService,
    };
    await exchangeCampaign(exchange, round, `Tag ${round - 1}`);
    await command(databaseUrl, ["tag", "change", ...of, "--id", String(tag?.id), "--name", `Tag ${round}`]);
    for (const service of services) await checkRecord(service, keys.read, round, 1, `Tag ${round}`);
    await exchangeKey(exchange, services);
    await command(databaseUrl, ["campaign", "delete", ...of, "--id", String(round), "--yes"]);
    for (const { url } of services) {
      assert.deepEqual((JSON.parse((await readEmails(url, keys.read)).text) as Page).emails, []);
    }
  } while (!isOver());
  return round;
}

/** One process registers a campaign, the other one counts its event. */
async function exchangeCampaign({ keys, writer, reader }: Exchange, id: number, tag: string): Promise<void> {
  const campaign = JSON.stringify({ ...generateCampaign(id), tracking_type: "Individual", tags: [tag] });
  const { status, text } = await request(
    `${writer.url}/ingest/v1/campaigns/${id}`,
    keys.ingest,
    campaign,
    "PUT",
  );
  assert.equal(status, 201, text);
  await checkRecord(reader, keys.read, id, 0, tag);
  const event = {
    id: "e",
    campaign_id: id,
    recipient: "ann@example.com",
    type: "open",
    at: "2026-01-06T09:00:00Z",
  };
  assert.equal((await sendEvents(reader.url, keys.ingest, [event])).accepted, 1);
  assert.equal((await sendEvents(writer.url, keys.ingest, [event])).repeated, 1);
  await checkRecord(writer, keys.read, id, 1, tag);
}

async function checkRecord(
  { url }: RunningService,
  key: string,
  id: number,
  unique_opens: number,
  tag: string,
): Promise<void> {
  const { emails } = JSON.parse((await readEmails(url, key)).text) as Page;
  const shown = emails.map((record) => [record.id, record.unique_opens, record.tags.map(({ name }) => name)]);
  assert.deepEqual(shown, [[id, unique_opens, [tag]]]);
}

/** A key works in both processes until a command deletes it. */
async function exchangeKey({ databaseUrl, keys }: Exchange, services: Services): Promise<void> {
  const of = ["--organization", String(keys.organizationId)];
  const [added] = await command(databaseUrl, ["key", "add", ...of, "--name", "new"], { REGION: "local" });
  const statuses = () =>
    Promise.all(services.map(async ({ url }) => (await readEmails(url, String(added?.key))).status));
  assert.deepEqual(await statuses(), [200, 200]);
  await command(databaseUrl, ["key", "delete", ...of, "--id", String(added?.id)]);
  assert.deepEqual(await statuses(), [401, 401]);
}

function readEmails(url: string, key: string): Promise<{ status: number; text: string }> {
  return request(`${url}/data_api/v1/emails`, key);
}

/** Runs a command that must succeed. @returns the rows that it printed */
async function command(databaseUrl: string, argv: string[], environment: Record<string, string> = {}) {
  const given = {
    environment: { DATABASE_URL: databaseUrl, LOG_LEVEL: "silent", ...environment },
    now: Date.now,
  };
  const ran = await run(databaseUrl, [...argv, "--json"], given);
  assert.equal(ran.exitCode, 0, `${argv.join(" ")}: ${ran.stderr}`);
  return ran.rows;
}
