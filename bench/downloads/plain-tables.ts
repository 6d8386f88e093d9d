// The campaigns in the tables that the hand-written program reads: one column for each field, and the tags in tables of
// their own.

import Sqlite from "better-sqlite3";
import { recordAt } from "../read/world.ts";

const tables = `
  create table tags (id integer primary key, name text not null, color text not null);
  create table campaigns (
    id integer primary key, subject text not null, sent_at text not null, sent_from text, organization_team text,
    sending_type text, tracking_type text, open_rate real, click_rate real, unique_opens integer,
    multiple_opens integer, unopened integer, total_opens integer, unique_clicks integer, multiple_clicks integer,
    total_clicks integer, click_per_unique_open_rate real, desktop_open_rate real, mobile_open_rate real,
    recipient_count integer, recipients text, read_time_glanced real, read_time_skimmed real, read_time_read real,
    surveys_count integer, enps_score_average real, enps_reactions_count integer, enps_comments_count integer,
    survey_reactions_count integer, survey_reactions_comments_count integer
  );
  create index campaigns_sent_at on campaigns (sent_at, id);
  create table campaign_tags (
    id integer primary key,
    campaign_id integer not null references campaigns (id), tag_id integer not null references tags (id)
  );
  create index campaign_tags_campaign_id on campaign_tags (campaign_id);
  create index campaign_tags_tag_id on campaign_tags (tag_id);`;

/** @param path of a new file */
export function fillPlainTables(path: string, campaigns: number): void {
  const sqlite = new Sqlite(path);
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec(tables);
  sqlite.exec("begin");
  const insert = (table: string, row: unknown[]) =>
    sqlite.prepare(`insert into ${table} values (${row.map(() => "?").join(", ")})`).run(...row);
  const tagIds = new Map<string, number>();
  for (let position = 0; position < campaigns; position++) {
    const { tags, ...record } = recordAt(position, campaigns);
    insert("campaigns", Object.values(record));
    for (const { name, color } of tags) {
      const tagId = tagIds.get(name) ?? tagIds.size + 1;
      if (!tagIds.has(name)) insert("tags", [tagId, name, color]);
      tagIds.set(name, tagId);
      insert("campaign_tags", [null, record.id, tagId]);
    }
  }
  sqlite.exec("commit");
  sqlite.close();
}
