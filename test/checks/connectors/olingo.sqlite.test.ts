// Apache Olingo, the OData client of Java programs, reads the metadata, every page and a filter. It needs Java 17 and Maven.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { largestInteger } from "../../../src/campaign/fields/field-schema.ts";
import { requestDownload } from "../../support/downloads.ts";
import { readFeedFile } from "../../support/feed-records.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { campaign, makeSqliteWorld, serve } from "../../support/world.ts";

const execute = promisify(execFile);
const project = join(import.meta.dirname, "olingo");
const folder = join(import.meta.dirname, "../../../node_modules/.cache/connectors-olingo");

/** @returns what the program prints, a JSON a line */
async function readWithOlingo(...argv: string[]): Promise<unknown[][]> {
  const libraries = join(folder, "lib");
  if (!existsSync(libraries)) {
    mkdirSync(folder, { recursive: true });
    const options = ["-q", "-B", "-f", join(project, "pom.xml"), "dependency:copy-dependencies"];
    await execute("mvn", [...options, `-DoutputDirectory=${libraries}`]);
  }
  const path = join(libraries, "*");
  await execute("javac", ["-cp", path, "-d", folder, join(project, "ReadOdata.java")]);
  const program = ["-cp", `${path}${delimiter}${folder}`, "ReadOdata", ...argv];
  const { stdout } = await execute("java", program, { maxBuffer: 64 * 1024 * 1024 });
  const parts = stdout.split("filtered\n").map((part) => part.trim().split("\n"));
  return parts.map((lines) => lines.map((line) => JSON.parse(line)));
}

if (isFullSize) {
  test("Olingo reads the types, every page, 64-bit numbers and a filter", async (t) => {
    const world = await makeSqliteWorld(t);
    const service = await serve(t, world);
    const { organization, key } = await world.addOrganization();
    const texts = ["NA", "a'b", "=1+1", 'Comma, "quote"', "Grüße 👋", "line\nend"];
    const ids = [...Array.from({ length: 2_599 }, (_, index) => index + 1), largestInteger];
    const given = ids.map((id) => {
      const text = texts[id % texts.length] ?? "";
      return campaign({
        id,
        subject: text,
        team: id % 5 === 0 ? null : text,
        metrics: { open_rate: (id % 270) / 270 },
      });
    });
    await world.save(organization, given);
    const filter = "open_rate gt 0.5 and organization_team eq 'a''b'";
    const [[types, ...rows] = [], found = []] = (await readWithOlingo(
      `${service.url}/odata/v1`,
      key,
      filter,
    )) as [[Record<string, string>, ...Record<string, unknown>[]], Record<string, unknown>[]];
    const { bytes } = await requestDownload(`${service.url}/data_api/v1/emails.ndjson`, { key });
    const expected = await readFeedFile("ndjson", bytes);
    assert.equal(types?.id, "Int64");
    const fields = ["id", "subject", "organization_team", "open_rate", "sent_on", "unique_opens"] as const;
    const pick = (all: readonly object[]) =>
      all.map((row) => fields.map((name) => (row as Record<string, unknown>)[name] ?? null)).sort();
    assert.deepEqual(pick(rows), pick(expected));
    const matching = expected.filter((row) => Number(row.open_rate) > 0.5 && row.organization_team === "a'b");
    assert.ok(matching.length > 0);
    assert.deepEqual(pick(found), pick(matching));
    report(
      `Olingo 5.0.0: ${rows.length} entities, ${found.length} of a filter, ${Object.keys(types ?? {}).length} properties`,
    );
  });
}
