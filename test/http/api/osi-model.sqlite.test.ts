// GET /data_api/v1/metrics.osi.json: valid by the schema that Apache Ossie publishes, and each metric computes what we compute.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { Compile } from "typebox/schema";
import { feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import { feedRecordSchema } from "../../../src/campaign/feed/feed-record-schema.ts";
import { osiModel, weightedRates } from "../../../src/campaign/feed/osi-model.ts";
import { coveredRateOf } from "../../../src/campaign/sum-rates.ts";
import { connectorText } from "../../../src/http/connect/connector-text.ts";
import { findTotals } from "../../../src/storage/sums/sum-queries.ts";
import { downloadRecords, requestDownload } from "../../support/downloads.ts";
import { Random } from "../../support/histories.ts";
// Of github.com/apache/ossie, core-spec/osi-schema.json, commit 88e0011 (Apache-2.0).
import osiSchema from "../../support/osi-schema.json" with { type: "json" };
import { campaign, makeFolder, makeSqliteWorld, present, serve } from "../../support/world.ts";

const world = await makeSqliteWorld({ after });
const service = await serve({ after }, world);
const { organization, key } = await world.addOrganization();
const { url } = service;
const [model] = osiModel.semantic_model;
const random = new Random(7);
const day = 86_400_000;
const teams = [null, "Team A", "Team B"];
const maybe = (value: number) => (random.chance(10) ? null : value);
await world.save(
  organization,
  Array.from({ length: 300 }, (_, index) => {
    const recipients = random.pick([null, 0, 10, 1_000]);
    const opens = maybe(random.between(0, Math.ceil((recipients ?? 5) * 1.1)));
    const clicks = maybe(random.between(0, opens ?? 3));
    const ratings = maybe(random.between(0, 20));
    return campaign({
      id: index + 1,
      sentAt: present - (8 + index) * day,
      team: random.pick(teams),
      recipientCount: recipients,
      metrics: {
        ...{ unique_opens: opens, unique_clicks: clicks },
        open_rate: opens === null || !recipients ? null : Math.min(opens / recipients, 1),
        click_rate: clicks === null || !recipients ? null : Math.min(clicks / recipients, 1),
        enps_reactions_count: ratings,
        enps_score_average: ratings === 0 ? null : maybe(random.between(0, 1_000) / 100),
      },
    });
  }),
);

test("is served without a key, and valid by the published schema, which refuses another document", async () => {
  const { status, body } = await service.get("/data_api/v1/metrics.osi.json");
  assert.deepEqual([status, body], [200, JSON.parse(JSON.stringify(osiModel))]);
  const schema = Compile(osiSchema);
  assert.deepEqual(schema.Errors(body), [true, []]);
  assert.equal(schema.Check({ ...body, version: "1" }), false);
  assert.equal(schema.Check({ ...body, semantic_model: [{ name: "x" }] }), false);
});

test("offers no rate as a field that could be averaged, and each weighted rate as a metric", () => {
  const emails = model?.datasets[0]?.fields.map(({ name }) => name) ?? [];
  const rates = Object.entries(feedFields).filter(([, field]) => "denominator" in field);
  for (const [name] of rates) assert.ok(!emails.includes(name), name);
  const devicesAndReads = /^(desktop|mobile|read_time)_/;
  assert.deepEqual(
    rates.map(([name]) => name).filter((name) => model?.metrics.every((metric) => metric.name !== name)),
    rates.map(([name]) => name).filter((name) => devicesAndReads.test(name)),
  );
});

const metricColumns = (items: { name: string; expression: { dialects: { expression: string }[] } }[]) =>
  items.map(({ name, expression }) => `${expression.dialects[0]?.expression} as ${name}`).join(", ");

/**
 * The metrics of the model, computed by DuckDB from the Parquet file.
 *
 * @param by a field, or a constant
 * @param metrics other metrics in SQL
 */
async function computeMetrics(
  by: string,
  metrics = metricColumns(model?.metrics ?? []),
): Promise<Map<unknown, Record<string, unknown>>> {
  const file = join(makeFolder({ after }), "emails.parquet");
  writeFileSync(file, (await requestDownload(`${url}/data_api/v1/emails.parquet`, { key })).bytes);
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(`
    select ${by} as "key", ${metrics}
    from (select enps_score_average, ${metricColumns(model?.datasets[0]?.fields ?? [])} from '${file}') emails group by all`);
  return new Map(reader.getRowObjectsJson().map(({ key, ...metrics }) => [key, metrics]));
}

test("a metric of one campaign equals the field of its feed record, where the record has the counts", async () => {
  const records = await downloadRecords({ url, key }, "ndjson");
  const computed = await computeMetrics("emails.id");
  let compared = 0;
  for (const record of records) {
    const metrics = computed.get(String(record.id)) ?? {};
    for (const name of ["open_rate", "click_rate", "enps_score_average"] as const) {
      const value = metrics[name];
      if (value === null || value === undefined) continue;
      assert.ok(Math.abs(Number(value) - (record[name] ?? Number.NaN)) < 1e-4, `${name} of ${record.id}`);
      compared += 1;
    }
    assert.equal(Number(metrics.sum_unique_opens ?? 0), record.unique_opens ?? 0);
  }
  assert.ok(compared > 500, String(compared));
});

test("a metric of a team, and of all campaigns, equals that of the pages", async () => {
  const rates = {
    open_rate: ["openRate", 1],
    click_rate: ["clickRate", 1],
    click_per_unique_open_rate: ["clickToOpenRate", 100],
    enps_score_average: ["enpsMean", 1],
  } as const;
  const check = async (metrics: Record<string, unknown> | undefined, ofTeam: string | undefined) => {
    const filter = { traffic: "people", ...(ofTeam && { teams: [ofTeam] }) } as const;
    const { sums } = await world.read(organization, (scope) => findTotals(scope, filter));
    for (const [name, [rate, factor]] of Object.entries(rates)) {
      const expected = (coveredRateOf(sums, rate).rate ?? Number.NaN) * factor;
      assert.ok(
        Math.abs(Number(metrics?.[name]) - expected) < 1e-9,
        `${name}: ${metrics?.[name]} ${expected}`,
      );
    }
  };
  await check((await computeMetrics("1")).get(1), undefined);
  const byTeam = await computeMetrics("emails.organization_team");
  for (const team of ["Team A", "Team B"]) await check(byTeam.get(team), team);
});

/** The measures of a file for Power BI or Tableau by title, as SQL. */
function measuresOf(path: string, pattern: RegExp): string {
  const sql = (text: string) =>
    text
      .replaceAll(/emails\[(\w+)\]|\[(\w+)\]/g, "$1$2")
      .replaceAll(/NOT IS(?:BLANK|NULL)\((\w+)\)/g, "$1 is not null")
      .replaceAll("&&", "and")
      .replaceAll("MIN(", "least(");
  return [...connectorText(path, "").matchAll(pattern)]
    .map(({ groups: { title = "", factor = "", known = "", numerator = "", denominator = "" } = {} }) => {
      const sum = (expression: string) => `sum(case when ${sql(known)} then ${sql(expression)} end)`;
      return `${factor}${sum(numerator)} / ${sum(denominator)} as "${title}"`;
    })
    .join(", ");
}

test("the measures for Power BI and the calculated fields for Tableau compute the metrics of the model", async () => {
  const files = {
    dax: measuresOf(
      "power-bi/measures.dax",
      /MEASURE emails\[(?<title>.+)\] =\s+VAR Known = FILTER\(emails, (?<known>.+)\)\s+RETURN DIVIDE\((?<factor>(?:100 \* )?)SUMX\(Known, (?<numerator>.+)\), SUMX\(Known, (?<denominator>.+)\)\)/g,
    ),
    tableau: measuresOf(
      "tableau/calculations.txt",
      /^(?<title>.+)\n(?<factor>(?:100 \* )?)SUM\(IF (?<known>.+) THEN (?<numerator>.+) END\) \/ SUM\(IF \k<known> THEN (?<denominator>.+) END\)$/gm,
    ),
  };
  const expected = await computeMetrics("emails.organization_team");
  for (const [tool, measures] of Object.entries(files)) {
    const computed = await computeMetrics("emails.organization_team", measures);
    for (const [team, metrics] of expected) {
      for (const { name, title } of weightedRates) {
        const [value, wanted] = [computed.get(team)?.[title], metrics[name]];
        const isEqual = value === wanted || Math.abs(Number(value) - Number(wanted)) < 1e-9;
        assert.ok(isEqual, `${tool}: ${title} of ${team}: ${value} ${wanted}`);
      }
    }
  }
});

test("the schema of a feed record accepts each line of a download, and refuses another", async () => {
  const { status, body } = await service.get("/data_api/v1/emails.schema.json");
  const id = "https://analytics.example.com/data_api/v1/emails.schema.json";
  assert.deepEqual([status, body], [200, JSON.parse(JSON.stringify(feedRecordSchema(id)))]);
  const schema = Compile(body);
  const records = await downloadRecords({ url, key }, "ndjson");
  assert.ok(records.every((record) => schema.Check(record)));
  assert.equal(schema.Check({ ...records[0], subject: null }), false);
});
