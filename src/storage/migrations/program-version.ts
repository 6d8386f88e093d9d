// The version of the running program.

import { existsSync, readFileSync } from "node:fs";

/** Returns for example `0.1.0`, and the commit that the package was built from; a checkout does not know its commit. */
export function programVersion(): { version: string; commit: string } {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  const file = new URL("../../commit.txt", import.meta.url);
  return { version, commit: existsSync(file) ? readFileSync(file, "utf8").trim() : "" };
}
