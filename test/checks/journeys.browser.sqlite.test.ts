// The check `npm run verify -- journeys`, each journey in one way.

import test, { after } from "node:test";
import { verifyJourneys } from "../../verify/journeys/journeys.ts";
import { closeBrowser } from "../support/browser.ts";
import { sharedDemoSite } from "../support/shared-demo.ts";

after(closeBrowser);

test("verify journeys walks through each journey, one by keys, the others on phones and desktops", async () => {
  // The tests of the screens run axe-core on every page.
  await verifyJourneys({ demo: await sharedDemoSite(), ways: 1, hasAxe: false, print: () => undefined });
});
