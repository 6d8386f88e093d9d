// The program that tests start: the source, or in a test run what its setup has built of it.

import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import threads, { isMainThread } from "node:worker_threads";

/** Names the folder of the build for all processes of a test run. */
export const builtProgramVariable = "TEST_PROGRAM";

const source = join(import.meta.dirname, "../..");
const built = process.env[builtProgramVariable];

export const sourceProgramPath = join(source, "bin/email-analytics.js");
export const programPath = built ? join(built, "bin/email-analytics.js") : sourceProgramPath;

// Threads of this process start from the build as well, which halves the time of a test that writes. On PostgreSQL they
// run the source, in whose stack support/one-shard.ts looks.
if (built && isMainThread && !process.env.TEST_DATABASE_URL) {
  threads.Worker = class extends threads.Worker {
    constructor(file: string | URL, options?: ConstructorParameters<typeof threads.Worker>[1]) {
      super(builtThread(file) ?? file, options);
    }
  };
  syncBuiltinESMExports();
}

/** @returns the bundle of a file that starts as a thread (`entries` of scripts/build.ts); undefined for other files */
function builtThread(file: string | URL): string | undefined {
  if (!(file instanceof URL) || !fileURLToPath(file).startsWith(join(source, "src/"))) return undefined;
  return join(built ?? "", "dist", basename(file.pathname).replace(/\.ts$/, ".js"));
}
