// The statements of the hand-written baseline, on both databases.

import Sqlite from "better-sqlite3";
import pg from "pg";

/** The PostgreSQL driver returns bigint as text. */
type Integer = number | string;

export interface CampaignRow {
  id: Integer;
  subject: string;
  sent_at: Integer;
  sent_from: string | null;
  team: string | null;
  sending_type: string | null;
  tracking_type: string | null;
  recipient_count: Integer | null;
  recipients: string | null;
  surveys_count: Integer | null;
  reported_metrics: string;
}

export interface Tag {
  name: string;
  color: string;
}

interface Store {
  /** The organization of a key. */
  findOrganization(id: number, keyHash: string): Promise<{ id: number; time_zone: string } | undefined>;
  findCampaigns(organizationId: number, limit: number, offset: number): Promise<CampaignRow[]>;
  /** The tags of each campaign, by name. */
  findTags(organizationId: number, campaignIds: number[]): Promise<Tag[][]>;
  countCampaigns(organizationId: number): Promise<number>;
}

const columns = `id, subject, sent_at, sent_from, team, sending_type, tracking_type, recipient_count, recipients,
  surveys_count, reported_metrics`;

export function openStore(databaseUrl: string): Store {
  return databaseUrl.startsWith("sqlite:") ? openFile(databaseUrl.slice(7)) : openPool(databaseUrl);
}

function openFile(path: string): Store {
  const sqlite = new Sqlite(path, { readonly: true });
  const organization = sqlite.prepare<[number, string], { id: number; time_zone: string }>(
    `select organizations.id, organizations.time_zone from api_keys
     join organizations on organizations.id = api_keys.organization_id
     where api_keys.organization_id = ? and api_keys.hash = ?`,
  );
  const campaigns = sqlite.prepare<[number, number, number], CampaignRow>(
    `select ${columns} from campaigns where organization_id = ? order by sent_at desc, id desc limit ? offset ?`,
  );
  const tags = sqlite.prepare<[number, number], Tag>(
    `select tags.name, tags.color from campaign_tags
     join tags on tags.organization_id = campaign_tags.organization_id and tags.id = campaign_tags.tag_id
     where campaign_tags.organization_id = ? and campaign_tags.campaign_id = ? order by tags.name`,
  );
  const count = sqlite.prepare<[number], { total: number }>(
    "select count(*) as total from campaigns where organization_id = ?",
  );
  return {
    findOrganization: async (id, keyHash) => organization.get(id, keyHash),
    findCampaigns: async (id, limit, offset) => campaigns.all(id, limit, offset),
    findTags: async (id, campaignIds) => campaignIds.map((campaignId) => tags.all(id, campaignId)),
    countCampaigns: async (id) => count.get(id)?.total ?? 0,
  };
}

/** One statement finds the tags of a page: a hundred round trips would be an unfair comparison. */
function openPool(databaseUrl: string): Store {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  return {
    async findOrganization(id, keyHash) {
      const { rows } = await pool.query(
        `select organizations.id, organizations.time_zone from api_keys
         join organizations on organizations.id = api_keys.organization_id
         where api_keys.organization_id = $1 and api_keys.hash = $2`,
        [id, keyHash],
      );
      return rows[0];
    },
    async findCampaigns(id, limit, offset) {
      const { rows } = await pool.query<CampaignRow>(
        `select ${columns} from campaigns where organization_id = $1
         order by sent_at desc, id desc limit $2 offset $3`,
        [id, limit, offset],
      );
      return rows;
    },
    async findTags(id, campaignIds) {
      const { rows } = await pool.query<Tag & { campaign_id: Integer }>(
        `select campaign_tags.campaign_id, tags.name, tags.color from campaign_tags
         join tags on tags.organization_id = campaign_tags.organization_id and tags.id = campaign_tags.tag_id
         where campaign_tags.organization_id = $1 and campaign_tags.campaign_id = any($2) order by tags.name`,
        [id, campaignIds],
      );
      const byCampaign = Map.groupBy(rows, ({ campaign_id }) => Number(campaign_id));
      return campaignIds.map((each) =>
        (byCampaign.get(each) ?? []).map(({ name, color }) => ({ name, color })),
      );
    },
    async countCampaigns(id) {
      const { rows } = await pool.query(
        "select count(*) as total from campaigns where organization_id = $1",
        [id],
      );
      return Number(rows[0].total);
    },
  };
}
