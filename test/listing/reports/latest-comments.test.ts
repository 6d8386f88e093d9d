// The comments on several campaigns: after any history they are those of the recipients in the database.

import assert from "node:assert/strict";
import test from "node:test";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { type CampaignComment, LatestCommentsReader } from "../../../src/listing/reports/latest-comments.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { readRecipients } from "../../../src/storage/ledgers/recipients.ts";
import { lockOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { backUp } from "../../support/back-up.ts";
import { Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { makeAcme, makeWorld, makeWorldOn, present, type World } from "../../support/world.ts";

const ids = [1, 2];
const people = Array.from({ length: 7 }, (_, index) => `person-${index}@example.com`);
let events = 0;

/** A survey answer, or an open if nothing is given. */
const event = (campaignId: number, recipient: string, given?: Record<string, unknown>) => {
  events += 1;
  return {
    id: `e-${events}`,
    campaign_id: campaignId,
    recipient,
    at: new Date(present - 1_000_000 + events).toISOString(),
    ...(given ? { type: "survey", survey_id: "s-1", kind: "enps", ...given } : { type: "open" }),
  };
};

/** The comments as a process shows them. */
async function readWith(
  database: Database,
  { id, minAnswers }: Organization,
  reader: LatestCommentsReader,
): Promise<CampaignComment[]> {
  const campaigns = await database.snapshot((queries) => findCampaigns(new Scope(queries, id), ids));
  return reader.read({ id, minAnswers }, campaigns, { signal: undefined });
}

/** The comments of all recipients, without those on surveys with fewer than five scores in campaigns without names. */
async function readPlainly({ database }: World, { id }: Organization): Promise<CampaignComment[]> {
  const campaigns = await database.snapshot((queries) => findCampaigns(new Scope(queries, id), ids));
  const comments: CampaignComment[] = [];
  for (const { campaign, counting } of campaigns) {
    const page = { ledgerId: counting?.ledgerId ?? 0, after: "", limit: 1_000 };
    const recipients = await database.query((queries) => readRecipients(new Scope(queries, id), page));
    const answers = recipients.flatMap(({ state }) => Object.entries(state.surveys ?? {}));
    const own = answers.flatMap(([survey, { comment, reaction }]) => {
      const answered = answers.filter(([other]) => other === survey);
      const scores = answered.filter(([, each]) => each.reaction).length;
      const isShown = campaign.trackingType === "Individual" || (scores || answered.length) >= 5;
      if (!comment || comment[0] === "" || !isShown) return [];
      const [kind, surveyId = ""] = survey.split(" ");
      const about = { campaignId: campaign.id, subject: campaign.subject, sentAt: campaign.sentAt };
      return [
        {
          at: comment[1],
          comment: { ...about, kind, surveyId, text: comment[0], reaction: reaction?.[0] } as CampaignComment,
        },
      ];
    });
    own.sort((a, b) => b.at - a.at);
    comments.push(...own.map(({ comment }) => comment));
  }
  return comments;
}

type Step = (world: World, organization: Organization, random: Random) => Promise<unknown>;

const steps: Step[] = [
  ...Array.from({ length: 3 }, (): Step => {
    return (world, organization, random) => {
      const some = Array.from({ length: random.between(1, 6) }, () => {
        const given = {
          ...random.pick([{ survey_id: "s-1" }, { survey_id: "s-2", kind: "pulse" }]),
          ...(random.chance(70) && { score: random.between(0, 10) }),
          comment: `Comment ${events}`,
        };
        return event(random.pick(ids), random.pick(people), random.chance(80) ? given : undefined);
      });
      return world.ingest(organization, some);
    };
  }),
  ({ database, clock }, { id }, random) =>
    database.transaction(async (queries) => {
      const locked = await lockOrganization(new Scope(queries, id));
      if (locked)
        await forgetRecipient(new Scope(queries, locked.id), locked, random.pick(people), clock.now);
    }),
  ({ database, clock }, { id }, random) =>
    database.transaction(async (queries) => {
      const locked = await lockOrganization(new Scope(queries, id));
      if (locked && random.chance(15))
        await closeCampaign(new Scope(queries, locked.id), locked, 2, clock.now).catch(() => 0);
    }),
];

test("comments are those of the database after random changes by two processes and restored backups", async (t) => {
  const first = await makeWorld(t);
  const second = await makeWorldOn(t, first.databaseUrl, first.clock);
  const readers = [first, second].map(({ database }) => {
    return { database, reader: new LatestCommentsReader(database) };
  });
  let compared = 0;
  for (let seed = 1; seed <= randomCases(6); seed++) {
    const random = new Random(seed);
    const { organization } = await first.addOrganization();
    for (const id of ids) {
      await first.register(organization, id, { tracking_type: id === 1 ? "Individual" : "Anonymous" });
    }
    await first.ingest(
      organization,
      ids.flatMap((id) => people.slice(0, 5).map((each) => event(id, each, { score: 9, comment: each }))),
    );
    let restore = await backUp(first.database, organization.id);
    for (let step = 0; step < 15; step++) {
      const chance = random.between(1, 6);
      if (chance === 1) restore = await backUp(first.database, organization.id);
      if (chance === 2) await restore();
      const change = random.pick(steps)(random.pick([first, second]), organization, random);
      // A page reads while the other process writes.
      const { database, reader } = random.pick(readers);
      await Promise.all([change, readWith(database, organization, reader)]);
      if (random.chance(50)) first.clock.now += random.between(0, 2);
      const late = random.pick(readers);
      const expected = await readPlainly(first, organization);
      compared += expected.length;
      assert.deepEqual(
        await readWith(late.database, organization, late.reader),
        expected,
        `seed ${seed}, step ${step}`,
      );
    }
  }
  assert.ok(compared > 0);
});

test("thousands of answers are read in several pages, each once", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const many = Array.from({ length: 2_300 }, (_, index) => `person-${index}@example.com`);
  const events = many.map((each) => event(1, each, { score: 9, comment: each }));
  await world.ingest(organization, events);
  const reader = new LatestCommentsReader(world.database);
  const texts = async () => {
    const comments = await readWith(world.database, organization, reader);
    return comments.map(({ text }) => text);
  };
  assert.deepEqual(await texts(), many.toReversed());
  await world.ingest(organization, [event(1, "late@example.com", { comment: "late" })]);
  assert.deepEqual(await texts(), ["late", ...many.toReversed()]);
});

test("caches nothing of a campaign that changed between its reading and that of its comments", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { id, minAnswers } = organization;
  await world.register(organization, 1, { subject: "Before" });
  const events = people.map((each) => event(1, each, { score: 9, comment: each }));
  await world.ingest(organization, events);
  const reader = new LatestCommentsReader(world.database);
  const find = () => world.database.snapshotOf(id, (scope) => findCampaigns(scope, [1]));
  const before = await find();
  await world.register(organization, 1, { subject: "After" });
  for (const [campaigns, subject] of [
    [before, "Before"],
    [await find(), "After"],
  ] as const) {
    const comments = await reader.read({ id, minAnswers }, campaigns, { signal: undefined });
    assert.deepEqual(new Set(comments.map((comment) => comment.subject)), new Set([subject]));
  }
});
