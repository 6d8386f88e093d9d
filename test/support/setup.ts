// Global setup of a test run (`node --test --test-global-setup`): what all test files share. The test processes inherit
// the environment variables that are set here.
//
// TEST_DATABASE=postgres starts a PostgreSQL server, unless TEST_DATABASE_URL names one, and makes a template database.
// TEST_DATABASE=citus starts a Citus cluster, and makes a template database whose tables are distributed.
// Otherwise tests use SQLite with copies of a template file, and Chromium is unpacked, which several processes cannot do
// at once.

import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { unpackBrowser } from "./browser.ts";
import { buildTestProgram } from "./built-program.ts";
import { startCitusCluster } from "./citus-cluster.ts";
import { makeTemplate } from "./postgres-databases.ts";
import { startPostgres } from "./postgres-server.ts";
import { isFullSize } from "./random-cases.ts";
import { makeSqliteTemplate } from "./sqlite-template.ts";

const teardown: (() => Promise<void>)[] = [];

const memoryFolder = "/dev/shm";
const minMemoryBytes = 4 * 1024 ** 3;

/** Puts the folders of tests into memory if the system has a file system there: otherwise fsync takes most of the time. */
function useMemoryFolder(): void {
  if (isFullSize) return;
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize < minMemoryBytes) return;
    const folder = mkdtempSync(join(memoryFolder, "email-analytics-"));
    // PostgreSQL may run as another user, who needs access to this folder.
    chmodSync(folder, 0o711);
    process.env.TMPDIR = folder;
    teardown.push(async () => rmSync(folder, { recursive: true, force: true }));
  } catch {
    // Without such a folder, use the temporary folder of the system.
  }
}

export async function globalSetup(): Promise<void> {
  await buildTestProgram();
  if (process.env.TEST_DATABASE === "citus") {
    useMemoryFolder();
    const { coordinator, workers, remove } = await startCitusCluster();
    teardown.unshift(remove);
    process.env.TEST_DATABASE_URL = coordinator.url();
    teardown.unshift(
      await makeTemplate(
        coordinator.url(),
        workers.map((worker) => worker.url()),
      ),
    );
    return;
  }
  if (process.env.TEST_DATABASE !== "postgres") {
    process.env.TEST_DATABASE_URL = "";
    await unpackBrowser();
    useMemoryFolder();
    teardown.unshift(await makeSqliteTemplate());
    return;
  }
  useMemoryFolder();
  if (!process.env.TEST_DATABASE_URL) {
    const server = await startPostgres();
    teardown.unshift(server.remove);
    process.env.TEST_DATABASE_URL = server.url();
  }
  teardown.unshift(await makeTemplate(process.env.TEST_DATABASE_URL));
}

/** Runs also when the test run is interrupted. */
export async function globalTeardown(): Promise<void> {
  for (const step of teardown) await step();
}
