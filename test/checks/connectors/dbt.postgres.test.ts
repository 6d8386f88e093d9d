// Runs dbt with the shipped sources on the SQL views: it reads them, and finds the types that the file names.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { feedTables } from "../../../src/campaign/feed/feed-tables.ts";
import { connectorText } from "../../../src/http/connect/connector-text.ts";
import { makeGuestRole } from "../../support/guest-role.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { campaign, makeAcme, run } from "../../support/world.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

const execute = promisify(execFile);

interface Catalog {
  sources: Record<string, { metadata: { name: string }; columns: Record<string, { type: string }> }>;
}

interface Manifest {
  sources: Record<string, { name: string; columns: Record<string, { data_type: string }> }>;
}

if (isFullSize) {
  test("dbt reads the views as sources, with the types that the file names", async (t) => {
    const { world, organization } = await makeAcme(t);
    await world.save(organization, [campaign({ id: 1, tags: ["News"] }), campaign({ id: 2, team: "NA" })]);
    const role = await makeGuestRole(t, world.databaseUrl);
    const argv = ["views", "add", "--organization", `${organization.id}`, "--role", role.name];
    assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
    const { hostname, port, username, password, pathname } = new URL(world.databaseUrl);
    const folder = join(world.folder, "dbt");
    mkdirSync(join(folder, "models"), { recursive: true });
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
    write("dbt_project.yml", "name: verify\nprofile: verify\nmodel-paths: [models]\n");
    const output = {
      ...{ type: "postgres", host: hostname, port: Number(port), user: decodeURIComponent(username) },
      ...{ pass: decodeURIComponent(password), dbname: pathname.slice(1), schema: "dbt_verify" },
    };
    write("profiles.yml", JSON.stringify({ verify: { target: "test", outputs: { test: output } } }));
    write("models/sources.yml", connectorText("warehouse/sources.yml", ""));
    const source = "{{ source('email_analytics', 'emails') }}";
    write("models/copied.sql", `{{ config(materialized='table') }} select * from ${source}`);
    const bin = await virtualEnvironment("dbt");
    const env = {
      ...process.env,
      ...{ EMAIL_ANALYTICS_SCHEMA: `analytics_${organization.id}`, DBT_SEND_ANONYMOUS_USAGE_STATS: "false" },
    };
    const dbt = (...given: string[]) =>
      execute(join(bin, "dbt"), [...given, "--profiles-dir", folder], { cwd: folder, env }).catch((error) =>
        assert.fail(`${error} ${error.stdout}`),
      );
    const { stdout } = await dbt("run");
    await dbt("docs", "generate");
    const read = <Document>(name: string) =>
      JSON.parse(readFileSync(join(folder, "target", name), "utf8")) as Document;
    const catalog = Object.values(read<Catalog>("catalog.json").sources);
    const named = Object.values(read<Manifest>("manifest.json").sources);
    assert.deepEqual(named.map(({ name }) => name).sort(), Object.keys(feedTables).sort());
    let count = 0;
    for (const { name, columns } of named) {
      const found = catalog.find(({ metadata }) => metadata.name === name)?.columns ?? {};
      assert.deepEqual(Object.keys(found), Object.keys(columns), name);
      for (const [column, { data_type }] of Object.entries(columns)) {
        assert.equal(found[column]?.type, data_type, `${name}.${column}`);
        count += 1;
      }
    }
    const [version = ""] = /dbt=\S+/.exec(stdout) ?? [];
    report(`${version}: ${named.length} views as sources, ${count} typed columns, and a model of emails`);
  });
}
