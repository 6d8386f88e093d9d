// The files that downloads by range are kept in: a folder of their own for a server, and time that passes for them.

import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type KeptFile, keptHeadBytes } from "../../src/listing/feed/kept-files.ts";

/** The folder of kept files in the temporary folder of a process. */
export const keptFolder = (temporaryFolder: string) =>
  join(temporaryFolder, `email-analytics-ranges-${userInfo().uid}`);

/** All files in it were read from the database, and last asked for, so many seconds earlier than they were. */
export async function letKeptFilesAge(temporaryFolder: string, seconds: number): Promise<void> {
  const folder = keptFolder(temporaryFolder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    const content = await readFile(path);
    const head = JSON.parse(content.subarray(0, keptHeadBytes).toString()) as KeptFile;
    head.readAt -= seconds * 1000;
    content.write(JSON.stringify(head).padEnd(keptHeadBytes));
    await writeFile(path, content);
    await utimes(path, new Date(), new Date(mtimeMs - seconds * 1000));
  }
}

/** Starts a server of this process whose temporary folder is this one. */
export async function withKeptFilesIn<Server>(
  temporaryFolder: string,
  start: () => Promise<Server>,
): Promise<Server> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temporaryFolder;
  try {
    return await start();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
