// Survey answers on pages: names, comments, and when they are withheld.

import assert from "node:assert/strict";
import test from "node:test";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { readSurveyAnswers } from "../../../src/listing/reports/survey-answers.ts";
import type { SurveyAnswers } from "../../../src/listing/reports/survey-summary.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { pick } from "../../support/pick.ts";
import { campaign, makeAcme, present, type World } from "../../support/world.ts";

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

async function read(world: World, organization: Organization, campaignId = 1): Promise<SurveyAnswers[]> {
  const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [campaignId]));
  assert.ok(stored);
  const { surveys, others } = await readSurveyAnswers(world.database, organization, stored);
  assert.equal(others, 0);
  return surveys;
}

/** How many gave each answer. */
const counted = ({ distribution }: SurveyAnswers) =>
  distribution.map(({ answer, count }) => `${count} x ${answer}`).join(", ");

test("reports the count, distribution and comments of each survey, newest comment first", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, [
    ...people.map((each, score) => answer(each, { score, comment: `I say ${score}` })),
    answer("silent@example.com", { score: 4 }),
    answer("comment@example.com", { comment: "Only a comment" }),
    ...["Yes", "No", "Yes"].map((given, index) =>
      answer(people[index] ?? "", { survey_id: "with a space", kind: "pulse", answer: given }),
    ),
    answer(people[3] ?? "", { survey_id: "with a space", kind: "pulse", score: 2 }),
  ]);
  const [enps, pulse, ...others] = await read(world, organization);
  assert.deepEqual(others, []);
  assert.ok(enps && pulse);
  const { distribution, ...rest } = enps;
  assert.equal(counted(enps), "1 x 0, 1 x 1, 1 x 2, 1 x 3, 2 x 4");
  assert.equal(distribution.length, 5);
  assert.deepEqual(rest, {
    ...{ id: "s-1", kind: "enps", answers: 7, otherAnswers: 0, commentsInAll: 6, isWithheld: false },
    comments: [
      { text: "Only a comment", reaction: undefined, name: "comment@example.com" },
      ...[4, 3, 2, 1, 0].map((reaction) => {
        return { text: `I say ${reaction}`, reaction, name: `person-${reaction}@example.com` };
      }),
    ],
  });
  assert.deepEqual(pulse, {
    ...{ id: "with a space", kind: "pulse", answers: 4, otherAnswers: 0, comments: [], commentsInAll: 0 },
    isWithheld: false,
    distribution: [
      { answer: 2, count: 1 },
      { answer: "Yes", count: 2 },
      { answer: "No", count: 1 },
    ],
  });
});

for (const tracking of ["Anonymous", "Overall"]) {
  test(`shows comments without names or hashes when tracking is ${tracking}`, async (t) => {
    const { world, organization } = await makeAcme(t, { register: { tracking_type: tracking } });
    const events = people.map((each) => answer(each, { score: 9, comment: "Comment" }));
    await world.ingest(organization, events);
    const [survey] = await read(world, organization);
    assert.equal(survey?.answers, 5);
    assert.deepEqual(survey.comments, Array(5).fill({ text: "Comment", reaction: 9 }));
    assert.doesNotMatch(JSON.stringify(survey), /[0-9a-f]{32}|@/);
  });
}

for (const tracking of ["Individual", "Anonymous", "Overall"]) {
  test(`adds answers once five recipients have rated, unless they have names (${tracking})`, async (t) => {
    const { world, organization } = await makeAcme(t, { register: { tracking_type: tracking } });
    const [last = "", ...four] = people;
    const events = four.map((each) => answer(each, { score: 9, comment: "Comment" }));
    await world.ingest(organization, events);
    // Neither an answer to another survey, a second answer of the same recipient nor a comment alone counts.
    await world.ingest(organization, [
      answer(last, { survey_id: "s-2", kind: "pulse", score: 9 }),
      answer(four[0] ?? "", { score: 3, comment: "Another comment" }),
      answer("comment@example.com", { comment: "Only a comment" }),
    ]);
    const isShown = tracking === "Individual";
    const [before] = await read(world, organization);
    const counted = [before?.answers, before?.comments.length, before?.distribution.length];
    assert.deepEqual(counted, isShown ? [5, 5, 2] : Array(3).fill(undefined));
    await world.ingest(organization, [answer(last, { score: 1 })]);
    const [after] = await read(world, organization);
    assert.deepEqual([after?.answers, after?.comments.length], isShown ? [6, 5] : [5, 4]);
    assert.equal(after?.distribution.length, 3);
  });
}

test("adds the answers of each survey by itself, and few more ones later, also changed ones", async (t) => {
  const { world, organization } = await makeAcme(t, { register: { tracking_type: "Anonymous" } });
  const [last = "", ...four] = people;
  await world.ingest(organization, [
    ...people.map((each) => answer(each, { score: 9 })),
    ...four.map((each) => answer(each, { survey_id: "s-2", score: 2 })),
  ]);
  const scores = async () => (await read(world, organization)).map(counted);
  assert.deepEqual(await scores(), ["5 x 9"]);
  await world.ingest(organization, [answer(last, { survey_id: "s-2", score: 2 })]);
  assert.deepEqual(await scores(), ["5 x 9", "5 x 2"]);
  const more = ["six@example.com", "seven@example.com"];
  await world.ingest(organization, [
    ...more.map((each) => answer(each, { score: 0 })),
    ...people.slice(0, 2).flatMap((each) => [1, 3].map((score) => answer(each, { score }))),
  ]);
  assert.deepEqual(await scores(), ["5 x 9", "5 x 2"]);
  await world.ingest(organization, [answer("eight@example.com", { score: 10 })]);
  assert.deepEqual(await scores(), ["2 x 0, 2 x 3, 3 x 9, 1 x 10", "5 x 2"]);
});

test("erases name, comment and text answer of a forgotten recipient, and still counts the answers", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(
    organization,
    people.flatMap((each) => [
      answer(each, { score: 9, comment: `Comment of ${each}` }),
      answer(each, { survey_id: "s-2", kind: "pulse", answer: "Yes" }),
    ]),
  );
  await world.write(organization, (scope) =>
    forgetRecipient(scope, organization, people[2] ?? "", world.clock.now),
  );
  const [enps, pulse] = await read(world, organization);
  assert.deepEqual([enps?.answers, enps?.comments.length, enps?.commentsInAll], [5, 4, 4]);
  assert.deepEqual(pulse?.distribution, [
    { answer: "Yes", count: 4 },
    { answer: "", count: 1 },
  ]);
  assert.doesNotMatch(JSON.stringify([enps, pulse]), /person-2|forgotten/);
});

test("names a recipient whose id looks like the name of a forgotten one", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const others = people.map((each) => answer(each, { score: 9 }));
  await world.ingest(organization, [...others, answer(" forgotten:1", { score: 9, comment: "Fine" })]);
  const [enps] = await read(world, organization);
  assert.equal(enps?.comments[0]?.name, "forgotten:1");
});

test("keeps the newest 200 comments, and the 200 most frequent answers", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const all = Array.from({ length: 3_400 }, (_, index) => index);
  const texts = all.map((index) => `${index} ${"x".repeat((index * 7) % 401)}`);
  await world.ingest(
    organization,
    all.map((index) =>
      // Recipients are sorted by name, which is not the order in time.
      answer(`${(index * 7_919) % 3_400}@example.com`, {
        kind: "pulse",
        ...(index % 2 === 0 ? { score: (index / 2) % 11 } : { answer: `Answer ${index % 600}` }),
        comment: texts[index],
      }),
    ),
  );
  const [survey] = await read(world, organization);
  assert.equal(survey?.answers, 3_400);
  assert.equal(survey.commentsInAll, 3_400);
  const newestFirst = all.toReversed().map((index) => texts[index] ?? "");
  assert.deepEqual(pick(survey.comments, "text"), newestFirst.slice(0, 200));
  assert.equal(survey.distribution.length, 200);
  const shown = survey.distribution.reduce((sum, { count }) => sum + count, 0);
  assert.equal(shown + survey.otherAnswers, 3_400);
});

test("lists the most frequent answers, even if recipients first in the alphabet gave others", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
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

test("shows the 50 surveys with the most answers in full, and counts the others", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const ids = Array.from({ length: 90 }, (_, index) => `s-${String(index).padStart(2, "0")}`);
  await world.ingest(organization, [
    ...ids.map((survey_id, index) => answer(people[index % 5] ?? "", { survey_id, score: 1 })),
    // Recipients who answered the last surveys come last by name.
    ...["y@example.com", "z@example.com"].flatMap((each) =>
      ids.slice(-50).map((survey_id) => answer(each, { survey_id, score: 10, comment: "Comment" })),
    ),
  ]);
  const [stored] = await world.read(organization, (scope) => findCampaigns(scope, [1]));
  assert.ok(stored);
  const { surveys, others } = await readSurveyAnswers(world.database, organization, stored);
  assert.equal(others, 40);
  const expected = ids.slice(-50).map((id) => [id, 3, 2]);
  assert.deepEqual(pick(surveys, "id", "answers", "commentsInAll"), expected);
});

test("has no answers when the campaign is closed, reported, or of another organization", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(organization, 1);
  await world.register(other, 1);
  await world.save(organization, [campaign({ id: 2 })]);
  const events = people.map((each) => answer(each, { score: 9, comment: "Comment" }));
  await world.ingest(organization, events);
  assert.equal((await read(world, organization))[0]?.comments.length, 5);
  assert.deepEqual(await read(world, other), []);
  assert.deepEqual(await read(world, organization, 2), []);
  await world.closeCampaign(organization, 1);
  assert.deepEqual(await read(world, organization), []);
});

test("returns markup and unusual Unicode unchanged, and accepts __proto__ as a survey id", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  const comment = "<script>alert(1)</script> \u202e\u{1f468}\u200d\u{1f469}";
  const events = people.map((each) => answer(each, { survey_id: "__proto__", score: 9, comment }));
  await world.ingest(organization, events);
  const [survey] = await read(world, organization);
  assert.equal(survey?.id, "__proto__");
  assert.equal(survey.comments[0]?.text, comment);
});
