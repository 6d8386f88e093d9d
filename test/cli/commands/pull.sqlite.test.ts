// `pull` copies campaigns from a hosted service: here from this service itself, which has the same API.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { company } from "../../../src/counting/sample/company.ts";
import { demoCampaigns } from "../../../src/counting/sample/reported-campaigns.ts";
import { hostedCampaigns, pulling, startHosted } from "../../support/hosted-service.ts";
import { emptyWorld } from "../../support/import-files.ts";
import { campaign, makeWorld, present, run, type Service, serve } from "../../support/world.ts";

const timeZone = "America/New_York";

/** An empty organization 1, and organization 2 as the hosted service, with the campaigns of the demo. */
async function makeHosted(t: TestContext) {
  const world = await makeWorld(t);
  const copy = await world.addOrganization({ timeZone });
  const source = await world.addOrganization({ name: "Hosted", timeZone });
  const campaigns = demoCampaigns(company, Date.UTC(2026, 0, 1)).map((each) => ({
    ...each,
    tags: [...each.tags],
  }));
  await world.save(source.organization, campaigns);
  const service = await serve(t, world);
  return { world, service, copy, source, count: campaigns.length };
}

async function allEmails(service: Service, key: string): Promise<unknown[]> {
  const emails: unknown[] = [];
  for (let page = 1; ; page++) {
    const found = await service.emails(key, `?per_page=100&page=${page}`);
    emails.push(...found.emails);
    if (page >= (found.meta.total_pages ?? 0)) return emails;
  }
}

test("pull copies every campaign so that the API answers the same, field by field", async (t) => {
  const { world, service, copy, source, count } = await makeHosted(t);
  const first = await pulling(world, service.url, ["--json"], { key: source.key });
  assert.equal(first.exitCode, 0, first.stderr);
  // Five pages, and the check of the time zone.
  assert.deepEqual(first.rows, [
    { added: count, changed: 0, unchanged: 0, deleted: 0, requests: 6, warnings: [] },
  ]);
  const copied = await allEmails(service, copy.key);
  assert.equal(copied.length, count);
  assert.deepEqual(copied, await allEmails(service, source.key));
  const again = await pulling(world, service.url, ["--json"], { key: source.key });
  assert.deepEqual([again.rows[0]?.unchanged, again.rows[0]?.changed], [count, 0]);
});

test("pull updates what has changed, and prunes only with --prune --yes", async (t) => {
  const { world, service, copy, source, count } = await makeHosted(t);
  await pulling(world, service.url, [], { key: source.key });
  await world.register(copy.organization, 900_001);
  // Imported, but sent after the pull: the hosted service was not asked for it.
  await world.save(copy.organization, [campaign({ id: 900_002, sentAt: present + 1 })]);
  await world.save(source.organization, [
    campaign({ id: 2, subject: "Changed", sentAt: Date.UTC(2025, 0, 1) }),
  ]);
  await world.write(source.organization, (scope) => removeCampaign(scope, 3, present));

  const unpruned = await pulling(world, service.url, ["--json"], { key: source.key });
  assert.deepEqual([unpruned.rows[0]?.changed, unpruned.rows[0]?.deleted], [1, 0]);
  const refused = await pulling(world, service.url, ["--prune"], { key: source.key });
  assert.equal(refused.exitCode, 2);
  assert.match(refused.stderr, /add --dry-run to see how many, and --yes to confirm/);
  const dry = await pulling(world, service.url, ["--prune", "--dry-run"], { key: source.key });
  const text = `Validated, nothing written: 0 added, 0 changed, ${count - 1} unchanged, 1 deleted.\n`;
  assert.equal(dry.stdout, text);
  const pruned = await pulling(world, service.url, ["--prune", "--yes", "--json"], { key: source.key });
  assert.equal(pruned.rows[0]?.deleted, 1);

  const exported = (await run(world.databaseUrl, "export --organization 1 --json")).rows;
  const ids = new Set(exported.map(({ id }) => id));
  assert.equal(ids.size, count - 1 + 2);
  assert.deepEqual([ids.has(3), ids.has(900_001), ids.has(900_002)], [false, true, true]);
});

test("pull --prune deletes at most a tenth of the campaigns unless --prune-many is added", async (t) => {
  const world = await emptyWorld(t);
  const hosted = await startHosted(t);
  const all = hosted.campaigns;
  assert.equal((await pulling(world, hosted.url)).exitCode, 0);
  const left = async () => (await run(world.databaseUrl, "export --json")).rows.length;
  const prune = (...more: string[]) => pulling(world, hosted.url, ["--prune", "--yes", ...more]);
  const others = hostedCampaigns(1_250).slice(0, 1_000);
  for (const [campaigns, gone] of [
    [all.slice(249), 249],
    [[], 250],
    // Those of another account, which has more.
    [others, 250],
  ] as const) {
    hosted.campaigns = [...campaigns];
    const { exitCode, stderr } = await prune();
    const refusal = `error: --prune would delete ${gone} of 250 campaigns, more than a tenth. Check --from and the key, or add --prune-many. Nothing was saved.`;
    assert.deepEqual([exitCode, stderr.trim(), await left()], [1, refusal, 250]);
  }
  hosted.campaigns = all.slice(25);
  assert.deepEqual([(await prune()).exitCode, await left()], [0, 225], "a tenth");
  hosted.campaigns = all.slice(100);
  const dry = await pulling(world, hosted.url, ["--prune", "--dry-run"]);
  assert.match(dry.stdout, /^Validated, nothing written: .*, 75 deleted\.$/m);
  assert.deepEqual([(await prune("--prune-many")).exitCode, await left()], [0, 150]);
});

test("pull saves nothing when a campaign with the same ID is counted here", async (t) => {
  const { world, service, copy, source } = await makeHosted(t);
  await world.register(copy.organization, 5);
  const refused = await pulling(world, service.url, [], { key: source.key });
  assert.equal(refused.exitCode, 1);
  const message = /^page \d, emails\[\d+\]: id: the numbers of campaign 5 are counted from events/m;
  assert.match(refused.stderr, message);
  assert.match(refused.stderr, /^error: 1 error; nothing was saved$/m);
  assert.equal((await service.emails(copy.key)).meta.total_entries, 1);
});

test("pull with --sent-after or --last-days copies only those campaigns", async (t) => {
  const { world, service, source } = await makeHosted(t);
  await world.save(source.organization, [campaign({ id: 900_001, sentAt: Date.UTC(2026, 5, 10) })]);
  const recent = await pulling(world, service.url, ["--last-days", "10", "--json"], { key: source.key });
  assert.equal(recent.rows[0]?.added, 1, recent.stderr);
  const expected = (await service.emails(source.key, "?sent_after=2025-12-01")).meta.total_entries as number;
  const after = await pulling(world, service.url, ["--sent-after", "2025-12-01", "--json"], {
    key: source.key,
  });
  assert.deepEqual([after.rows[0]?.added, after.rows[0]?.unchanged], [expected - 1, 1]);
  const both = ["--sent-after", "2025-12-01", "--last-days", "3"];
  assert.equal((await pulling(world, service.url, both)).exitCode, 2);
  assert.equal((await pulling(world, service.url, ["--prune", "--yes", "--last-days", "3"])).exitCode, 2);
});

test("pull says which time it understood, and warns when the account has another time zone", async (t) => {
  const { world, service, source } = await makeHosted(t);
  const right = await pulling(world, service.url, ["--dry-run"], { key: source.key });
  const [newest] = (await service.emails(source.key)).emails;
  assert.match(
    right.stderr,
    new RegExp(
      `^sent_at has no time zone and is read as America/New_York: campaign ${newest?.id}, "${newest?.sent_at}", was sent at 20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z\\.\n`,
    ),
  );
  assert.doesNotMatch(right.stderr, /warning: the hosted service/);
  const change = "organization change --organization 1 --time-zone Europe/Paris";
  assert.equal((await run(world.databaseUrl, change)).exitCode, 0);
  const wrong = await pulling(world, service.url, ["--dry-run"], { key: source.key });
  assert.equal(wrong.exitCode, 0);
  const message =
    /^warning: the hosted service did not send campaign \d+ at .*another time zone than Europe\/Paris;/m;
  assert.match(wrong.stderr, message);
  const json = await pulling(world, service.url, ["--json"], { key: source.key });
  assert.match(String(json.rows[0]?.warnings), /another time zone than Europe\/Paris;/);
});
