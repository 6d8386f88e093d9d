// Reading an event: every field of every type, and the errors of invalid ones.

import assert from "node:assert/strict";
import test from "node:test";
import {
  normalizeRecipient,
  parseCampaignReference,
  parseEvent,
} from "../../../src/campaign/events/parse-event.ts";

const open = {
  id: "e-1",
  campaign_id: 1,
  recipient: "ann@example.com",
  type: "open",
  at: "2026-01-31T09:00:00Z",
};
const click = { ...open, type: "click", url: "https://example.com" };
const read = { ...open, type: "read", seconds: 12.5 };
const enps = { ...open, type: "survey", survey_id: "s-1", kind: "enps", score: 9 };
const pulse = { ...open, type: "survey", survey_id: "s-1", kind: "pulse", answer: "Yes" };

/** The errors as `field: problem`. */
function errorsOf(input: unknown): string[] {
  const event = parseEvent(input);
  return "errors" in event ? event.errors.map(({ field, problem }) => `${field}: ${problem}`) : [];
}

const base = {
  id: "e-1",
  campaign: 1,
  recipient: "ann@example.com",
  at: Date.UTC(2026, 0, 31, 9),
  userAgent: undefined,
  ip: undefined,
  device: undefined,
  isMachine: false,
  isHead: false,
};

test("parses every field of each type of event", () => {
  assert.deepEqual(parseEvent(open), { ...base, type: "open" });
  assert.deepEqual(
    parseEvent({ ...open, user_agent: "x", ip: "192.0.2.1", device: "mobile", machine: true, head: true }),
    {
      ...base,
      type: "open",
      userAgent: "x",
      ip: "192.0.2.1",
      device: "mobile",
      isMachine: true,
      isHead: true,
    },
  );
  assert.deepEqual(parseEvent({ ...click, hidden: true }), {
    ...base,
    type: "click",
    url: "https://example.com",
    isHidden: true,
  });
  assert.deepEqual(parseEvent(read), { ...base, type: "read", seconds: 12.5 });
  const answer = { ...base, type: "survey", surveyId: "s-1", comment: undefined };
  assert.deepEqual(parseEvent(enps), { ...answer, kind: "enps", reaction: 9 });
  assert.deepEqual(parseEvent(pulse), { ...answer, kind: "pulse", reaction: "Yes" });
  assert.deepEqual(parseEvent({ ...pulse, answer: null, score: 0, comment: " Hm " }), {
    ...answer,
    kind: "pulse",
    reaction: 0,
    comment: " Hm ",
  });
});

test("ignores fields of other types, and treats null and blank text as missing", () => {
  const others = { url: 5, seconds: "x", survey_id: [], kind: "x", score: 99, hidden: "x", unknown: {} };
  assert.deepEqual(parseEvent({ ...open, ...others }), { ...base, type: "open" });
  const nothing = { user_agent: null, ip: " ", device: null, machine: null };
  assert.deepEqual(parseEvent({ ...open, ...nothing }), { ...base, type: "open" });
  const blank = { ...pulse, comment: "\n\t " };
  const found = "comment" in parseEvent(blank) && (parseEvent(blank) as { comment: unknown }).comment;
  assert.deepEqual(found, undefined);
});

const shortText = "text of 1 to 500 characters, without NUL or unpaired surrogates";
const aTime = "an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z";
const aCampaign = "the number of a campaign, or its external_id as text of 1 to 200 characters";
const types = "one of open, click, read, survey, delivery, bounce, unsubscribe, complaint";

test("names each missing required field and what it must be", () => {
  const without = (event: Record<string, unknown>, field: string) => {
    const { [field]: _, ...rest } = event;
    return [errorsOf(rest), errorsOf({ ...event, [field]: null })];
  };
  const cases: [Record<string, unknown>, field: string, accepted: string][] = [
    [open, "id", shortText],
    [open, "campaign_id", aCampaign],
    [open, "recipient", shortText],
    [open, "type", types],
    [open, "at", aTime],
    [click, "url", "text of 1 to 8192 characters, without NUL or unpaired surrogates"],
    [read, "seconds", "a number of at least 0"],
    [enps, "survey_id", shortText],
    [enps, "kind", "one of enps, pulse"],
  ];
  for (const [event, field, accepted] of cases) {
    const expected = [`${field}: is missing; it must be ${accepted}`];
    assert.deepEqual(without(event, field), [expected, expected]);
  }
});

test("names each invalid field with its value and the accepted values", () => {
  const cases: [Record<string, unknown>, field: string, input: unknown, problem: string][] = [
    [open, "id", "", `"" is not ${shortText}`],
    [open, "id", 5, `5 is not ${shortText}`],
    [open, "id", "x".repeat(501), `"${"x".repeat(100)}…" is not ${shortText}`],
    [open, "id", "a\0", `"a\\u0000" is not ${shortText}`],
    [open, "campaign_id", 0, `0 is not ${aCampaign}`],
    [open, "campaign_id", 1.5, `1.5 is not ${aCampaign}`],
    [open, "campaign_id", 2 ** 53, `9007199254740992 is not ${aCampaign}`],
    [open, "campaign_id", "", `"" is not ${aCampaign}`],
    [open, "campaign_id", "x".repeat(201), `"${"x".repeat(100)}…" is not ${aCampaign}`],
    [open, "campaign_id", [1], `[1] is not ${aCampaign}`],
    [open, "recipient", 5, `5 is not ${shortText}`],
    [open, "recipient", " \t", '" \\t" is blank'],
    [open, "recipient", "\ud83d", `"\\ud83d" is not ${shortText}`],
    [open, "type", "Open", `"Open" is not ${types}`],
    [open, "type", "toString", `"toString" is not ${types}`],
    [open, "type", "__proto__", `"__proto__" is not ${types}`],
    [open, "type", ["open"], `["open"] is not ${types}`],
    [open, "type", { toString: 1 }, `{"toString":1} is not ${types}`],
    [open, "at", "2026-01-31", `"2026-01-31" is not ${aTime}`],
    [open, "at", "2026-01-31T09:00:00", `"2026-01-31T09:00:00" is not ${aTime}`],
    [open, "at", "2026-02-30T09:00:00Z", `"2026-02-30T09:00:00Z" is not ${aTime}`],
    [open, "at", "2026-01-31T24:00:00Z", `"2026-01-31T24:00:00Z" is not ${aTime}`],
    [open, "at", "", `"" is not ${aTime}`],
    [open, "at", 1_769_850_000, `1769850000 is not ${aTime}`],
    [open, "user_agent", 5, "5 is not text of at most 8192 characters, without NUL or unpaired surrogates"],
    [open, "ip", {}, "{} is not text of at most 100 characters, without NUL or unpaired surrogates"],
    [open, "device", "tablet", '"tablet" is not one of desktop, mobile'],
    [open, "machine", "true", '"true" is not true or false'],
    [click, "url", "", '"" is not text of 1 to 8192 characters, without NUL or unpaired surrogates'],
    [click, "hidden", 1, "1 is not true or false"],
    [read, "seconds", -1, "-1 is not a number of at least 0"],
    [read, "seconds", "5", '"5" is not a number of at least 0'],
    [enps, "survey_id", 5, `5 is not ${shortText}`],
    [enps, "kind", "nps", '"nps" is not one of enps, pulse'],
    [enps, "score", 11, "11 is not a whole number from 0 to 10"],
    [enps, "score", -1, "-1 is not a whole number from 0 to 10"],
    [enps, "score", 7.5, "7.5 is not a whole number from 0 to 10"],
    [enps, "score", "9", '"9" is not a whole number from 0 to 10'],
    [pulse, "answer", "", '"" is not text of 1 to 1000 characters, without NUL or unpaired surrogates'],
    [pulse, "answer", true, "true is not text of 1 to 1000 characters, without NUL or unpaired surrogates"],
    [
      pulse,
      "comment",
      "x".repeat(10_001),
      `"${"x".repeat(100)}…" is not text of at most 10000 characters, without NUL or unpaired surrogates`,
    ],
  ];
  for (const [event, field, input, problem] of cases) {
    assert.deepEqual(errorsOf({ ...event, [field]: input }), [`${field}: ${problem}`]);
  }
});

test("reports all errors at once, in the order of the fields", () => {
  assert.deepEqual(errorsOf({ type: "click", url: 5, recipient: "ann@example.com" }), [
    `id: is missing; it must be ${shortText}`,
    `campaign_id: is missing; it must be ${aCampaign}`,
    `at: is missing; it must be ${aTime}`,
    "url: 5 is not text of 1 to 8192 characters, without NUL or unpaired surrogates",
  ]);
});

test("requires a score, an answer or a comment in a survey answer, and rejects an answer with eNPS", () => {
  const { score: _, ...unrated } = enps;
  const { answer: __, ...unanswered } = pulse;
  assert.deepEqual(errorsOf(unrated), ["score: is missing; a survey answer has score or comment"]);
  assert.deepEqual(errorsOf({ ...unrated, comment: " " }), [
    "score: is missing; a survey answer has score or comment",
  ]);
  assert.deepEqual(errorsOf(unanswered), ["score: is missing; a survey answer has score, answer or comment"]);
  assert.deepEqual(errorsOf({ ...enps, answer: "Yes" }), [
    'answer: "Yes" is not allowed; an eNPS survey has a score instead',
  ]);
  assert.deepEqual(errorsOf({ ...pulse, score: 5 }), [
    'answer: "Yes" is not allowed; the event already has a score',
  ]);
  assert.deepEqual(errorsOf({ ...unrated, comment: "Hm" }), []);
  assert.deepEqual(errorsOf({ ...unanswered, comment: "Hm" }), []);
});

test("rejects an event that is not an object", () => {
  for (const [input, text] of [
    [null, "null"],
    [undefined, "undefined"],
    [5, "5"],
    ["text", '"text"'],
    [[open], `${JSON.stringify([open]).slice(0, 100)}…`],
  ]) {
    assert.deepEqual(errorsOf(input), [`event: ${text} is not an object`]);
  }
});

test("converts times with any offset to milliseconds, and truncates further digits", () => {
  const atOf = (at: string) => (parseEvent({ ...open, at }) as { at: number }).at;
  assert.equal(atOf("2026-01-31T10:30:00+01:30"), base.at);
  assert.equal(atOf("2026-01-31T00:00:00-09:00"), base.at);
  assert.equal(atOf("2026-01-31T09:00:00.0009Z"), base.at);
  assert.equal(atOf("2026-01-31T09:00:00.001Z"), base.at + 1);
});

test("trims and lowercases recipients, and normalizes them to Unicode NFC", () => {
  assert.equal(normalizeRecipient(" \tAnn@Example.COM\n"), "ann@example.com");
  for (const text of ["Ann <Ann@example.com>", '"Ann, HR" <ann@example.com> ', "<ann@example.com>"]) {
    assert.equal(normalizeRecipient(text), "ann@example.com", text);
  }
  for (const text of ["ann <7>", "a <b> c", "<ann@example.com> and more"]) {
    assert.equal(normalizeRecipient(text), text);
  }
  assert.equal(normalizeRecipient("Jose\u0301"), "jos\u00e9");
  assert.equal(normalizeRecipient("\u212bngstr\u00f6m"), "\u00e5ngstr\u00f6m");
  const longest = "x".repeat(500);
  assert.deepEqual(parseEvent({ ...open, recipient: longest }), {
    ...base,
    type: "open",
    recipient: longest,
  });
});

test("finds the campaign of an event when the rest of the event is invalid", () => {
  assert.equal(parseCampaignReference({ campaign_id: 7, type: 5 }), 7);
  assert.equal(parseCampaignReference({ campaign_id: "weekly" }), "weekly");
  for (const input of [
    null,
    undefined,
    5,
    "7",
    [7],
    {},
    { campaign_id: 0 },
    { campaign_id: "" },
    { campaign_id: null },
  ]) {
    assert.equal(parseCampaignReference(input), undefined, JSON.stringify(input));
  }
});
