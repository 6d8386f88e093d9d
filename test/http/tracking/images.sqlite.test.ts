// The pixel, and the read image that is sent slowly.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { floodLimits } from "../../../src/campaign/events/traffic.ts";
import { makeTrackingUrls } from "../../../src/http/tracking/tracking-urls.ts";
import { readHours } from "../../support/hours.ts";
import { fetchAs, type ReaderWorld, serveReaders } from "../../support/serve-readers.ts";
import { desktopAgent, mobileAgent } from "../../support/user-agents.ts";
import { run, trackingSecret } from "../../support/world.ts";

const isPixel = (body: Buffer) => {
  assert.equal(body.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.deepEqual([body.readUInt16LE(6), body.readUInt16LE(8)], [1, 1]);
  assert.equal(body.at(-1), 0x3b);
};

/** Polls until the value is as expected. */
async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await pause(25);
  }
}

test("records an open and its device when the pixel is loaded, and forbids caching it", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const pixel = trackingUrls.build("open", ann);
  const first = await fetchAs(pixel, { agent: mobileAgent });
  assert.equal(first.status, 200);
  assert.equal(first.headers["content-type"], "image/gif");
  assert.match(first.headers["cache-control"] ?? "", /no-store/);
  isPixel(first.body);
  await fetchAs(pixel);
  assert.deepEqual(await numbers("unique_opens", "multiple_opens", "mobile_open_rate"), [1, 1, 50]);
});

test("counts no open when a prefetch, a program or a HEAD request loads the pixel", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const pixel = trackingUrls.build("open", ann);
  await fetchAs(pixel, { agent: "Mozilla/5.0" });
  await fetchAs(pixel, { agent: "curl/8.5.0" });
  await fetchAs(pixel, { headers: { "sec-purpose": "prefetch;prerender" } });
  assert.equal((await fetchAs(pixel, { method: "HEAD" })).status, 200);
  assert.deepEqual(await numbers("unique_opens"), [0]);
});

test("returns an image and counts no open when the token of a pixel is invalid", async (t) => {
  const { service, numbers } = await serveReaders(t);
  const answer = await fetchAs(`${service.url}/t/o/${"A".repeat(80)}`);
  assert.equal(answer.status, 404);
  isPixel(answer.body);
  assert.deepEqual(await numbers("unique_opens"), [0]);
});

/** Opens the read image and keeps the connection open; resolves with the first bytes. */
async function hold(url: string, headers: Record<string, string> = { "user-agent": desktopAgent }) {
  const sent = request(url, { agent: false, headers });
  sent.end();
  const [response] = await once(sent, "response");
  response.on("error", () => undefined);
  const [bytes] = await once(response, "data");
  return { bytes: bytes as Buffer, response, close: () => sent.destroy() };
}

const readings = ({ numbers }: ReaderWorld) =>
  numbers("unique_opens", "read_time_glanced", "read_time_skimmed", "read_time_read");

test("measures the read time for as long as the mail client keeps the read image open", async (t) => {
  const given = await serveReaders(t);
  const { trackingUrls, ann } = given;
  // A fixed clock, so that the result does not depend on the load of the machine.
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  const held = await hold(trackingUrls.build("read", ann));
  assert.equal(held.bytes.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.equal(held.response.headers["x-accel-buffering"], "no");
  for (let blocks = 0; blocks < 3; blocks++) await once(held.response, "data");
  now += 3_300;
  assert.deepEqual(await readings(given), [0, 0, 0, 0]);
  held.close();
  const numbers = await until(
    () => readings(given),
    ([opens]) => opens === 1,
  );
  assert.deepEqual(numbers, [1, 0, 100, 0]);
});

test("returns a plain pixel and measures no read time when a proxy or a program loads the read image", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("read", given.ann);
  const proxy = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
  for (const agent of [proxy, "Mozilla/5.0", "python-requests/2.32.0"]) {
    isPixel((await fetchAs(url, { agent })).body);
  }
  isPixel((await fetchAs(url, { headers: { purpose: "prefetch" } })).body);
  assert.deepEqual(await readings(given), [0, 0, 0, 0]);
});

test("returns a plain pixel when READINGS_MAX read images are open, and a read image after one is closed", async (t) => {
  const given = await serveReaders(t, { tracking: { maxOpenReads: 1 } });
  const url = given.trackingUrls.build("read", given.ann);
  const held = await hold(url);
  isPixel((await fetchAs(url)).body);
  held.close();
  await until(
    () => readings(given),
    ([opens]) => opens === 1,
  );
  const next = await hold(url);
  assert.notEqual(next.bytes.at(-1), 0x3b);
  next.close();
});

test("limits the open read images of one message, so that one recipient cannot take all places", async (t) => {
  const given = await serveReaders(t);
  const url = given.trackingUrls.build("read", given.ann);
  const held = await Promise.all([hold(url), hold(url), hold(url)]);
  isPixel((await fetchAs(url)).body);
  const other = await hold(given.trackingUrls.build("read", { ...given.ann, recipient: "bob@example.com" }));
  assert.notEqual(other.bytes.at(-1), 0x3b);
  for (const each of [...held, other]) each.close();
});

test("keeps room for the read images of other organizations while one URL without a recipient is open everywhere", async (t) => {
  const given = await serveReaders(t, {
    tracking: { maxOpenReads: 20 },
    register: { tracking_type: "Overall" },
  });
  const { world, trackingUrls, ann } = given;
  const { recipient: _, ...message } = ann;
  const open = async (organizationId: number, times: number) => {
    const url = trackingUrls.build("read", { ...message, organizationId });
    const all = await Promise.all(Array.from({ length: times }, () => hold(url)));
    t.after(() => {
      for (const each of all) each.close();
    });
    return all.filter(({ bytes }) => bytes.at(-1) !== 0x3b).length;
  };
  const others = [await world.addOrganization(), await world.addOrganization()];
  const ids = [ann.organizationId, ...others.map(({ organization }) => organization.id)];
  const opened = [];
  for (const id of ids) opened.push(await open(id, 30));
  assert.deepEqual(opened, [10, 5, 3]);
});

test("limits the open read images of one message across tokens that different secrets sealed", async (t) => {
  const old = "an-older-secret-of-the-tests-long-enough";
  const given = await serveReaders(t, { tracking: { secrets: [trackingSecret, old] } });
  const url = given.trackingUrls.build("read", given.ann);
  const oldUrl = makeTrackingUrls([old], () => given.service.url).build("read", given.ann);
  const held = await Promise.all([hold(url), hold(url), hold(oldUrl)]);
  const more = await Promise.all([hold(url), hold(oldUrl)]);
  for (const { bytes } of more) isPixel(bytes);
  for (const each of [...held, ...more]) each.close();
});

test("ends open read images when the server stops, and logs their reads as lost", async (t: TestContext) => {
  const { trackingUrls, ann, service } = await serveReaders(t);
  const held = await hold(trackingUrls.build("read", ann));
  const rest: Buffer[] = [];
  held.response.on("data", (piece: Buffer) => rest.push(piece));
  const ended = once(held.response, "end");
  await service.stop();
  await ended;
  isPixel(Buffer.concat([held.bytes, ...rest]));
  const lost = service.logged.find((line) => "lost_events" in line);
  assert.equal(lost?.lost_events, 1);
});

test("has written the opens of many concurrent recipients when their pixels are answered", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const requests = Array.from({ length: 40 }, (_, index) =>
    fetchAs(trackingUrls.build("open", { ...ann, recipient: `r${index}@example.com` })),
  );
  for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
  assert.deepEqual(await numbers("unique_opens", "multiple_opens"), [40, 0]);
});

test("counts a flood of opens as automated, with its reason, and a recount gives the same numbers", async (t) => {
  const given = await serveReaders(t);
  const { trackingUrls, ann, organization, world } = given;
  const { perRecipient } = floodLimits;
  const pixel = trackingUrls.build("open", ann);
  await Promise.all(Array.from({ length: perRecipient + 20 }, () => fetchAs(pixel)));
  assert.deepEqual(await given.numbers("unique_opens", "multiple_opens"), [1, perRecipient - 1]);
  const hours = await world.database.query((queries) => readHours(queries, organization.id, ann.campaignId));
  const counts = Object.fromEntries(hours.map(({ verdict, count }) => [verdict, count]));
  assert.deepEqual(counts, { person: perRecipient, flood: 20 });
  const recounted = await run(world.databaseUrl, `recount --organization ${organization.id}`);
  assert.match(recounted.stderr, /: all numbers are correct\.\n$/);
  await run(world.databaseUrl, `organization change --organization ${organization.id} --count all`);
  assert.deepEqual(await given.numbers("multiple_opens"), [perRecipient + 19]);
  world.clock.now += floodLimits.windowMs;
  await fetchAs(pixel);
  assert.deepEqual(await given.numbers("multiple_opens"), [perRecipient + 20]);
});

test("measures no read time in a flood of read images", async (t) => {
  const given = await serveReaders(t, { tracking: { maxOpenReads: 3 } });
  const url = given.trackingUrls.build("read", given.ann);
  const held = await Promise.all([hold(url), hold(url), hold(url)]);
  await Promise.all(Array.from({ length: floodLimits.perRecipient }, () => fetchAs(url)));
  for (const { close } of held) close();
  const bob = given.trackingUrls.build("read", { ...given.ann, recipient: "bob@example.com" });
  const { close } = await until(
    () => hold(bob),
    ({ bytes }) => bytes.at(-1) !== 0x3b,
  );
  const last = await hold(url);
  last.close();
  close();
  isPixel(last.bytes);
});
