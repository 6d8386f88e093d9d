// The weighted rates for Power BI and Tableau compute what the pages show, and the schema of a feed record holds.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { Compile } from "typebox/schema";
import { feedFields } from "../../../src/campaign/feed/feed-fields.ts";
import { feedRecordSchema } from "../../../src/campaign/feed/feed-record-schema.ts";
import { coveredRateOf } from "../../../src/campaign/sum-rates.ts";
import { connectorText } from "../../../src/http/connect/connector-text.ts";
import { findTotals } from "../../../src/storage/sums/sum-queries.ts";
import { downloadRecords, requestDownload } from "../../support/downloads.ts";
import { Random } from "../../support/histories.ts";
import { campaign, makeFolder, makeSqliteWorld, present, serve } from "../../support/world.ts";

const world = await makeSqliteWorld({ after });
const service = await serve({ after }, world);
const { organization, key } = await world.addOrganization();
const { url } = service;
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

/**
 * Measures in SQL, computed by DuckDB from the Parquet file.
 *
 * @param by a field, or a constant
 */
async function computeMeasures(by: string, measures: string): Promise<Map<unknown, Record<string, unknown>>> {
  const file = join(makeFolder({ after }), "emails.parquet");
  writeFileSync(file, (await requestDownload(`${url}/data_api/v1/emails.parquet`, { key })).bytes);
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(
    `select ${by} as "key", ${measures} from '${file}' group by all`,
  );
  return new Map(reader.getRowObjectsJson().map(({ key, ...values }) => [key, values]));
}

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

test("the measures for Power BI and the calculated fields for Tableau are the rates of the pages", async () => {
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
  const rates = {
    open_rate: ["openRate", 1],
    click_rate: ["clickRate", 1],
    click_per_unique_open_rate: ["clickToOpenRate", 100],
    enps_score_average: ["enpsMean", 1],
  } as const;
  for (const [tool, measures] of Object.entries(files)) {
    const computed = await computeMeasures("organization_team", measures);
    computed.set("all", (await computeMeasures("1", measures)).get(1) ?? {});
    for (const team of ["Team A", "Team B", "all"]) {
      const filter = { traffic: "people", ...(team !== "all" && { teams: [team] }) } as const;
      const { sums } = await world.read(organization, (scope) => findTotals(scope, filter));
      const values = computed.get(team) ?? {};
      for (const [name, [rate, factor]] of Object.entries(rates)) {
        const expected = (coveredRateOf(sums, rate).rate ?? Number.NaN) * factor;
        const value = values[feedFields[name as keyof typeof rates].title];
        assert.ok(
          Math.abs(Number(value) - expected) < 1e-9,
          `${tool}: ${name} of ${team}: ${value} ${expected}`,
        );
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
