// Creates an empty file that only this user may read, in a folder that only this user may enter.

import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Does not open an existing file: closing it would release all locks that this process holds on it. */
export function createFile(path: string): void {
  // Only this user may read it. SQLite gives its other files the same permissions.
  createFolder(dirname(resolve(path)));
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Does not use recursive `mkdirSync`, which never returns if the parent takes no folders, as `/proc`. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
