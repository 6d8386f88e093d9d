// Writes a file under another name beside it, so that the file is whole or missing whenever the process is killed.

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import { createFile } from "../../storage/sqlite/create-file.ts";

/**
 * Only this user may read the file. Deletes what a killed process left. Of two processes that write the same file, the
 * first one fails.
 *
 * @param write fills the empty file that it is given
 * @param rename gives that file its name
 */
export async function writePart<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  rename: (part: string, path: string) => void = renameSync,
): Promise<Result> {
  deleteParts(path);
  const part = `${path}.part-${newRandomId()}`;
  try {
    createFile(part);
    const result = await write(part);
    sync(part);
    rename(part, path);
    sync(dirname(resolve(path)));
    return result;
  } finally {
    deleteParts(path);
  }
}

/** Deletes part files with those that SQLite keeps beside a database. */
function deleteParts(path: string): void {
  const folder = dirname(resolve(path));
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (file.startsWith(`${basename(path)}.part-`)) rmSync(join(folder, file), { force: true });
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
function sync(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}
