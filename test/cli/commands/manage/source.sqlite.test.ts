// `source add|list|change|delete`.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test, { type TestContext } from "node:test";
import { listSources } from "../../../../src/storage/keys/sources.ts";
import type { EventsResponse } from "../../../support/serve-sender.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeAcme, run, type Service, serve, type World } from "../../../support/world.ts";

const publicUrl = "https://analytics.example.com";

/** Runs `source …` for organization 1 with a PUBLIC_URL. */
function commandsOf({ databaseUrl }: World) {
  return (
    argv: string[],
    { stdin, ...environment }: { stdin?: string; [name: string]: string | undefined } = {},
  ) =>
    run(databaseUrl, ["source", ...argv, "--organization", "1"], {
      ...(stdin !== undefined && { stdin }),
      environment: { DATABASE_URL: databaseUrl, PUBLIC_URL: publicUrl, ...environment },
    });
}

async function makeSources(t: TestContext) {
  const { world, organization, key } = await makeAcme(t, { register: {} });
  return { world, organization, key, source: commandsOf(world) };
}

const open = {
  RecordType: "Open",
  MessageID: "1",
  Recipient: "ann@example.com",
  ReceivedAt: "2026-06-15T11:05:00Z",
  Metadata: { campaign_id: "1" },
  Tag: "1",
};

/** Sends to a webhook URL as it was printed. */
async function deliver(
  service: Service,
  url: unknown,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<EventsResponse> {
  const address = String(url);
  assert.ok(address.startsWith(publicUrl), address);
  const answer: unknown = await service.send(address.slice(publicUrl.length), { body, headers });
  return answer as EventsResponse;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("source add prints a webhook URL that takes events, and source delete makes it 404 immediately", async (t) => {
  const { world, key, source } = await makeSources(t);
  const added = await source(["add", "--provider", "postmark", "--json"]);
  const [row] = added.rows;
  const id = String(row?.id);
  assert.match(id, /^1-[0-9a-f]{32}$/);
  const url = `${publicUrl}/ingest/v1/webhooks/${id}`;
  assert.deepEqual(added.rows, [{ id, provider: "postmark", url }]);
  assert.deepEqual([added.exitCode, added.stderr], [0, ""]);

  const service = await serve(t, world);
  assert.equal((await deliver(service, url, open)).status, 200);
  assert.equal((await service.emails(key)).emails[0]?.unique_opens, 1);
  const given = { id, provider: "postmark", sender: 3, campaign_field: "campaign_id", has_secret: false };
  const listed = { ...given, added: "2026-06-15", url };
  assert.deepEqual((await source(["list", "--json"])).rows, [listed]);

  const deleted = await source(["delete", "--id", id, "--json"]);
  assert.deepEqual(deleted.rows, [listed]);
  const gone = await deliver(service, url, open);
  assert.deepEqual([gone.status, gone.body.error], [404, "not_found"]);
  assert.deepEqual((await source(["list", "--json"])).rows, []);
});

test("a source that requires a secret refuses events until source change sets it", async (t) => {
  const { world, source } = await makeSources(t);
  const added = await source(["add", "--provider", "resend", "--json"]);
  const [row] = added.rows;
  assert.equal(added.exitCode, 0);
  assert.match(added.stderr, /^Events from Resend get 401 until .*\n$/);
  assert.ok(
    added.stderr.endsWith(`run: email-analytics source change --organization 1 --id ${row?.id} --secret -\n`),
  );
  const service = await serve(t, world);
  const signed = () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const mac = createHmac("sha256", Buffer.from("b3RoZXI=", "base64")).update(`msg_1.${timestamp}.{}`);
    const signature = `v1,${mac.digest("base64")}`;
    return { "svix-id": "msg_1", "svix-timestamp": timestamp, "svix-signature": signature };
  };
  assert.equal((await deliver(service, row?.url, "{}", signed())).status, 401);
  const changed = await source(["change", "--id", String(row?.id), "--secret", "-", "--json"], {
    stdin: "whsec_b3RoZXI=\n",
  });
  assert.deepEqual([changed.exitCode, changed.rows[0]?.has_secret], [0, true]);
  assert.equal((await deliver(service, row?.url, "{}", signed())).status, 200);

  const both = await source(["add", "--provider", "resend", "--secret", "whsec_b3RoZXI="]);
  assert.equal(both.exitCode, 0);
  assert.match(both.stderr, /^Added source [^\n]*\n$/);
});

test("source reads a secret from the option or standard input, and no command prints it", async (t) => {
  const { world, source } = await makeSources(t);
  const service = await serve(t, world);
  const add = async (secret: string, stdin?: string) =>
    source(
      ["add", "--provider", "postmark", "--secret", secret, "--json"],
      stdin === undefined ? {} : { stdin },
    );
  const outputs: string[] = [];
  const stored = async (id: unknown) =>
    (await world.read({ id: 1 }, listSources)).find((each) => each.id === id)?.secret;
  for (const [ran, secret] of [
    [await add("s3cret-1"), "s3cret-1"],
    [await add("-", "s3cret-2\r\n"), "s3cret-2"],
    [await add("-", "s3cret-3"), "s3cret-3"],
    [await add("-", " s3cret-4 \n\n"), " s3cret-4 \n"],
  ] as const) {
    assert.equal(ran.exitCode, 0, ran.stderr);
    const [row] = ran.rows;
    assert.equal((await deliver(service, row?.url, open)).status, 401);
    assert.equal(await stored(row?.id), secret);
    if (secret === secret.trim()) {
      assert.equal((await deliver(service, row?.url, open, bearer(secret))).status, 200, secret);
    }
    outputs.push(ran.stdout, ran.stderr);
    const changed = await source(["change", "--id", String(row?.id), "--secret", "s3cret-5", "--json"]);
    assert.equal((await deliver(service, row?.url, open, bearer("s3cret-5"))).status, 200);
    outputs.push(changed.stdout, changed.stderr);
  }
  for (const json of [["--json"], []]) {
    const { stdout, stderr } = await source(["list", ...json]);
    outputs.push(stdout, stderr);
  }
  assert.equal(outputs.join("").includes("s3cret"), false);
  assert.equal(service.log().includes("s3cret"), false);
});

test("source delete removes the secret from the database files", async (t) => {
  const { world, source } = await makeSources(t);
  const secret = "0123456789-a-secret-of-a-source";
  const added = await source(["add", "--provider", "postmark", "--secret", secret, "--json"]);
  assert.notDeepEqual(await placesWith(world, secret), []);
  await source(["delete", "--id", String(added.rows[0]?.id)]);
  assert.deepEqual(await placesWith(world, secret), []);
});

test("source refuses an invalid secret as wrong usage, without printing it", async (t) => {
  const { source } = await makeSources(t);
  const added = await source(["add", "--provider", "resend", "--json"]);
  const id = String(added.rows[0]?.id);
  for (const [secret, accepted, stdin] of [
    ["re_hunter2", /^error: --secret: the value is not the signing secret that Resend shows .*\n$/],
    ["-", /is not the signing secret that Resend shows/, "re_hunter2\n"],
    ["-", /^error: --secret: the value is not text of 1 to 10000 characters\n$/, "\n"],
    ["-", /is not text of 1 to 10000 characters/, ""],
    ["", /is not text of 1 to 10000 characters/],
    ["-", /is not text of 1 to 10000 characters/, "hunter2\0"],
    ["hunter2".repeat(2_000), /is not text of 1 to 10000 characters/],
  ] as const) {
    for (const argv of [
      ["add", "--provider", "resend", "--secret", secret],
      ["change", "--id", id, "--secret", secret],
    ]) {
      const { exitCode, stdout, stderr } = await source(argv, stdin === undefined ? {} : { stdin });
      assert.deepEqual([exitCode, stdout], [2, ""], stderr);
      assert.match(stderr, accepted);
      assert.equal(stderr.includes("hunter2"), false);
    }
  }
  const { rows } = await source(["list", "--json"]);
  const found = rows.map((row) => [row.id, row.has_secret]);
  assert.deepEqual(found, [[id, false]]);
});

test("the campaign field of a source can be any name, and a change takes effect with the next request", async (t) => {
  const { world, key, source } = await makeSources(t);
  const added = await source(["add", "--provider", "postmark", "--campaign-field", " Tag ", "--json"]);
  const [row] = added.rows;
  const service = await serve(t, world);
  const tagged = { ...open, Metadata: {} };
  assert.equal((await deliver(service, row?.url, tagged)).body.accepted, 1);
  const changed = await source(`change --id ${row?.id} --campaign-field newsletter --json`.split(" "));
  assert.deepEqual(changed.rows, [
    { ...row, sender: 3, campaign_field: "newsletter", has_secret: false, added: "2026-06-15" },
  ]);
  assert.equal((await deliver(service, row?.url, { ...tagged, MessageID: "2" })).body.accepted, 0);
  const named = { ...open, MessageID: "3", Metadata: { newsletter: "1" } };
  assert.equal((await deliver(service, row?.url, named)).body.accepted, 1);
  assert.equal((await service.emails(key)).emails[0]?.unique_opens, 1);

  for (const name of ["", " ", "a\nb", "x".repeat(201)]) {
    for (const argv of [
      ["add", "--provider", "postmark", "--campaign-field", name],
      ["change", "--id", String(row?.id), "--campaign-field", name],
    ]) {
      const { exitCode, stdout, stderr } = await source(argv);
      assert.deepEqual([exitCode, stdout], [2, ""]);
      const message =
        /A name has 1 to 200 characters on one line, at least one of them visible, without invisible marks that change the text direction\.\n$/;
      assert.match(stderr, message);
    }
  }
});

test("without PUBLIC_URL the webhook URL starts with the listening address, and source warns of it", async (t) => {
  const { source } = await makeSources(t);
  for (const [environment, expected] of [
    [{}, "http://127.0.0.1:8080"],
    [{ HOST: "0.0.0.0", PORT: "81" }, "http://0.0.0.0:81"],
    [{ HOST: "::1" }, "http://[::1]:8080"],
  ] as const) {
    const hint = `warning: PUBLIC_URL is not set, so the webhook URL starts with ${expected}, from HOST and PORT. A server started with --host or --port has another URL. Replace this start in the link by the URL at which providers reach the server, and set PUBLIC_URL to it.\n`;
    const added = await source(["add", "--provider", "postmark", "--json"], {
      PUBLIC_URL: "",
      ...environment,
    });
    assert.equal(added.rows[0]?.url, `${expected}/ingest/v1/webhooks/${added.rows[0]?.id}`);
    assert.deepEqual([added.exitCode, added.stderr], [0, hint]);
    const listed = await source(["list", "--json"], { PUBLIC_URL: "", ...environment });
    assert.ok(listed.rows.every(({ url }) => String(url).startsWith(`${expected}/`)));
    assert.equal(listed.stderr, hint);
  }
});

test("source commands treat a source of another organization as unknown", async (t) => {
  const { world, source } = await makeSources(t);
  await world.addOrganization({ name: "Globex" });
  const environment = { DATABASE_URL: world.databaseUrl, PUBLIC_URL: publicUrl };
  const argv = ["source", "add", "--organization", "2", "--provider", "postmark", "--json"];
  const other = String((await run(world.databaseUrl, argv, { environment })).rows[0]?.id);
  for (const id of [other, `1-${"0".repeat(32)}`]) {
    for (const command of [
      ["delete", "--id", id],
      ["change", "--id", id, "--secret", "x"],
    ]) {
      const { output } = await source(command);
      const message = `error: organization 1 has no source ${id}; see "email-analytics source list"\n`;
      assert.deepEqual(output, [1, "", message]);
    }
  }
  assert.deepEqual((await source(["list", "--json"])).rows, []);
  const unknown = await run(world.databaseUrl, "source list --organization 3", { environment });
  assert.deepEqual([unknown.exitCode, unknown.stdout], [1, ""]);
});

test("source refuses unknown providers, invalid IDs and missing options", async (t) => {
  const { source } = await makeSources(t);
  const id = `1-${"0".repeat(32)}`;
  for (const [argv, said] of [
    [["add"], /required option '--provider <PROVIDER>' not specified/],
    [
      ["add", "--provider", "carrier-pigeon"],
      /carrier-pigeon.* Allowed choices are .*brevo.*postmark.*resend/,
    ],
    [["change", "--id", id], /^error: nothing to change; pass --secret or --campaign-field\n$/],
    [["change", "--id", "1", "--secret", "x"], /The ID of a source is the last part of its webhook URL\.\n$/],
    [["delete", "--id", `${id}/..`], /The ID of a source is the last part of its webhook URL\.\n$/],
    [["delete"], /required option '--id <ID>' not specified/],
  ] as const) {
    const { exitCode, stdout, stderr } = await source([...argv]);
    assert.deepEqual([exitCode, stdout], [2, ""], stderr);
    assert.match(stderr, said);
  }
});

test("source add prints only the webhook URL on standard output, and says where emails name the campaign", async (t) => {
  const { source } = await makeSources(t);
  const none = await source(["list"]);
  assert.deepEqual([none.stdout, none.stderr], ["", "The organization has no sources.\n"]);
  const { stdout, stderr } = await source(["add", "--provider", "postmark", "--secret", "s3cret"]);
  const url = stdout.trimEnd();
  const id = url.slice(-34);
  assert.equal(url, `${publicUrl}/ingest/v1/webhooks/${id}`);
  assert.equal(
    stderr,
    `Added source ${id}. Enter this webhook URL at Postmark. The field "campaign_id" names the campaign of an event; set it in Metadata of the message, or Tag.\n`,
  );
  const listed = await source(["list"]);
  assert.deepEqual(
    listed.stdout.split("\n").map((line) => line.split(/ {2,}/)),
    [
      ["id", "provider", "sender", "campaign_field", "has_secret", "added", "url"],
      [id, "postmark", "3", "campaign_id", "yes", "2026-06-15", url],
      [""],
    ],
  );
  const text = `Changed source ${id}.\n`;
  assert.equal((await source(["change", "--id", id, "--campaign-field", "Tag"])).stdout, text);
  const expected = `Deleted source ${id}. Remove its webhook at the provider.\n`;
  assert.equal((await source(["delete", "--id", id])).stdout, expected);
});

test("source add suggests a secret when the provider has an optional one", async (t) => {
  const { source } = await makeSources(t);
  const open = await source(["add", "--provider", "brevo"]);
  const message =
    /^Added source .*\nThe source has no secret: anyone who knows the webhook URL can send events\. It can have one: a password/;
  assert.match(open.stderr, message);
});
