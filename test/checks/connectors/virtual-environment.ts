// Python environments with the pinned packages of requirements.txt, below node_modules/.cache.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = join(import.meta.dirname, "../../../node_modules/.cache");
const [, ...sections] = readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8").split(
  "# environment: ",
);
const requirements = new Map(
  sections.map((section): [string, string] => {
    const [name = "", ...lines] = section.trim().split("\n");
    return [name, `${lines.join("\n")}\n`];
  }),
);

/** Installs the packages that are missing. @returns the folder of its programs */
export async function virtualEnvironment(name: "main" | "airbyte" | "dbt" | "superset"): Promise<string> {
  const folder = join(cache, `connectors-${name}`);
  const bin = join(folder, "bin");
  const wanted = requirements.get(name) ?? "";
  const installed = join(folder, "installed.txt");
  try {
    if (readFileSync(installed, "utf8") === wanted) return bin;
  } catch {
    // It does not exist yet.
  }
  mkdirSync(cache, { recursive: true });
  await run("python3", ["-m", "venv", folder]);
  const list = join(folder, "requirements.txt");
  writeFileSync(list, wanted);
  await run(join(bin, "pip"), ["install", "--quiet", "--requirement", list], {
    maxBuffer: 64 * 1024 * 1024,
  });
  writeFileSync(installed, wanted);
  return bin;
}
