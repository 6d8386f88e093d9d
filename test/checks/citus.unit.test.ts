// The check `npm run verify -- citus` where Citus is not installed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";

test("verify citus says in one line that CITUS_PROGRAMS is not set", () => {
  const program = join(import.meta.dirname, "../../verify/run.ts");
  const env = { ...process.env, CITUS_PROGRAMS: "" };
  const { status, stderr } = spawnSync(process.execPath, [program, "citus"], { env, encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^error: CITUS_PROGRAMS is not set; install PostgreSQL and Citus \(.*\), and set it to .*\n$/,
  );
});
