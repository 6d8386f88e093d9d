// Privacy: every stored byte and the log are searched for data that must not be there.

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import Sqlite from "better-sqlite3";
import { event, eventsPath, type ServedSender, serveSender } from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { storedBytes } from "../../support/stored-bytes.ts";

const address = "zq7.privat+person@geheim-xk.example";
const other = "vw3.another+one@geheim-xk.example";
const ip = "203.0.113.197";
const userAgent = "Qx9-Mailer/77.12 (Windows NT 10.0; Kw4Zr)";
const secrets = { address, other, ip, userAgent };

/** Every encoding in which the text could be stored. */
function formsOf(text: string): (string | Buffer)[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // The characters at either end depend on the neighboring bytes.
    return encoded.slice(4, encoded.length - 4);
  });
  return [
    text,
    text.toUpperCase(),
    Buffer.from(text, "utf16le"),
    Buffer.from(text, "utf16le").swap16(),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...base64,
    ...base64.map((each) => each.replaceAll("+", "-").replaceAll("/", "_")),
    encodeURIComponent(text),
    encodeURIComponent(text).toLowerCase(),
    [...bytes].map((byte) => `%${byte.toString(16)}`).join(""),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    [...bytes].join(","),
    [...text].reverse().join(""),
  ];
}

/** The names of the secrets that are found in the database or the log. */
async function found({ world, service }: ServedSender): Promise<string[]> {
  const texts = [...(await storedBytes(world)), ["log", Buffer.from(service.log())] as const];
  return texts.flatMap(([place, bytes]) =>
    Object.entries(secrets)
      .filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)))
      .map(([name]) => `${name} in ${place}`),
  );
}

const isSqlite = ({ world }: ServedSender) => world.databaseUrl.startsWith("sqlite:");

/** SQLite writes to its write-ahead log first, and to the main file at a checkpoint. */
const files = ["test.db", "test.db-shm", "test.db-turn", "test.db-wal"];

async function foundAtAnyTime(sent: ServedSender): Promise<string[]> {
  const { folder } = sent.world;
  // No other file is written next to the database.
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), isSqlite(sent) ? files : []);
  const before = await found(sent);
  await sent.service.stop();
  if (isSqlite(sent)) {
    const sqlite = new Sqlite(join(folder, "test.db"));
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    sqlite.close();
    assert.equal(statSync(join(folder, "test.db-wal")).size, 0);
  }
  return [...new Set([...before, ...(await found(sent))])];
}

const by = { recipient: address, ip, user_agent: userAgent };
const early = { at: "2026-06-15T09:00:00Z" };

/** Every type of event, of a recipient who must stay unknown. */
const events = (given: Record<string, unknown> = {}) => [
  event({ ...by, ...given }),
  event({ ...by, type: "click", url: `https://example.com/?to=${address}&from=${ip}`, ...given }),
  event({ ...by, type: "read", seconds: 4, ...given }),
  event({ ...by, type: "survey", survey_id: "s", kind: "enps", score: 4, id: `s-${address}`, ...given }),
  event({ ...by, recipient: other, id: address, machine: true, ...given }),
  event({ ...by, recipient: ` ${other.toUpperCase()} `, ...given }),
];

/** Events that are unreadable in different ways. */
const unreadable = () => [
  event({ ...by, type: "nonsense" }),
  event({ ...by, at: address }),
  event({ ...by, id: undefined }),
  event({ ...by, id: 5 }),
  event({ ...by, device: ip }),
  event({ ...by, user_agent: { text: userAgent } }),
  event({ ...by, ip: [ip] }),
  event({ ...by, recipient: [address] }),
  event({ ...by, recipient: { address } }),
  event({ ...by, type: "click", url: [`https://example.com/${address}`] }),
  event({ ...by, type: "read", seconds: ip }),
  event({ ...by, type: "survey", survey_id: 5, kind: "enps", comment: [address] }),
  event({ ...by, campaign_id: [address], email: address }),
  address,
  [address, ip, userAgent],
];

for (const tracking of ["Anonymous", "Overall"]) {
  test(`stores and logs no email address, IP address or user agent with ${tracking} tracking`, async (t) => {
    const sent = await serveSender(t);
    const { put, post, postRaw } = sent;
    const whole = { tracking_type: tracking, external_id: "weekly" };
    // Quarantined, counted, repeated, and before the campaign as a test send.
    await post([...events(), ...events({ campaign_id: "weekly" }), ...unreadable()]);
    await put(1, whole);
    const counted = events();
    await post([...counted, ...events({ campaign_id: "weekly" })]);
    await post(counted);
    await post(events(early));
    await post(events({ at: "2026-06-16T09:00:00Z" }));
    await post(unreadable());
    await put(1, { ...whole, subject: "Other" });
    await put(1, { ...whole, sent_at: "2026-06-15T09:00:00Z" });
    const lines = [...events(), ...unreadable()].map((each) => JSON.stringify(each));
    const ndjson = { "content-type": "application/x-ndjson" };
    await postRaw([...lines, `{"id": "${address}`, `${ip} ${userAgent}`].join("\n"), ndjson);
    // Rejected requests, and requests with forged URLs and headers.
    await postRaw(`{"events":[{"recipient":"${address}"`);
    await postRaw(address, { "content-encoding": "gzip" });
    await post([], { "x-recipient": address, "user-agent": userAgent });
    await sent.service.send(`${eventsPath}?recipient=${encodeURIComponent(address)}&ip=${ip}`, {
      key: sent.ingestKey,
      body: { events: events() },
    });
    assert.notEqual((await sent.numbers("unique_opens"))[0], 0);
    assert.deepEqual(await foundAtAnyTime(sent), []);
  });
}

sqliteTest("stores the email address, but no IP address or user agent, with Individual", async (t) => {
  const sent = await serveSender(t);
  const { put, post } = sent;
  await post([...events(), ...unreadable()]);
  await put(1);
  await post([...events(), ...events(early), ...unreadable(), ...events({ recipient: other })]);
  await post(events({ at: "2026-06-16T09:00:00Z" }));
  await put(1, { sent_at: "2026-06-15T09:00:00Z" });
  const places = await foundAtAnyTime(sent);
  // Proves that the search finds what is stored.
  for (const place of isSqlite(sent) ? ["test.db-wal", "test.db"] : ["recipients"]) {
    assert.ok(places.includes(`address in ${place}`), String(places));
  }
  const found = places.filter((place) => !/^(address|other) in (test\.db(-wal)?|recipients)$/.test(place));
  assert.deepEqual(found, []);
});

test("quarantines events of an unknown campaign without email address, IP address or user agent", async (t) => {
  const sent = await serveSender(t);
  await sent.world.save(sent.organization, []);
  await sent.post([...events({ campaign_id: 99 }), ...events({ campaign_id: "unknown" }), ...unreadable()]);
  await sent.post(events({ campaign_id: null }));
  assert.deepEqual(await foundAtAnyTime(sent), []);
});

test("stores and logs no forged campaign or email address that it rejects", async (t) => {
  const sent = await serveSender(t);
  await sent.put(1);
  await sent.put(1, { subject: 5, sent_from: [address], recipient_count: ip });
  await sent.put(1, { [address]: userAgent });
  await sent.post([event({ campaign_id: 1, recipient: null, type: address })]);
  assert.deepEqual(await foundAtAnyTime(sent), []);
});

test("finds an address in stored data when it is encoded or compressed", () => {
  const hidden = [
    Buffer.from(`...${address}...`),
    Buffer.from(Buffer.from(`x${address}y`).toString("base64")),
    Buffer.from(Buffer.from(`xy${address}z`).toString("base64url")),
    Buffer.from(Buffer.from(address).toString("hex")),
    Buffer.from(`?to=${encodeURIComponent(address)}`),
    Buffer.from(`\0${address}`, "utf16le"),
  ];
  for (const bytes of hidden) {
    assert.ok(
      formsOf(address).some((form) => bytes.includes(form)),
      bytes.toString(),
    );
  }
});
