// How long the serving process's event loop is held up while events pour in, as the emails endpoint feels it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { madeUpEvents } from "./made-up-events.ts";
import {
  makeOrganization,
  pourIn,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "./service.ts";

export interface DelayOptions {
  folder: string;
  events: number;
  /** At the 99th percentile. */
  delayMsMax: number;
  say: (line: string) => void;
}

const campaigns = 50;
const batch = 500;
const connections = 4;
/** Measures within the process, and writes what was measured when it ends. */
const measure = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { isMainThread } from "node:worker_threads";
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on("SIGUSR2", () => { delay.reset(); delay.enable(); });
  if (isMainThread) process.on("exit", () => console.error("delay=" + JSON.stringify(
    { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 })));
`)}`;

export async function verifyDelay({ folder, events: count, delayMsMax, say }: DelayOptions): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, "delay.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl, { command: [process.execPath, "--import", measure] });
  await registerCampaigns(service.url, keys.ingest, campaigns);
  const bodies: string[] = [];
  let some: unknown[] = [];
  for (const event of madeUpEvents(count, campaigns)) {
    some.push(event);
    if (some.length < batch) continue;
    bodies.push(JSON.stringify({ events: some }));
    some = [];
  }
  // The first ones only warm up.
  for (const body of bodies.splice(0, 10)) await sendEvents(service.url, keys.ingest, body);
  service.child.kill("SIGUSR2");
  const pages: number[] = [];
  const started = performance.now();
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const asked = performance.now();
      const answer = await fetch(`${service.url}/data_api/v1/emails?per_page=50`, {
        headers: { authorization: `Bearer ${keys.read}` },
      });
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      pages.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await pourIn(service.url, keys.ingest, bodies, connections);
  const seconds = (performance.now() - started) / 1000;
  isOver = true;
  await reading;
  await stopService(service);
  const measured = JSON.parse(/delay=(.*)/.exec(service.stderr())?.[1] ?? "{}");
  const rate = Math.round((bodies.length * batch) / seconds);
  pages.sort((a, b) => a - b);
  const at = (share: number) => (pages[Math.floor(pages.length * share)] ?? 0).toFixed(1);
  say(`${rate} events a second for ${seconds.toFixed(1)} s, beside ${pages.length} pages of 50`);
  say(
    `event-loop delay: p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms, longest ${measured.max.toFixed(1)} ms`,
  );
  say(`a page: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
  assert.ok(measured.p99 < delayMsMax, `p99 ${measured.p99} ms is not below ${delayMsMax} ms`);
}
