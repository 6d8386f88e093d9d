// Installs a peer with npm in a cache folder the first time. It is no dependency of the project.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "peers");

/** @returns the folder that has the package in its `node_modules` */
export function installPeer(name: string, version: string): string {
  const folder = join(cache, `${name}-${version}`);
  const isInstalled = join(folder, "installed");
  if (existsSync(isInstalled)) return folder;
  console.log(`installing ${name} ${version} in ${folder} (once)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const options = ["--no-audit", "--no-fund", "--legacy-peer-deps", "--save-exact"];
  const { status, stderr } = spawnSync("npm", ["install", ...options, `${name}@${version}`], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm could not install ${name} ${version}: ${stderr}`);
  writeFileSync(isInstalled, "");
  return folder;
}
