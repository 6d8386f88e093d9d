// Runs the real tools on a service with hostile texts, and compares what they read with NDJSON, value by value and type by
// type. The tools are Python packages that it installs below node_modules/.cache. LibreOffice runs if it is installed.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { metricNames } from "../../../src/campaign/metrics.ts";
import { connectorText } from "../../../src/http/connect/connector-text.ts";
import { defaultComponents } from "../../../src/http/server/components.ts";
import { addCsvLink, switchCsvLinks } from "../../support/csv-links.ts";
import { requestDownload } from "../../support/downloads.ts";
import { unusualTexts } from "../../support/feed-records.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { campaign, makeFolder, makeSqliteWorld, run, type Service, serve } from "../../support/world.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

const execute = promisify(execFile);

/** What tools take for something else: missing values, numbers, dates, formulas, ends of lines. */
const hostileTexts = [
  ...["NA", "N/A", "None", "null", "nan", "NULL", "NaN", "n/a", "-", "true", "Infinity", "1e5", "40"],
  ...[
    "00123",
    "2024-01-02",
    "12:30",
    "1,5",
    "0x1F",
    "  lead and trail  ",
    'Comma, "quote"\nand line',
    "a\\b\\",
  ],
  ...['=HYPERLINK("x")', "'quoted'", "<b>&amp;</b>", "tab\tand;semicolon", "{{ x }}", "%s", "$1"],
  // Programs end a text at a NUL.
  ...unusualTexts.filter((text) => text.trim() !== "" && !text.includes("\0")),
];

const without = Object.fromEntries(metricNames.map((name) => [name, null]));

/** 260 campaigns, 60 of them sent at once: more than a download reads at once. */
const campaigns = Array.from({ length: 260 }, (_, index) => {
  const id = index + 1;
  const text = hostileTexts[index % hostileTexts.length] ?? "";
  const hour = id > 100 && id <= 160 ? 100 : id;
  return campaign({
    id,
    subject: text,
    sentAt: Date.UTC(2025, 8, 30, 8) - hour * 4 * 3_600_000 + (id % 7),
    team: id % 5 === 0 ? null : text,
    sentFrom: id % 7 === 0 ? null : "comms@example.com",
    recipients: id % 4 === 0 ? null : text,
    recipientCount: id % 9 === 0 ? null : 135,
    tags: [...(id % 2 === 0 ? ["Newsletter"] : []), ...(id % 5 === 0 ? ["HR; Benefits", "back\\slash"] : [])],
    // Whole numbers at first: a tool that guesses takes them for integers.
    metrics: id % 11 === 0 ? without : { open_rate: id / 270, enps_score_average: id % 3 === 0 ? null : 8 },
  });
});

if (isFullSize) {
  const world = await makeSqliteWorld({ after });
  const service = await serve({ after }, world, { open: [...defaultComponents(), "mcp"] });
  const { organization, key } = await world.addOrganization({ timeZone: "America/New_York" });
  await world.save(organization, campaigns);
  // The last change of the first read is later than most.
  world.clock.now += 3_600_000;
  await world.save(organization, [campaign({ id: 1, subject: "NA", team: "NA" })]);
  const folder = makeFolder({ after });
  const settings = { ...process.env, EMAIL_ANALYTICS_KEY: key, PYTHONDONTWRITEBYTECODE: "1" };
  const python = async (
    environment: "main" | "airbyte",
    [script = "", ...rest]: string[],
    more: Record<string, string> = {},
  ) => {
    const bin = await virtualEnvironment(environment);
    const file = script.includes("/") ? script : join(import.meta.dirname, script);
    const env = { ...settings, PATH: `${bin}${delimiter}${process.env.PATH}`, ...more };
    const options = {
      env,
      cwd: script.includes("/") ? dirname(script) : folder,
      maxBuffer: 64 * 1024 * 1024,
    };
    const { stdout } = await execute(join(bin, "python"), [file, ...rest], options);
    for (const line of stdout.trim().split("\n")) report(line);
  };
  await saveDownloads(service, key, folder);

  test("pandas, polars, pyarrow and DuckDB read each download", () =>
    python("main", ["downloads.py", folder]));

  test("Spark reads Parquet and CSV, and runs spark.sql", () => python("main", ["spark.py", folder]));

  test("the SQL file of Snowflake parses", () => python("main", ["snowflake.py", folder]));

  test("fastmcp and mcp list and call each tool", () =>
    python("main", ["mcp_clients.py", folder, `${service.url}/mcp`]));

  test("LibreOffice, which has to be installed as soffice, opens the XLSX file and the links", async () => {
    const profile = `-env:UserInstallation=file://${folder}/office-profile`;
    const convert = ["--headless", "--convert-to", "fods", "--outdir", join(folder, "office"), "emails.xlsx"];
    await execute("soffice", [profile, ...convert], { cwd: folder });
    await python("main", ["libreoffice.py", folder]);
    await switchCsvLinks(world, organization, "allow");
    const { path } = await addCsvLink(world, organization);
    // The key of a link is the name of the file. Cells are split at semicolons, read as in Germany.
    const split = "--infilter=Text - txt - csv (StarCalc):59,34,76,1,,1031,true";
    for (const [link, more] of [
      [path.replace(/csv$/, "xlsx"), []],
      [`${path}?decimal=comma`, [split]],
    ] as const) {
      const written = "csv:Text - txt - csv (StarCalc):44,34,76";
      const argv = ["--headless", "--convert-to", written, ...more, "--outdir", join(folder, "links")];
      await execute("soffice", [profile, ...argv, service.url + link], { cwd: folder });
      const [name = ""] = readdirSync(join(folder, "links"));
      const cells: string[][] = parse(readFileSync(join(folder, "links", name)));
      rmSync(join(folder, "links"), { recursive: true });
      const ids = new Set(cells.slice(1).map(([id]) => id));
      assert.deepEqual([cells[0]?.[0], ids.size], ["id", campaigns.length]);
      report(
        `LibreOffice opened the link ${more.length > 0 ? "with decimal commas" : "as XLSX"}: ${cells.length - 1} rows`,
      );
    }
  });

  test("Schemathesis finds no failure", async () => {
    const bin = await virtualEnvironment("main");
    const { body } = await service.get("/data_api/v1/emails/changes?per_page=1", { key });
    const config = ["--config-file", join(import.meta.dirname, "schemathesis.toml")];
    const argv = [...config, "run", `${service.url}/data_api/v1/openapi.json`, "--url", service.url];
    const options = ["--header", `Authorization: Bearer ${key}`, "--no-color", "--max-examples", "30"];
    const { stdout } = await execute(join(bin, "schemathesis"), [...argv, ...options], {
      cwd: folder,
      env: { ...settings, CURSOR: String(body.meta.cursor) },
      maxBuffer: 64 * 1024 * 1024,
    }).catch((error) =>
      assert.fail(`${error} ${error.stdout}`.replaceAll(/.{500,}/g, (line) => line.slice(0, 500))),
    );
    report(stdout.trim().split("\n").slice(-12).join("\n"));
  });

  test("dlt and Airbyte load everything, and then changes, a deletion and a renamed tag", async () => {
    const dlt = join(folder, "dlt");
    mkdirSync(dlt);
    const file = join(dlt, "email_analytics.py");
    writeFileSync(file, connectorText("dlt/email_analytics.py", service.url));
    const load = async () => {
      await python("main", [file], { DLT_DATA_DIR: join(folder, "dlt-data") });
      await saveDownloads(service, key, folder);
      await python("main", ["dlt_loads.py", folder]);
    };
    writeFileSync(join(folder, "manifest.yaml"), connectorText("airbyte/manifest.yaml", service.url));
    await load();
    await python("airbyte", ["airbyte.py", folder], { STEP: "first" });
    world.clock.now += 3_600_000;
    const changed = campaign({ id: 10, metrics: { enps_score_average: 8.25, desktop_open_rate: 66.7 } });
    await world.save(organization, [changed]);
    const command = async (...argv: string[]) => {
      const all = [...argv, "--organization", String(organization.id), "--json"];
      const { exitCode, stderr } = await run(world.databaseUrl, all, { now: () => world.clock.now });
      assert.equal(exitCode, 0, stderr);
    };
    await command("campaign", "delete", "--id", "20", "--yes");
    const [tag] = (await world.tagsOf(organization)).filter(({ name }) => name === "Newsletter");
    await command("tag", "change", "--id", String(tag?.id), "--name", "Monthly; news");
    await load();
    const isRetagged = ({ campaign: { id } }: (typeof campaigns)[number]) => id % 2 === 0 && id !== 20;
    const ids = new Set([10, ...campaigns.filter(isRetagged).map(({ campaign: { id } }) => id)]);
    await python("airbyte", ["airbyte.py", folder], {
      STEP: "again",
      CHANGED: JSON.stringify([...ids]),
      DELETED: "[20]",
    });
  });
}

/** Saves every download, the metric contract and the files that users get. */
async function saveDownloads({ url }: Service, key: string, folder: string): Promise<void> {
  const paths = ["emails.csv", "emails.ndjson", "emails.parquet", "emails.xlsx", "metrics.json"];
  for (const path of paths) {
    const { bytes } = await requestDownload(`${url}/data_api/v1/${path}`, { key });
    writeFileSync(join(folder, path), bytes);
  }
  for (const path of ["pandas/emails.py", "warehouse/spark.sql", "warehouse/snowflake.sql"]) {
    writeFileSync(join(folder, path.split("/")[1] ?? ""), connectorText(path, url));
  }
}

test("requirements.txt pins every package", () => {
  const lines = readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8").split("\n");
  for (const line of lines) assert.match(line, /^$|^#|^[\w[\]-]+==[\d.]+$/);
});
