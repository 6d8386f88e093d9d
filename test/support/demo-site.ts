// The web application with the demo's organization, and the records of its campaigns by the API.

import assert from "node:assert/strict";
import { after } from "node:test";
import type { FeedRecord } from "../../src/campaign/feed/feed-fields.ts";
import { makeDemoData } from "../../src/cli/demo/demo-server.ts";
import { findOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import { downloadRecords } from "./downloads.ts";
import { openSite, type Site } from "./site.ts";
import { type Cleanup, region } from "./world.ts";

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
