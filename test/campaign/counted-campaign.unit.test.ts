// Registrations of counted campaigns.

import assert from "node:assert/strict";
import test from "node:test";
import { parseCountedCampaign } from "../../src/campaign/counted-campaign.ts";
import { countedCampaign } from "../support/world.ts";

const parse = (given: object) =>
  parseCountedCampaign(1, { ...countedCampaign(1), ...given }, "Europe/Berlin");

function problemsOf(given: object): string[] {
  const parsed = parse(given);
  return "errors" in parsed ? parsed.errors.map(({ field }) => field) : [];
}

test("reads all fields of a registration", () => {
  const surveys = [{ survey_id: "s-1", kind: "enps", question: "How are you?" }];
  const given = {
    recipient_groups: ["A", "B"],
    tags: ["News"],
    surveys,
    external_id: "e-1",
    sent_at: "2026-06-15T11:00",
  };
  assert.deepEqual(parse(given), {
    campaign: {
      id: 1,
      subject: "Campaign 1",
      sentAt: Date.UTC(2026, 5, 15, 9),
      sentFrom: "news@example.com",
      team: "Default Team",
      sendingType: "Immediate",
      trackingType: "Individual",
      recipientCount: 100,
      recipients: "A, B",
      surveysCount: 0,
    },
    tags: [{ name: "News", color: null }],
    questions: [{ kind: "enps", surveyId: "s-1", question: "How are you?" }],
    externalId: "e-1",
    senders: undefined,
    reports: [],
  });
  assert.partialDeepStrictEqual(parse({}), { questions: [], externalId: null });
});

test("names each field that is wrong, unknown, or does not go with another one", () => {
  assert.deepEqual(problemsOf({ tags: "News" }), ["tags"]);
  assert.deepEqual(problemsOf({ surveys: {} }), ["surveys"]);
  assert.deepEqual(problemsOf({ surveys: Array(101).fill({}) }).includes("surveys"), true);
  assert.deepEqual(problemsOf({ color: "red", toString: 1 }), ["color", "toString"]);
  assert.deepEqual(problemsOf({ sent_at: "soon" }), ["sent_at"]);
  assert.deepEqual(problemsOf({ sending_type: "Timezone", tracking_type: "Overall" }), ["tracking_type"]);
  assert.deepEqual(problemsOf({ sending_type: "Timezone", tracking_type: "Anonymous" }), []);
  assert.deepEqual(problemsOf({ subject: "a\0" }), ["subject"]);
});

test("accepts names of groups of up to 65,536 characters with their commas", () => {
  const names = (length: number) => [...Array(327).fill("a".repeat(198)), "a".repeat(length)];
  assert.deepEqual(problemsOf({ recipient_groups: names(136) }), []);
  assert.deepEqual(problemsOf({ recipient_groups: names(137) }), ["recipient_groups"]);
});
