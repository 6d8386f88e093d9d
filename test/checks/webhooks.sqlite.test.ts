// The check `npm run verify -- webhooks`, with fewer bodies.

import test from "node:test";
import { verifyWebhooks } from "../../verify/webhooks/webhooks.ts";
import { makeFolder } from "../support/world.ts";

const print = () => undefined;

test("verify webhooks passes: randomly changed requests never fail and are never counted wrong", async (t) => {
  await verifyWebhooks({ folder: makeFolder(t), bodies: 60, print });
});
