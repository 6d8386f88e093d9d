// The scripts that users copy or download, run against a real service by the programs that users run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { feedFieldNames, feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import type { ConnectTool } from "../../../src/http/connect/connect-tool.ts";
import { connectorText, fillInAddress } from "../../../src/http/connect/connector-text.ts";
import { tools } from "../../../src/http/connect/tools.ts";
import { readFeedFile } from "../../support/feed-records.ts";
import { campaign, makeFolder, makeSqliteWorld, serve } from "../../support/world.ts";

const world = await makeSqliteWorld({ after });
const service = await serve({ after }, world);
const { organization, key } = await world.addOrganization();
await world.save(organization, [
  campaign({ id: 1, tags: ["Newsletter"], metrics: { enps_score_average: 0, enps_reactions_count: 0 } }),
  campaign({ id: 2, sentAt: Date.UTC(2025, 5, 1, 9), recipientCount: 1000 }),
]);

const run = promisify(execFile);
const environment = { ...process.env, EMAIL_ANALYTICS_KEY: key };
const connectors = join(import.meta.dirname, "../../../connectors");

/** A folder with the text, filled in. */
function saved(path: string): { cwd: string; file: string; env: NodeJS.ProcessEnv } {
  const cwd = makeFolder({ after });
  const file = join(cwd, path.split("/").at(-1) ?? "");
  writeFileSync(file, connectorText(path, service.url));
  return { cwd, file, env: environment };
}

test("every file of the folder connectors belongs to a tool, and every tool has one to three steps", () => {
  const named = tools.flatMap(({ files = [], lines }: ConnectTool) => [
    ...files.map(({ path }) => path),
    ...(lines ? [lines.path] : []),
  ]);
  assert.deepEqual([...new Set(named)].sort(), globSync("*/*", { cwd: connectors }).sort());
  assert.equal(new Set(tools.map(({ id }) => id)).size, tools.length);
  for (const { id, steps, refresh, limits, tested } of tools) {
    assert.ok(steps.length >= 1 && steps.length <= 3, id);
    for (const text of [...steps, refresh, limits, tested]) assert.match(text, /\S[.:!"]$|…"$/, id);
  }
});

test("every file has the address of the service, and none has a key", () => {
  for (const path of globSync("*/*", { cwd: connectors })) {
    const text = readFileSync(join(connectors, path), "utf8");
    assert.doesNotMatch(text, /https?:\/\/(?!schemas\.|www\.w3\.org)[a-z]|\bea_\w+/, path);
    assert.ok(!fillInAddress(text, "https://a.example").includes("{{address}}"), path);
  }
});

test("keeps the expressions of the tools and every character of the address", () => {
  assert.equal(
    fillInAddress("{{address}}/a {{ address }} {{ config['x'] }} {{address}}", "https://a.example/$&"),
    "https://a.example/$&/a {{ address }} {{ config['x'] }} https://a.example/$&",
  );
});

test("curl downloads all campaigns", async () => {
  const { cwd, file, env } = saved("curl/emails.sh");
  await run("sh", [file], { cwd, env });
  const records = await readFeedFile("csv", readFileSync(join(cwd, "emails.csv")));
  assert.deepEqual(
    records.map(({ id, recipient_count, enps_score_average }) => [id, recipient_count, enps_score_average]),
    [
      [2, 1000, 16],
      [1, 135, null],
    ],
  );
});

test("curl fails, and leaves no file, when the key is wrong", async () => {
  const { cwd, file, env } = saved("curl/emails.sh");
  const wrong = run("sh", [file], { cwd, env: { ...env, EMAIL_ANALYTICS_KEY: "wrong" } });
  await assert.rejects(wrong, { code: 22, stderr: /401/ });
  assert.deepEqual(readdirSync(cwd), ["emails.sh"]);
});

test("DuckDB runs the query on the file that the lines download, and the examples of docs/units.md", async () => {
  const { cwd, file, env } = saved("duckdb/emails.sh");
  const [, download = "", query = ""] =
    /^(curl .*)\nduckdb -c "([^"]*)"\n$/.exec(readFileSync(file, "utf8")) ?? [];
  await run("sh", ["-c", download], { cwd, env });
  const database = await DuckDBInstance.create(":memory:", { file_search_path: cwd });
  const connection = await database.connect();
  const rows = await connection.runAndReadAll(query);
  assert.deepEqual(rows.getRowsJson(), [
    ["2024", 3 / 135],
    ["2025", 3 / 1000],
  ]);
  await connection.run("CREATE VIEW emails AS FROM 'emails.parquet'");
  const page = readFileSync(join(connectors, "../docs/units.md"), "utf8");
  const [, examples = ""] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  const results = await Promise.all(
    examples
      .split(";")
      .filter((each) => each.trim())
      .map((each) => connection.runAndReadAll(each)),
  );
  // Campaign 1 has no eNPS scores, so its missing mean has no weight.
  assert.deepEqual(
    results.map((each) => each.getRowsJson()),
    [[[6 / 1135]], [[16]]],
  );
  connection.closeSync();
  database.closeSync();
});

test("the Python script compiles, and parses every column with a time", async () => {
  const { cwd, file, env } = saved("pandas/emails.py");
  await run("python3", ["-m", "py_compile", file], { cwd, env });
  const [, dates = ""] = /parse_dates=(\[.*\])/.exec(readFileSync(file, "utf8")) ?? [];
  const timed = feedFieldNames.filter((name) => ["instant", "date"].includes(feedFields[name].type));
  assert.deepEqual((JSON.parse(dates) as string[]).sort(), timed.sort());
});

test("the loader of Observable prints all campaigns, and fails when the key is wrong", async () => {
  const { cwd, file, env } = saved("observable/emails.csv.js");
  writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
  const { stdout } = await run(process.execPath, [file], { cwd, env });
  const records = await readFeedFile("csv", Buffer.from(stdout));
  assert.deepEqual(
    records.map(({ id }) => id),
    [2, 1],
  );
  const wrong = run(process.execPath, [file], { cwd, env: { ...env, EMAIL_ANALYTICS_KEY: "wrong" } });
  await assert.rejects(wrong, { code: 1, stderr: /401.*unauthorized/ });
});
