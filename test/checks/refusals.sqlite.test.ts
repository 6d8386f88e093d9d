// The check `npm run verify -- refusals`, with fewer requests and without the clients that are other programs.

import test from "node:test";
import { nodeClients } from "../../verify/refusals/clients.ts";
import { verifyRefusals } from "../../verify/refusals/refusals.ts";
import { makeFolder } from "../support/world.ts";

const print = () => undefined;

test("verify refusals passes: clients read the rejection of a body of 50 MB while they send it", async (t) => {
  await verifyRefusals({ folder: makeFolder(t), trials: 8, clients: nodeClients, print });
});
