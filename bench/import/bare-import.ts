// Bare baseline of `import`: reads and parses lines, inserts the same rows into the same tables, commits once. It does not
// validate and renders nothing.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { connectWriter } from "../../src/storage/sqlite/connect.ts";

const [file = "", path = ""] = process.argv.slice(2);
const { sqlite, turns } = connectWriter(path);
const insertCampaign = sqlite.prepare(
  `insert into campaigns (organization_id, id, subject, sent_at, sent_from, team, sending_type, tracking_type, recipient_count,
     recipients, surveys_count, reported_metrics, is_scheduled) values (1, ${Array(11).fill("?").join(", ")}, 0)`,
);
const columnsOf = (table: string) =>
  sqlite.prepare("select name from pragma_table_info(?)").pluck().all(table) as string[];
const insertInto = (table: string) => {
  const names = columnsOf(table);
  const insert = sqlite.prepare(`insert into ${table} values (${names.map(() => "?").join(", ")})`);
  return (row: Record<string, unknown>) => insert.run(...names.map((name) => row[name] ?? 1));
};
const insertEmail = insertInto("emails");
const insertSums = insertInto("sums");
const insertChange = insertInto("changes");
const insertTag = sqlite.prepare("insert into campaign_tags values (1, ?, 1)");
sqlite.exec("begin immediate; insert into tags values (1, 1, 'Everything', '#4E79A7')");
for await (const line of createInterface({ input: createReadStream(file) })) {
  const record = JSON.parse(line);
  const { id, subject, sent_at, sent_from, organization_team, sending_type, tracking_type, tags } = record;
  const { recipient_count, recipients, surveys_count, ...metrics } = record;
  const sentAt = Date.parse(sent_at);
  const campaign = [id, subject, sentAt, sent_from, organization_team, sending_type, tracking_type];
  insertCampaign.run(...campaign, recipient_count, recipients, surveys_count, JSON.stringify(metrics));
  insertEmail({ ...record, sent_at: sentAt, tags: JSON.stringify(tags), record: line });
  for (const traffic of ["people", "all"]) insertSums({ traffic, sent_at: sentAt, campaign_id: id });
  insertChange({ campaign_id: id, sent_at: sentAt });
  for (const _ of tags) insertTag.run(id);
}
sqlite.exec("commit");
sqlite.close();
turns.close();
