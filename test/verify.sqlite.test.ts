// The heavy checks in small: the same code as `npm run verify`, which runs them in full.

import test from "node:test";
import { verifyDelay } from "../verify/delay.ts";
import { verifyExactness } from "../verify/exactness.ts";
import { verifyKills } from "../verify/kills.ts";
import { verifyWebhooks } from "../verify/webhooks.ts";
import { makeDatabase, makeFolder } from "./support/world.ts";

const say = () => undefined;

test("events that come many times over many connections give what a plain oracle says, in every field", async (t) => {
  await verifyExactness({
    databaseUrl: await makeDatabase(t),
    events: 6_000,
    campaigns: 9,
    connections: 8,
    say,
  });
});

test("a service that is killed again and again loses nothing it acknowledged and counts nothing twice", async (t) => {
  await verifyKills({ databaseUrl: await makeDatabase(t), kills: 3, say });
});

test("while events pour in, pages are served, and the delay of the event loop is measured", async (t) => {
  // How long it is depends on the machine; here it only has to be measured at all.
  await verifyDelay({ folder: makeFolder(t), events: 12_000, delayMsMax: Number.POSITIVE_INFINITY, say });
});

test("bodies of every provider, changed at random, are never a failure and never counted wrong", async (t) => {
  await verifyWebhooks({ folder: makeFolder(t), bodies: 150, say });
});
