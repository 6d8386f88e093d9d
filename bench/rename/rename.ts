// Measures how long it takes to rename a tag of many campaigns, and whether the next page shows the new name.

import { join } from "node:path";
import { pino } from "pino";
import { parseReportedCampaign, type ReportedCampaign } from "../../src/campaign/reported-campaign.ts";
import { saveReportedCampaigns } from "../../src/counting/campaigns/save-reported-campaigns.ts";
import { startWriterThread } from "../../src/counting/writer/writer-thread.ts";
import { buildServer } from "../../src/http/server.ts";
import { addApiKey } from "../../src/storage/api-keys.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addOrganization, type Organization } from "../../src/storage/organizations.ts";
import { changeTag, listTags } from "../../src/storage/tags.ts";
import { generateRecord } from "../../verify/support/generated-record.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { printRatio } from "../support/print-timings.ts";

const recordsPerTransaction = 10_000;

export async function benchRename(records: number): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, "data.db")}`;
    const database = await openDatabase(databaseUrl);
    const organization = await saveRecords(database, records);
    const { id: organizationId } = organization;
    const key = await database.transaction((queries) =>
      addApiKey(queries, { organizationId, name: "b", region: "bench", now: Date.now() }),
    );
    const app = await serverOf(database, databaseUrl);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    await readPage(url, key.text);
    const before = await readPage(url, key.text);
    const [tag] = await database.snapshot((queries) => listTags(queries, organizationId));
    const startedAt = performance.now();
    await database.transaction((queries) =>
      changeTag(queries, { organizationId, id: tag?.id ?? 0, change: { name: "Renamed" }, now: Date.now() }),
    );
    const renameMs = performance.now() - startedAt;
    const after = await readPage(url, key.text);
    printRatio("page right after the rename: time vs. the page before", after.ms / before.ms);
    console.log(`${renameMs.toFixed(1).padStart(8)} ms rename of the tag of ${records} campaigns`);
    console.log(`${before.ms.toFixed(1).padStart(8)} ms page of 100 before (${[...before.names]})`);
    console.log(`${after.ms.toFixed(1).padStart(8)} ms page of 100 right after (${[...after.names]})`);
    await app.close();
    await database.close();
  });
}

/** Saves campaigns that all have the same tag. */
async function saveRecords(database: Database, records: number): Promise<Organization> {
  const now = Date.now();
  const organization = await database.transaction((queries) =>
    addOrganization(queries, { name: "Bench", timeZone: "UTC", now }),
  );
  for (let id = 1; id <= records; ) {
    const end = Math.min(id + recordsPerTransaction, records + 1);
    const batch: ReportedCampaign[] = [];
    for (; id < end; id++) {
      const { reported } = parseReportedCampaign({ ...generateRecord(id), tags: ["Everything"] }, "UTC");
      if (reported) batch.push(reported);
    }
    await database.transaction((queries) => saveReportedCampaigns(queries, organization, batch, now));
  }
  return organization;
}

function serverOf(database: Database, databaseUrl: string) {
  const log = pino({ level: "silent" });
  const memory = { pages: 0, timelines: 0 };
  const tracking = { secrets: [], url: () => "", maxOpenReads: 0 };
  const writer = startWriterThread({ databaseUrl, maxQueueBytes: 1, maxQuarantined: 0 });
  return buildServer({
    database,
    writer,
    region: "bench",
    publicUrl: () => "",
    memory,
    downloads: { databaseUrl, maxDownloads: 1, maxSeconds: 600 },
    tracking,
    log,
  });
}

/** A page of 100, its response time, and the names of its tags. */
async function readPage(url: string, key: string) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/data_api/v1/emails?per_page=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { emails } = (await response.json()) as { emails: { tags: { name: string }[] }[] };
  return {
    ms: performance.now() - startedAt,
    names: new Set(emails.flatMap(({ tags }) => tags.map(({ name }) => name))),
  };
}
