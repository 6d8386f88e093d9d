// Bare baseline of `import`: reads and parses lines, inserts the same rows into the same tables, commits once. It does not
// validate and renders nothing.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { connectWriter } from "../../src/storage/sqlite/connect.ts";

const [file = "", path = ""] = process.argv.slice(2);
const { sqlite, turns } = connectWriter(path);
const insertCampaign = sqlite.prepare(
  `insert into campaigns (organization_id, id, subject, sent_at, sent_from, team, sending_type, tracking_type, recipient_count,
     recipients, surveys_count, reported_metrics, timeline_revision) values (1, ${Array(11).fill("?").join(", ")}, 1)`,
);
const insertRecord = sqlite.prepare(
  `insert into records (organization_id, sent_at, campaign_id, render_version, record)
     values (1, ?, ?, 1, ?)`,
);
const insertRevision = sqlite.prepare(
  `insert into campaign_revisions (organization_id, campaign_id, revision, revision_id, sent_at)
     values (1, ?, 1, 1, ?)`,
);
const insertTag = sqlite.prepare("insert into campaign_tags values (1, ?, 1)");
sqlite.exec("begin immediate; insert into tags values (1, 1, 'Everything', '#4E79A7')");
for await (const line of createInterface({ input: createReadStream(file) })) {
  const record = JSON.parse(line);
  const { id, subject, sent_at, sent_from, organization_team, sending_type, tracking_type, tags } = record;
  const { recipient_count, recipients, surveys_count, ...metrics } = record;
  const sentAt = Date.parse(sent_at);
  const campaign = [id, subject, sentAt, sent_from, organization_team, sending_type, tracking_type];
  insertCampaign.run(...campaign, recipient_count, recipients, surveys_count, JSON.stringify(metrics));
  insertRecord.run(sentAt, id, JSON.stringify(record));
  insertRevision.run(id, sentAt);
  for (const _ of tags) insertTag.run(id);
}
sqlite.exec("commit");
sqlite.close();
turns.close();
