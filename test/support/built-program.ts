// Builds the program as its package has it, before test processes start: a process that runs the source loads hundreds of
// files, which takes most of its time.

import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build.ts";
import { builtProgramVariable } from "./program.ts";

const root = join(import.meta.dirname, "../..");
/** Always the same, because Node keeps compiled code by path, and below the folder where the program finds its libraries. */
const folder = join(root, "node_modules/.cache/program");

/** Keeps the chunks of earlier builds, which have other names: the processes of another test run may still load them. */
export async function buildTestProgram(): Promise<void> {
  // The coverage of a build would not tell what runs of the source.
  if (process.env.NODE_V8_COVERAGE) return;
  const next = `${folder}-${process.pid}`;
  await buildProgram(next);
  cpSync(next, join(folder, "dist"), { recursive: true });
  rmSync(next, { recursive: true });
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  for (const each of ["package.json", "docs", "connectors"]) {
    if (!existsSync(join(folder, each))) symlinkSync(join(root, each), join(folder, each));
  }
  process.env[builtProgramVariable] = folder;
}
