// Renames a tag of many campaigns while another organization's events arrive and a reader pages. In full: of 5,000.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { checkDatabase } from "../../src/counting/integrity/check-database.ts";
import { listTags } from "../../src/storage/organizations/tags.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { makeWebWorld } from "../support/web-world.ts";
import { campaign, present } from "../support/world.ts";

const namesOf = ({ emails }: { emails: Record<string, unknown>[] }) =>
  new Set(emails.flatMap(({ tags }) => (tags as { name: string }[]).map(({ name }) => name)));

const campaigns = isFullSize ? 5_000 : 600;
const names = ["Old", "New", "Newer", "Newest"];

test("renames a tag of many campaigns at once, while others send events and readers page", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service, key } = given;
  const other = await world.addOrganization();
  await world.register(other.organization, 1);
  const ids = Array.from({ length: campaigns }, (_, index) => index + 1);
  await world.save(
    organization,
    ids.map((id) => campaign({ id, sentAt: present - id * 1_000, tags: ["Old"] })),
  );
  const [tag] = await world.database.queryOf(organization.id, listTags);
  assert.ok(tag);
  const admin = await given.signIn("admin");

  let isRenaming = true;
  const during = async (work: (round: number) => Promise<void>) => {
    const waits: number[] = [];
    for (let round = 0; isRenaming || waits.length === 0; round++) {
      const startedAt = performance.now();
      await work(round);
      // The first requests start the writer thread and load the index.
      if (round >= 10) waits.push(performance.now() - startedAt);
    }
    return Math.max(...waits);
  };
  let sent = 0;
  const sending = during(async (round) => {
    const at = new Date(world.clock.now).toISOString();
    const event = { id: `e-${round}`, campaign_id: 1, recipient: `${round}@example.com`, type: "open", at };
    const { status, text } = await service.send("/ingest/v1/events", {
      key: other.ingestKey,
      body: { events: [event] },
    });
    assert.equal(status, 200, text);
    sent += 1;
  });
  const seen = new Set<string>();
  const reading = during(async (round) => {
    const page = (round % Math.ceil(campaigns / 100)) + 1;
    const shown = namesOf(await service.emails(key, `?per_page=100&page=${page}`));
    assert.equal(shown.size, 1, `a page shows ${[...shown].join(" and ")}`);
    for (const name of shown) seen.add(name);
  });
  while (sent < 20) await nextTurn();
  let renamingMs = 0;
  for (const name of names.slice(1)) {
    const startedAt = performance.now();
    const { status } = await admin.post(`/settings/tags/${tag.id}`, "change", { name, color: tag.color });
    assert.equal(status, 303);
    renamingMs = Math.max(renamingMs, performance.now() - startedAt);
  }
  isRenaming = false;
  const waits = { sending: await sending, reading: await reading };
  report(
    `${campaigns} campaigns renamed in at most ${renamingMs.toFixed(0)} ms: an event of another organization waited at most ${waits.sending.toFixed(0)} ms, a page ${waits.reading.toFixed(0)} ms`,
  );
  assert.deepEqual([...namesOf(await service.emails(key, "?per_page=100"))], ["Newest"]);
  for (const name of seen) assert.ok(names.includes(name), name);
  assert.ok(sent > 0);
  const checked = await checkDatabase(world.database, () => undefined);
  assert.deepEqual([checked.records, checked.damage], [campaigns + 1, []]);
});
