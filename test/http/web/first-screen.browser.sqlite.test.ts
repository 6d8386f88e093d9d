// How many words the first screen of a desk shows: everything visible counts, also the rail and the labels of charts.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { closeBrowser } from "../../support/browser.ts";
import { sharedDemoSite } from "../../support/demo-site.ts";

after(closeBrowser);

/** Words have a letter or a digit. Runs in the page. */
const wordsInView = `(() => {
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent } = node;
    if (parent.closest(".visually-hidden, script, style, title")) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isSeen = [...range.getClientRects()].some(
      ({ width, height, top, bottom, left, right }) =>
        width > 1 && height > 1 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0,
    );
    if (isSeen) words.push(...node.data.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)));
  }
  return words;
})()`;

test("shows few words on the first screen of a desk, in a first view of at most 130 KB", async (t) => {
  const { site, organization, records } = await sharedDemoSite();
  const viewport = { width: 1440, height: 900 };
  const page = await site.openWindowOf("admin", { organization, viewport });
  t.after(() => page.context().close());
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  let bytes = 0;
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const final = records.find(({ sent_at }) => Date.parse(sent_at) < site.world.clock.now - 8 * 86_400_000);
  for (const [path, most] of [
    ["/", 150],
    [`/campaigns/${final?.id}`, 180],
    ["/campaigns", 320],
  ] as const) {
    await page.goto(site.url + path, { waitUntil: "networkidle" });
    const words = await page.evaluate<string[]>(wordsInView);
    t.diagnostic(`${path}: ${words.length} words, ${Math.round(bytes / 1000)} KB so far`);
    assert.ok(words.length <= most, `${path}: ${words.length} words of ${most}: ${words.join(" ")}`);
    if (path === "/") assert.ok(bytes <= 130_000, `${bytes} bytes`);
  }
});
