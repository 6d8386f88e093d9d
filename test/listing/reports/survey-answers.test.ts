// What people can read of the answers to surveys: whose names, whose words, and when none.

import assert from "node:assert/strict";
import test from "node:test";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { readSurveyAnswers, type SurveyAnswers } from "../../../src/listing/reports/survey-answers.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { Organization } from "../../../src/storage/organizations.ts";
import { campaign, makeWorld, present, type World } from "../../support/world.ts";

let events = 0;

const answer = (recipient: string, given: Record<string, unknown> = {}) => {
  events += 1;
  return {
    id: `e-${events}`,
    campaign_id: 1,
    recipient,
    type: "survey",
    at: new Date(present - 1_000_000 + events).toISOString(),
    survey_id: "s-1",
    kind: "enps",
    ...given,
  };
};

const people = Array.from({ length: 5 }, (_, index) => `person-${index}@example.com`);

async function read(world: World, { id }: Organization, campaignId = 1): Promise<SurveyAnswers[]> {
  const [stored] = await world.database.snapshot((queries) => findCampaigns(queries, id, [campaignId]));
  assert.ok(stored);
  const { surveys, others } = await readSurveyAnswers(world.database, id, stored);
  assert.equal(others, 0);
  return surveys;
}

test("each survey has its answers, how they are distributed, and its comments, the latest first", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(organization, [
    ...people.map((each, score) => answer(each, { score, comment: `I say ${score}` })),
    answer("silent@example.com", { score: 4 }),
    answer("words@example.com", { comment: "Only words" }),
    ...["Yes", "No", "Yes"].map((given, index) =>
      answer(people[index] ?? "", { survey_id: "with a space", kind: "pulse", answer: given }),
    ),
    answer(people[3] ?? "", { survey_id: "with a space", kind: "pulse", score: 2 }),
  ]);
  const [enps, pulse, ...others] = await read(world, organization);
  assert.deepEqual(others, []);
  assert.deepEqual(enps, {
    id: "s-1",
    kind: "enps",
    answers: 7,
    distribution: [
      { answer: 0, count: 1 },
      { answer: 1, count: 1 },
      { answer: 2, count: 1 },
      { answer: 3, count: 1 },
      { answer: 4, count: 2 },
    ],
    otherAnswers: 0,
    comments: [
      { text: "Only words", reaction: undefined, name: "words@example.com" },
      ...[4, 3, 2, 1, 0].map((reaction) => {
        return { text: `I say ${reaction}`, reaction, name: `person-${reaction}@example.com` };
      }),
    ],
    commentsInAll: 6,
    isWithheld: false,
  });
  assert.deepEqual(pulse, {
    id: "with a space",
    kind: "pulse",
    answers: 4,
    distribution: [
      { answer: 2, count: 1 },
      { answer: "Yes", count: 2 },
      { answer: "No", count: 1 },
    ],
    otherAnswers: 0,
    comments: [],
    commentsInAll: 0,
    isWithheld: false,
  });
});

for (const tracking of ["Anonymous", "Overall"]) {
  test(`where tracking is ${tracking}, words have no names, not even hashes`, async (t) => {
    const world = await makeWorld(t);
    const { organization } = await world.addOrganization();
    await world.register(organization, 1, { tracking_type: tracking });
    await world.ingest(
      organization,
      people.map((each) => answer(each, { score: 9, comment: "Words" })),
    );
    const [survey] = await read(world, organization);
    assert.equal(survey?.answers, 5);
    assert.deepEqual(survey.comments, Array(5).fill({ text: "Words", reaction: 9 }));
    assert.doesNotMatch(JSON.stringify(survey), /[0-9a-f]{32}|@/);
  });
}

for (const tracking of ["Individual", "Anonymous", "Overall"]) {
  test(`of a survey that four have answered no comment is shown, with the fifth they are: ${tracking}`, async (t) => {
    const world = await makeWorld(t);
    const { organization } = await world.addOrganization();
    await world.register(organization, 1, { tracking_type: tracking });
    const [last = "", ...four] = people;
    await world.ingest(
      organization,
      four.map((each) => answer(each, { score: 9, comment: "Words" })),
    );
    // Answers to another survey, and again to the same, do not help.
    await world.ingest(organization, [
      answer(last, { survey_id: "s-2", score: 9 }),
      answer(four[0] ?? "", { score: 3, comment: "Other words" }),
    ]);
    const [before] = await read(world, organization);
    assert.deepEqual([before?.answers, before?.comments, before?.isWithheld], [4, [], true]);
    assert.equal(before?.commentsInAll, 4);
    await world.ingest(organization, [answer(last, { score: 1 })]);
    const [after] = await read(world, organization);
    assert.deepEqual([after?.answers, after?.comments.length, after?.isWithheld], [5, 4, false]);
  });
}

test("of one who was forgotten neither name nor words are left, and the answers still count", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(
    organization,
    people.flatMap((each) => [
      answer(each, { score: 9, comment: `Words of ${each}` }),
      answer(each, { survey_id: "s-2", kind: "pulse", answer: "Yes" }),
    ]),
  );
  await world.database.transaction((queries) =>
    forgetRecipient(queries, organization, people[2] ?? "", world.clock.now),
  );
  const [enps, pulse] = await read(world, organization);
  assert.deepEqual([enps?.answers, enps?.comments.length, enps?.commentsInAll], [5, 4, 4]);
  assert.deepEqual(pulse?.distribution, [
    { answer: "Yes", count: 4 },
    { answer: "", count: 1 },
  ]);
  assert.doesNotMatch(JSON.stringify([enps, pulse]), /person-2|forgotten/);
});

test("200 comments are shown, the latest of all; 200 different answers are counted apart", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const all = Array.from({ length: 930 }, (_, index) => index);
  await world.ingest(
    organization,
    all.map((index) =>
      // By name the recipients stand in another order than in time.
      answer(`${(index * 7_919) % 930}@example.com`, {
        kind: "pulse",
        answer: `Answer ${index % 300}`,
        comment: `Comment ${index}`,
      }),
    ),
  );
  const [survey] = await read(world, organization);
  assert.equal(survey?.answers, 930);
  assert.equal(survey.commentsInAll, 930);
  assert.deepEqual(
    survey.comments.map(({ text }) => text),
    all
      .slice(-200)
      .reverse()
      .map((index) => `Comment ${index}`),
  );
  assert.equal(survey.distribution.length, 200);
  const apart = survey.distribution.reduce((sum, { count }) => sum + count, 0);
  assert.equal(apart + survey.otherAnswers, 930);
});

test("the answers that were given most are counted apart, whoever comes first by name", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const pulse = (recipient: string, given: string) => answer(recipient, { kind: "pulse", answer: given });
  await world.ingest(organization, [
    ...Array.from({ length: 300 }, (_, index) => pulse(`a${index}@example.com`, `own ${index}`)),
    ...Array.from({ length: 400 }, (_, index) => pulse(`b${index}@example.com`, index < 250 ? "Yes" : "No")),
  ]);
  const [survey] = await read(world, organization);
  assert.deepEqual(survey?.distribution.slice(0, 2), [
    { answer: "Yes", count: 250 },
    { answer: "No", count: 150 },
  ]);
  assert.equal(survey.distribution.length, 200);
  assert.equal(survey.otherAnswers, 102);
});

test("of more than 50 surveys those with the most answers are shown, whole, and the others counted", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const ids = Array.from({ length: 90 }, (_, index) => `s-${String(index).padStart(2, "0")}`);
  await world.ingest(organization, [
    ...ids.map((survey_id, index) => answer(people[index % 5] ?? "", { survey_id, score: 1 })),
    // By name those who have answered the last ones come last.
    ...["y@example.com", "z@example.com"].flatMap((each) =>
      ids.slice(-50).map((survey_id) => answer(each, { survey_id, score: 10, comment: "Words" })),
    ),
  ]);
  const [stored] = await world.database.snapshot((queries) => findCampaigns(queries, organization.id, [1]));
  assert.ok(stored);
  const { surveys, others } = await readSurveyAnswers(world.database, organization.id, stored);
  assert.equal(others, 40);
  assert.deepEqual(
    surveys.map(({ id, answers, commentsInAll }) => [id, answers, commentsInAll]),
    ids.slice(-50).map((id) => [id, 3, 2]),
  );
});

test("a closed campaign has no single answers any more, nor has a reported one, nor another organization's", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(organization, 1);
  await world.register(other, 1);
  await world.save(organization, [campaign({ id: 2 })]);
  await world.ingest(
    organization,
    people.map((each) => answer(each, { score: 9, comment: "Words" })),
  );
  assert.equal((await read(world, organization))[0]?.comments.length, 5);
  assert.deepEqual(await read(world, other), []);
  assert.deepEqual(await read(world, organization, 2), []);
  await world.database.transaction((queries) => closeCampaign(queries, organization, 1, present));
  assert.deepEqual(await read(world, organization), []);
});

test("script and unusual Unicode come through as they were written, and names of JavaScript are surveys like any other", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const comment = "<script>alert(1)</script> \u202e\u{1f468}\u200d\u{1f469}";
  await world.ingest(
    organization,
    people.map((each) => answer(each, { survey_id: "__proto__", score: 9, comment })),
  );
  const [survey] = await read(world, organization);
  assert.equal(survey?.id, "__proto__");
  assert.equal(survey.comments[0]?.text, comment);
});
