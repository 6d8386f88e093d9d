// The state of a recipient, and how an event changes it.

import assert from "node:assert/strict";
import test from "node:test";
import {
  applyEvent,
  clicksKept,
  eraseAnswers,
  type Recipient,
  type RecipientEvent,
  releaseHeld,
  surveysKept,
} from "../../../src/campaign/events/recipient.ts";

const base = { at: 1_000, isAhead: false } as const;

function stateAfter(...events: RecipientEvent[]): Recipient {
  const recipient: Recipient = {};
  for (const event of events) applyEvent(recipient, event);
  return recipient;
}

test("counts opens by reason and device, and the events whose time was ahead", () => {
  const open = { ...base, type: "open", reason: "person", device: "desktop" } as const;
  assert.deepEqual(
    stateAfter(
      open,
      { ...open, isAhead: true },
      { ...open, isAhead: true, reason: "provider_scanner", device: null },
    ),
    {
      opens: [
        [base.at, "person desktop"],
        [base.at, "person desktop"],
      ],
      moreOpens: { "provider_scanner unknown": 1 },
      firstAutomatedAt: base.at,
      ahead: 2,
    },
  );
});

test("counts reads by their length: up to 3 seconds glanced, up to 9 skimmed, above read", () => {
  const readings = [0, 1, 3, 4, 9, 10].map((seconds) => ({
    ...base,
    type: "read" as const,
    reason: "person" as const,
    seconds,
  }));
  assert.deepEqual(stateAfter(...readings), {
    readings: { "person unmeasured": 1, "person glanced": 2, "person skimmed": 2, "person read": 1 },
    firstReadAt: base.at,
  });
});

test("orders clicks by time, link and reason, no matter in which order they arrive", () => {
  const ordered = [
    [1, 5, "person"],
    [2, 3, "person"],
    [2, 4, "person"],
    [2, 4, "provider_scanner"],
    [2, 4, "provider_scanner"],
    [3, 1, "person"],
  ] as const;
  const clicks = ordered.map(([at, link, reason]) => ({ ...base, type: "click" as const, at, link, reason }));
  const rotated = clicks.map((_, first) => [...clicks.slice(first), ...clicks.slice(0, first)]);
  for (const order of [...rotated, clicks.toReversed()]) {
    assert.deepEqual(stateAfter(...order), { clicks: ordered });
  }
});

test("keeps the first clicks, and counts those beyond the limit by reason", () => {
  const clicks = Array.from({ length: clicksKept + 2 }, (_, at) => ({
    ...base,
    type: "click" as const,
    at,
    link: 1,
    reason: "person" as const,
  }));
  const recipient = stateAfter(...clicks.toReversed());
  assert.equal(recipient.clicks?.length, clicksKept);
  assert.deepEqual(recipient.clicks?.at(-1), [clicksKept - 1, 1, "person"]);
  assert.deepEqual(recipient.moreClicks, { person: 2 });
});

test("keeps the latest reaction and the latest comment of each survey, and of equal times the higher id", () => {
  const survey = { ...base, type: "survey", kind: "enps", surveyId: "s" } as const;
  const given = [
    { ...survey, at: 2, id: "b", reaction: 9 },
    { ...survey, at: 2, id: "a", reaction: 1, comment: "first" },
    { ...survey, at: 3, id: "a", comment: "last" },
    { ...survey, at: 1, id: "z", reaction: 0, comment: "old" },
  ];
  const answers = given.map((each) => ({ ...each, isAfter: (id: string) => each.id > id }));
  const expected = {
    surveys: { "enps s": { reaction: [9, 2, "b"], comment: ["last", 3, "a"] } },
    firstReadAt: 1,
  };
  assert.deepEqual(stateAfter(...answers), expected);
  assert.deepEqual(stateAfter(...answers.toReversed()), expected);
});

test("only the first sender of an answer changes it, also while it waits", () => {
  const isAfter = () => false;
  const survey = { ...base, type: "survey", kind: "enps", surveyId: "s", isAfter } as const;
  for (const isHeld of [false, true]) {
    const answers: RecipientEvent[] = [
      { ...survey, at: 2, id: "b", reaction: 9, by: 3, isHeld },
      { ...survey, at: 5, id: "c", reaction: 0, comment: "Not me", by: 4, isHeld },
      { ...survey, at: 6, id: "d", reaction: 0, by: 0, isHeld },
      { ...survey, at: 7, id: "e", reaction: 0, isHeld },
      { ...survey, at: 3, id: "a", reaction: 8, by: 3, isHeld },
    ];
    const recipient = stateAfter(...answers);
    releaseHeld(recipient, () => true);
    const { surveys, held, firstReadAt } = recipient;
    assert.deepEqual(surveys, { "enps s": { reaction: [8, 3, "a"], by: 3 } });
    // The others still say that the recipient opened.
    assert.deepEqual([held, firstReadAt], [undefined, 2]);
  }
});

test("keeps the first surveys by name", () => {
  const names = Array.from({ length: surveysKept + 1 }, (_, index) => String(index).padStart(3, "0"));
  const answers = names.map((surveyId) => ({
    ...base,
    type: "survey" as const,
    kind: "pulse" as const,
    id: "e",
    isAfter: () => false,
    surveyId,
    reaction: 1,
  }));
  const kept = names.slice(0, surveysKept).map((name) => `pulse ${name}`);
  for (const order of [answers, answers.toReversed()]) {
    assert.deepEqual(Object.keys(stateAfter(...order).surveys ?? {}).sort(), kept);
  }
});

test("erases comments, answers in words and event ids, and keeps scores", () => {
  const recipient: Recipient = {
    surveys: {
      "enps a": { reaction: [9, 1, "e"], comment: ["Ann was here", 1, "e"] },
      "pulse b": { reaction: ["written by Ann", 1, "e"] },
      "pulse c": { comment: ["only a comment", 1, "e"] },
    },
    held: { "pulse c": { comment: ["one that waits", 2, "e"] } },
  };
  eraseAnswers(recipient);
  assert.deepEqual(recipient, {
    surveys: {
      "enps a": { reaction: [9, 1, ""], comment: ["", 1, ""] },
      "pulse b": { reaction: ["", 1, ""] },
      "pulse c": { comment: ["", 1, ""] },
    },
    held: { "pulse c": { comment: ["", 2, ""] } },
  });
  eraseAnswers({});
});
