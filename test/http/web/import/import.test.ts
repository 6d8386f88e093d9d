// Import of campaigns in the web application, without the script: a file, the mapping of its columns, a preview, and undoing.

import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Worker } from "node:worker_threads";
import { removeCampaign } from "../../../../src/counting/campaigns/remove-campaign.ts";
import { finishAbandonedImports } from "../../../../src/counting/import/continue-import.ts";
import {
  readerLimits,
  startFileReaders,
  TooCostlyFile,
} from "../../../../src/counting/import/file-readers.ts";
import { importPresets } from "../../../../src/counting/import/mapping/presets.ts";
import { previewImport } from "../../../../src/counting/import/preview-import.ts";
import { importLifetimeMs } from "../../../../src/counting/import/upload.ts";
import { runDueTasks } from "../../../../src/counting/upkeep/due-tasks.ts";
import { findCampaigns } from "../../../../src/storage/campaigns/campaigns.ts";
import { deleteMapping, findMappings, saveMapping } from "../../../../src/storage/imports/import-mappings.ts";
import { findImport } from "../../../../src/storage/imports/imports.ts";
import { listTags } from "../../../../src/storage/organizations/tags.ts";
import type { Queries } from "../../../../src/storage/queries/queries.ts";
import { Scope } from "../../../../src/storage/queries/scope.ts";
import { actionsOf } from "../../../support/audit.ts";
import { exported } from "../../../support/import-files.ts";
import { assertPage } from "../../../support/pages.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { makeWebWorld, type SignedInClient } from "../../../support/web-world.ts";
import { campaign, present, run } from "../../../support/world.ts";
import { workbook, zip } from "../../../support/xlsx.ts";

const path = "/campaigns/import";
const dayMs = 24 * 60 * 60 * 1000;

const exportsFolder = join(import.meta.dirname, "../../../support/exports");
const exportOf = (tool: string) =>
  readFileSync(join(exportsFolder, `${tool.toLowerCase().replace(" ", "-")}.csv`), "utf8");

/** Uploads a file as a form without the script does. @returns the path of its page */
async function upload(admin: SignedInClient, content: string | Uint8Array<ArrayBuffer>, name = "file.csv") {
  const sent = await admin.post(path, "upload", { file: new File([content], name) });
  assert.equal(sent.status, 303, problemIn(sent.text));
  return sent.location ?? "";
}

const idOf = (page: string) => Number(page.split("/").at(-1));
const problemIn = (text: string) =>
  (/role="alert">.*?<span>(.*?)<\/span>/s.exec(text)?.[1] ?? "").replaceAll("&quot;", '"');
const problemsIn = (text: string) =>
  [...(/<ul lang="en" class="lines">(.*?)<\/ul>/s.exec(text)?.[1] ?? "").matchAll(/<li>(.*?)<\/li>/g)].map(
    ([, each = ""]) => each.replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
  );
/** The field of each column that the form has chosen. */
function chosenIn(text: string): Record<string, string> {
  const column = /<th scope="row" class="text"><bdi>(.*?)<\/bdi><\/th>.*?<select name="c\d+"(.*?)<\/select>/g;
  const chosen = [...text.matchAll(column)].map(([, name = "", options = ""]) => [
    name,
    /<option value="(\w+)" selected>/.exec(options)?.[1],
  ]);
  return Object.fromEntries(chosen.filter(([, field]) => field !== undefined));
}
const choicesIn = (text: string) =>
  (/name="choices" value="(.*?)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");

const own =
  "id,subject,sent_at,recipient_count,unique_opens,tags\n1,One,2024-01-01,100,25,News\n2,Two,2024-01-02,80,40,\n";

async function start(t: TestContext) {
  const web = await makeWebWorld(t);
  /** The values of these fields of all campaigns, newest first. */
  const stored = async <Name extends string>(...names: Name[]) =>
    (await exported(web.world)).map((record) => names.map((name) => record[name]));
  return { ...web, stored, admin: await web.signIn("admin") };
}

test("imports a file after a preview, and undoes the whole import", async (t) => {
  const { world, organization, stored, admin } = await start(t);
  const list = await admin.get("/campaigns?period=all");
  const page = await upload(admin, own, "C:\\files\\autumn\u0007 <b>.csv");
  const waiting = await admin.get(page);
  assertPage(waiting, 200, [/autumn {2}&lt;b&gt;\.csv/, /Preview: 2 of 2 campaigns/]);
  assert.deepEqual(await exported(world), []);
  const done = await admin.post(page, "import", { choices: choicesIn(waiting.text) });
  assert.deepEqual([done.status, done.notice], [303, "The campaigns are imported."]);
  assert.match(await admin.read(page), /2 added, 0 changed, 0 unchanged/);
  assert.deepEqual(await stored("subject"), [["Two"], ["One"]]);
  assert.equal((await admin.post(page, "import", {})).status, 409);

  const undone = await admin.post(page, "undo");
  assert.equal(undone.notice, "The import is undone: 2 removed, 0 restored, 0 kept.");
  assert.deepEqual(await exported(world), []);
  assert.match(await admin.read("/settings/tags"), /No tags yet/);
  assert.equal((await admin.post(page, "undo")).status, 409);
  const entries = await actionsOf(world, organization.id);
  const ofUser = entries.filter((each) => !each.startsWith("command line"));
  assert.deepEqual(ofUser, [
    "admin-1@example.com, campaigns.undo, autumn  <b>.csv: 2 removed, 0 restored, 0 kept",
    "admin-1@example.com, campaigns.import, autumn  <b>.csv: 2 added, 0 changed",
    "admin-1@example.com, file.upload, autumn  <b>.csv",
  ]);
  // Readers see the same as before.
  assert.equal((await admin.get("/campaigns?period=all")).status, list.status);
});

test("undoing restores what an import changed, and keeps what was changed since", async (t) => {
  const { world, admin } = await start(t);
  await admin.post(await upload(admin, own), "import");
  const before = await exported(world);
  const changed = own.replace("100,25,News", "100,26,News;Fresh").replace("80,40", "81,41");
  const second = await upload(admin, `${changed}3,Three,2024-01-03,5,1,\n`);
  assert.match(await admin.read(second), /2 of them are here already and are updated where they differ/);
  await admin.post(second, "import");
  const imported = await admin.read(second);
  assert.match(imported, /1 added, 2 changed, 0 unchanged/);
  assert.match(imported, /<a class="button second" href="\/">Overview<\/a>/);
  assert.match(await admin.read(path), new RegExp(`<a [^>]*href="${second}#undo">Undo import</a>`));
  const third = await upload(admin, "id,subject,sent_at\n2,Two again,2024-01-02\n");
  await admin.post(third, "import");
  const undone = await admin.post(second, "undo");
  assert.equal(undone.notice, "The import is undone: 1 removed, 1 restored, 1 kept.");
  const after = await exported(world);
  const first = ({ id }: Record<string, unknown>) => id === 1;
  assert.deepEqual(after.find(first), before.find(first));
  const subjects = after.map(({ subject }) => subject);
  assert.deepEqual(subjects, ["Two again", "One"]);
  assert.doesNotMatch(await admin.read("/settings/tags"), /Fresh/);
  // The third one, in turn, restores what the first one said.
  const turn = await admin.post(third, "undo");
  assert.equal(turn.notice, "The import is undone: 0 removed, 1 restored, 0 kept.");
  assert.deepEqual(await exported(world), before);
});

for (const { tool } of importPresets) {
  sqliteTest(`recognizes an export of ${tool} and selects its columns`, async (t) => {
    const { stored, admin } = await start(t);
    const page = await upload(admin, exportOf(tool), `${tool}.csv`);
    const text = await admin.read(page + (tool === "Brevo" ? "?date_order=day-first" : ""));
    const problems = problemsIn(text).filter(
      (each) => !/^no value|^read as|has its time of day in/.test(each),
    );
    assert.deepEqual(problems, []);
    assert.match(text, new RegExp(`Recognized as an export of ${tool}`));
    assert.equal(Object.values(chosenIn(text)).includes("sent_at"), true);
    await admin.post(page, "import", { choices: choicesIn(text) });
    assert.deepEqual(await stored("subject"), [["Town hall on Friday"], ["Most popular, by far"]]);
  });
}

sqliteTest("imports an Excel workbook, whose dates and percentages are numbers", async (t) => {
  const { stored, admin } = await start(t);
  const rows = `<row r="1"><c r="A1" t="str"><v>Subject</v></c><c r="B1" t="str"><v>Send Date</v></c><c r="C1" t="str"><v>Open rate</v></c></row>
<row r="2"><c r="A2" t="str"><v>Hello</v></c><c r="B2" s="1"><v>45817.895833333336</v></c><c r="C2" s="2"><v>0.2778</v></c></row>`;
  const page = await upload(admin, new Uint8Array(zip(workbook(rows))), "report.xlsx");
  const text = await admin.read(page);
  assert.deepEqual(chosenIn(text), { Subject: "subject", "Send Date": "sent_at", "Open rate": "open_rate" });
  assert.equal((await admin.post(page, "import", { choices: choicesIn(text) })).status, 303);
  const [campaign] = await stored("subject", "sent_at", "open_rate");
  assert.deepEqual(campaign, ["Hello", "2025-06-09T21:30:00.000Z", 0.2778]);
});

const foreign = "Headline,When,Opened,Title\nHello,3/4/2024,25,x\nBye,5/6/2024,30,y\n";

sqliteTest("knows the words of headers in the languages of the pages", async (t) => {
  const { admin } = await start(t);
  for (const [header, row, fields] of [
    [
      "Betreff;Versanddatum;Empfänger;Eindeutige Öffnungen;Öffnungsrate;Klickrate",
      "Größe zählt;15.03.2024 09:00;1.000;450;45,0 %;5,0 %",
      ["subject", "sent_at", "recipient_count", "unique_opens", "open_rate", "click_rate"],
    ],
    [
      "Objet;Date d’envoi;Destinataires;Ouvertures uniques;Taux de clic",
      "Été;2024-03-15 09:00;100;45;5 %",
      ["subject", "sent_at", "recipient_count", "unique_opens", "click_rate"],
    ],
    [
      "Asunto,Enviado el,Destinatarios,Clics",
      "Hola,2024-03-15,100,4",
      ["subject", "sent_at", "recipient_count", "unique_clicks"],
    ],
    [
      "Ämne,Skickad,Mottagare,Öppningar",
      "Hej,2024-03-15,100,40",
      ["subject", "sent_at", "recipient_count", "unique_opens"],
    ],
  ] as const) {
    const text = await admin.read(await upload(admin, `${header}\n${row}\n`));
    assert.deepEqual(Object.values(chosenIn(text)), fields, header);
    assert.match(text, /name="choices"/, header);
  }
});

sqliteTest("maps the columns of any file, shows problems by line, and imports it as chosen", async (t) => {
  const { stored, admin } = await start(t);
  const page = await upload(admin, foreign);
  const first = await admin.read(page);
  assert.deepEqual(chosenIn(first), { Title: "subject", Opened: "unique_opens" });
  assert.equal(
    problemsIn(first)[0],
    'line 1: has no column for sent_at; map one of its columns to it: "Headline", "When", "Opened", "Title"',
  );
  assert.doesNotMatch(first, /name="choices"/);
  const query = "?mapped=1&c0=subject&c1=sent_at&c2=open_rate&c3=&rates=percent";
  const second = await admin.read(page + query);
  const unclear = "may have the month or the day first; choose the order of dates, month-first or day-first";
  assert.deepEqual(problemsIn(second).slice(0, 2), [
    `line 2, column "When": "3/4/2024" ${unclear}`,
    `line 3, column "When": "5/6/2024" ${unclear}`,
  ]);
  assert.match(
    second,
    /name="c1" value="sent_at">[^§]*<button class="second" name="date_order" value="day-first">Day first: April 3/,
  );
  const third = await admin.read(`${page}${query}&date_order=day-first`);
  assert.deepEqual(chosenIn(third), { Headline: "subject", When: "sent_at", Opened: "open_rate" });
  assert.match(third, /25\.0%/);
  assert.equal((await admin.post(page, "import", { choices: choicesIn(third) })).status, 303);
  assert.deepEqual(await stored("subject", "sent_at", "open_rate"), [
    ["Bye", "2024-06-05T00:00:00.000Z", 0.3],
    ["Hello", "2024-04-03T00:00:00.000Z", 0.25],
  ]);
  const twice = await upload(admin, foreign);
  const repeated = "mapped=1&c0=subject&c3=subject&c1=sent_at&date_order=day-first";
  assert.match(await admin.read(`${twice}?${repeated}`), /two columns have the field Subject/);
  const refused = await admin.post(twice, "import", { choices: repeated });
  assert.equal(refused.status, 409);
  assert.match(problemIn(refused.text), /two columns have the field Subject/);
});

test("reads a file as the last one with the same columns, until that is forgotten", async (t) => {
  const { world, organization, stored, admin } = await start(t);
  const next = foreign.replace("Hello,3/4", "Hello again,7/4");
  const choose = async (content: string, query: string) => {
    const page = await upload(admin, content);
    const text = await admin.read(page + query);
    return { page, text, header: /name="header" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? "" };
  };
  const query = "?mapped=1&c0=subject&c1=sent_at&c2=open_rate&c3=&rates=percent&date_order=day-first&x=1";
  const first = await choose(foreign, query);
  assert.match(first.text, /<details class="more-fields"><summary>1 column is not imported<\/summary>/);
  assert.equal(
    choicesIn(first.text),
    "mapped=1&c0=subject&c1=sent_at&c2=open_rate&rates=percent&date_order=day-first",
  );
  const imported = { choices: choicesIn(first.text), header: first.header };
  assert.equal((await admin.post(first.page, "import", imported)).status, 303);

  const saidSaved = /Read with the choices of your last import with these columns/;
  const second = await choose(next, "");
  assert.match(second.text, saidSaved);
  assert.deepEqual(chosenIn(second.text), { Headline: "subject", When: "sent_at", Opened: "open_rate" });
  // The choices that the page shows are imported, even if another import changes the saved ones meanwhile.
  await world.database.transactionOf(organization.id, (scope) => deleteMapping(scope, second.header));
  const shown = { choices: choicesIn(second.text), header: second.header };
  assert.equal((await admin.post(second.page, "import", shown)).status, 303);
  assert.deepEqual((await stored("subject", "sent_at"))[1], ["Hello again", "2024-04-07T00:00:00.000Z"]);

  // A choice in the URL precedes the saved one; other columns have their own.
  const reversed = await choose(foreign, "?date_order=month-first");
  assert.match(reversed.text, saidSaved);
  assert.equal(choicesIn(reversed.text), choicesIn(second.text).replace("day-first", "month-first"));
  assert.doesNotMatch((await choose(foreign.replace("Title", "Titles"), "")).text, saidSaved);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  const ofOther = await world.database.queryOf(other.id, findMappings);
  assert.deepEqual([...ofOther], []);

  const last = await choose(foreign, "");
  for (const header of ["", "x", "\0"]) await admin.post(last.page, "forget", { header });
  assert.match(await admin.read(last.page), saidSaved);
  const forgotten = await admin.post(last.page, "forget", { header: last.header });
  assert.deepEqual([forgotten.location, forgotten.notice], [last.page, "The choices are forgotten."]);
  assert.doesNotMatch(await admin.read(last.page), saidSaved);
});

test("keeps the choices of the fifty headers that were imported last", async (t) => {
  const { world, organization } = await start(t);
  const kept = await world.database.transactionOf(organization.id, async (scope) => {
    for (let now = 0; now < 60; now++)
      await saveMapping(scope, { header: `${now}`, choices: "mapped=1", used_at: now });
    await saveMapping(scope, { header: "10", choices: "rates=percent", used_at: 60 });
    return [...(await findMappings(scope))];
  });
  const newest = Array.from({ length: 49 }, (_, index) => [`${59 - index}`, "mapped=1"]);
  assert.deepEqual(kept, [["10", "rates=percent"], ...newest]);
});

sqliteTest("refuses more people than recipients in exports, and previews the rates of pages", async (t) => {
  const { stored, admin } = await start(t);
  const good = exportOf("Mailchimp");
  const page = await upload(admin, good.replace(",30,27.78%", ",130,38.9%"));
  const text = await admin.read(page);
  const problem = 'line 2, "Most popular, by far": 130 unique opens, but only 108 recipients';
  assert.equal(problemsIn(text)[0], problem);
  assert.equal((await admin.post(page, "import")).status, 409);
  // The way on is in the card of the problems: the corrected file. Then comes the preview, and the columns are last.
  assert.match(
    text,
    /<h2>1 problem<.*Choose the corrected file.*Discard file.*<h2>Preview: 1 of 1.*<h2>Columns</s,
  );
  assert.match(text, /<form method="post" action="\/campaigns\/import" enctype="multipart\/form-data">/);
  const corrected = await upload(admin, good.replace("27.78%", "38.9%"));
  assert.equal((await admin.get(page)).status, 404);
  const preview = await admin.read(corrected);
  assert.match(preview, />27\.8%</);
  assert.match(
    preview,
    /open_rate: not the rate of the counts in 1 record, first in &quot;Most popular, by far&quot;;/,
  );
  // Devices may be more than recipients. So may counts of counted campaigns, which exports in our own form have.
  const overall =
    "Subject,Sent At,Unique Opens,Recipient Count,Tracking Type\nHello,2024-01-01,25,20,Overall\n";
  for (const content of [overall, own.replace("100,25", "20,25")]) {
    const accepted = await upload(admin, content);
    const columns = "id,subject,sent_at,recipient_count,unique_opens".split(",");
    const mapped = `mapped=1&${columns.map((field, at) => `c${at}=${field}`).join("&")}`;
    const choices = content === overall ? "" : mapped;
    assert.equal((await admin.post(accepted, "import", { choices })).status, 303);
  }
  assert.deepEqual(await stored("unique_opens"), [[40], [25], [25]]);
});

sqliteTest("refuses files that are empty, not UTF-8, compressed or counted elsewhere", async (t) => {
  const { world, organization, stored, admin } = await start(t);
  assert.equal((await admin.post(path, "upload", { file: new File([], "a.csv") })).status, 400);
  await world.register(organization, 7);
  for (const [content, problem] of [
    [Uint8Array.of(0xff, 0xfe, 0x41), /is not UTF-8 text in line 1; save it as UTF-8/],
    [Uint8Array.of(0x1f, 0x8b, 8, 0), /is compressed with gzip/],
    ["id,subject,sent_at\n7,Seven,2024-01-01\n", /the numbers of campaign 7 are counted from events/],
    ["id,subject,sent_at\n1,a,2024-01-01\n1,b,2024-01-01\n", /id: 1 has different content in record 1/],
    [`${"x,".repeat(1_500)}\n`, /line 1: has more than 1000 columns; the rest of the file was not read/],
    ['{"id": 1}\n', /subject: is missing/],
  ] as const) {
    const page = await upload(admin, content);
    const text = await admin.read(page);
    assert.match(problemsIn(text).join("\n"), problem);
    assert.equal(/Change the columns below/.test(text), /<h2>Columns</.test(text), String(problem));
    assert.equal((await admin.post(page, "import", {})).status, 409, String(problem));
  }
  const ids = await stored("id");
  assert.deepEqual(ids, ids.length === 0 ? [] : [[7]]);
});

test("receives a file in pieces, once each and in order, and keeps an incomplete one out", async (t) => {
  const { world, admin } = await start(t);
  const content = JSON.stringify([{ id: 1, subject: "One", sent_at: "2024-01-01" }]);
  const begin = async () => {
    const started = await admin.post(path, "start", { name: "a.json", bytes: String(content.length) });
    return started.location ?? "";
  };
  const piece = async (page: string, from: number, to: number) => {
    const file = new File([content.slice(from, to)], "blob");
    return (await admin.post(page, "piece", { position: String(from), file })).status;
  };
  const page = await begin();
  for (const [from, to, status] of [
    [0, 10, 200],
    [0, 10, 200],
    [20, 30, 409],
    [10, 500, 200],
    [content.length, content.length + 1, 409],
  ] as const)
    assert.equal(await piece(page, from, to), status, `${from} to ${to}`);
  assert.match(await admin.read(page), /Preview: 1 of 1 campaign/);
  // Another file of the same user replaces it.
  const cut = await begin();
  assert.equal((await admin.get(page)).status, 404);
  assert.equal(await piece(cut, 0, 10), 200);
  assert.match(await admin.read(cut), /Only \d+\.\d% of the file arrived/);
  assert.equal((await admin.post(cut, "import")).status, 409);
  assert.deepEqual(await exported(world), []);
  assert.equal((await admin.post(cut, "discard")).status, 303);
  assert.equal((await admin.get(cut)).status, 404);
  const large = { name: "a.json", bytes: String(600 * 1024 * 1024) };
  assert.equal((await admin.post(path, "start", large)).status, 413);
  for (const bytes of ["0", "-1", "x", "1.5", ""]) {
    assert.equal((await admin.post(path, "start", { name: "a", bytes })).status, 400);
  }
});

test("two requests at once import a file once, and undo it once", async (t) => {
  const { world, admin } = await start(t);
  const page = await upload(admin, own);
  await admin.get(page);
  const both = async (action: string) =>
    (await Promise.all([admin.post(page, action), admin.post(page, action)]))
      .map(({ status }) => status)
      .sort();
  assert.deepEqual(await both("import"), [303, 409]);
  assert.equal((await exported(world)).length, 2);
  assert.deepEqual(await both("undo"), [303, 409]);
  assert.deepEqual(await exported(world), []);
});

test("an import saves the rows of the preview, and reads the file again only with other choices", async (t) => {
  const { world, organization, stored, admin } = await start(t);
  /** Uploads a file and shows it, and then takes its bytes away. */
  const uploadAndShow = async () => {
    const page = await upload(admin, own);
    const choices = choicesIn(await admin.read(page));
    await world.database.transaction((queries) =>
      queries
        .deleteFrom("import_pieces")
        .where("organization_id", "=", organization.id)
        .where("import_id", "=", idOf(page))
        .execute(),
    );
    return { page, choices };
  };
  const first = await uploadAndShow();
  const other = await admin.post(first.page, "import", { choices: "mapped=1&c1=subject&c2=sent_at" });
  assert.deepEqual([other.status, problemIn(other.text)], [409, "Nothing was imported: file: is empty"]);
  const { page, choices } = await uploadAndShow();
  assert.equal((await admin.post(page, "import", { choices })).status, 303);
  assert.deepEqual(await stored("subject"), [["Two"], ["One"]]);
});

test("a file whose reading is stopped is a bad request with a reason, and is not read again", async (t) => {
  const { world, organization, admin } = await start(t);
  const page = await upload(admin, own);
  const limit = t.mock.property(readerLimits, "ms", 0);
  const readFile = startFileReaders();
  const reading = previewImport({ database: world.database, readFile }, organization, {
    ...{ id: idOf(page), choices: "", signal: new AbortController().signal },
  });
  await assert.rejects(reading, (error) => error instanceof TooCostlyFile);
  limit.mock.restore();
  const shown = await admin.get(page);
  assertPage(shown, 400, /Reading this file would take more time or memory than a file may use/);
  assert.match(await admin.read(path), /Could not be read/);
  assert.equal((await admin.post(page, "import")).status, 409);
  assert.deepEqual(await exported(world), []);
  assert.match(await admin.read(await upload(admin, own)), /Preview: 2 of 2 campaigns/);
});

sqliteTest("a preview ends when its client leaves, and when the service stops", async (t) => {
  for (const who of ["client", "service"]) {
    const { service, admin } = await start(t);
    const page = await upload(admin, `Title,Date\n${"x,1/2/2024\n".repeat(500_000)}`);
    const client = new AbortController();
    const { promise: exitCode, resolve } = Promise.withResolvers<number>();
    const stop = (message: unknown) => {
      const { worker } = message as { worker: Worker };
      // A download thread may start as well.
      if (worker.resourceLimits?.maxOldGenerationSizeMb !== readerLimits.heap.maxOldGenerationSizeMb) return;
      const leave = () => (who === "client" ? client.abort() : void service.stop());
      worker.once("exit", resolve).once("message", leave);
    };
    channel("worker_threads").subscribe(stop);
    const { signal } = client;
    const answer = fetch(service.url + page, { headers: { cookie: admin.cookie }, signal });
    if (who === "service") assert.equal((await answer).status, 503);
    else await assert.rejects(answer, { name: "AbortError" });
    channel("worker_threads").unsubscribe(stop);
    assert.equal(await exitCode, 1);
  }
});

sqliteTest("shows names of columns and values of a file as text", async (t) => {
  const { admin } = await start(t);
  const evil = '<script>alert(1)</script>,"<img src=x onerror=alert(2)>"\n"<b>x</b>",2024-01-01\n';
  const page = await upload(admin, evil);
  for (const query of ["", "?mapped=1&c0=subject&c1=sent_at", '?mapped=1&c0="><script>&rates=<x>']) {
    assert.doesNotMatch(await admin.read(page + query), /<script>alert|<img src=x|<b>x/);
  }
});

sqliteTest("is for admins of the organization alone", async (t) => {
  const { world, organization, admin, signIn } = await start(t);
  const viewer = await signIn("viewer");
  const other = (await world.addOrganization()).organization;
  const stranger = await signIn("admin", { organization: other });
  const page = await upload(admin, own);
  assert.equal((await stranger.get(page)).status, 404);
  for (const action of ["import", "discard", "undo"]) {
    assert.equal((await stranger.post(page, action)).status, 404, action);
  }
  const piece = { position: "0", file: new File(["x"], "b") };
  assert.equal((await stranger.post(page, "piece", piece)).status, 404);
  for (const id of ["0", "x", "9999999999999999", "-1", "1.5"]) {
    assert.equal((await admin.get(`${path}/${id}`)).status, 404, id);
  }
  assert.doesNotMatch(await viewer.read("/campaigns"), /campaigns\/import/);
  assert.deepEqual(await exported(world, organization.id), []);
  assert.equal((await admin.post(page, "import")).status, 303);
  assert.equal((await stranger.post(page, "undo")).status, 404);
  assert.match(await admin.read("/campaigns"), /href="\/campaigns\/import"/);
});

sqliteTest("asks again for local times whose meaning changed with the time zone", async (t) => {
  const { world, organization, admin } = await start(t);
  const page = await upload(admin, "id,subject,sent_at\n1,One,2024-06-01 09:00\n");
  const zoneIn = (text: string) => ({ time_zone: /name="time_zone" value="(.*?)"/.exec(text)?.[1] ?? "" });
  const shown = zoneIn(await admin.read(page));
  const change = ["organization", "change", "--organization", String(organization.id)];
  await run(world.databaseUrl, [...change, "--time-zone", "Asia/Tokyo"]);
  const refused = await admin.post(page, "import", shown);
  assert.equal(refused.status, 409);
  assert.match(problemIn(refused.text), /was UTC in the preview and is Asia\/Tokyo now\. Check the times/);
  assert.deepEqual(await exported(world), []);
  assert.equal((await admin.post(page, "import", zoneIn(refused.text))).status, 303);
  assert.equal((await exported(world))[0]?.sent_at, "2024-06-01T00:00:00.000Z");
});

test("a file and what undoes it are deleted after a day", async (t) => {
  const { world, admin } = await start(t);
  const imported = await upload(admin, own);
  await admin.post(imported, "import");
  const waiting = await upload(admin, own);
  const rowsOf = (table: "imports" | "import_pieces" | "imported_campaigns") =>
    world.database.query((queries) => queries.selectFrom(table).select("organization_id").execute());
  // Two files. The rows of one were deleted as they were imported.
  assert.equal((await rowsOf("import_pieces")).length, 2);
  await runDueTasks(world.database, world.clock.now);
  assert.equal((await admin.get(waiting)).status, 200);
  await runDueTasks(world.database, world.clock.now + dayMs + 1);
  for (const table of ["imports", "import_pieces", "imported_campaigns"] as const) {
    assert.deepEqual(await rowsOf(table), [], table);
  }
  assert.equal((await admin.post(imported, "undo")).status, 404);
  assert.equal((await exported(world)).length, 2);
});

test("upkeep finishes imports and undoing whose process ended, and another file waits meanwhile", async (t) => {
  const { world, organization, admin, signIn } = await start(t);
  const page = await upload(admin, own);
  assert.equal((await admin.get(page)).status, 200);
  const id = idOf(page);
  const set = (change: { state: "importing" | "undoing"; worked_at: number }) =>
    world.database.transactionOf(organization.id, (scope) => scope.updateRows("imports", { id }, change));
  const other = await upload(await signIn("admin"), own);
  const { now } = world.clock;
  for (const [state, campaigns] of [
    ["importing", 2],
    ["undoing", 0],
  ] as const) {
    await set({ state, worked_at: now });
    const refused = await admin.post(other, "import");
    assert.equal(refused.status, 409);
    assert.match(refused.text, new RegExp(`file\\.csv: ${state}\\); try again`));
    assert.match((await admin.get(page)).text, /Reload the page/);
    await finishAbandonedImports(world.database, now + 4_000);
    await finishAbandonedImports(world.database, now + 6_000);
    assert.equal((await exported(world)).length, campaigns, state);
  }
  assert.match((await admin.get(page)).text, /Undone/);
});

test("an import whose next part keeps failing can be undone after a minute, and holds up no other file", async (t) => {
  const { world, organization, admin, signIn } = await start(t);
  const page = await upload(admin, own);
  await admin.get(page);
  const id = idOf(page);
  const { now } = world.clock;
  const inOrganization = world.database.transactionOf.bind(world.database, organization.id);
  await inOrganization(async (scope) => {
    const { reading } = (await findImport(scope, id)) ?? assert.fail();
    await scope.updateRows("import_pieces", { import_id: reading as number }, { content: Buffer.of(1) });
    await scope.updateRows("imports", { id }, { state: "importing", worked_at: now });
  });
  assert.equal((await finishAbandonedImports(world.database, now + 6_000)).length, 1);
  world.clock.now = now + 60_000;
  assert.doesNotMatch((await admin.get(path)).text, /#undo/);
  assert.equal((await admin.post(page, "undo")).status, 409);
  world.clock.now += 1;
  assert.match((await admin.get(path)).text, /#undo/);
  assert.match((await admin.get(page)).text, /keeps failing/);
  assert.equal((await admin.post(page, "undo")).status, 303);
  assert.match((await admin.get(page)).text, /Undone/);
  const other = await upload(await signIn("admin"), own);
  assert.equal((await admin.post(other, "import")).status, 303);
});

test("each part of an import has its own time, so that upkeep leaves a long one to its process", async (t) => {
  let at = present;
  const { world, organization, signIn } = await makeWebWorld(t, { now: () => ++at });
  const admin = await signIn("admin");
  const page = await upload(admin, own);
  await admin.get(page);
  assert.equal((await admin.post(page, "import")).status, 303);
  const { workedAt, expiresAt } =
    (await world.read(organization, (scope) => findImport(scope, idOf(page)))) ?? assert.fail();
  assert.ok(Number(workedAt) > expiresAt - importLifetimeMs, "its last part is later than its start");
});

test("adds sample data with one request to an organization without campaigns, and removes nothing else", async (t) => {
  const { world, organization, service, key, stored, admin, signIn } = await start(t);
  const viewer = await signIn("viewer");
  assert.match(await admin.read("/"), /Look around with sample data/);
  const both = await Promise.all([admin.post(path, "sample"), admin.post(path, "sample")]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409]);
  const added = await exported(world);
  const sentAt = added.map((each) => Date.parse(String(each.sent_at)));
  assert.ok(added.length > 60 && added.length < 100, String(added.length));
  assert.ok(Math.min(...sentAt) >= world.clock.now - 180 * dayMs);
  assert.ok(Math.max(...sentAt) <= world.clock.now - 1.5 * dayMs);
  const { meta } = await service.emails(key);
  assert.equal(meta.total_entries, added.length);
  const removing = /action="(\/campaigns\/import\/\d+)"/;
  const line = /Sample data of a fictional company\. They are in the API feed, too\./;
  for (const each of ["/", "/campaigns"]) {
    assert.match(await admin.read(each), line, each);
    assert.match(await viewer.read(each), line, each);
    assert.doesNotMatch(await viewer.read(each), /Remove sample data/, each);
  }
  assert.doesNotMatch(await admin.read(path), /sample data/i);
  assert.match((await run(world.databaseUrl, ["report"])).stdout, /Includes sample data\./);
  const page = removing.exec(await admin.read("/"))?.[1] ?? "";
  assert.match(await admin.read(page), line);

  // Own campaigns, one over a campaign of the sample and one with its tag; a corrected sample; and a week in which upkeep ran.
  const { tags } = added[0] as { tags: { name: string }[] };
  await world.save(organization, [
    { ...campaign({ id: 1 }), tags: [{ name: tags[0]?.name ?? "", color: null }] },
  ]);
  const over = await upload(admin, `id,subject,sent_at,tags\n${added[1]?.id},Own,2024-01-02,\n`);
  assert.equal((await admin.post(over, "import", { replaces: "1" })).status, 303);
  const corrected = { subject: "Corrected", shown_subject: String(added[2]?.subject) };
  assert.equal(
    (await admin.post(`/campaigns/${added[2]?.id}?tab=details`, "correct", corrected)).status,
    303,
  );
  await runDueTasks(world.database, world.clock.now + 7 * dayMs);
  assert.match(await admin.read("/"), /Sample data are mixed with your own campaigns/);
  assert.equal((await admin.post(path, "sample")).status, 409);
  const removed = await admin.post(page, "undo");
  assert.deepEqual(
    [removed.status, removed.location, removed.notice],
    [303, "/", "The sample data are removed."],
  );
  assert.deepEqual(await stored("id"), [[added[1]?.id], [1]]);
  assert.doesNotMatch(await admin.read("/"), line);
  const kept = await world.database.queryOf(organization.id, listTags);
  const names = kept.map(({ name }) => name);
  assert.deepEqual(names, [tags[0]?.name]);
  const entries = await actionsOf(world, organization.id);
  const ofSample = entries.filter((each) => each.includes("sample data"));
  assert.deepEqual(ofSample, [
    `admin-1@example.com, campaigns.undo, sample data: ${added.length - 1} removed, 0 restored, 1 kept`,
    `admin-1@example.com, campaigns.import, sample data: ${added.length} added, 0 changed`,
  ]);
});

test("says that there are sample data until the last of them is gone", async (t) => {
  const { world, admin } = await start(t);
  const text = async () => {
    const { stdout } = await run(world.databaseUrl, ["report"]);
    return [/Sample data/.test(await admin.read("/campaigns")), /Includes sample data/.test(stdout)];
  };
  await admin.post(path, "sample");
  const added = await exported(world);
  const [last, ...others] = added.map(({ id }) => Number(id));
  for (const id of others) {
    const removal = (queries: Queries) => removeCampaign(new Scope(queries, 1), id, world.clock.now);
    await world.database.transaction(removal);
  }
  assert.deepEqual(await text(), [true, true]);
  const over = await upload(admin, `id,subject,sent_at,recipient_count\n${last},Own,2026-06-10,5\n`);
  await admin.post(over, "import", { replaces: "1" });
  assert.deepEqual(await text(), [false, false]);
  await admin.post(over, "undo");
  assert.deepEqual(await text(), [true, true]);
  await admin.post(`/campaigns/${last}?tab=details`, "delete");
  assert.deepEqual((await text())[0], false);
  await admin.post(path, "sample");
  assert.equal((await exported(world)).length, added.length);
  assert.deepEqual(await text(), [true, true]);
});

test("undoing an import takes back the tag and the team that were chosen for all its campaigns", async (t) => {
  const { world, organization, admin } = await start(t);
  const read = async () => {
    const [one, two] = await world.database.queryOf(organization.id, (scope) => findCampaigns(scope, [1, 2]));
    return [one, two].map((each) => each && [each.campaign.team, each.tags.map(({ name }) => name).join()]);
  };
  const file = "id,subject,sent_at\n1,One,2024-01-02\n2,Two,2024-01-03\n";
  await admin.post(await upload(admin, file), "import");
  const second = await upload(admin, `${file}`);
  await admin.post(second, "import", { tag: "All", team: "HR" });
  assert.deepEqual(await read(), [
    ["HR", "All"],
    ["HR", "All"],
  ]);
  assert.equal((await admin.post(second, "undo")).status, 303);
  assert.deepEqual(await read(), [
    [null, ""],
    [null, ""],
  ]);
});

sqliteTest("tells a tag with a comma from two tags in the preview", async (t) => {
  const { admin } = await start(t);
  const rows = ['1,A,2025-09-05,"News, Sales"', '2,B,2025-09-05,"News;Sales"'];
  const { text } = await admin.get(await upload(admin, ["id,subject,sent_at,tags", ...rows].join("\n")));
  assert.deepEqual(text.match(/News[,;] Sales/g)?.slice(0, 2), ["News, Sales", "News; Sales"]);
});
