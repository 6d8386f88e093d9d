// The web application with the demo's data. Test files of a process share it, so no test changes its campaigns.

import { after } from "node:test";
import { type DemoSite, openDemoSite } from "./demo-site.ts";

const steps: (() => unknown)[] = [];
after(async () => {
  for (const step of steps) await step();
});

let shared: Promise<DemoSite> | undefined;

export function sharedDemoSite(): Promise<DemoSite> {
  shared ??= openDemoSite({ after: (step) => steps.unshift(step) });
  return shared;
}
