// The check `npm run verify -- command-kills` on SQLite, with one kill of each command.

import test from "node:test";
import { verifyCommandKills } from "../../verify/kills/command-kills.ts";

const print = () => undefined;

test("verify command-kills passes on SQLite: a killed command leaves all or none of its work, and can be repeated", async () => {
  await verifyCommandKills({ database: "sqlite", kills: 1, rows: 100, print });
});
