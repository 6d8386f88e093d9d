// The pages that connect tools: the list with its search, the page of each tool, and the files.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { minuteMs } from "../../../../src/campaign/calendar/durations.ts";
import { tools } from "../../../../src/http/connect/tools.ts";
import { listApiKeys } from "../../../../src/storage/keys/api-keys.ts";
import { assertMatches, textOf } from "../../../support/pages.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";

const baseUrl = "http://analytics.example.com";
const web = await makeWebWorld({ after }, { publicUrl: () => baseUrl });
const { service } = web;
const viewer = await web.signIn("viewer");

test("lists the three tools that most people use, then the others by use", async () => {
  const text = await viewer.read("/connect");
  assert.match(text, /<a href="\/connect" aria-current="page"><svg [^>]*>.*?<\/svg>Connect<\/a>/);
  const ids = [...text.matchAll(/href="\/connect\/([\w-]+)"/g)].map(([, id]) => id);
  assert.deepEqual(ids.slice(0, 3), ["power-bi", "excel", "google-sheets"]);
  const others = tools.map(({ id }) => id).filter((id) => !ids.slice(0, 3).includes(id));
  assert.deepEqual(ids.slice(3), others);
  assert.match(text, /<summary>All tools<\/summary><h2>Pipelines<\/h2>/);
});

test("shows steps, lines, refresh and limits of every tool, with the URL and without a key", async () => {
  for (const { id, name, steps, refresh, limits, tested, lines, url, usesViews = false } of tools) {
    const text = await viewer.read(`/connect/${id}`);
    // Code within a sentence has no spaces around it.
    const plain = textOf(text.replaceAll(/<\/?code[^>]*>/g, ""));
    const stepTexts = steps.flatMap(({ text: step, commands = [] }) => [
      step.replaceAll("`", ""),
      ...commands,
    ]);
    assert.ok(!plain.includes(tested), id);
    for (const each of [name, ...stepTexts, refresh, limits]) {
      const filledIn = each
        .replaceAll("{{address}}", baseUrl)
        .replaceAll("{{organization}}", "1")
        .replaceAll("{{key}}", "…")
        .replaceAll(/\s+/g, " ");
      assert.ok(plain.includes(filledIn), `${id}: ${filledIn}`);
    }
    assert.ok(!text.includes("{{") && !/ea_test_\d/.test(text), id);
    // Files have the URL, unless they are for SQL views, which need neither the URL nor a key.
    assert.ok(text.includes('href="/help/troubleshooting"') && text.includes('href="/help/tools#units"'), id);
    const entered = url && `<code id="url">${url.replace("{{address}}", baseUrl)}</code>`;
    assert.equal(entered, /<code id="url">.*?<\/code>/.exec(text)?.[0], id);
    const hasUrl = lines !== undefined || stepTexts.some((each) => each.includes("{{address}}"));
    assert.equal(text.includes(baseUrl), hasUrl || url !== undefined, id);
    assert.equal(text.includes("Ask an admin of your organization"), !usesViews, id);
  }
  assert.equal((await viewer.get("/connect/abacus")).status, 404);
});

test("names the schema and the id of the organization in the steps of tools that use SQL views", async () => {
  const { organization } = await web.world.addOrganization({ name: "Other" });
  const admin = await web.signIn("admin", { organization });
  const text = await admin.read("/connect/metabase");
  assertMatches(text, [
    /<code id="command-1-1">npx email-analytics views add --organization 2 --role metabase<\/code>/,
    /the schema <code>analytics_2<\/code>\./,
    /replace the schema <code>analytics_1<\/code> with yours, <code>analytics_2<\/code>/,
  ]);
  assert.doesNotMatch(text, /create_key|No file contains a key/);
  assert.match(await admin.read("/connect/grafana"), /create_key.*No file contains a key/s);
});

test("says above the steps whether this service has what SQL views need", async () => {
  const above = async (session: typeof viewer) => {
    const { text } = await session.get("/connect/metabase");
    return text.slice(text.indexOf("<main"), text.indexOf("<h2>Steps"));
  };
  const missing = /<p class="warning">This tool reads SQL views, which this service does not have/;
  assert.match(await above(viewer), missing);
  Object.assign(web.world.database, { isShared: true });
  const onPostgres = await above(viewer);
  Object.assign(web.world.database, { isShared: false });
  assert.match(onPostgres, /<p class="notice">Your operator gives this tool access to the SQL views\./);
});

test("says that assistants cannot connect while MCP is off", async () => {
  assert.match(await viewer.read("/connect/claude"), /<p class="warning">Assistants are off\./);
  assert.doesNotMatch(await viewer.read("/connect/pandas"), /MCP/);
});

test("offers the key above the steps that need it, and commands to copy once they have it", async () => {
  const admin = await web.signIn("admin");
  const text = await admin.read("/connect/pandas");
  assert.ok(text.indexOf("create_key") < text.indexOf("<h2>Steps"));
  assert.match(text, /<p><code>export EMAIL_ANALYTICS_KEY=&quot;…&quot;<\/code><\/p>/);
  assert.doesNotMatch(text, /data-copy="command-/);
  const created = (await admin.post("/connect/pandas", "create_key")).text;
  const [, key = ""] = /<code id="key">(\w+)<\/code>/.exec(created) ?? [];
  assert.ok(created.includes(`<code id="command-1-1">export EMAIL_ANALYTICS_KEY=&quot;${key}&quot;</code>`));
  assert.ok(created.includes(`<code id="command-1-2">$env:EMAIL_ANALYTICS_KEY = &quot;${key}&quot;</code>`));
  assert.match(created, /data-copy="command-1-2"[^>]* aria-label="Copy command 2 of step 1"/);
  assert.match(created, /<h2>Good to know/);
  assert.match(created, /href="\/help\/troubleshooting"/);
  assert.match(created, /href="\/help\/troubleshooting#still-waiting-for-the-first-request"/);
  assert.match(await admin.read("/help/troubleshooting"), /<h2 id="still-waiting-for-the-first-request">/);
});

test("numbers the keys of a tool, and creates none when the page of a new key is reloaded", async () => {
  const admin = await web.signIn("admin");
  const create = () => admin.post("/connect/grafana", "create_key");
  assert.equal((await create()).status, 200);
  assert.equal((await create()).status, 409);
  web.world.clock.now += minuteMs;
  assert.equal((await create()).status, 200);
  const keys = await web.world.database.queryOf(web.organization.id, listApiKeys);
  const names = keys.map(({ name }) => name).filter((name) => name.startsWith("Grafana"));
  assert.deepEqual(names, ["Grafana", "Grafana 2"]);
});

test("serves files with the media type of their ending", async () => {
  const types = {
    "power-bi/email-analytics.pbids": "application/octet-stream",
    "power-bi/measures.dax": "text/plain; charset=utf-8",
    "excel/emails.odc": "text/x-ms-odc; charset=utf-8",
    "google-sheets/Code.gs": "text/javascript; charset=utf-8",
    "grafana/datasource.yaml": "application/yaml; charset=utf-8",
    "dlt/email_analytics.py": "text/x-python; charset=utf-8",
    "superset/rates-by-tag.sql": "application/sql; charset=utf-8",
  };
  for (const [path, type] of Object.entries(types)) {
    const { headers } = await requestPage(`${service.url}/connect/${path}`);
    assert.equal(headers.get("content-type"), type, path);
  }
});

test("serves every file of every tool as a download with the URL, and no other file", async () => {
  for (const { id, files } of tools) {
    const page = await viewer.get(`/connect/${id}`);
    for (const { name, contentType } of files) {
      assert.ok(page.text.includes(`href="/connect/${id}/${name}" download`), name);
      const { status, headers, text } = await requestPage(`${service.url}/connect/${id}/${name}`);
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), contentType);
      assert.equal(headers.get("content-disposition"), `attachment; filename="${name}"`);
      assert.ok(!text.includes("{{address}}"), name);
    }
  }
  for (const path of ["/connect/curl/emails.sh", "/connect/observable/..%2Fcurl%2Femails.sh"]) {
    assert.equal((await requestPage(service.url + path)).status, 404, path);
  }
});

test("offers a CSV link instead of a key to tools that open one", async () => {
  const admin = await web.signIn("admin");
  const keysPath = "/settings/integrations/analytics-api";
  for (const id of ["libreoffice", "mac-excel"]) {
    const text = await admin.read(`/connect/${id}`);
    assert.ok(text.includes(`<a class="button" href="${keysPath}#csv-links">Create link<`), id);
    assert.doesNotMatch(text, /create_key/);
    assert.match(await viewer.read(`/connect/${id}`), /Ask an admin of your organization for a CSV link/);
  }
  assert.match(await admin.read(keysPath), /<section class="card" id="csv-links">/);
});
