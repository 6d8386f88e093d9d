// The version of the running program.

import { existsSync, readFileSync } from "node:fs";

/** Returns `0.1.0`, or `0.1.0 (1a2b3c4)` with the commit of a package: a checkout does not know its commit. */
export function programVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  const file = new URL("../../commit.txt", import.meta.url);
  const commit = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return commit === "" ? version : `${version} (${commit})`;
}
