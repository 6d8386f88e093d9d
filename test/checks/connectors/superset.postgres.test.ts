// Runs Apache Superset on the SQL views: its API makes data sets, a metric and a chart of the weighted open rate by month and
// team, whose numbers are those of the page Breakdown. With SCREENSHOTS set to a folder, saves a picture of the chart there.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { feedTables } from "../../../src/campaign/feed/feed-tables.ts";
import { closeBrowser, openBrowser } from "../../support/browser.ts";
import { readCsvCells } from "../../support/feed-records.ts";
import { makeGuestRole } from "../../support/guest-role.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { makeWebWorldOf } from "../../support/web-world.ts";
import { campaign, run } from "../../support/world.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

const execute = promisify(execFile);
const account = { username: "admin", password: "only-of-this-check" };
const months = ["2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02"];
const teams = ["Sales", "NA", "People & Culture", null];

/** As docs/sql-views.md has it. */
const openRate =
  "sum(unique_opens) filter (where recipient_count is not null)::float8 / nullif(sum(recipient_count) filter (where unique_opens is not null), 0)";

const campaigns = months.flatMap((_month, monthIndex) =>
  teams.flatMap((team, teamIndex) =>
    // The third is on the last day of the month in New York, and on the first of the next in UTC.
    [
      Date.UTC(2025, 8 + monthIndex, 1, 5),
      Date.UTC(2025, 8 + monthIndex, 14),
      Date.UTC(2025, 9 + monthIndex, 1, 3),
    ].map((sentAt, index) => {
      const id = monthIndex * 100 + teamIndex * 10 + index + 1;
      const recipientCount = id % 7 === 0 ? null : 100 + ((id * 7) % 50);
      const unique_opens = id % 5 === 0 ? null : 30 + ((id * 13) % 50);
      const metrics = { unique_opens, enps_score_average: null, enps_reactions_count: null };
      return campaign({ id, team, sentAt, recipientCount, metrics });
    }),
  ),
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

if (isFullSize) {
  test("Superset charts the weighted open rate by month and team as the page has it", async (t) => {
    const { world, organization, viewer } = await makeWebWorldOf("viewer", t, {
      timeZone: "America/New_York",
    });
    await world.save(organization, campaigns);
    const role = await makeGuestRole(t, world.databaseUrl);
    const schema = `analytics_${organization.id}`;
    const argv = ["views", "add", "--organization", `${organization.id}`, "--role", role.name];
    assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
    const folder = join(world.folder, "superset");
    mkdirSync(folder, { recursive: true });
    const config = join(folder, "superset_config.py");
    const settings = [
      'SECRET_KEY = "only-of-this-check-and-long-enough-for-it"',
      `SQLALCHEMY_DATABASE_URI = "sqlite:///${folder}/superset.db?check_same_thread=false"`,
      "WTF_CSRF_ENABLED = False",
      "TALISMAN_ENABLED = False",
      // Its hundreds of migrations wait for the disk otherwise.
      "from sqlalchemy import engine, event",
      '@event.listens_for(engine.Engine, "connect")',
      "def commit_without_waiting(connection, _):",
      '    if hasattr(connection, "execute"): connection.execute("pragma synchronous = off")',
    ];
    writeFileSync(config, settings.join("\n"));
    const program = join(await virtualEnvironment("superset"), "superset");
    const env = { ...process.env, SUPERSET_CONFIG_PATH: config, FLASK_APP: "superset" };
    const superset = (...given: string[]) =>
      execute(program, given, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
    await superset("db", "upgrade");
    const { username, password } = account;
    const person = ["--firstname", "A", "--lastname", "B", "--email", "a@example.com"];
    await superset("fab", "create-admin", "--username", username, "--password", password, ...person);
    await superset("init");
    const port = await freePort();
    const child = spawn(program, ["run", "-p", String(port)], {
      cwd: folder,
      env,
      stdio: "ignore",
    });
    t.after(() => child.kill("SIGKILL"));
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; tries < 240; tries++) {
      if (
        await fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      await delay(500);
    }
    let token = "";
    const ask = async (method: string, path: string, body?: object) => {
      const headers = {
        ...(body && { "content-type": "application/json" }),
        authorization: `Bearer ${token}`,
      };
      const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/api/v1/${path}`, options);
      const text = await response.text();
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    };
    token = (await ask("POST", "security/login", { ...account, provider: "db" })).access_token;
    const uri = role.url.replace(/^postgres(ql)?:/, "postgresql+psycopg2:");
    const { id: database } = await ask("POST", "database/", {
      database_name: "email-analytics",
      sqlalchemy_uri: uri,
    });
    const sets = new Map<string, number>();
    for (const table of Object.keys(feedTables)) {
      const { id } = await ask("POST", "dataset/", { database, schema, table_name: table });
      sets.set(table, id);
      const { result } = await ask("GET", `dataset/${id}`);
      const columns = (result.columns as { column_name: string }[]).map(({ column_name }) => column_name);
      assert.deepEqual(
        columns.sort(),
        Object.keys(feedTables[table as keyof typeof feedTables].fields).sort(),
        table,
      );
    }
    const dataset = sets.get("emails") ?? 0;
    const metric = {
      metric_name: "open_rate_weighted",
      verbose_name: "Open rate",
      expression: openRate,
      d3format: ".1%",
    };
    await ask("PUT", `dataset/${dataset}`, { metrics: [metric] });
    const axis = {
      ...{ columnType: "BASE_AXIS", expressionType: "SQL", label: "sent_on", sqlExpression: "sent_on" },
      timeGrain: "P1M",
    };
    const query = {
      ...{ columns: [axis, "organization_team"], metrics: [metric.metric_name], row_limit: 10_000 },
      ...{ filters: [], extras: {}, orderby: [] },
    };
    const form = {
      ...{ viz_type: "echarts_timeseries_line", datasource: `${dataset}__table`, x_axis: "sent_on" },
      ...{ time_grain_sqla: "P1M", metrics: [metric.metric_name], groupby: ["organization_team"] },
      ...{ y_axis_format: ".0%", row_limit: 10_000, show_legend: true, markerEnabled: true },
      // Superset asks for a filter of the axis in a dialog otherwise.
      adhoc_filters: [
        {
          ...{ clause: "WHERE", expressionType: "SIMPLE", subject: "sent_on" },
          ...{ operator: "TEMPORAL_RANGE", comparator: "No filter" },
        },
      ],
    };
    const context = {
      ...{ datasource: { id: dataset, type: "table" }, queries: [query], form_data: form },
      ...{ result_format: "json", result_type: "full" },
    };
    const { id: chart } = await ask("POST", "chart/", {
      ...{ slice_name: "Open rate by month and team", viz_type: form.viz_type, params: JSON.stringify(form) },
      ...{ datasource_id: dataset, datasource_type: "table", query_context: JSON.stringify(context) },
    });
    const answer = await ask("GET", `chart/${chart}/data/`);
    const rows = answer.result[0].data as Record<string, number | string | null>[];
    const charted = rows.map((row) => [
      new Date(row.sent_on as number).toISOString().slice(0, 7),
      row.organization_team ?? null,
      row.open_rate_weighted === null ? null : Math.round((row.open_rate_weighted as number) * 1e4),
    ]);
    const paged: unknown[] = [];
    for (const month of months) {
      const [year = 0, number = 0] = month.split("-").map(Number);
      const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
      const file = await viewer.read(`/breakdown.csv?from=${month}-01&until=${last}&by=team`);
      for (const [team, , , rate] of readCsvCells(Buffer.from(file)).slice(1)) {
        paged.push([
          month,
          team === "not set" ? null : team,
          rate === "" ? null : Math.round(Number(rate) * 100),
        ]);
      }
    }
    const sorted = (list: unknown[]) => list.map((row) => JSON.stringify(row)).sort();
    assert.equal(charted.length, months.length * teams.length);
    assert.deepEqual(sorted(charted), sorted(paged));
    const { SCREENSHOTS: pictures } = process.env;
    if (pictures !== undefined) {
      const context = await openBrowser(t, { viewport: { width: 1280, height: 720 } });
      t.after(closeBrowser);
      await context.request.post(`${url}/login/`, { form: { username, password } });
      const page = await context.newPage();
      await page.goto(`${url}/explore/?slice_id=${chart}`);
      await page.getByText(`${charted.length} rows`).waitFor({ timeout: 120_000 });
      // The lines grow for a second.
      await delay(3_000);
      await page.screenshot({ path: join(pictures, "superset.jpg"), type: "jpeg", quality: 80 });
    }
    const requirements = readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8");
    const [version] = /apache-superset==\S+/.exec(requirements) ?? [];
    report(
      `${version}: ${sets.size} views as data sets, a chart of ${charted.length} rates equal to the page`,
    );
  });
}
