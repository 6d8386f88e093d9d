// Durability: a real server is killed repeatedly during ingest, and no acknowledged event is lost
// or counted twice.

import assert from "node:assert/strict";
import test from "node:test";
import { serveOnFreePort, start, urlOf } from "../../support/process.ts";
import { campaignsPath, type EventsResponse, eventsPath } from "../../support/sending.ts";
import { checkFile } from "../../support/stored-bytes.ts";
import { countedCampaign, makeWorld, run } from "../../support/world.ts";

const senders = 6;
const batchesOfSender = 40;
const eventsOfBatch = 25;
/** Events that two consecutive batches share. Each batch has two senders. */
const overlap = 5;
const kills = 2;
/** A server is killed after this many responses. */
const answersPerLife = 30;

// The server uses the real clock: nothing is in the future, and nothing is old enough to be closed.
const sentAt = "2024-01-01T09:00:00Z";

const eventOf = (index: number) => ({
  id: `e-${index}`,
  campaign_id: (index % 3) + 1,
  recipient: `r-${index % 70}@example.com`,
  type: "open",
  at: "2024-01-01T10:00:00Z",
});

/** Returns the event indexes of a batch. A sender also sends the batches of its neighbor. */
function batchOf(sender: number, index: number): number[] {
  const place = ((sender + (index % 2)) % senders) * batchesOfSender + index;
  return Array.from({ length: eventsOfBatch }, (_, each) => place * (eventsOfBatch - overlap) + each);
}

interface Sender {
  /** Batches that are not acknowledged yet. */
  left: number[][];
}

/** Events that a response has acknowledged, and all events that were sent. */
interface Known {
  acknowledged: Set<number>;
  sent: Set<number>;
}

/** Sends the remaining batches one by one, until all are acknowledged or the server is gone. */
async function sendAll(
  sender: Sender,
  { url, key, known, answered }: { url: string; key: string; known: Known; answered: () => void },
): Promise<void> {
  while (sender.left[0]) {
    const [batch] = sender.left;
    for (const index of batch) known.sent.add(index);
    let answer: Response;
    let body: EventsResponse["body"];
    try {
      answer = await fetch(url + eventsPath, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ events: batch.map(eventOf) }),
      });
      body = (await answer.json()) as EventsResponse["body"];
    } catch {
      return;
    }
    assert.equal(answer.status, 200, JSON.stringify(body));
    assert.equal(body.accepted + body.repeated, eventsOfBatch);
    for (const index of batch) known.acknowledged.add(index);
    sender.left.shift();
    answered();
  }
}

/** The opens of all campaigns, as the API shows them. */
async function shown(url: string, key: string): Promise<{ unique: number; total: number }> {
  const answer = await fetch(`${url}/data_api/v1/emails`, { headers: { authorization: `Bearer ${key}` } });
  const { emails } = (await answer.json()) as { emails: Record<string, number>[] };
  const sum = (name: string) => emails.reduce((total, email) => total + (email[name] ?? 0), 0);
  return { unique: sum("unique_opens"), total: sum("total_opens") };
}

test("counts every acknowledged event exactly once after kill -9 during ingest", async (t) => {
  const world = await makeWorld(t);
  const { key, ingestKey } = await world.addOrganization();
  const environment = { DATABASE_URL: world.databaseUrl, LOG_LEVEL: "silent" };
  const known: Known = { acknowledged: new Set(), sent: new Set() };
  const all: Sender[] = Array.from({ length: senders }, (_, sender) => ({
    left: Array.from({ length: batchesOfSender }, (_, index) => batchOf(sender, index)),
  }));
  const every = new Set(all.flatMap(({ left }) => left.flat()));

  for (let life = 0; life <= kills; life++) {
    const server = start(t, serveOnFreePort, environment);
    const url = await urlOf(server);
    for (const id of [1, 2, 3]) {
      const { status } = await fetch(`${url}${campaignsPath}/${id}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${ingestKey}`, "content-type": "application/json" },
        body: JSON.stringify({ ...countedCampaign(id), sent_at: sentAt }),
      });
      assert.equal(status, life === 0 ? 201 : 200);
    }
    const { total } = await shown(url, key);
    assert.ok(total >= known.acknowledged.size, `${known.acknowledged.size} acknowledged, ${total} counted`);
    assert.ok(total <= known.sent.size, `${known.sent.size} sent, ${total} counted`);

    let answers = 0;
    const answered = () => {
      answers += 1;
      if (life < kills && answers === answersPerLife) server.child.kill("SIGKILL");
    };
    await Promise.all(all.map((sender) => sendAll(sender, { url, key: ingestKey, known, answered })));
    assert.equal(
      all.some(({ left }) => left.length > 0),
      life < kills,
    );
    if (life < kills) assert.equal(await server.ended, "SIGKILL");
    else {
      assert.deepEqual(known.acknowledged, every);
      // Every recipient of every campaign has opened, because 70 and 3 have no common divisor.
      assert.deepEqual(await shown(url, key), { unique: 210, total: every.size });
      assert.equal(await server.stop(), 0);
    }
    checkFile(world);
    const { exitCode, rows } = await run(world.databaseUrl, ["recount", "--json"]);
    assert.deepEqual([exitCode, rows], [0, []]);
  }
});
