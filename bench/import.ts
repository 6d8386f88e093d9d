// How long an import takes and how much memory it holds, against a bare loop over the same lines: parse, insert the
// same columns and tags, commit once, with the same settings of SQLite.

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { openDatabase } from "../src/storage/open-database.ts";
import { addOrganization } from "../src/storage/organizations.ts";
import { inFolder } from "../verify/folder.ts";
import { madeUpRecord, type Timed, timed } from "./world.ts";

const main = join(import.meta.dirname, "..", "bin", "email-analytics.js");
const bareLoop = join(import.meta.dirname, "bare-import.ts");

export async function benchImport(records: number): Promise<void> {
  await inFolder(async (folder) => {
    const file = join(folder, "records.ndjson");
    await writeRecords(file, records);
    const DATABASE_URL = `sqlite:${join(folder, "data.db")}`;
    const database = await openDatabase(DATABASE_URL);
    const organization = await database.transaction((queries) =>
      addOrganization(queries, { name: "Bench", timeZone: "Europe/Berlin", now: Date.now() }),
    );
    await database.close();
    const argv = ["import", "--organization", String(organization.id), file];
    const bare = await timed(bareLoop, [file, join(folder, "bare.db")], {});
    const first = await timed(main, argv, { DATABASE_URL });
    const again = await timed(main, argv, { DATABASE_URL });
    print("import of new records, time to the bare loop", first.seconds / bare.seconds);
    print("import of the same records again, time to the bare loop", again.seconds / bare.seconds);
    printFigures(`bare loop over ${records} records`, bare, records);
    printFigures(`import of ${records} new records`, first, records);
    printFigures(`import of the same ${records} records again`, again, records);
  });
}

async function writeRecords(file: string, records: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let id = 1; id <= records; id++) {
    if (!stream.write(`${JSON.stringify(madeUpRecord(id))}\n`))
      await new Promise((resolve) => stream.once("drain", resolve));
  }
  stream.end();
  await finished(stream);
}

function print(name: string, ratio: number): void {
  console.log(`${ratio.toFixed(2).padStart(8)} x  ${name}`);
}

function printFigures(name: string, { seconds, peakMegabytes }: Timed, records: number): void {
  const rate = Math.round(records / seconds);
  console.log(
    `${seconds.toFixed(2).padStart(8)} s  ${name}: ${rate} a second, ${peakMegabytes.toFixed(0)} MB at the peak`,
  );
}
