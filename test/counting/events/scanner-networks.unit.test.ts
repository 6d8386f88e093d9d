// Networks from which only scanners come.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { classifyEvents } from "../../../src/counting/events/classify-events.ts";
import { readScannerNetworks, ScannerNetworks } from "../../../src/counting/events/scanner-networks.ts";
import { pick } from "../../support/pick.ts";
import { withTemporaryFolder } from "../../support/temporary-folder.ts";

test("knows Microsoft 365 protection, in IPv4, IPv6 and IPv4 mapped into IPv6", () => {
  const networks = new ScannerNetworks();
  for (const ip of [
    "40.92.0.0",
    "40.93.255.255",
    " 104.47.127.255 ",
    "2A01:111:F400::1",
    "::ffff:52.103.0.1",
  ]) {
    assert.equal(networks.isScanner(ip, "open"), true, ip);
    assert.equal(networks.isScanner(ip, "open"), true, `${ip} again`);
  }
  for (const ip of [
    "40.91.255.255",
    "104.47.128.0",
    "2a01:111:f402::1",
    "192.0.2.1",
    "curl/8.0",
    "",
    undefined,
  ]) {
    assert.equal(networks.isScanner(ip, "click"), false, String(ip));
  }
});

test("adds the operator's networks; a network for clicks leaves opens and reads alone", () => {
  const networks = new ScannerNetworks(
    "# ours\n\n192.0.2.0/24 all Ours\r\n  2001:db8::/32\tclicks\tOurs for links\n198.51.100.7/32 clicks One",
  );
  const types = ["open", "read", "click"] as const;
  const verdicts = (ip: string) => types.map((type) => networks.isScanner(ip, type));
  assert.deepEqual(verdicts("192.0.2.9"), [true, true, true]);
  assert.deepEqual(verdicts("2001:db8::1"), [false, false, true]);
  assert.deepEqual(verdicts("198.51.100.7"), [false, false, true]);
  assert.deepEqual(verdicts("40.92.0.1"), [true, true, true]);
});

test("an event from such a network has the reason network and no device, a survey answer stays human", () => {
  const base = { id: "e-1", campaign_id: 1, recipient: "ann", at: "2026-01-05T09:00:00Z", ip: "40.92.0.1" };
  const answer = { ...base, type: "survey", survey_id: "s", kind: "enps", score: 9 };
  const user_agent =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
  const inputs = [
    { ...base, type: "open", user_agent },
    { ...base, type: "open", ip: "192.0.2.1", user_agent },
    answer,
  ];
  const classified = classifyEvents(
    inputs.map((input) => ({ input })),
    Date.parse(base.at),
  );
  assert.deepEqual(pick(classified, "traffic", "device"), [
    ["network", null],
    ["person", "mobile"],
    ["person", null],
  ]);
});

test("reads the operator's file, or says which line is wrong", () =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, "networks.txt");
    const read = (text: string) => {
      writeFileSync(path, text);
      return readScannerNetworks(path);
    };
    assert.equal(readScannerNetworks(""), "");
    assert.equal(read("# ours\n192.0.2.0/24 all Ours\n"), "# ours\n192.0.2.0/24 all Ours\n");
    const widest =
      "128.0.0.0/1 all Half\n192.0.2.1/32 clicks One\n8000::/1 all Half\n2001:db8::1/128 all One\n";
    assert.equal(read(widest), widest);
    for (const line of [
      "192.0.2.0/24 all",
      "192.0.2.0/24 opens Ours",
      "192.0.2.0/33 all Ours",
      "192.0.2.0/0 all Ours",
      "192.0.2.0 all Ours",
      "example.com/24 all Ours",
      "2001:db8::/129 all Ours",
    ]) {
      assert.throws(() => read(`# ours\n${line}\n`), {
        code: "bad_request",
        message: `SCANNER_NETWORKS: line 2 of ${JSON.stringify(path)}: "${line}" is not NETWORK SCOPE NAME, such as 192.0.2.0/24 all Our gateway; the scope is all or clicks`,
      });
    }
    const missing = join(path, "missing");
    assert.throws(() => readScannerNetworks(missing), {
      message: `SCANNER_NETWORKS: cannot read ${JSON.stringify(missing)}`,
    });
  }));
