// The pixel and the image that is sent in drips.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { desktopAgent, fetchAs, mobileAgent, type ReaderWorld, serveReaders } from "../../support/reading.ts";

const isPixel = (body: Buffer) => {
  assert.equal(body.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.deepEqual([body.readUInt16LE(6), body.readUInt16LE(8)], [1, 1]);
  assert.equal(body.at(-1), 0x3b);
};

/** Waits for a change that comes by itself. */
async function until<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    await pause(25);
  }
}

test("the pixel shows an open and its device, and is never cached", async (t) => {
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

test("a prefetch, a program and a HEAD request are no opens", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const pixel = trackingUrls.build("open", ann);
  await fetchAs(pixel, { agent: "Mozilla/5.0" });
  await fetchAs(pixel, { agent: "curl/8.5.0" });
  await fetchAs(pixel, { headers: { "sec-purpose": "prefetch;prerender" } });
  assert.equal((await fetchAs(pixel, { method: "HEAD" })).status, 200);
  assert.deepEqual(await numbers("unique_opens"), [0]);
});

test("a pixel that was not made here is an image all the same, and no open", async (t) => {
  const { service, numbers } = await serveReaders(t);
  const answer = await fetchAs(`${service.url}/t/o/${"A".repeat(80)}`);
  assert.equal(answer.status, 404);
  isPixel(answer.body);
  assert.deepEqual(await numbers("unique_opens"), [0]);
});

/** Opens the image and holds it; resolves with the first bytes. */
async function hold(address: string, headers: Record<string, string> = { "user-agent": desktopAgent }) {
  const asked = request(address, { agent: false, headers });
  asked.end();
  const [response] = await once(asked, "response");
  response.on("error", () => undefined);
  const [bytes] = await once(response, "data");
  return { bytes: bytes as Buffer, response, close: () => asked.destroy() };
}

const readings = ({ numbers }: ReaderWorld) =>
  numbers("unique_opens", "read_time_glanced", "read_time_skimmed", "read_time_read");

test("a message is read for as long as its image is held", async (t) => {
  const given = await serveReaders(t);
  const { trackingUrls, ann } = given;
  // The clock of readings stands still, so that it does not matter how busy the machine is.
  let now = performance.now();
  t.mock.method(performance, "now", () => now);
  const held = await hold(trackingUrls.build("read", ann));
  assert.equal(held.bytes.subarray(0, 6).toString("latin1"), "GIF89a");
  assert.equal(held.response.headers["x-accel-buffering"], "no");
  for (let drips = 0; drips < 3; drips++) await once(held.response, "data");
  now += 3_300;
  assert.deepEqual(await readings(given), [0, 0, 0, 0]);
  held.close();
  const numbers = await until(
    () => readings(given),
    ([opens]) => opens === 1,
  );
  assert.deepEqual(numbers, [1, 0, 100, 0]);
});

test("who asks through a proxy or as a program gets a plain pixel, and no reading is measured", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("read", given.ann);
  const proxy = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
  for (const agent of [proxy, "Mozilla/5.0", "python-requests/2.32.0"]) {
    isPixel((await fetchAs(address, { agent })).body);
  }
  isPixel((await fetchAs(address, { headers: { purpose: "prefetch" } })).body);
  assert.deepEqual(await readings(given), [0, 0, 0, 0]);
});

test("above READINGS_MAX the image is a plain pixel, and room comes back", async (t) => {
  const given = await serveReaders(t, { tracking: { readingsMax: 1 } });
  const address = given.trackingUrls.build("read", given.ann);
  const held = await hold(address);
  isPixel((await fetchAs(address)).body);
  held.close();
  await until(
    () => readings(given),
    ([opens]) => opens === 1,
  );
  const next = await hold(address);
  assert.notEqual(next.bytes.at(-1), 0x3b);
  next.close();
});

test("nobody holds the places of all others with the image of one message", async (t) => {
  const given = await serveReaders(t);
  const address = given.trackingUrls.build("read", given.ann);
  const held = await Promise.all([hold(address), hold(address), hold(address)]);
  isPixel((await fetchAs(address)).body);
  const other = await hold(given.trackingUrls.build("read", { ...given.ann, recipient: "bob@example.com" }));
  assert.notEqual(other.bytes.at(-1), 0x3b);
  for (const each of [...held, other]) each.close();
});

test("a server that stops ends the images that are held, and says that their readings are lost", async (t: TestContext) => {
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

test("opens of many at once are all on disk when they are answered", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const asked = Array.from({ length: 40 }, (_, index) =>
    fetchAs(trackingUrls.build("open", { ...ann, recipient: `r${index}@example.com` })),
  );
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  assert.deepEqual(await numbers("unique_opens", "multiple_opens"), [40, 0]);
});
