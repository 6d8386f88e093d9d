// What every page has around its content: title, region, the last event, navigation, and the files that browsers look for.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { addSource, recordSourceEvents } from "../../../../src/storage/keys/sources.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";

const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});
const site = await makeWebWorld({ after: (step) => steps.push(step) });

const liveText = (text: string) => /<a class="live[^"]*" href="\/sources"[^>]*>([^<]*)<\/a>/.exec(text)?.[1];

test("names the page, the organization and the region in the title", async () => {
  const viewer = await site.signIn("viewer");
  const text = await viewer.read("/sources");
  assert.match(text, /<title>Sources · Acme \(test\)<\/title>/);
  assert.match(text, /<span class="region" title="Region">test<\/span>/);
  assert.match(text, /<span class="avatar" aria-hidden="true">V<\/span>/);
  assert.match(text, /<p class="print-header"><strong>Acme \(test\)<\/strong>.*2026.*<\/p>/);
  const guest = await requestPage(`${site.service.url}/sign-in`);
  assert.match(guest.text, /<title>Sign in · email-analytics \(test\)<\/title>/);
});

test("says on paper of which period and filters the numbers are", async () => {
  const { world, signIn } = site;
  const { organization } = await world.addOrganization();
  await world.register(organization, 1, { team: "Sales", tags: [{ name: "News" }] });
  const viewer = await signIn("viewer", { organization });
  const scopeOf = async (path: string) => {
    const text = await viewer.read(path);
    return /<p class="print-header">.*? <span>(.*?)<\/span>/.exec(text)?.[1];
  };
  const quarter = "This quarter (Apr 1\u2009–\u2009Jun 30, 2026)";
  const filters = "?period=quarter&team=Sales&tag_ids=1&sending_type=Immediate&group=Everybody&surveys=none";
  const scope = `${quarter} · Sales · News · Immediate · Everybody · Without surveys`;
  for (const [path, shown] of [
    [`/${filters}`, `${scope} · Human only`],
    [`/links${filters}&traffic=all`, `${scope} · All activity`],
    [`/comments${filters}`, scope],
    [`/campaigns${filters}&q=Campaign+1`, `${scope} · &quot;Campaign 1&quot; · Human only`],
    ["/campaigns?from=2026-06-01", "Since Jun 1, 2026 · Human only"],
  ] as const)
    assert.equal(await scopeOf(path), shown, path);
});

test("keeps all filters and the traffic in the navigation, but no search", async () => {
  const { world, signIn } = site;
  const { organization } = await world.addOrganization();
  await world.register(organization, 1, { team: "Sales" });
  const viewer = await signIn("viewer", { organization });
  const linksOf = async (path: string) => {
    const text = await viewer.read(path);
    const navigation = /<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0] ?? "";
    return [...navigation.matchAll(/href="([^"]*\?[^"]*)"/g)].map(([, url = ""]) =>
      url.replaceAll("&amp;", "&"),
    );
  };
  const filters =
    "period=all&compare=year&team=Sales&tag_ids=1&sending_type=Immediate&group=Everybody&surveys=none";
  const urls = ["/", "/campaigns", "/breakdown", "/links", "/audience", "/surveys", "/comments"].map(
    (path) => `${path}?${filters}&traffic=all`,
  );
  assert.deepEqual(await linksOf(`/?${filters}&traffic=all&chart=enps`), urls);
  assert.deepEqual(await linksOf(`/campaigns?${filters}&traffic=all&q=Campaign&page=1`), urls);
  const list = encodeURIComponent(`${filters}&q=Campaign&sort=subject`);
  assert.deepEqual(await linksOf(`/campaigns/1?traffic=all&list=${list}`), urls);
});

test("starts the title with the result of an action", async () => {
  const { cookie } = await site.signIn("viewer");
  const headers = { cookie: `${cookie}; ea_notice=${encodeURIComponent("Tag saved.")}` };
  const { text } = await requestPage(`${site.service.url}/sources`, { headers });
  assert.match(text, /<title>Tag saved · Sources · Acme \(test\)<\/title>/);
});

test("shows only the settings that a user may change", async () => {
  const linksOf = async (role: "admin" | "viewer") => {
    const text = await (await site.signIn(role)).read("/settings/account");
    const navigation = /<nav class="subnav".*?<\/nav>/s.exec(text)?.[0] ?? "";
    return [...navigation.matchAll(/href="([^"]*)"/g)].map(([, path]) => path);
  };
  assert.deepEqual(await linksOf("viewer"), ["/settings/tags", "/settings/account"]);
  const ofAdmin = [
    ...["organization", "privacy", "people", "tags", "audience"],
    ...["share-links", "chat", "audit", "integrations/analytics-api", "account"],
  ].map((page) => `/settings/${page}`);
  assert.deepEqual(await linksOf("admin"), ofAdmin);
});

test("says when the last event of the organization arrived", async () => {
  const { world, organization } = site;
  const viewer = await site.signIn("viewer");
  assert.equal(liveText(await viewer.read("/")), undefined);
  const other = await world.addOrganization();
  const { now } = world.clock;
  for (const [{ id }, at] of [
    [organization, now - 3 * 60_000],
    [other.organization, now],
  ] as const) {
    await world.database.transactionOf(id, async (scope) => {
      const options = { provider: "postmark", secret: "s", campaignField: "campaign_id", now };
      await recordSourceEvents(scope, await addSource(scope, options), new Set(["open"]), at);
    });
  }
  assert.equal(liveText(await viewer.read("/")), "Live · 3 minutes ago");
  world.clock.now += 3 * 60_000;
  assert.equal(liveText(await viewer.read("/")), "Last event 6 minutes ago");
  world.clock.now = now + 2 * 24 * 3_600_000 - 3 * 60_000;
  assert.equal(liveText(await viewer.read("/")), "Last event 2 days ago");
});

test("serves what browsers look for: icons, manifest, font and prefetch rules", async () => {
  const { url } = site.service;
  const page = await fetch(`${url}/sign-in`);
  const text = await page.text();
  const pathOf = (pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(String(pattern));
  const files = {
    "/favicon.ico": "image/x-icon",
    "/apple-touch-icon.png": "image/png",
    [pathOf(/rel="icon" href="([^"]*)"/)]: "image/svg+xml",
    [pathOf(/rel="manifest" href="([^"]*)"/)]: "application/manifest+json",
    [pathOf(/rel="preload" href="([^"]*)"/)]: "font/woff2",
    [JSON.parse(page.headers.get("speculation-rules") ?? "")]: "application/speculationrules+json",
  };
  for (const [path, type] of Object.entries(files)) {
    const answer = await fetch(url + path);
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get("content-type"), type, path);
    assert.match(answer.headers.get("cache-control") ?? "", /^public, max-age=/, path);
  }
  const icon = Buffer.from(await (await fetch(`${url}/favicon.ico`)).arrayBuffer());
  assert.equal(icon.readUInt32LE(14), icon.length - 22, "one image, which ends with the file");
  assert.deepEqual(icon.subarray(22, 26), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const style = pathOf(/rel="stylesheet" href="([^"]*)"/);
  const compressed = await fetch(url + style, { headers: { "accept-encoding": "br" } });
  assert.equal(compressed.headers.get("content-encoding"), "br");
  assert.match(await compressed.text(), /^@font-face/);
});
