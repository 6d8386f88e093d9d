// The program that tests start: the source, or in a test run what its setup has built of it.

import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import threads, { isMainThread, type WorkerOptions } from "node:worker_threads";
import { ReusedThread } from "./reused-thread.ts";

/** Names the folder of the build for all processes of a test run. */
export const builtProgramVariable = "TEST_PROGRAM";

const source = join(import.meta.dirname, "../..");
const built = process.env[builtProgramVariable];

export const sourceProgramPath = join(source, "bin/email-analytics.js");
export const programPath = built ? join(built, "bin/email-analytics.js") : sourceProgramPath;

/** The threads that end when they are told to stop. The next one of the process takes over what such a thread has loaded. */
const reusable = ["src/counting/writer/writer.ts", "src/counting/upkeep/upkeep.ts"].map((file) =>
  join(source, file),
);

// Loading the modules of a thread takes most of the time of a test that writes. So its threads are those of earlier tests,
// or start from the build, except on PostgreSQL: support/one-organization.ts looks for the source in the stack of statements. Reader
// threads have none.
if (built && isMainThread) {
  const { Worker } = threads;
  threads.Worker = new Proxy(Worker, {
    construct(_target, [file, options]: [string | URL, WorkerOptions?]) {
      const path = file instanceof URL ? fileURLToPath(file) : "";
      if (reusable.includes(path)) return new ReusedThread(Worker, path, options?.workerData);
      const hasStatements = process.env.TEST_DATABASE_URL && !path.endsWith("reader-thread.ts");
      const isBuilt = path.startsWith(join(source, "src/")) && !hasStatements;
      return new Worker(
        isBuilt ? join(built, "dist", basename(path).replace(/\.ts$/, ".js")) : file,
        options,
      );
    },
  });
  syncBuiltinESMExports();
}
