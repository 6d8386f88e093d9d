// The writer thread is fair on SQLite, where organizations share commits: a small job of one organization does not wait
// behind the large jobs of another. On PostgreSQL each organization has commits of its own, which run at the same time.

import assert from "node:assert/strict";
import test from "node:test";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { opens } from "../../support/events.ts";
import { makeWorld } from "../../support/world.ts";

test("writes a small job of another organization before the second of many large ones", async (t) => {
  const world = await makeWorld(t);
  const { organization: flooding } = await world.addOrganization({ name: "Flooding" });
  const { organization: quiet } = await world.addOrganization({ name: "Quiet" });
  for (const organization of [flooding, quiet]) await world.register(organization, 1);
  const writer = startWriterThread({
    databaseUrl: world.databaseUrl,
    maxQueueBytes: 64 * 1024 * 1024,
    maxQuarantineBytes: 0,
  });
  t.after(() => writer.stop());
  const written: string[] = [];
  const write = async (name: string, organizationId: number, count: number) => {
    const body = Buffer.from(
      JSON.stringify({ events: opens(count).map((event) => ({ ...event, id: `${name}-${event.id}` })) }),
    );
    const task = { name: "ingest_events", format: "json", sender: 1 } as const;
    const { accepted } = await writer.write({
      organizationId,
      now: world.clock.now,
      body,
      isGzipped: false,
      task,
    });
    assert.equal(accepted, count);
    written.push(name);
  };
  // All jobs are queued before the thread starts to receive them.
  await Promise.all([
    ...["large 1", "large 2", "large 3", "large 4"].map((name) => write(name, flooding.id, 1_500)),
    write("small", quiet.id, 1),
  ]);
  assert.ok(written.indexOf("small") <= 1, written.join(", "));
});
