// The check `npm run verify -- full-disk`, once, and with a limit on the size of files instead of a mounted disk.

import { join } from "node:path";
import test from "node:test";
import { verifyFullDisk } from "../../verify/full-disk/full-disk.ts";
import { limitFiles } from "../../verify/full-disk/full-disks.ts";
import { makeFolder } from "../support/world.ts";

const print = () => undefined;

test("verify full-disk passes: the service reads on, refuses writes and recovers, and commands fail cleanly", async (t) => {
  const folder = makeFolder(t);
  const disk = limitFiles(join(folder, "verify.db"));
  await verifyFullDisk({
    folder,
    filesFolder: makeFolder(t),
    disk,
    rounds: 1,
    eventsPerBurst: 500,
    importedRecords: 20,
    print,
  });
});
