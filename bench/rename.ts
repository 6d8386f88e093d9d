// How long it takes to rename a tag that hangs on very many campaigns, and whether the next page shows it.

import { join } from "node:path";
import { pino } from "pino";
import { readReportedCampaign } from "../src/campaign/reported-campaign.ts";
import { saveReportedCampaigns } from "../src/counting/campaigns/save-reported-campaigns.ts";
import { startWriterThread } from "../src/counting/writer/writer-thread.ts";
import { buildServer } from "../src/http/server.ts";
import { addApiKey } from "../src/storage/api-keys.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { addOrganization } from "../src/storage/organizations.ts";
import { changeTag, listTags } from "../src/storage/tags.ts";
import { inFolder } from "../verify/folder.ts";
import { madeUpRecord } from "./world.ts";

const recordsPerTransaction = 10_000;

export async function benchRename(records: number): Promise<void> {
  await inFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, "data.db")}`;
    const database = await openDatabase(databaseUrl);
    const now = Date.now();
    const organization = await database.transaction((queries) =>
      addOrganization(queries, { name: "Bench", timeZone: "UTC", now }),
    );
    const organizationId = organization.id;
    for (let id = 1; id <= records; ) {
      await database.transaction(async (queries) => {
        const end = Math.min(id + recordsPerTransaction, records + 1);
        const some = [];
        for (; id < end; id++) {
          const record = { ...madeUpRecord(id), tags: ["Everything"] };
          some.push(...[readReportedCampaign(record, "UTC").reported ?? []].flat());
        }
        await saveReportedCampaigns(queries, organization, some, now);
      });
    }
    const key = await database.transaction((queries) =>
      addApiKey(queries, { organizationId, name: "b", region: "bench", now }),
    );
    const log = pino({ level: "silent" });
    const memory = { pages: 0, timelines: 0 };
    const tracking = { secrets: [], url: () => "", readingsMax: 0 };
    const writing = startWriterThread({ databaseUrl, queueBytesMax: 1, quarantineMax: 0 });
    const app = buildServer({
      database,
      writing,
      region: "bench",
      publicUrl: () => "",
      memory,
      tracking,
      log,
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const page = async () => {
      const started = performance.now();
      const answer = await fetch(`${url}/data_api/v1/emails?per_page=100`, {
        headers: { authorization: `Bearer ${key.text}` },
      });
      const { emails } = (await answer.json()) as { emails: { tags: { name: string }[] }[] };
      return {
        ms: performance.now() - started,
        names: new Set(emails.flatMap(({ tags }) => tags.map(({ name }) => name))),
      };
    };
    await page();
    const before = await page();
    const [tag] = await database.snapshot((queries) => listTags(queries, organizationId));
    const started = performance.now();
    await database.transaction((queries) =>
      changeTag(queries, { organizationId, id: tag?.id ?? 0, change: { name: "Renamed" }, now: Date.now() }),
    );
    const renameMs = performance.now() - started;
    const after = await page();
    console.log(
      `${(after.ms / before.ms).toFixed(2).padStart(8)} x  the page right after the renaming, time to the page before`,
    );
    console.log(`${renameMs.toFixed(1).padStart(8)} ms the tag of ${records} campaigns renamed`);
    console.log(`${before.ms.toFixed(1).padStart(8)} ms a page of 100 before (${[...before.names]})`);
    console.log(`${after.ms.toFixed(1).padStart(8)} ms a page of 100 right after (${[...after.names]})`);
    await app.close();
    await database.close();
  });
}
