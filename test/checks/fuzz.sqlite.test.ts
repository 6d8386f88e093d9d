// The check `npm run verify -- fuzz`, with fewer requests.

import test from "node:test";
import { verifyFuzz } from "../../verify/fuzz/fuzz.ts";
import { makeFolder } from "../support/world.ts";

const print = () => undefined;

test("verify fuzz passes: every interface gives only documented answers to random requests", async (t) => {
  await verifyFuzz({ folder: makeFolder(t), requests: 800, maxMegabytes: 1_000, print });
});
