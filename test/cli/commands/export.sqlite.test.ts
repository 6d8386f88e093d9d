// `export`: what it prints, in each format.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { readFeedFile } from "../../support/feed-records.ts";
import { exported, file, importing, lines, record } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { campaign, collecting, makeAcme, present, run } from "../../support/world.ts";

test("export prints NDJSON with one record a line, ISO 8601 times, and null for missing values", async (t) => {
  const { world } = await makeAcme(t, { timeZone: "Asia/Tokyo" });
  const given = record(1, {
    sent_at: "2024-01-01T09:00:00.123Z",
    open_rate: 0.1,
    tags: ["b", "a"],
    recipients: "",
  });
  await importing(world, lines(given));
  const { exitCode, stdout, stderr } = await run(world.databaseUrl, "export --organization 1");
  assert.deepEqual([exitCode, stderr], [0, ""]);
  assert.equal(
    stdout,
    '{"id":1,"subject":"Campaign 1","sent_at":"2024-01-01T09:00:00.123Z","sent_from":null,' +
      '"organization_team":null,"sending_type":null,"tracking_type":null,"open_rate":0.1,"click_rate":null,' +
      '"unique_opens":null,"multiple_opens":null,"unopened":null,"total_opens":null,"unique_clicks":null,' +
      '"multiple_clicks":null,"total_clicks":null,"click_per_unique_open_rate":null,"desktop_open_rate":null,' +
      '"mobile_open_rate":null,"tags":[{"name":"a","color":"#FF9DA7"},{"name":"b","color":"#9C755F"}],' +
      '"recipient_count":null,"recipients":"","read_time_glanced":null,"read_time_skimmed":null,' +
      '"read_time_read":null,"surveys_count":null,"enps_score_average":null,"enps_reactions_count":null,' +
      '"enps_comments_count":null,"survey_reactions_count":null,"survey_reactions_comments_count":null,"sent":null,"delivered":null,"bounced":null,"bounced_hard":null,"bounced_soft":null,"suppressed":null,"unsubscribed":null,"complained":null}\n',
  );
});

test("export --format csv prints the field names as header, and quotes cells that need it", async (t) => {
  const { world } = await makeAcme(t);
  const odd = record(1, {
    subject: 'He said "Hi",\nthen left',
    recipients: "",
    open_rate: 1e-7,
    tags: [{ name: "a;b\\c", color: "#000000" }, "News"],
  });
  await importing(world, lines(odd, record(2, { sent_from: " x" })));
  const { stdout } = await run(world.databaseUrl, "export --organization 1 --format csv");
  assert.equal(
    stdout,
    "id,subject,sent_at,sent_from,organization_team,sending_type,tracking_type,open_rate,click_rate,unique_opens," +
      "multiple_opens,unopened,total_opens,unique_clicks,multiple_clicks,total_clicks,click_per_unique_open_rate," +
      "desktop_open_rate,mobile_open_rate,tags,recipient_count,recipients,read_time_glanced,read_time_skimmed," +
      "read_time_read,surveys_count,enps_score_average,enps_reactions_count,enps_comments_count," +
      "survey_reactions_count,survey_reactions_comments_count,sent,delivered,bounced,bounced_hard,bounced_soft,suppressed,unsubscribed,complained\r\n" +
      '2,Campaign 2,2024-01-01T09:00:00.000Z," x",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\r\n' +
      '1,"He said ""Hi"",\nthen left",2024-01-01T09:00:00.000Z,,,,,1e-7,,,,,,,,,,,,' +
      '"News #FF9DA7;a\\;b\\\\c #000000",,"",,,,,,,,,,,,,,,,,\r\n',
  );
});

test("export --escape-formulas makes formulas text, and leaves numbers and other text", async (t) => {
  const { world } = await makeAcme(t);
  const subjects = [
    ...['=HYPERLINK("https://evil.example")', "+1", "-1+1", "@SUM(1)", "\t=1", " =1", "＝1", "1=1", "'=1"],
    ...["Hi"],
  ];
  const records = subjects.map((subject, index) => record(index + 1, { subject, enps_score_average: -1.5 }));
  const tagged = record(11, { sent_from: "-Ada", tags: [{ name: "=1", color: "#000000" }] });
  await importing(world, lines(...records, tagged));
  const argv = ["export", "--organization", "1", "--format", "csv"];
  const cellsOf = async (...more: string[]) => {
    const { stdout } = await run(world.databaseUrl, [...argv, ...more]);
    const rows = stdout.split("\r\n").slice(1, -1).reverse();
    return rows.map((row) =>
      row.replace(/^\d+,(.*),2024-01-01T09:00:00\.000Z,(.*?),*$/, "$1|$2").replace(/,+/g, ","),
    );
  };
  const cells = [
    `"=HYPERLINK(""https://evil.example"")"|,-1.5`,
    "+1|,-1.5",
    "-1+1|,-1.5",
    "@SUM(1)|,-1.5",
    `"\t=1"|,-1.5`,
    `" =1"|,-1.5`,
    "＝1|,-1.5",
    "1=1|,-1.5",
    "'=1|,-1.5",
    "Hi|,-1.5",
    "Campaign 11|-Ada,=1 #000000",
  ];
  assert.deepEqual(await cellsOf(), cells, "without the option, import reads the same text back");
  assert.deepEqual(await cellsOf("--escape-formulas"), [
    `"'=HYPERLINK(""https://evil.example"")"|,-1.5`,
    "'+1|,-1.5",
    "'-1+1|,-1.5",
    "'@SUM(1)|,-1.5",
    "'\t=1|,-1.5",
    "' =1|,-1.5",
    "'＝1|,-1.5",
    ...cells.slice(7, 10),
    "Campaign 11|'-Ada,'=1 #000000",
  ]);
  const ndjson = await run(world.databaseUrl, "export --organization 1 --escape-formulas");
  assert.deepEqual(ndjson.output, [2, "", "error: --escape-formulas needs --format csv\n"]);
});

test("export of an organization without campaigns prints nothing, or only the CSV header", async (t) => {
  const { world } = await makeAcme(t);
  const ndjson = await run(world.databaseUrl, "export --organization 1");
  assert.deepEqual([ndjson.exitCode, ndjson.stdout], [0, ""]);
  const csv = await run(world.databaseUrl, "export --organization 1 --format csv");
  assert.match(csv.stdout, /^id,subject,[a-z_,]+\r\n$/);
});

test("export prints only records of the organization, including scheduled ones", async (t) => {
  const { world, organization: first } = await makeAcme(t);
  const { organization: second } = await world.addOrganization({ name: "Globex" });
  const later = present + dayMs;
  await world.save(first, [campaign({ id: 1 }), campaign({ id: 2, sentAt: later })]);
  await world.save(second, [campaign({ id: 3 })]);
  assert.deepEqual(pick(await exported(world, 1), "id"), [2, 1]);
  assert.deepEqual(pick(await exported(world, 2), "id"), [3]);
});

test("export prints thousands of records in order, even if many have the same send time", async (t) => {
  const { world } = await makeAcme(t);
  const times = ["2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z"];
  const many = Array.from({ length: 2_300 }, (_, index) => record(index + 1, { sent_at: times[index % 2] }));
  await importing(world, lines(...many));
  const odd = Array.from({ length: 1_150 }, (_, index) => 2_299 - 2 * index);
  const even = odd.map((id) => id + 1);
  assert.deepEqual(pick(await exported(world), "id"), [...odd, ...even]);
});

test("export prints the files of downloads, which import reads except Parquet", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [
    campaign({ id: 1, tags: ["a"] }),
    campaign({ id: 2, sentAt: present + dayMs }),
  ]);
  const formats = { "feed-ndjson": "ndjson", "feed-csv": "csv", parquet: "parquet", xlsx: "xlsx" } as const;
  for (const [option, format] of Object.entries(formats)) {
    const { stream: stdout, bytes } = collecting();
    await run(world.databaseUrl, `export --organization 1 --format ${option}`, { stdout });
    const [record, ...others] = await readFeedFile(format, bytes());
    assert.deepEqual([record?.id, record?.tag_names, record?.kind, others], [1, "a", "reported", []], option);
    const { stdout: text } = await run(world.databaseUrl, ["import", file(world, bytes(), option)]);
    const unchanged = format === "parquet" ? 0 : 1;
    assert.match(text, new RegExp(`0 added, 0 changed, ${unchanged} unchanged`), option);
  }
});
