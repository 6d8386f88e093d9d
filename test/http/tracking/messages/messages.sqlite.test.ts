// POST /ingest/v1/campaigns/{id}/messages: one tracked message per recipient.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { hashRecipient } from "../../../../src/counting/hashes/hash-recipient.ts";
import type { TrackedUrlKind } from "../../../../src/http/tracking/tracking-urls.ts";
import { findQuestions } from "../../../../src/storage/campaigns/campaign-questions.ts";
import { pick } from "../../../support/pick.ts";
import { rawConnection } from "../../../support/raw-request.ts";
import { fetchAs, type ReaderWorld, serveReaders } from "../../../support/serve-readers.ts";
import type { Response } from "../../../support/world.ts";

const html = `<!doctype html>\r\n<html><body bgcolor=white>
<p>Read <A HREF='https://example.com/news?a=1&amp;b=2' class=x>the news</a> or
<a href="mailto:editor@example.com">write</a>, <a href="#top">up</a>.
<map name="m"><area shape="rect" href="https://example.com/map"></map>
<a href="https://example.com/unsubscribe?u=1">Unsubscribe</a> <a href="{{ view_in_browser }}">View</a>
</body></html>
`;

interface Made extends Omit<Response, "body"> {
  body: { messages: { recipient: string; html: string }[]; error_message: string };
}

const make = async ({ service, ingestKey }: ReaderWorld, body: unknown, id: number | string = 1) =>
  (await service.send(`/ingest/v1/campaigns/${id}/messages`, {
    method: "POST",
    key: ingestKey,
    body,
  })) as unknown as Made;

/** All tracking URLs in a message. */
const trackingUrlsIn = ({ service }: ReaderWorld, message: string) =>
  [...message.matchAll(/"(http:[^"]*\/t\/([ocrs])\/([\w-]+))"/g)]
    .filter(([, url]) => url?.startsWith(service.url))
    .map(([, url = "", letter = "", token = ""]) => ({ url, kind: kinds[letter] as TrackedUrlKind, token }));
const kinds: Record<string, TrackedUrlKind> = { o: "open", c: "click", r: "read", s: "survey" };

test("adds links, a hidden link and two images for each recipient, and keeps every other byte of the HTML", async (t) => {
  const given = await serveReaders(t);
  const { status, body } = await make(given, { html, recipients: [" Ann@Example.com", "bob@example.com"] });
  assert.equal(status, 200);
  assert.deepEqual(pick(body.messages, "recipient"), [" Ann@Example.com", "bob@example.com"]);
  const [first, second] = body.messages.map((message) => message.html) as [string, string];
  assert.notEqual(first, second);
  const base = given.ann;
  const found = trackingUrlsIn(given, first);
  assert.deepEqual(
    found.map(({ kind, token }) => given.trackingUrls.parse(kind, token)),
    [
      { ...base, url: "https://example.com/news?a=1&b=2", isHidden: false },
      { ...base, url: "https://example.com/map", isHidden: false },
      { ...base, url: "https://example.com/news?a=1&b=2", isHidden: true },
      base,
      base,
    ],
  );
  let rest = first;
  for (const { url } of found) rest = rest.replace(url, "");
  assert.equal(
    rest,
    html
      .replace("HREF='https://example.com/news?a=1&amp;b=2'", 'href=""')
      .replace('href="https://example.com/map"', 'href=""')
      .replace(
        "</body>",
        '<a href="" tabindex="-1" aria-hidden="true" style="display:none;mso-hide:all;max-height:0;overflow:hidden"></a>' +
          '<img src="" width="1" height="1" alt="" style="border:0;width:1px;height:1px">'.repeat(2) +
          "</body>",
      ),
  );
});

test("keeps the first wording of each question", async (t) => {
  const given = await serveReaders(t);
  const survey = (survey_id: string, question: string) => ({ survey_id, kind: "enps", question });
  for (const surveys of [
    [survey("a", "Would you recommend us?")],
    [survey("a", "Würden Sie uns empfehlen?"), survey("b", "And your team?")],
  ]) {
    const { status } = await make(given, { html, recipients: ["ann@example.com"], surveys });
    assert.equal(status, 200);
  }
  const { world, organization } = given;
  const found = await world.read(organization, (scope) => findQuestions(scope, [1]));
  assert.deepEqual(
    found.get(1),
    new Map([
      ["enps a", "Would you recommend us?"],
      ["enps b", "And your team?"],
    ]),
  );
});

test("puts surveys in their place or at the end, with a link for each answer", async (t) => {
  const given = await serveReaders(t);
  const { body } = await make(given, {
    html: '<p>Hello</p><div data-survey="s-2">here</div><p>Bye</p>',
    recipients: ["ann@example.com"],
    surveys: [
      { survey_id: "s-1", kind: "enps", question: "Would you recommend us?" },
      { survey_id: "s-2", kind: "pulse", question: "Is it <useful>?", answers: ["Yes", "No & never"] },
    ],
  });
  const message = body.messages[0]?.html ?? "";
  const [before, between, after] = message.split(/<p>Hello<\/p><div data-survey="s-2">|<\/div><p>Bye<\/p>/);
  assert.equal(before, "");
  assert.match(between ?? "", /Is it &lt;useful&gt;\?.*>Yes<\/a>\n.*>No &amp; never<\/a>/s);
  const ratings = trackingUrlsIn(given, after ?? "").map(({ kind, token }) =>
    given.trackingUrls.parse(kind, token),
  );
  const found = ratings.map((each) => (each as { answer?: unknown }).answer);
  assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, undefined, undefined]);
});

for (const [trackingType, contents] of [
  ["Anonymous", "only a hash of the recipient"],
  ["Overall", "nothing about the recipient"],
] as const) {
  test(`puts ${contents} into the tracking URLs of an ${trackingType} campaign`, async (t) => {
    const given = await serveReaders(t, { register: { tracking_type: trackingType } });
    const { organization } = given;
    const { body } = await make(given, { html, recipients: ["ann@example.com", "bob@example.com"] });
    const [ann = "", bob = ""] = body.messages.map((message) => message.html);
    for (const { kind, token } of trackingUrlsIn(given, ann)) {
      const { recipient, recipientHash } = given.trackingUrls.parse(kind, token) ?? {};
      assert.equal(recipient, undefined);
      const hash = hashRecipient(organization.secret, { recipient: "ann@example.com" });
      assert.equal(recipientHash, trackingType === "Anonymous" ? hash : undefined);
    }
    assert.equal(ann === bob, trackingType === "Overall");
  });
}

test("counts an Anonymous recipient once when a tracked message and a provider report the same person", async (t) => {
  const given = await serveReaders(t, { register: { tracking_type: "Anonymous" } });
  const { body } = await make(given, { html, recipients: ["Ann@example.com"] });
  const pixel = trackingUrlsIn(given, body.messages[0]?.html ?? "").find(({ kind }) => kind === "open");
  await fetchAs(pixel?.url ?? "");
  await given.post([
    { id: "e", campaign_id: 1, recipient: "ann@example.com ", type: "open", at: "2026-06-15T11:30:00Z" },
  ]);
  assert.deepEqual(await given.numbers("unique_opens", "multiple_opens"), [1, 1]);
});

test("names every invalid field of a request for messages", async (t) => {
  const given = await serveReaders(t);
  const cases: [unknown, RegExp][] = [
    [[], /^body: \[\] is not an object/],
    [{}, /html: is missing.*recipients: is missing/],
    [{ html: "", recipients: ["a"] }, /^html: "" is not text of 1 to 500000 characters/],
    [{ html: "x", recipients: [] }, /^recipients: \[\] is not a list of 1 to 1000 recipients/],
    [
      { html: "x", recipients: ["a", " ", 7] },
      /^recipients\[1\]: " " is not text.*recipients\[2\]: 7 is not/,
    ],
    [{ html: "x", recipients: Array(1001).fill("a") }, /is not a list of 1 to 1000 recipients/],
    [
      { html: "x", recipients: ["a"], survey: [] },
      /^survey: is unknown; the fields are html, recipients, surveys/,
    ],
    [
      { html: "x", recipients: ["a"], surveys: [{ survey_id: "s", kind: "nps", question: "?" }] },
      /surveys\[0\]\.kind: "nps" is not one of enps, pulse/,
    ],
    [
      { html: "x", recipients: ["a"], surveys: [{ survey_id: "s", kind: "pulse", question: "?" }] },
      /surveys\[0\]\.answers: is missing/,
    ],
    [
      {
        html: "x",
        recipients: ["a"],
        surveys: [{ survey_id: "s", kind: "pulse", question: " ", answers: ["\n", "a", "a"] }],
      },
      /surveys\[0\]\.question: " " is not text.* not blank; surveys\[0\]\.answers: \["\\n","a","a"\] is not a list.* not blank; surveys\[0\]\.answers: contains the same answer twice/,
    ],
    [
      { html: '<a href="https://example.com">x</a>'.repeat(1_001), recipients: ["a"] },
      /^html: has 1001 links and answers to track; at most 1000 are accepted/,
    ],
    [{ html: '<p data-survey="other"></p>', recipients: ["a"] }, /^html: has a place for the survey "other"/],
  ];
  for (const [body, message] of cases) {
    const answer = await make(given, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error_message, message);
  }
});

test("refuses HTML that would exhaust the memory, and makes the messages of the next request", async (t) => {
  const given = await serveReaders(t);
  const fonts = Array.from({ length: 500 }, (_, index) => `<font size=${index}>`).join("");
  const flood = `<p>${fonts}</p>${"<p>x</p>".repeat(5_000)}`;
  const [flooded, next] = await Promise.all([
    make(given, { html: flood, recipients: ["ann@example.com"] }),
    make(given, { html, recipients: ["ann@example.com"] }),
  ]);
  assert.equal(flooded.status, 400);
  assert.match(flooded.body.error_message, /^html: too many elements are open at once/);
  assert.equal(next.status, 200);
});

test("makes messages only for a campaign that is counted and open", async (t) => {
  const given = await serveReaders(t);
  const request = { html, recipients: ["ann@example.com"] };
  assert.equal((await make(given, request, 2)).status, 404);
  assert.equal((await make(given, request, "x")).status, 400);
  const { service, key } = given;
  const path = "/ingest/v1/campaigns/1/messages";
  assert.equal((await service.send(path, { method: "POST", key, body: request })).status, 403);
  assert.equal((await service.send(path, { method: "POST", body: request })).status, 401);
  const other = await given.world.addOrganization({ name: "Other" });
  const found = (await service.send(path, { method: "POST", key: other.ingestKey, body: request })).status;
  assert.equal(found, 404);
});

test("refuses to make messages without TRACKING_SECRET, and says why", async (t) => {
  const given = await serveReaders(t, { tracking: { secrets: [] } });
  const answer = await make(given, { html, recipients: ["ann@example.com"] });
  assert.equal(answer.status, 409);
  assert.match(answer.body.error_message, /its operator has not set TRACKING_SECRET\./);
});

test("returns a thousand messages in one response", async (t) => {
  const given = await serveReaders(t);
  const recipients = Array.from({ length: 1000 }, (_, index) => `r${index}@example.com`);
  const { body } = await make(given, { html, recipients });
  assert.deepEqual(pick(body.messages, "recipient"), recipients);
  assert.equal(new Set(body.messages.map((message) => message.html)).size, 1000);
});

test("refuses a request for messages with too many values before parsing it", async (t) => {
  const given = await serveReaders(t);
  const answer = await make(given, { html: "x", recipients: Array(20_000).fill("") });
  assert.equal(answer.status, 413);
  assert.match(answer.body.error_message, /the maximum is 10000/);
});

test("logs no error when a client disconnects before its messages are sent", async (t) => {
  const given = await serveReaders(t);
  const { service, ingestKey, world } = given;
  const body = { html, recipients: ["ann@example.com"] };
  const [begun, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { snapshot } = world.database;
  world.database.snapshot = async (...query: Parameters<typeof snapshot>) => {
    begun.resolve();
    await gone.promise;
    return snapshot(...query) as never;
  };
  const { socket } = rawConnection(service.port);
  const text = JSON.stringify(body);
  const head = ["POST /ingest/v1/campaigns/1/messages HTTP/1.1", "Host: x", `Content-Length: ${text.length}`];
  const headers = [`Authorization: Bearer ${ingestKey}`, "Content-Type: application/json"];
  socket.write(`${[...head, ...headers].join("\r\n")}\r\n\r\n${text}`);
  await begun.promise;
  socket.destroy();
  const open = () => new Promise((resolve) => service.connections((_error, count) => resolve(count)));
  while ((await open()) !== 0) await nextTurn();
  world.database.snapshot = snapshot;
  gone.resolve();
  assert.equal((await make(given, body)).status, 200);
  await service.stop();
  const found = service.logged.filter(({ level }) => Number(level) > 30);
  assert.deepEqual(found, []);
});
