// Builds the program as its package has it, before test processes start: a process that runs the source loads hundreds of
// files, which takes most of its time.

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build.ts";
import { builtProgramVariable } from "./program.ts";

const root = join(import.meta.dirname, "../..");
/** Always the same, because Node keeps compiled code by path, and below the folder where the program finds its libraries. */
const folder = join(root, "node_modules/.cache/program");

/** Replaces the last build at once: another test run may use it. */
export async function buildTestProgram(): Promise<void> {
  // The coverage of a build would not tell what runs of the source.
  if (process.env.NODE_V8_COVERAGE) return;
  const next = `${folder}-${process.pid}`;
  mkdirSync(next, { recursive: true });
  await buildProgram(join(next, "dist"));
  cpSync(join(root, "bin"), join(next, "bin"), { recursive: true });
  for (const each of ["package.json", "docs", "connectors"]) symlinkSync(join(root, each), join(next, each));
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
  process.env[builtProgramVariable] = folder;
}
