// Runs the property tests with more random cases than npm test does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { casesVariable } from "../test/support/random-cases.ts";
import type { DatabaseKind } from "./support/new-database.ts";

const root = join(import.meta.dirname, "..");

/** @throws Error if a test fails */
export async function verifyProperties(factor: number, database: DatabaseKind): Promise<void> {
  const usesRandomCases = (file: string) =>
    readFileSync(join(root, file), "utf8").includes("random-cases.ts");
  const pattern =
    database === "postgres" ? "test/**/!(*.sqlite|*.unit).test.ts" : "test/**/!(*.postgres).test.ts";
  const files = globSync(pattern, { cwd: root }).filter(usesRandomCases);
  const postgres = ["--import", "./test/support/one-shard.ts"];
  const flags = ["--test", "--test-timeout=7200000", "--test-global-setup=test/support/setup.ts"];
  const child = spawn(process.execPath, [...(database === "postgres" ? postgres : []), ...flags, ...files], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TEST_DATABASE: database === "postgres" ? "postgres" : "",
      [casesVariable]: String(factor),
    },
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`property tests failed with exit code ${code}`);
}
