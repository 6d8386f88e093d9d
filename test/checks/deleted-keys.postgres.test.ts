// The check `npm run verify -- deleted-keys` on PostgreSQL, with fewer keys.

import test from "node:test";
import { verifyDeletedKeys } from "../../verify/deleted-keys.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify deleted-keys passes on PostgreSQL: two processes reject what is sent after a key was deleted", async (t) => {
  await verifyDeletedKeys({ databaseUrl: await makeDatabase(t), keys: 3, print });
});
