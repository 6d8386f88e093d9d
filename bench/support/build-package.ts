// Builds the program as users install it. A checkout runs TypeScript, which uses more memory and starts slower.

import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../../scripts/build.ts";

const checkout = join(import.meta.dirname, "..", "..");

/** @returns the path of the program */
export async function buildPackage(folder: string): Promise<string> {
  await buildProgram(join(folder, "dist"));
  for (const each of ["bin", "package.json"]) {
    cpSync(join(checkout, each), join(folder, each), { recursive: true });
  }
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  return join(folder, "bin", "email-analytics.js");
}
