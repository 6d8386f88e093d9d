// Measures the time and memory of an import against a bare loop over the same lines: parse, insert the same rows into
// the same tables, commit once, with the same settings of SQLite.

import { join } from "node:path";
import { openDatabase } from "../../src/storage/open-database.ts";
import { addOrganization } from "../../src/storage/organizations/organizations.ts";
import { generateRecords } from "../../test/support/generated-record.ts";
import { programPath } from "../../test/support/program.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { runTimed } from "../../test/support/timed-program.ts";
import { writeLines } from "../../test/support/write-lines.ts";
import { printRatio, printTiming } from "../support/print-timings.ts";

const bareLoop = join(import.meta.dirname, "bare-import.ts");

export async function benchImport(records: number): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "records.ndjson");
    await writeLines(file, generateRecords(records));
    const [path, barePath] = [join(folder, "data.db"), join(folder, "bare.db")];
    const DATABASE_URL = `sqlite:${path}`;
    const id = await addDatabase(DATABASE_URL);
    await addDatabase(`sqlite:${barePath}`);
    const argv = ["import", "--organization", String(id), file];
    const bare = await runTimed(bareLoop, [file, barePath], {});
    const first = await runTimed(programPath, argv, { DATABASE_URL });
    const again = await runTimed(programPath, argv, { DATABASE_URL });
    printRatio("import of new records: time vs. the bare loop", first.seconds / bare.seconds);
    printRatio("import of the same records again: time vs. the bare loop", again.seconds / bare.seconds);
    printTiming(`bare loop, ${records} records`, bare, records);
    printTiming(`import, ${records} new records`, first, records);
    printTiming(`import, the same ${records} records again`, again, records);
  });
}

/** Makes a database with one organization. @returns its id */
async function addDatabase(url: string): Promise<number> {
  const database = await openDatabase(url);
  const { id } = await database.transaction((queries) =>
    addOrganization(queries, { name: "Bench", timeZone: "Europe/Berlin", now: Date.now() }),
  );
  await database.close();
  return id;
}
