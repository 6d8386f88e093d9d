// Tracked links: they lead to their target even if the click cannot be counted.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { makeTrackingUrls } from "../../../src/http/tracking/tracking-urls.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { pick } from "../../support/pick.ts";
import { fetchAs, serveReaders } from "../../support/serve-readers.ts";
import { quarantinedBytes, summarizeQuarantined } from "../../support/serve-sender.ts";
import { mobileAgent } from "../../support/user-agents.ts";
import { makeFolder, makeWorld, serve, trackingSecret } from "../../support/world.ts";

const target = "https://example.com/news?a=1&b=%C3%BC#part";

test("redirects to the target of a link and counts the click", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const answer = await fetchAs(trackingUrls.build("click", { ...ann, url: target, isHidden: false }));
  assert.equal(answer.status, 302);
  assert.equal(answer.headers.location, target);
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.body.length, 0);
  assert.deepEqual(await numbers("unique_opens", "unique_clicks", "total_clicks"), [1, 1, 1]);
});

test("redirects with what a mail program takes for the end of the URL", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const url = trackingUrls.build("click", { ...ann, url: target, isHidden: false });
  const ends = [")", ").", ".", ",", "%3E", "%3e.", "%22", "'", "]", ";", "%E2%80%9D", "%0A"];
  for (const end of ends) {
    assert.equal((await fetchAs(url + end)).headers.location, target, end);
  }
  assert.deepEqual(await numbers("unique_clicks", "total_clicks"), [1, ends.length]);
});

test("shows a page instead of redirecting when the token of a link was changed", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const url = trackingUrls.build("click", { ...ann, url: target, isHidden: false });
  const answer = await fetchAs(`${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`);
  assert.equal(answer.status, 404);
  assert.equal(answer.headers.location, undefined);
  assert.match(answer.body.toString(), /This link does not work/);
  assert.deepEqual(await numbers("unique_clicks"), [0]);
});

test("redirects a HEAD request without counting a click", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const url = trackingUrls.build("click", { ...ann, url: target, isHidden: false });
  const answer = await fetchAs(url, { method: "HEAD", agent: mobileAgent });
  assert.equal(answer.headers.location, target);
  assert.deepEqual(await numbers("unique_opens", "unique_clicks"), [0, 0]);
});

test("counts no clicks of a recipient whose client followed the hidden link", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t);
  const follow = (url: string, isHidden = false) =>
    fetchAs(trackingUrls.build("click", { ...ann, url, isHidden }));
  await follow(target);
  assert.deepEqual(await numbers("unique_clicks"), [1]);
  assert.equal((await follow(target, true)).headers.location, target);
  assert.deepEqual(await numbers("unique_opens", "unique_clicks", "total_clicks"), [0, 0, 0]);
});

test("distinguishes devices by the IP address that a trusted proxy forwards", async (t) => {
  const { trackingUrls, ann, put, numbers } = await serveReaders(t, { trustedProxies: ["127.0.0.1"] });
  await put(1, { tracking_type: "Overall" });
  const { recipient: _, ...everyone } = ann;
  const pixel = trackingUrls.build("open", everyone);
  for (const ip of ["192.0.2.1", "192.0.2.2", "::ffff:192.0.2.1"]) {
    await fetchAs(pixel, { headers: { "x-forwarded-for": ip } });
  }
  assert.deepEqual(await numbers("unique_opens", "multiple_opens"), [2, 1]);
});

test("ignores events of a deleted campaign without filling the quarantine", async (t) => {
  const given = await serveReaders(t, { maxQuarantineBytes: quarantinedBytes });
  const { trackingUrls, ann, service } = given;
  await given.remove(1);
  for (let time = 0; time < 3; time++) await fetchAs(trackingUrls.build("open", ann));
  const link = await fetchAs(trackingUrls.build("click", { ...ann, url: target, isHidden: false }));
  assert.equal(link.headers.location, target);
  assert.deepEqual(await summarizeQuarantined(given), []);
  await service.stop();
  assert.equal(lostOf(service.logged), 0);
});

test("counts an event without an IP address when a proxy forwards something else", async (t) => {
  const { trackingUrls, ann, numbers } = await serveReaders(t, { trustedProxies: ["127.0.0.1"] });
  const pixel = trackingUrls.build("open", ann);
  for (const forwarded of ["unknown", "x".repeat(500), "192.0.2.1:8080", ","]) {
    assert.equal((await fetchAs(pixel, { headers: { "x-forwarded-for": forwarded } })).status, 200);
  }
  assert.deepEqual(await numbers("unique_opens", "multiple_opens"), [1, 3]);
});

test("ignores a forwarded IP address when the client is not a trusted proxy", async (t) => {
  const { trackingUrls, ann, put, numbers } = await serveReaders(t);
  await put(1, { tracking_type: "Overall" });
  const { recipient: _, ...everyone } = ann;
  const pixel = trackingUrls.build("open", everyone);
  for (const ip of ["192.0.2.1", "192.0.2.2"]) await fetchAs(pixel, { headers: { "x-forwarded-for": ip } });
  assert.deepEqual(await numbers("unique_opens", "multiple_opens"), [1, 1]);
});

test("redirects while the database is locked, and counts the clicks when it is unlocked", async (t) => {
  const { trackingUrls, ann, numbers, record, world } = await serveReaders(t);
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const other = await openDatabase(world.databaseUrl);
  const holding = other.transaction(async (queries) => {
    await queries.updateTable("organizations").set({ name: "Locked" }).execute();
    locked();
    await isFree;
  });
  await isLocked;
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      fetchAs(trackingUrls.build("click", { ...ann, recipient: `r${index}`, url: target, isHidden: false })),
    ),
  );
  const expected = answers.map(() => [302, target]);
  const found = answers.map(({ status, headers }) => [status, headers.location]);
  assert.deepEqual(found, expected);
  assert.equal((await record())?.unique_clicks, 0);
  free();
  await holding;
  await other.close();
  // Events are written in order, so waiting for the last one is enough.
  await fetchAs(trackingUrls.build("click", { ...ann, recipient: "last", url: target, isHidden: false }));
  assert.deepEqual(await numbers("unique_clicks"), [6]);
});

/** The number of lost events in the log. */
const lostOf = (logged: readonly Record<string, unknown>[]) =>
  logged.reduce((sum, line) => sum + Number(line.lost_events ?? 0), 0);

test("redirects when the database is unavailable, and logs the number of lost clicks", async (t) => {
  const folder = makeFolder(t);
  // A file instead of the folder makes it impossible to open the database.
  writeFileSync(join(folder, "no-folder"), "");
  const writer = startWriterThread({
    databaseUrl: `sqlite:${join(folder, "no-folder", "test.db")}`,
    maxQueueBytes: 1_000_000,
    maxQuarantineBytes: 0,
  });
  const world = await makeWorld(t);
  const service = await serve(t, world, { writer });
  t.after(() => writer.stop());
  const trackingUrls = makeTrackingUrls([trackingSecret], () => service.url);
  const click = {
    ...{ organizationId: 1, campaignId: 1, registration: 1 },
    recipient: "ann@example.com",
    url: target,
    isHidden: false,
  };
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetchAs(trackingUrls.build("click", click))),
    );
    for (const { status, headers } of answers) assert.deepEqual([status, headers.location], [302, target]);
  }
  const pixel = await fetchAs(trackingUrls.build("open", click));
  assert.equal(pixel.status, 200);
  await service.stop();
  assert.equal(lostOf(service.logged), 41);
});

test("redirects at once when the queue of the writer is full, and logs the lost click", async (t) => {
  const { trackingUrls, ann, service, writer, numbers } = await serveReaders(t, { maxQueueBytes: 1_000 });
  const release = writer.reserve(ann.organizationId, 1_000);
  const answer = await fetchAs(trackingUrls.build("click", { ...ann, url: target, isHidden: false }));
  assert.deepEqual([answer.status, answer.headers.location], [302, target]);
  release();
  assert.deepEqual(await numbers("unique_clicks"), [0]);
  await service.stop();
  assert.equal(lostOf(service.logged), 1);
});

test("logs neither the recipient nor the target of a link", async (t) => {
  const { trackingUrls, ann, service } = await serveReaders(t);
  const url = trackingUrls.build("click", { ...ann, url: target, isHidden: false });
  await fetchAs(url);
  await fetchAs(`${url}x`);
  await fetchAs(`${url}/more`);
  await fetchAs(url, { method: "PUT" });
  await fetchAs(url.replace("/t/", "/prefix/T/"));
  await fetchAs(url.replace("/t/", "/%74/"));
  const lines = service.logged.filter(({ path }) => /^\/(?:t\/|\(unknown)/.test(String(path)));
  assert.deepEqual(pick(lines, "level", "path", "status", "campaign", "ip"), [
    [20, "/t/c/:token", 302, 1, undefined],
    [30, "/t/c/:token", 404, undefined, undefined],
    [30, "/t/…", 404, undefined, undefined],
    [30, "/t/…", 405, undefined, undefined],
    [30, "/(unknown)/…", 404, undefined, undefined],
    [20, "/t/c/:token", 302, 1, undefined],
  ]);
  for (const secret of ["example.com", url.slice(-40)]) assert.ok(!service.log().includes(secret), secret);
});
