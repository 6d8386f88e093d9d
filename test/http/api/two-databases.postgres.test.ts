// SQLite and PostgreSQL side by side: after the same changes, every response of both is identical, byte
// for byte.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dayMs, hourMs } from "../../../src/campaign/calendar/durations.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { makeHistory, Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import {
  campaign,
  makeSqliteWorld,
  makeWorld,
  present,
  run,
  type Service,
  serve,
  type World,
} from "../../support/world.ts";

const seeds = randomCases(6);
const questions = 25;
/** Strings that databases may sort, fold, escape or measure differently. */
const subjects = [
  ...["Ärger", "arger", "zebra", "Z", "ı İ i I", "😀 \u{10FFFF}", "Ǆ ǆ", "'; drop table x; --", "\\x00 \\"],
  ...["\u0001\t\n", "e\u0301 é", "\u202Eabc"],
];
const tagNames = ["News", "news", "Ünder", "%_", "a,b", "😀"];
const timeZones = ["UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"];

interface Side {
  world: World;
  service: Service;
  key: string;
  ingestKey: string;
  organization: Organization;
}

async function side(t: TestContext, world: World, timeZone: string): Promise<Side> {
  const service = await serve(t, world);
  const { organization, key, ingestKey } = await world.addOrganization({ timeZone });
  return { world, service, key, ingestKey, organization };
}

/** Does the same on both databases and compares the results. */
async function onBoth(sides: readonly Side[], work: (side: Side) => Promise<unknown>): Promise<void> {
  const [first, second] = [await work(sides[0] as Side), await work(sides[1] as Side)];
  assert.deepEqual(second, first);
}

const answerOf = async (asked: ReturnType<Service["get"]>) => {
  const { status, headers, text } = await asked;
  // Not the ETag: each database has random revision ids.
  return { status, link: headers.get("link"), text };
};

function randomCampaigns(random: Random) {
  return Array.from({ length: random.between(5, 60) }, (_, index) =>
    campaign({
      id: 1000 + index * 5 + random.between(0, 4),
      subject: random.pick(subjects),
      sentAt: present - random.between(-2, 400) * hourMs * random.between(0, 24),
      team: random.pick([null, "Team 1", ...subjects]),
      recipients: random.pick([null, "Everybody", ...subjects]),
      recipientCount: random.pick([null, 0, 1, 135]),
      tags: tagNames.filter(() => random.chance(30)),
      metrics: { open_rate: random.pick([null, 0, 0.1, 1 / 3, 1e-9]) },
    }),
  );
}

function randomQuery(random: Random): string {
  const query = new URLSearchParams();
  if (random.chance(70)) query.set("page", String(random.between(0, 4)));
  if (random.chance(70)) query.set("per_page", random.pick(["1", "3", "100", "1000", "x"]));
  const day = () => new Date(present - random.between(-30, 400) * dayMs).toISOString();
  if (random.chance(40)) query.set("sent_after", random.chance(50) ? day() : day().slice(0, 10));
  if (random.chance(40)) query.set("sent_before", random.chance(50) ? day() : day().slice(0, 10));
  if (random.chance(40)) query.set("tag_ids", [1, 2, 3, 4, 5, 6, 7].filter(() => random.chance(30)).join());
  return `?${query}`;
}

/** Something an operator can do. */
function randomCommand(random: Random, organizationId: number): string[] {
  const of = ["--organization", String(organizationId)];
  const id = ["--id", String(random.between(1, 7))];
  return random.pick([
    ["tag", "change", ...of, ...id, "--name", `${random.pick(tagNames)} ${random.between(1, 99)}`],
    ["tag", "delete", "--yes", ...of, ...id],
    ["organization", "change", ...of, "--time-zone", random.pick(timeZones)],
    ["organization", "change", ...of, "--count", random.pick(["people", "all"])],
    ["campaign", "delete", ...of, ...id, "--yes"],
    ["campaign", "close", "--yes", ...of, ...id],
    ["recipient", "forget", "--yes", ...of, `person-${random.between(1, 9)}@example.com`],
    ["quarantine", "replay", ...of],
    ["quarantine", "list", ...of, "--json"],
    ["tag", "list", ...of],
    ["recount"],
    ["export", ...of, "--format", random.pick(["csv", "ndjson"])],
  ]);
}

for (let seed = 1; seed <= seeds; seed++) {
  test(`history ${seed}: SQLite and PostgreSQL give identical responses`, async (t) => {
    const random = new Random(seed);
    const timeZone = random.pick(timeZones);
    const sides = [
      await side(t, await makeSqliteWorld(t), timeZone),
      await side(t, await makeWorld(t), timeZone),
    ];
    const campaigns = randomCampaigns(random);
    await onBoth(sides, ({ world, organization }) => world.save(organization, structuredClone(campaigns)));
    const ask = async () => {
      for (let asked = 0; asked < questions; asked++) {
        const query = randomQuery(random);
        await onBoth(sides, ({ service, key }) =>
          answerOf(service.get(`/data_api/v1/emails${query}`, { key })),
        );
      }
    };
    await ask();
    for (const step of makeHistory(seed).steps) {
      await onBoth(sides, async ({ world, service, ingestKey }) => {
        world.clock.now = Math.max(world.clock.now, step.now);
        const sending =
          step.kind === "put"
            ? { path: `campaigns/${step.id}`, method: "PUT", body: step.campaign }
            : { path: "events", method: "POST", body: { events: step.events } };
        const { path, ...rest } = sending;
        return answerOf(service.send(`/ingest/v1/${path}`, { key: ingestKey, ...rest }));
      });
      if (!random.chance(30)) continue;
      const argv = randomCommand(random, sides[0]?.organization.id ?? 0);
      await onBoth(sides, async ({ world }) => {
        const { exitCode, stdout, stderr } = await run(world.databaseUrl, argv, {
          now: () => world.clock.now,
        });
        return { argv, exitCode, stdout, stderr };
      });
    }
    await ask();
  });
}
