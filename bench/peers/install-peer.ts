// Installs a peer with npm in a cache folder the first time. It is no dependency of the project.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "peers");

/**
 * @param overrides versions of its dependencies that have a binary for this Node, so that nothing is compiled
 * @returns the folder that has the package in its `node_modules`
 */
export function installPeer(name: string, version: string, overrides: Record<string, string>): string {
  const folder = join(cache, `${name.replace("@", "").replaceAll("/", "-")}-${version}`);
  const isInstalled = join(folder, "installed");
  if (existsSync(isInstalled)) return folder;
  console.log(`installing ${name} ${version} in ${folder} (once)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, overrides }));
  const options = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--save-exact"];
  const { status, stderr } = spawnSync("npm", ["install", ...options, `${name}@${version}`], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm could not install ${name} ${version}: ${stderr}`);
  writeFileSync(isInstalled, "");
  return folder;
}
