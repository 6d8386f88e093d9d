// The campaigns in the tables that the peers serve: one column for each field, the tags in tables of their own, and the
// indexes that pages need.

import Sqlite from "better-sqlite3";
import pg from "pg";
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

interface Rows {
  tags: unknown[][];
  campaigns: unknown[][];
  campaign_tags: unknown[][];
}

const batchSize = 1_000;

/** @param databaseUrl of an empty database */
export async function fillPlainTables(databaseUrl: string, campaigns: number): Promise<void> {
  const rows = rowsOf(campaigns);
  if (databaseUrl.startsWith("sqlite:")) fillFile(databaseUrl.slice("sqlite:".length), rows);
  else await fillPostgres(databaseUrl, rows);
}

function rowsOf(campaigns: number): Rows {
  const rows: Rows = { tags: [], campaigns: [], campaign_tags: [] };
  const tagIds = new Map<string, number>();
  for (let position = 0; position < campaigns; position++) {
    const { tags, ...record } = recordAt(position, campaigns);
    rows.campaigns.push(Object.values(record));
    for (const { name, color } of tags) {
      const tagId = tagIds.get(name) ?? tagIds.size + 1;
      if (!tagIds.has(name)) rows.tags.push([tagId, name, color]);
      tagIds.set(name, tagId);
      rows.campaign_tags.push([rows.campaign_tags.length + 1, record.id, tagId]);
    }
  }
  return rows;
}

function fillFile(path: string, rows: Rows): void {
  const sqlite = new Sqlite(path);
  sqlite.pragma("journal_mode = WAL");
  sqlite.exec(tables);
  sqlite.exec("begin");
  for (const [name, some] of Object.entries<unknown[][]>({ ...rows })) {
    if (some.length === 0) continue;
    const insert = sqlite.prepare(`insert into ${name} values (${some[0]?.map(() => "?").join(", ")})`);
    for (const row of some) insert.run(...row);
  }
  sqlite.exec("commit");
  sqlite.close();
}

async function fillPostgres(databaseUrl: string, rows: Rows): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(tables);
  for (const [name, some] of Object.entries<unknown[][]>({ ...rows })) {
    for (let start = 0; start < some.length; start += batchSize) {
      const batch = some.slice(start, start + batchSize);
      let parameter = 0;
      const values = batch.map((row) => `(${row.map(() => `$${++parameter}`).join(", ")})`).join(", ");
      await client.query(`insert into ${name} values ${values}`, batch.flat());
    }
  }
  await client.query("vacuum analyze");
  await client.end();
}
