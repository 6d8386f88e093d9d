// Disks that can be filled: a real one of limited size, which only root can mount, or a limit on the size of files.

import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface FullDisk {
  /** Leaves this many bytes for the database of a running process. */
  fill(pid: number, bytesLeft: number): void;
  free(pid: number): void;
  /** What runs Node on the full disk. @param fileBytes where there is only a limit on files, the largest that can be written */
  command(fileBytes?: number): string[];
}

/** After the check, doctor finds no problem: it wants 256 MB free. */
const mountedMegabytes = 512;
const blockBytes = 4_096;

/** Mounts a file system in memory on the folder during the work. */
export async function withMountedDisk(
  folder: string,
  work: (disk: FullDisk) => Promise<void>,
): Promise<void> {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mountedMegabytes}m`, "tmpfs", folder]);
  const filler = join(folder, "filler");
  try {
    await work({
      fill(_pid, bytesLeft) {
        fillDisk(filler);
        truncateSync(filler, Math.max(0, statSync(filler).size - bytesLeft));
      },
      free: () => rmSync(filler),
      command: () => [process.execPath],
    });
  } finally {
    // Lazily: a command that failed may not have ended yet.
    execFileSync("umount", ["--lazy", folder]);
  }
}

/** Limits the size of files (RLIMIT_FSIZE), which makes writes fail like on a full disk, without root. */
export function limitFiles(databasePath: string): FullDisk {
  const limit = (pid: number, bytes: number | "unlimited") =>
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
  return {
    fill: (pid, bytesLeft) => limit(pid, statSync(`${databasePath}-wal`).size + bytesLeft),
    free: (pid) => limit(pid, "unlimited"),
    command: (fileBytes = 1) => ["prlimit", `--fsize=${fileBytes}:unlimited`, process.execPath],
  };
}

function fillDisk(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(blockBytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
