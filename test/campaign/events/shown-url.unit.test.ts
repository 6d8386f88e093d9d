// The part of a URL that a campaign stores and shows.

import assert from "node:assert/strict";
import test from "node:test";
import { shownUrl } from "../../../src/campaign/events/shown-url.ts";

const urls: [url: string, shown: string][] = [
  ["https://example.com/news?u=ann#top", "https://example.com/news"],
  ["HTTPS://Ann:secret@Example.com/News", "https://example.com/News"],
  ["https:\\\\ann:secret@example.com\\news", "https://example.com/news"],
  ["https://example.com/leave/ann@example.com/now", "https://example.com/leave/…/now"],
  ["https://example.com/leave/ann%40example.com", "https://example.com/leave/…"],
  ["https://example.com/u/ann%2540example.com/x", "https://example.com/u/…/x"],
  ["https://example.com/u/ann%252540example.com", "https://example.com/u/…"],
  ["https://example.com/ann\uff20example.com", "https://example.com/…"],
  ["https://example.com/ann%EF%BC%A0example.com", "https://example.com/…"],
  ["https://example.com/ann%25ef%25bc%25a0example.com", "https://example.com/…"],
  ["https://example.com/a;mail=ann@example.com@b;c/x", "https://example.com/…/x"],
  ["https://example.com/@editors/1", "https://example.com/@editors/1"],
  ["mailto:ann@example.com?subject=Hello", "…"],
  ["/relative?u=ann", "/relative"],
  ["?u=ann", ""],
  ["not a URL #ann", "not a URL"],
  ["https://b\u00fccher.example/\u00e4", "https://xn--bcher-kva.example/%C3%A4"],
  ["\ud800\0", "\ufffd"],
];

for (const [url, shown] of urls) {
  test(`stores the URL ${JSON.stringify(url)} as ${JSON.stringify(shown)}`, () => {
    assert.equal(shownUrl(url), shown);
  });
}

test("truncates a URL to 1,000 characters without splitting a surrogate pair", () => {
  assert.equal(shownUrl(`https://example.com/${"a".repeat(5_000)}`).length, 1_000);
  assert.match(shownUrl(`https://example.com/${"a".repeat(5_000)}`), /a…$/);
  assert.equal(shownUrl(`x${"b".repeat(999)}`), `x${"b".repeat(999)}`);
  for (const beginning of ["x", "xy"]) {
    const shown = shownUrl(`${beginning}${"\u{1f600}".repeat(1_000)}`);
    assert.ok(shown.length === 1_000 || shown.length === 999);
    assert.ok(shown.endsWith("\u{1f600}…"));
  }
});

test("processes a malicious URL in linear time", () => {
  const from = process.cpuUsage();
  shownUrl(`https://example.com/${"a".repeat(1_000_000)}`);
  shownUrl(`x${"%25".repeat(300_000)}`);
  const { user } = process.cpuUsage(from);
  // CPU time, because other processes may slow the test down.
  assert.ok(user < 2_000_000, `${user} µs`);
});
