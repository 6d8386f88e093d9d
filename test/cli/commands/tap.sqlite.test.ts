// `tap`: messages of the Singer specification, and copies that equal the service wherever the tap was killed.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { Compile } from "typebox/schema";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { startNewHistory } from "../../../src/storage/organizations.ts";
import { campaign, makeFolder, makeSqliteWorld, present, run, serve } from "../../support/world.ts";

type Row = Record<string, unknown> & { id: number };
interface Message {
  type: "SCHEMA" | "RECORD" | "STATE";
  stream?: string;
  schema?: Record<string, unknown>;
  key_properties?: string[];
  record?: Row;
  value?: { bookmarks: { emails: { cursor: string } } };
}

/** What a target keeps: the rows by key, and the last state. */
class Target {
  readonly rows = new Map<number, Row>();
  state: Message["value"];
  #check: { Errors(value: unknown): [boolean, unknown[]] } | undefined;

  /** Takes a message. Records have to match the last schema. */
  take(message: Message): void {
    if (message.type === "SCHEMA") this.#check = Compile(message.schema ?? {});
    if (message.type === "STATE") this.state = message.value;
    const { record } = message;
    if (!record) return;
    assert.deepEqual(this.#check?.Errors(record), [true, []]);
    if (record._sdc_deleted_at) this.rows.delete(record.id);
    else this.rows.set(record.id, record);
  }
}

/** Runs until it ends; it needs no database. */
const runTap = (argv: string[], given: Parameters<typeof run>[2] = {}) =>
  run("sqlite:/nowhere.db", ["tap", ...argv], { untilStopped: () => new Promise(() => undefined), ...given });

async function tapping(t: TestContext) {
  const world = await makeSqliteWorld(t);
  const { organization, key } = await world.addOrganization();
  const service = await serve(t, world);
  const file = (name: string, content: unknown) => {
    const path = join(world.folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const config = (more: object = {}) =>
    file(`config-${JSON.stringify(more).length}.json`, { url: service.url, api_key: key, ...more });
  const tap = async (state: unknown, ...argv: string[]): Promise<Message[]> => {
    const stateOption = state === undefined ? [] : ["--state", file("state.json", state)];
    const done = await runTap(["--config", config({ per_page: 2 }), ...stateOption, ...argv]);
    assert.deepEqual([done.exitCode, done.stderr], [0, ""]);
    return done.stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Message);
  };
  return { world, organization, key, service, file, config, tap };
}

const typesOf = (messages: readonly Message[]) => messages.map(({ type }) => type).join(" ");

test("tap prints schema, records and states, and then only what changed", async (t) => {
  const { world, organization, tap } = await tapping(t);
  await world.save(
    organization,
    [1, 2, 3].map((id) => campaign({ id, tags: ["News"] })),
  );
  const target = new Target();
  const first = await tap(undefined);
  assert.equal(typesOf(first), "SCHEMA RECORD RECORD STATE RECORD STATE");
  for (const message of first) target.take(message);
  assert.deepEqual(first[0]?.key_properties, ["id"]);
  assert.deepEqual(
    { ...target.rows.get(3) },
    {
      ...target.rows.get(3),
      subject: "Campaign 3",
      sent_at: "2024-01-01T09:00:00.000Z",
      _sdc_deleted_at: null,
    },
  );
  const { state } = target;
  assert.equal(typesOf(await tap(state)), "SCHEMA STATE STATE");
  await world.save(organization, [campaign({ id: 2, subject: "Mended" })]);
  await world.database.transaction((queries) => removeCampaign(queries, organization.id, 3, present));
  const changes = await tap(state);
  assert.equal(typesOf(changes), "SCHEMA RECORD RECORD STATE STATE");
  assert.deepEqual(changes[2]?.record, {
    id: 3,
    updated_at: new Date(present + 3).toISOString(),
    _sdc_deleted_at: new Date(present + 3).toISOString(),
  });
  for (const message of changes) target.take(message);
  assert.deepEqual([...target.rows.keys()], [1, 2]);
});

test("tap takes the URL of the emails endpoint, which people paste, for the base URL", async (t) => {
  const { service, config } = await tapping(t);
  for (const url of [`${service.url}/data_api/v1/emails`, `${service.url}/data_api/v1/emails/`]) {
    const { exitCode, stdout, stderr } = await runTap(["--config", config({ url })]);
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, /"type":"SCHEMA"[^\n]*\n.*"type":"STATE"/s);
  }
});

test("a tap that is killed at any line and started again from its state gives the copy of the service", async (t) => {
  const { world, organization, tap } = await tapping(t);
  await world.save(
    organization,
    [1, 2, 3, 4, 5].map((id) => campaign({ id })),
  );
  const all = await tap(undefined);
  const whole = new Target();
  for (let lines = 0; lines <= all.length; lines++) {
    const target = new Target();
    for (const message of all.slice(0, lines)) target.take(message);
    // Changes while the tap does not run.
    world.clock.now += 1_000;
    await world.save(organization, [campaign({ id: 1 + (lines % 7), subject: `After line ${lines}` })]);
    await world.database.transaction((queries) =>
      removeCampaign(queries, organization.id, 1 + ((lines + 3) % 7), world.clock.now),
    );
    for (const message of await tap(target.state)) target.take(message);
    for (const message of await tap(whole.state)) whole.take(message);
    const sorted = ({ rows }: Target) => [...rows.values()].sort((a, b) => a.id - b.id);
    assert.deepEqual(sorted(target), sorted(whole), `killed after line ${lines}`);
  }
});

test("tap --discover prints a catalog, by which properties are selected", async (t) => {
  const { world, organization, file, tap } = await tapping(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const { stdout } = await runTap(["--discover"]);
  const catalog = JSON.parse(stdout) as {
    streams: {
      tap_stream_id: string;
      metadata: { breadcrumb: string[]; metadata: Record<string, unknown> }[];
    }[];
  };
  const [stream] = catalog.streams;
  assert.equal(stream?.tap_stream_id, "emails");
  const [whole] = [await tap(undefined, "--catalog", file("all.json", catalog))];
  assert.equal(Object.keys(whole[1]?.record ?? {}).length, 38);
  for (const { breadcrumb, metadata } of stream.metadata) {
    metadata.selected = breadcrumb.length === 0 || breadcrumb.includes("subject");
  }
  const some = await tap(undefined, "--catalog", file("some.json", catalog));
  const names = ["id", "subject", "updated_at", "_sdc_deleted_at"];
  assert.deepEqual(Object.keys(some[1]?.record ?? {}), names);
  assert.deepEqual(Object.keys((some[0]?.schema?.properties ?? {}) as object), names);
  if (stream.metadata[0]) stream.metadata[0].metadata.selected = false;
  assert.deepEqual(await tap(undefined, "--catalog", file("none.json", catalog)), []);
});

test("tap refuses files that it cannot use, and never prints the key", async (t) => {
  const { file, config, key } = await tapping(t);
  const cases: [argv: string[], message: RegExp][] = [
    [[], /^error: --config is missing/],
    [["--config", file("a", `{"api_key": "${key}"`)], /^error: --config: \S+ is no JSON object$/],
    [["--config", file("b", { api_key: key })], /^error: --config: url is undefined; it is the base URL/],
    [
      ["--config", file("c", { url: "http://x.example", api_key: key })],
      /use https, or add "allow_http": true/,
    ],
    [
      ["--config", file("l", { url: "https://x.example/data_api/v1/emails?page=1", api_key: key })],
      /emails\?page=1"; it is the base URL/,
    ],
    [["--config", file("d", { url: "ftp://x.example", api_key: key, allow_http: true })], /use https/],
    [["--config", file("e", { url: "https://x.example", api_key: `${key}\n` })], /api_key is no API key/],
    [["--config", config({ per_page: 0 })], /per_page is 0, not a whole number from 1 on/],
    [["--config", config(), "--state", file("f", [])], /^error: --state: \S+ is no JSON object$/],
    [
      ["--config", config(), "--state", file("g", { bookmarks: { emails: { cursor: 7 } } })],
      /cursor is 7, not a text/,
    ],
    [
      ["--config", config(), "--state", file("i", { type: "STATE" })],
      /i has no bookmarks; use the last STATE/,
    ],
    [
      ["--config", config(), "--state", file("j", { cursor: "c1.x" })],
      /j has no bookmarks; use the last STATE/,
    ],
    [
      ["--config", config(), "--state", file("k", { bookmarks: { emails: {} } })],
      /cursor is undefined, not a/,
    ],
    [["--config", config(), "--catalog", file("h", {})], /^error: --catalog: streams is missing/],
    [["--config", join(makeFolder(t), "missing")], /^error: ENOENT/],
  ];
  for (const [argv, message] of cases) {
    const { exitCode, stdout, stderr } = await runTap(argv);
    assert.match(stderr.trim(), message);
    assert.ok(exitCode !== 0 && stdout === "" && !stderr.includes(key), stderr);
  }
});

test("tap says what to do when a backup was restored, or its key was deleted", async (t) => {
  const { world, organization, tap, file, config } = await tapping(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const state = (await tap(undefined)).at(-1)?.value;
  await world.database.transaction((queries) => startNewHistory(queries, organization.id, present));
  const gone = await runTap(["--config", config(), "--state", file("state.json", state)]);
  assert.equal(gone.exitCode, 1);
  assert.match(
    gone.stderr,
    /delete the rows of the target, and run without --state\. 127\.0\.0\.1:\d+ answered with status 410/,
  );
  const refused = await runTap(["--config", config({ api_key: "ea_test_1_x" })]);
  assert.match(refused.stderr, /^error: the key is rejected; create one with the scope read\./);
});

/** Answers each request with the next of the listeners. */
async function startStandIn(t: TestContext, listeners: RequestListener[]): Promise<string> {
  const server = createServer((request, response) => listeners.shift()?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("tap retries what may succeed later, and follows no redirect", async (t) => {
  const path = join(makeFolder(t), "config.json");
  const page = JSON.stringify({ emails: [], meta: { per_page: 1, has_more: false, cursor: "c1.x" } });
  const busy: RequestListener = (_, response) => response.writeHead(503, { "retry-after": "7" }).end();
  const cut: RequestListener = (_, response) => response.writeHead(200).end(page.slice(0, 9));
  const reset: RequestListener = (_, response) => response.destroy();
  const url = await startStandIn(t, [busy, cut, reset, (_, response) => response.end(page)]);
  writeFileSync(path, JSON.stringify({ url, api_key: "secret" }));
  const sleeps: number[] = [];
  const sleep = async (ms: number) => void sleeps.push(ms);
  const done = await runTap(["--config", path], { sleep });
  assert.equal(done.exitCode, 0, done.stderr);
  assert.deepEqual(sleeps, [7_000, 4_000, 8_000]);
  const away: RequestListener = (_, response) =>
    response.writeHead(302, { location: "https://x.example" }).end();
  writeFileSync(path, JSON.stringify({ url: await startStandIn(t, [away]), api_key: "secret" }));
  const redirected = await runTap(["--config", path]);
  assert.match(redirected.stderr, /answered with status 302: ""; check url in --config/);
});

test("tap stops at an answer that is no page of changes, and at one that never ends", async (t) => {
  const path = join(makeFolder(t), "config.json");
  const meta = { per_page: 1, has_more: true, cursor: "c1.x" };
  const none = ["null", '"x"', "[]", "{}", '{"meta":{}}'];
  const wrong = [
    { emails: {}, meta },
    { emails: [null], meta },
    { emails: [], meta: { has_more: true } },
  ];
  const same = JSON.stringify({ emails: [], meta });
  const cases = [
    ...[...none, ...wrong.map((each) => JSON.stringify(each))].map((body) => [[body], "no page of changes"]),
    [[same, same], "sends the same page of changes again and again"],
  ] as [bodies: string[], message: string][];
  for (const [bodies, message] of cases) {
    const url = await startStandIn(
      t,
      bodies.map((body) => (_, response) => response.end(body)),
    );
    writeFileSync(path, JSON.stringify({ url, api_key: "secret" }));
    const { exitCode, stderr } = await runTap(["--config", path]);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /^error: 127\.0\.0\.1:\d+ [^\n]*\n$/);
    assert.ok(stderr.includes(message), stderr);
  }
});

test("tap goes on from the last line that it has printed", async (t) => {
  const { world, organization, tap } = await tapping(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const last = (await tap(undefined)).at(-1);
  const types = (await tap(last)).map(({ type }) => type);
  assert.ok(last?.type === "STATE" && !types.includes("RECORD"), types.join());
  assert.ok((await tap({})).some(({ type }) => type === "RECORD"));
});
