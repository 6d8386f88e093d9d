// Builds the program as users install it. A checkout runs TypeScript, which uses more memory and starts slower.

import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const checkout = join(import.meta.dirname, "..", "..");

/** @returns the path of the program */
export function buildPackage(folder: string): string {
  const compiler = join(checkout, "node_modules", ".bin", "tsc");
  const project = join(checkout, "tsconfig.package.json");
  execFileSync(compiler, ["--project", project, "--outDir", join(folder, "dist")], { stdio: "inherit" });
  for (const each of ["bin", "package.json"]) {
    cpSync(join(checkout, each), join(folder, each), { recursive: true });
  }
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  return join(folder, "bin", "email-analytics.js");
}
