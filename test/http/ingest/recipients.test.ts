// PUT /ingest/v1/campaigns/{id}/recipients and PUT /ingest/v1/directory: recipients with their attributes.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { addAttributes } from "../../../src/counting/audience/add-attributes.ts";
import { mergePart } from "../../../src/counting/audience/merge-list.ts";
import { finishAbandonedLists } from "../../../src/counting/audience/save-recipients.ts";
import { stageRows, startList } from "../../../src/counting/audience/stage-list.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { findCampaignGroups } from "../../../src/storage/audience/campaign-groups.ts";
import { listGroups } from "../../../src/storage/audience/store-groups.ts";
import { lockOrganization } from "../../../src/storage/organizations/organizations.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { countRows, open } from "../../support/events.ts";
import { serveSender } from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign } from "../../support/world.ts";

const listPath = "/ingest/v1/campaigns/1/recipients";
const directoryPath = "/ingest/v1/directory";

async function served(t: TestContext, given: Record<string, unknown> = {}) {
  const sender = await serveSender(t);
  const { service, world, organization, ingestKey, put } = sender;
  await world.write(organization, (scope) => addAttributes(scope, ["Department", "Site"]));
  await put(1, given);
  const sendList = (body: string | Uint8Array, headers: Record<string, string> = {}, path = listPath) =>
    service.send(path, {
      ...{ method: "PUT", key: ingestKey, body },
      headers: { "content-type": "text/csv", ...headers },
    });
  /** Recipients and opens by group. */
  const groups = () =>
    world.database.snapshot(async (queries) => {
      const names = new Map(
        (await listGroups(new Scope(queries, organization.id))).map(({ id, name }) => [id, name]),
      );
      const found = await findCampaignGroups(new Scope(queries, organization.id), [1]);
      return Object.fromEntries(
        found.map(({ groupId, attributeId, recipients, peopleOpens }) => [
          groupId === attributeId ? `no ${names.get(attributeId)}` : names.get(groupId),
          [recipients, peopleOpens],
        ]),
      );
    });
  return { ...sender, sendList, groups };
}

test("takes a list as CSV or NDJSON, replaces it, and counts events in its groups", async (t) => {
  const { sendList, groups, world, organization } = await served(t);
  const csv = "recipient,Department,Site\nperson-1@example.com,Sales,Berlin\n Person-2@example.com ,Sales,\n";
  const answer = await sendList(csv);
  assert.deepEqual([answer.status, answer.body], [200, { id: 1, recipients: 2 }]);
  await world.ingest(organization, [open(1), open(3)]);
  const expected = { Sales: [2, 1], Berlin: [1, 1], "no Site": [2, 1], "no Department": [1, 1] };
  assert.deepEqual(await groups(), expected);

  const lines = [
    { recipient: "person-2@example.com", attributes: { department: "sales" } },
    { recipient: "person-1@example.com", attributes: { Department: "Sales", Site: "Berlin" } },
  ];
  const ndjson = lines.map((line) => JSON.stringify(line)).join("\n");
  const again = await sendList(gzipSync(ndjson), {
    "content-type": "application/x-ndjson",
    "content-encoding": "gzip",
  });
  assert.deepEqual([again.status, again.body], [200, { id: 1, recipients: 2 }]);
  assert.deepEqual(await groups(), expected, "letter case makes no difference");

  await sendList("recipient;Site\r\nperson-3@example.com;Paris\r\n");
  // Person 1 has an event, so it stays in its groups. Person 2 has none.
  assert.deepEqual(await groups(), {
    ...{ Sales: [1, 1], Berlin: [1, 1], Paris: [1, 1], "no Department": [1, 1] },
  });
});

test("a list gets its response when saving it takes longer than connections may be silent", async (t) => {
  const silenceMs = 2_000;
  const { service, world, organization, ingestKey, put } = await serveSender(t, { limits: { silenceMs } });
  await put(1);
  const send = async () => {
    const headers = { "content-type": "text/csv" };
    const body = "recipient\nperson-1@example.com\n";
    const { status } = await service.send(listPath, { method: "PUT", key: ingestKey, headers, body });
    return status;
  };
  // The first request loads code.
  assert.equal(await send(), 200);
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const others = world.database.transactionOf(organization.id, async (scope) => {
    await lockOrganization(scope);
    locked();
    await pause(1.5 * silenceMs);
  });
  await isLocked;
  assert.equal(await send(), 200);
  await others;
});

test("a campaign reads the directory for lists and first events, and keeps what it read", async (t) => {
  const { sendList, groups, world, organization } = await served(t, { tracking_type: "Anonymous" });
  const directory = (text: string) => sendList(text, {}, directoryPath);
  const answer = await directory(
    "recipient,Department\nperson-1@example.com,Sales\nperson-2@example.com,HR\n",
  );
  assert.deepEqual([answer.status, answer.body], [200, { recipients: 2 }]);
  await world.ingest(organization, [open(1), open(3)]);
  await directory("recipient,Department\nperson-1@example.com,HR\nperson-2@example.com,HR\n");
  await world.ingest(organization, [open(1, { id: "again" }), open(2)]);
  const site = { "no Site": [3, 3] };
  assert.deepEqual(await groups(), { Sales: [1, 1], HR: [1, 1], "no Department": [1, 1], ...site });
  await sendList("recipient\nperson-1@example.com\n");
  assert.deepEqual(await groups(), { HR: [2, 2], "no Department": [1, 1], ...site });
  await directory("recipient,Department\n");
  assert.deepEqual(await countRows(world, "directory"), [0]);
});

test("a forgotten recipient stays forgotten when a list no longer has it", async (t) => {
  const { sendList, groups, world, organization } = await served(t);
  await sendList("recipient\nperson-1@example.com\nperson-2@example.com\n");
  await world.write(organization, (scope) =>
    forgetRecipient(scope, organization, "person-1@example.com", world.clock.now),
  );
  await sendList("recipient\nperson-2@example.com\n");
  const { accepted, problems } = await world.ingest(organization, [open(1), open(2)]);
  assert.deepEqual([accepted, problems.map(({ reason }) => reason)], [1, ["forgotten"]]);
  assert.deepEqual(await groups(), { "no Department": [1, 1], "no Site": [1, 1] });
});

test("upkeep finishes a list whose process ended, or gives it up if rows are missing", async (t) => {
  const { sendList, groups, world, organization } = await served(t);
  await sendList("recipient,Site\nperson-1@example.com,Berlin\n");
  const now = Date.now();
  const part = <Result>(work: (scope: Scope) => Promise<Result>) =>
    world.database.transactionOf(organization.id, work);
  const begin = async (recipient: string) => {
    const list = await part((scope) => startList(scope, { id: 1, now }));
    const rows = [{ line: 2, recipient, values: { Site: "Rome" } }];
    await part((scope) => stageRows(scope, organization, { list, rows, now }));
    return list;
  };
  const valuesOf = async () => (await part(listGroups)).map(({ name }) => name);

  const cut = await begin("person-2@example.com");
  await finishAbandonedLists(world.database, now + 29_000);
  assert.ok((await valuesOf()).includes("Rome"));
  await finishAbandonedLists(world.database, now + 31_000);
  assert.ok(!(await valuesOf()).includes("Rome"));
  await assert.rejects(
    part((scope) => mergePart(scope, organization, { id: 1, list: cut, now })),
    { code: "unavailable" },
  );
  assert.deepEqual(await groups(), { Berlin: [1, 0], "no Department": [1, 0] });

  const list = await begin("person-2@example.com");
  await part((scope) => mergePart(scope, organization, { id: 1, list, now }));
  // Its names must fit those of the campaign until it is merged.
  const { status } = await sendList("recipient\n");
  assert.equal(status, 503);
  const closing = part((scope) => closeCampaign(scope, organization, 1, now));
  await assert.rejects(closing, { code: "conflict", message: /list of campaign 1 is being saved/ });
  // Upkeep would find no row of the person to forget, and save one later.
  const forgetting = part((scope) => forgetRecipient(scope, organization, "person-2@example.com", now));
  await assert.rejects(forgetting, { code: "unavailable" });
  await finishAbandonedLists(world.database, now + 6_000);
  const finished = await part((scope) =>
    mergePart(scope, organization, { id: 1, list, isMerging: true, now }),
  );
  assert.equal(finished, 1);
  assert.deepEqual(await groups(), { Rome: [1, 0], "no Department": [1, 0] });
  assert.deepEqual(await countRows(world, "recipient_lists"), [0]);

  const other = await begin("person-3@example.com");
  await part((scope) => removeCampaign(scope, 1, now));
  await assert.rejects(
    part((scope) => mergePart(scope, organization, { id: 1, list: other, now })),
    { code: "unavailable" },
  );
});

sqliteTest("takes the delimiter of the header, and skips empty columns", async (t) => {
  const { sendList, groups } = await served(t);
  const { status } = await sendList("recipient;Department;\r\na@example.com;Sales, EMEA;\r\n");
  assert.equal(status, 200);
  assert.deepEqual(await groups(), { "Sales, EMEA": [1, 0], "no Site": [1, 0] });
});

sqliteTest("refuses lists that would take much memory", async (t) => {
  const { sendList } = await served(t);
  const columns = Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(",");
  const wide = await sendList(`recipient,${columns}\n${`a@example.com${",".repeat(10_000)}\n`.repeat(10)}`);
  assert.deepEqual(
    [wide.status, wide.body.error_message],
    [400, "line 1: has more than 1000 columns; the rest of the file was not read."],
  );
  const long = await sendList(gzipSync(`recipient\n${"a\n".repeat(1_000_000)}`), {
    "content-encoding": "gzip",
  });
  assert.equal(long.status, 413);
  const lines = await sendList(gzipSync('{"recipient":"a"}\n'.repeat(200_001)), {
    ...{ "content-encoding": "gzip", "content-type": "application/x-ndjson" },
  });
  assert.equal(lines.status, 413);
  const line = await sendList(`{"recipient":"a","attributes":{"Site":"${"x".repeat(10_000)}"}}`, {
    "content-type": "application/x-ndjson",
  });
  assert.deepEqual([line.status, line.body.error_message], [400, "line 1: is longer than 10000 characters."]);
});

test("a directory with a mistake leaves no values, and ends no other import", async (t) => {
  const { sendList, world, organization } = await served(t);
  const count = async () => (await world.read(organization, listGroups)).length;
  const before = await count();
  await sendList("recipient,Site\na@example.com,Ulm\n", {}, directoryPath);
  const rows = Array.from({ length: 5_000 }, (_, index) => `p${index}@example.com,Site ${index % 200}`);
  const wrong = await sendList(`recipient,Site\n${rows.join("\n")}\n,Ulm\n`, {}, directoryPath);
  assert.equal(wrong.status, 400);
  assert.equal(await count(), before + 1);
  await sendList("recipient\n", {}, directoryPath);
});

test("400: names the line, the input and what is accepted, and changes nothing", async (t) => {
  const { sendList, groups, world } = await served(t);
  await sendList("recipient,Site\na@example.com,Berlin\n");
  const before = await groups();
  const many = Array.from({ length: 301 }, (_, index) => `p${index}@example.com,S${index}`).join("\n");
  for (const [body, message] of [
    ["", "The list is empty; its first line has the names of the columns."],
    [
      "Email,Site\na@example.com,X\n",
      'line 1: there is no column "recipient"; the columns are "Email", "Site".',
    ],
    ["recipient,Site,site\n", 'line 1: the column "site" is there twice.'],
    ["recipient,__proto__\na@example.com,X\n", /"__proto__" is not an attribute/],
    ["recipient,Site\na@example.com\n", "line 2: has 1 columns; the header has 2."],
    [
      "recipient,Team\na@example.com,X\n",
      'line 2: "Team" is not an attribute; the attributes are "Department", "Site".',
    ],
    ["recipient,Site\n,X\n", 'line 2: recipient: "" is not text of 1 to 500 characters.'],
    [
      "recipient,Site\na@example.com,X\nA@example.com,Y\n",
      'line 3: "a@example.com" is listed twice, with different values; keep one of the lines.',
    ],
    [
      `recipient,Site\na@example.com,${"x".repeat(201)}\n`,
      /^line 2: "Site": "x+…?.*" is not text of up to 200 characters\.$/,
    ],
    [`recipient,Site\n${many}\n`, 'line 301: "Site" has more than 300 different values.'],
    ['recipient,Site\na@example.com,"X\n', /^line 2: has a quoted cell without a closing quote; /],
  ] as const) {
    for (const path of [listPath, directoryPath]) {
      const { status, body: answer } = await sendList(body, {}, path);
      assert.equal(status, 400, `${body.slice(0, 50)}: ${JSON.stringify(answer)}`);
      if (typeof message === "string") assert.equal(answer.error_message, message);
      else assert.match(answer.error_message, message);
    }
  }
  for (const [line, message] of [
    ["[]", /^line 1: \[\] is not an object such as /],
    ["{", /^line 1: is not valid JSON/],
    ['{"recipient":"a","team":"x"}', /^line 1: .* is not an object such as /],
    ['{"recipient":"a","attributes":{"Site":5}}', /^line 1: attributes\.Site: 5 is not text\.$/],
  ] as const) {
    const { status, body } = await sendList(line, { "content-type": "application/x-ndjson" });
    assert.equal(status, 400, line);
    assert.match(body.error_message, message);
  }
  assert.deepEqual(await groups(), before);
  assert.deepEqual(await countRows(world, "directory"), [0]);
});

sqliteTest("404, 409 and 415: refuses a list where there is none to have", async (t) => {
  const { sendList, put, world, organization } = await served(t, { tracking_type: "Overall" });
  const csv = "recipient\na@example.com\n";
  const refusal = async (id: number) => {
    const { status, body } = await sendList(csv, {}, `/ingest/v1/campaigns/${id}/recipients`);
    return [status, body.error_message];
  };
  assert.deepEqual(await refusal(9), [404, "There is no campaign 9. Register it first."]);
  const message = 'Campaign 1 has the tracking type "Overall", which stores nothing about recipients.';
  assert.deepEqual(await refusal(1), [409, message]);
  await world.save(organization, [campaign({ id: 2 })]);
  assert.deepEqual(await refusal(2), [409, "Campaign 2 was imported, so its recipients are not counted."]);
  await put(3);
  await world.closeCampaign(organization, 3);
  assert.deepEqual(await refusal(3), [409, "Campaign 3 is closed, so its recipients are final."]);
  assert.equal((await sendList("{}", { "content-type": "application/json" })).status, 415);
});

test("a list and a directory concern no other organization", async (t) => {
  const { sendList, groups, service, world } = await served(t);
  await sendList("recipient,Site\na@example.com,Berlin\n");
  const before = await groups();
  const other = await world.addOrganization({ name: "Globex" });
  const { status } = await service.send(listPath, {
    ...{ method: "PUT", key: other.ingestKey, body: "recipient\nb@example.com\n" },
    headers: { "content-type": "text/csv" },
  });
  assert.equal(status, 404);
  assert.deepEqual(await groups(), before);
});
