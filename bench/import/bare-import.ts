// Bare baseline of `import`: reads and parses lines, inserts the same columns and tags, commits once.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import Sqlite from "better-sqlite3";

const [file = "", path = ""] = process.argv.slice(2);
const sqlite = new Sqlite(path);
sqlite.pragma("journal_mode = WAL");
sqlite.pragma("synchronous = FULL");
sqlite.exec(`
  create table campaigns (organization_id, id, subject, sent_at, sent_from, team, sending_type, tracking_type,
    recipient_count, recipients, surveys_count, reported_metrics, record, render_version, primary key (organization_id, id));
  create index campaigns_sent_at on campaigns (organization_id, sent_at, id);
  create index campaigns_render_version on campaigns (organization_id, render_version);
  create table campaign_tags (organization_id, campaign_id, tag_id, primary key (organization_id, campaign_id, tag_id));
  create index campaign_tags_tag_id on campaign_tags (organization_id, tag_id, campaign_id);`);
const insert = sqlite.prepare(`insert into campaigns values (1, ${Array(12).fill("?").join(", ")}, 1)`);
const link = sqlite.prepare("insert into campaign_tags values (1, ?, 1)");
sqlite.exec("begin immediate");
for await (const line of createInterface({ input: createReadStream(file) })) {
  const record = JSON.parse(line);
  const { id, subject, sent_at, sent_from, organization_team, sending_type, tracking_type, tags } = record;
  const { recipient_count, recipients, surveys_count, ...metrics } = record;
  insert.run(
    id,
    subject,
    Date.parse(sent_at),
    sent_from,
    organization_team,
    sending_type,
    tracking_type,
    recipient_count,
    recipients,
    surveys_count,
    JSON.stringify(metrics),
    JSON.stringify(record),
  );
  for (const _ of tags) link.run(id);
}
sqlite.exec("commit");
sqlite.close();
