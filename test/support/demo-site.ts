// The web application with the demo's organization, and the records of its campaigns by the API.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after } from "node:test";
import Sqlite from "better-sqlite3";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import { makeDemoData } from "../../src/cli/demo/demo-server.ts";
import { sqlitePath } from "../../src/storage/open-database.ts";
import { findOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import { downloadRecords } from "./downloads.ts";
import { openSite, type Site } from "./site.ts";
import { type Cleanup, makeFolder, makeWorldOn, region, type World } from "./world.ts";

export interface DemoSite {
  site: Site;
  organization: Organization;
  /** Of all campaigns, newest first. */
  records: readonly FeedRecord[];
}

async function openDemoSite(test: Cleanup): Promise<DemoSite> {
  const site = await openSite(test);
  const { database, clock } = site.world;
  const demo = await makeDemoData(database, { region, now: clock.now });
  const organization = await database.snapshotOf(demo.organizationId, findOrganization);
  assert.ok(organization);
  const records = await downloadRecords({ url: site.url, key: demo.key }, "ndjson");
  records.sort((a, b) => b.sent_at.localeCompare(a.sent_at) || b.id - a.id);
  return { site, organization, records };
}

const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});

let shared: Promise<DemoSite> | undefined;

/** The test files of a process share it, so no test changes its campaigns. */
export function sharedDemoSite(): Promise<DemoSite> {
  shared ??= openDemoSite({ after: (step) => steps.unshift(step) });
  return shared;
}

/** A copy of its database, for tests that change it: making the demo's data takes six seconds. */
export async function copyDemoWorld(test: Cleanup): Promise<{ world: World; organizationId: number }> {
  const { site, organization } = await sharedDemoSite();
  const file = join(makeFolder(test), "test.db");
  const sqlite = new Sqlite(sqlitePath(site.world.databaseUrl) ?? "");
  sqlite.prepare("vacuum into ?").run(file);
  sqlite.close();
  return { world: await makeWorldOn(test, `sqlite:${file}`), organizationId: organization.id };
}
