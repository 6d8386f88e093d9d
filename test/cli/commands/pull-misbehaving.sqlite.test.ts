// `pull` from a hosted service that misbehaves: it saves everything or nothing, and says what to do.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type Fault,
  type HostedStandIn,
  hostedCampaigns,
  hostedKey,
  page,
  pageOf,
  pulling,
  send,
  startHosted,
  status,
} from "../../support/hosted-service.ts";
import { emptyWorld, exported } from "../../support/import-files.ts";
import type { World } from "../../support/world.ts";

/** The third request gets the fault: the first one gets page 1, the second is the check of the time zone. */
const onPage2 = (...faults: Fault[]): Fault[] => [page, page, ...faults];

async function start(t: TestContext): Promise<{ world: World; hosted: HostedStandIn }> {
  return { world: await emptyWorld(t), hosted: await startHosted(t) };
}

const nothingSaved = async (world: World) => assert.deepEqual(await exported(world), []);
const ids = async (world: World) => (await exported(world)).map(({ id }) => id);
const cut: Fault = (_request, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"emails":[');
  setImmediate(() => response.destroy());
  return true;
};

/** Answers 200 with this body. */
const answering =
  (body: string | Buffer, headers: Record<string, string> = {}): Fault =>
  (_request, response) => {
    response.writeHead(200, headers).end(body);
    return true;
  };

test("pull waits as Retry-After says after a 429 and a 503, in seconds or as a date", async (t) => {
  const { world, hosted } = await start(t);
  const date = new Date(world.clock.now + 90_000).toUTCString();
  hosted.faults = onPage2(status(429, { "retry-after": "60" }), status(503, { "retry-after": date }));
  const { exitCode, sleeps, stdout, stderr } = await pulling(world, hosted.url);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(sleeps, [60_000, 30_000]);
  assert.equal(stdout, "Pulled: 250 added, 0 changed, 0 unchanged.\n");
  const message =
    /^After page 1, waiting until 2026-06-15T12:01:00Z: 127\.0\.0\.1:\d+ answered with status 429$/m;
  assert.match(stderr, message);
  assert.equal((await ids(world)).length, 250);
});

test("pull gives up after seven attempts with longer and longer waits, and saves nothing", async (t) => {
  const { world, hosted } = await start(t);
  hosted.faults = onPage2(...Array.from({ length: 7 }, () => status(500)));
  const failed = await pulling(world, hosted.url);
  assert.equal(failed.exitCode, 1);
  assert.deepEqual(failed.sleeps, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
  const message = /^error: 127\.0\.0\.1:\d+ answered with status 500 7 times\. Nothing was saved\.$/m;
  assert.match(failed.stderr, message);
  await nothingSaved(world);
});

test("pull does not wait for days", async (t) => {
  const { world, hosted } = await start(t);
  hosted.faults = [status(503, { "retry-after": "864000" })];
  const { exitCode, sleeps, stderr } = await pulling(world, hosted.url);
  assert.deepEqual([exitCode, sleeps], [1, []]);
  const refusal =
    /answered with status 503; it accepts requests again in more than a day\. Nothing was saved\.$/m;
  assert.match(stderr, refusal);
  for (const long of ["9".repeat(400), "9".repeat(12), "Fri, 31 Dec 9999 23:59:59 GMT"]) {
    hosted.faults = [status(503, { "retry-after": long })];
    const refused = await pulling(world, hosted.url);
    assert.match(refused.stderr, refusal);
  }
});

test("pull retries a body that is cut, as JSON, as gzip or in the connection", async (t) => {
  const { world, hosted } = await start(t);
  const half = (body: Buffer) => body.subarray(0, body.length / 2);
  hosted.faults = onPage2(
    cut,
    (request, response) => {
      const body = gzipSync(JSON.stringify(pageOf(hosted.campaigns, request)));
      response.writeHead(200, { "content-encoding": "gzip" }).end(half(body));
      return true;
    },
    (request, response) => {
      response.writeHead(200).end(half(Buffer.from(JSON.stringify(pageOf(hosted.campaigns, request)))));
      return true;
    },
  );
  const { exitCode, sleeps, stderr } = await pulling(world, hosted.url);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(sleeps, [2_000, 4_000, 8_000]);
  const expected = (await exported(world)).map(({ id }) => id);
  assert.deepEqual(await ids(world), expected);
  assert.equal((await ids(world)).length, 250);
});

/** What a list that moves answers on page 2, and what pull says. */
const moves: Record<
  string,
  { body: (body: ReturnType<typeof pageOf>, campaigns: object[]) => unknown; says: RegExp }
> = {
  "a total that moves": {
    body: ({ emails, meta }) => ({ emails, meta: { ...meta, total_entries: 251 } }),
    says: /meta\.total_entries was 250 on page 1 and is 251 on page 2/,
  },
  "a page that came before": {
    body: (_page, campaigns) => pageOf(campaigns as Record<string, unknown>[], { url: "/?page=1" } as never),
    says: /page 1 came instead of page 2; a cache in between may ignore the query/,
  },
  "campaigns that came before": {
    body: ({ meta }, campaigns) => ({ emails: campaigns.slice(99, 199), meta }),
    says: /campaign 151 is on page 1 and again on page 2/,
  },
  "a page that is too short": {
    body: ({ emails, meta }) => ({ emails: emails.slice(1), meta }),
    says: /page 2 has 99 campaigns instead of 100/,
  },
};

/** Refuses what comes with a message, saves nothing, and everything once the faults are over. */
async function assertRefused(world: World, { url }: HostedStandIn, ...messages: RegExp[]): Promise<void> {
  const { exitCode, stderr } = await pulling(world, url);
  assert.equal(exitCode, 1);
  for (const message of messages) assert.match(stderr, message);
  await nothingSaved(world);
  assert.equal((await pulling(world, url, ["--json"])).rows[0]?.added, 250);
}

for (const [what, { body, says }] of Object.entries(moves)) {
  test(`pull refuses ${what}, and saves nothing`, async (t) => {
    const { world, hosted } = await start(t);
    hosted.faults = onPage2((request, response) =>
      send(response, 200, body(pageOf(hosted.campaigns, request), hosted.campaigns)),
    );
    await assertRefused(world, hosted, says, /Nothing was saved\. Run pull again\.\n$/);
  });
}

const someMeta = { page: 2, per_page: 100, total_pages: 3 };

/** Answers that are no page, and what pull says. */
const noPages: Record<string, { fault: Fault; says: RegExp }> = {
  "a web page": {
    fault: answering("<!doctype html><title>Sign in</title>", { "content-type": "text/html" }),
    says: /answered with text that is not JSON: "<!doctype html><title>Sign in<\/title>"\. Check --from:/,
  },
  "other JSON": {
    fault: (_request, response) => send(response, 200, { data: [] }),
    says: /is not a page of campaigns: it has no "emails" and "meta"\./,
  },
  "a total that is text": {
    fault: (_request, response) =>
      send(response, 200, { emails: [], meta: { ...someMeta, total_entries: "250" } }),
    says: /meta\.total_entries is "250", not a whole number\./,
  },
  "a page that repeats the key": {
    fault: (request, response) => {
      const body = JSON.stringify({ emails: [], meta: { page: request.headers.authorization } });
      return answering(body.replace("hosted-key", "hosted\\u002dkey"))(request, response);
    },
    says: /meta\.page is "Bearer <API_KEY>", not a whole number\./,
  },
  "text that is not UTF-8": {
    fault: (request, response) => {
      const { emails, meta } = pageOf(hostedCampaigns(250), request);
      const text = JSON.stringify({ emails: emails.map((each) => ({ ...each, subject: "Grüße" })), meta });
      return answering(Buffer.from(text, "latin1"))(request, response);
    },
    says: /answered with text that is not UTF-8\./,
  },
  "10 MB": {
    fault: (_request, response) => send(response, 200, { emails: ["x".repeat(10_000_000)] }),
    says: /answered with more than 8 MiB, which is no page of 100 campaigns; check --from\./,
  },
  "10 MB in a few bytes of gzip": {
    fault: answering(gzipSync(" ".repeat(10_000_000)), { "content-encoding": "gzip" }),
    says: /answered with more than 8 MiB/,
  },
  "an unknown encoding": {
    fault: answering("x", { "content-encoding": "unknown" }),
    says: /answered with text that is not JSON: "x"\. Check --from/,
  },
  "a 404": { fault: status(404), says: /answered with status 404: .*Check --from: it is the base URL/ },
  "a redirect to itself": {
    fault: (request, response) => send(response, 302, {}, { location: request.url }),
    says: /redirects more than 5 times\. Check --from\./,
  },
};

for (const [what, { fault, says }] of Object.entries(noPages)) {
  test(`pull refuses ${what} with a message that says what to do, and saves nothing`, async (t) => {
    const { world, hosted } = await start(t);
    hosted.faults = onPage2(...Array.from({ length: what === "a redirect to itself" ? 6 : 1 }, () => fault));
    await assertRefused(world, hosted, says, / Nothing was saved\.\n$/);
  });
}

test("pull refuses a list of more campaigns than it can keep before it requests all", async (t) => {
  const { world, hosted } = await start(t);
  hosted.faults = [
    (request, response) => {
      const { emails, meta } = pageOf(hosted.campaigns, request);
      return send(response, 200, { emails, meta: { ...meta, total_entries: 1e9, total_pages: 1e7 } });
    },
  ];
  const { exitCode, stderr } = await pulling(world, hosted.url);
  assert.equal(exitCode, 1);
  assert.match(stderr, /it is one of 1000000000 campaigns, and pull takes 1000000\. Nothing was saved\.$/m);
  assert.equal(hosted.requests.length, 1);
});

test("pull does not take a list without pages for a complete one", async (t) => {
  const { world, hosted } = await start(t);
  hosted.faults = Array.from({ length: 2 }, () => (_request, response) => {
    const meta = { page: 1, per_page: 0, total_entries: 5, total_pages: 0 };
    return send(response, 200, { emails: [], meta });
  });
  const { exitCode, stderr } = await pulling(world, hosted.url);
  assert.equal(exitCode, 1, stderr);
  assert.match(stderr, /is not a page of campaigns: 5 campaigns are not 0 pages of 0\./);
});

test("pull follows a redirect within the host only, and sends the key nowhere else", async (t) => {
  const { world, hosted } = await start(t);
  const elsewhere = await startHosted(t);
  hosted.faults = [(request, response) => send(response, 308, {}, { location: `${request.url}&moved=1` })];
  assert.equal((await pulling(world, hosted.url)).exitCode, 0);
  assert.match(hosted.requests[1] ?? "", /&moved=1$/);
  hosted.faults = [(request, response) => send(response, 301, {}, { location: elsewhere.url + request.url })];
  const { exitCode, stderr } = await pulling(world, hosted.url);
  assert.equal(exitCode, 1);
  const message =
    /redirects to "http:\/\/127\.0\.0\.1:\d+"\. The key is not sent there; if it is the same service, use it as --from\./;
  assert.match(stderr, message);
  assert.deepEqual(elsewhere.requests, []);
});

test("pull reports a rejected key without showing it, also in records and names of fields", async (t) => {
  const { world, hosted } = await start(t);
  hosted.campaigns = [
    { ...hosted.campaigns[0], subject: hostedKey, [hostedKey]: 1, unique_opens: hostedKey },
  ];
  const echoed = await pulling(world, hosted.url, ["--verbose"]);
  assert.match(echoed.stderr, /unique_opens: "<API_KEY>" is not a whole number/);
  assert.doesNotMatch(echoed.stderr, new RegExp(hostedKey));
  const { exitCode, stdout, stderr } = await pulling(world, hosted.url, [], { key: "another-key-of-mine" });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^error: The hosted service rejects the key\. .* status 401: .*<API_KEY>/m);
  assert.match(stderr, /Create a key there, under Settings, Integrations, Analytics API\./);
  assert.doesNotMatch(stdout + stderr, /another-key-of-mine/);
});

test("pull retries its first connection, unless the host is the wrong one", async (t) => {
  const { world, hosted } = await start(t);
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  gone.close();
  const refused = await pulling(world, `http://127.0.0.1:${port}`);
  assert.deepEqual([refused.exitCode, refused.sleeps.length], [1, 6]);
  const message =
    /^error: The request to 127\.0\.0\.1:\d+ failed: .*ECONNREFUSED.* 7 times\. Nothing was saved\.$/m;
  assert.match(refused.stderr, message);
  hosted.faults = [(_, response) => response.destroy() && true];
  const later = await pulling(world, hosted.url, ["--json"]);
  assert.deepEqual([later.sleeps, later.rows[0]?.added], [[2_000], 250]);
  const wrong = await pulling(world, hosted.url.replace("http", "https"));
  assert.deepEqual([wrong.exitCode, wrong.sleeps], [1, []]);
  assert.match(wrong.stderr, /^error: The request to .* failed: .*\. Check --from and the network\./m);
});

test("pull refuses http unless --allow-http, or unless the service is on this computer", async (t) => {
  const { world } = await start(t);
  const plain = await pulling(world, "http://example.com");
  assert.equal(plain.exitCode, 2);
  const message = /^error: --from: the key would be readable on the way; use https, or add --allow-http$/m;
  assert.match(plain.stderr, message);
});

test("pull names the records that are not valid, warns about unknown fields, and saves nothing", async (t) => {
  const { world, hosted } = await start(t);
  hosted.campaigns = hosted.campaigns.map((each) => ({
    ...each,
    mood: "good",
    ...(each.id === 100 && { unique_opens: -1 }),
  }));
  const { exitCode, stderr } = await pulling(world, hosted.url, ["--verbose"]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^page 2, emails\[50\]: unique_opens: -1 is not a whole number/m);
  assert.match(stderr, /^warning: mood: unknown field, ignored in 250 records$/m);
  assert.match(stderr, /^error: 1 error; nothing was saved$/m);
  await nothingSaved(world);
});
