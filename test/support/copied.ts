// Asserts that a copy of a database answers like its source, and can be used in its place.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { openDatabase } from "../../src/storage/open-database.ts";
import { type FullWorld, succeeds } from "./copying.ts";
import { open } from "./events.ts";
import { countedCampaign, serve } from "./world.ts";

/** Asserts that both databases give the same responses, and that the copy counts new and quarantined events. */
export async function assertCopied(t: TestContext, { world, keys, ingestKey }: FullWorld, url: string) {
  const database = await openDatabase(url);
  t.after(() => database.close());
  const here = await serve(t, world);
  const there = await serve(t, { ...world, database, databaseUrl: url });
  for (const key of keys) {
    for (const query of [
      "",
      "?per_page=100",
      "?page=2&per_page=3",
      "?tag_ids=1,2",
      "?sent_before=2024-02-01",
    ]) {
      const [one, other] = await Promise.all(
        [here, there].map((service) => service.get(`/data_api/v1/emails${query}`, { key })),
      );
      assert.equal(one?.status, 200);
      assert.equal(other?.text, one?.text);
      assert.equal(other?.headers.get("etag"), one?.headers.get("etag"));
    }
  }
  const lists = ["tag list", "key list", "source list", "quarantine list", "export"];
  const commands = lists.flatMap((words) =>
    ["1", "2"].map((id) => [...words.split(" "), "--organization", id, "--json"]),
  );
  for (const argv of [["organization", "list", "--json"], ["recount", "--json"], ...commands]) {
    const [one, other] = [await succeeds(world.databaseUrl, argv), await succeeds(url, argv)];
    assert.equal(other.stdout, one.stdout, argv.join(" "));
  }
  await assertSameNextIds(world.databaseUrl, url);
  const registered = await there.send("/ingest/v1/campaigns/99", {
    key: ingestKey,
    method: "PUT",
    body: countedCampaign(99),
  });
  assert.equal(registered.status, 201, registered.text);
  const sent = [open(1), open(5_000, { campaign_id: 99 }), open(5_002, { campaign_id: 99 })];
  const answer = await there.send("/ingest/v1/events", { key: ingestKey, body: { events: sent } });
  assert.deepEqual(answer.body, { accepted: 1, repeated: 2, quarantined: 0, problems: [] });
  const { emails } = await there.emails(keys[0] ?? "", "?per_page=100");
  const late = emails.find(({ id }) => id === 99);
  assert.deepEqual([late?.unique_opens, late?.unique_clicks], [3, 1], "quarantined events are counted");
  await succeeds(url, ["recount"]);
}

/** Asserts that new organizations and tags get the same, unused IDs in both. */
async function assertSameNextIds(one: string, other: string): Promise<void> {
  const of = ["--organization", "1", "--json"];
  for (const argv of [
    ["organization", "add", "--name", "Next", "--json"],
    ["tag", "add", "--name", "Next", "--color", "#000000", ...of],
    ["key", "list", ...of],
  ]) {
    const [here, there] = [await succeeds(one, argv), await succeeds(other, argv)];
    assert.deepEqual(there.rows, here.rows, argv.join(" "));
  }
}
