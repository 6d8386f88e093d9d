// The check `npm run verify -- csv-links`, with fewer guesses and revocations.

import test from "node:test";
import { verifyCsvLinks } from "../../verify/csv-links.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify csv-links passes: two processes accept no guess and no revoked link, and log neither", async (t) => {
  await verifyCsvLinks({ databaseUrl: await makeDatabase(t), guesses: 200, revocations: 4, print });
});
