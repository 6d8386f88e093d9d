// Measures the rate of the tracking pixel, whose event is on disk before the response, against a bare server with the same
// pixel.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeTrackingUrls } from "../../src/http/tracking/tracking-urls.ts";
import {
  makeOrganization,
  readRecords,
  registerCampaigns,
  startService,
  stopService,
} from "../../verify/support/service.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";

const connections = 64;
const secondsPerRun = 5;
const runs = 5;
const campaigns = 10;
const secret = "only-for-measuring-".repeat(2);

interface Load {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

/** @param recipients whose pixels are requested in turn */
export async function benchTracking(recipients: number): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const databaseUrl = `sqlite:${join(folder, "tracking.db")}`;
    const keys = await makeOrganization(databaseUrl);
    const service = await startService(databaseUrl, { environment: { TRACKING_SECRET: secret } });
    await registerCampaigns(service.url, keys.ingest, campaigns);
    const trackingUrls = makeTrackingUrls([secret], () => service.url);
    const pixels = join(folder, "pixels.txt");
    writeFileSync(
      pixels,
      Array.from({ length: recipients }, (_, index) =>
        trackingUrls.build("open", {
          organizationId: keys.organizationId,
          campaignId: 1 + (index % campaigns),
          recipient: `reader-${index}@example.com`,
        }),
      ).join("\n"),
    );
    const bare = await startBare();
    const bareFile = join(folder, "bare.txt");
    writeFileSync(bareFile, `${bare.url}/pixel.gif`);

    const ratios: number[] = [];
    const loads: { bare: Load[]; tracked: Load[] } = { bare: [], tracked: [] };
    for (let run = 0; run < runs; run++) {
      const [one, other] = [await load(bareFile), await load(pixels)];
      loads.bare.push(one);
      loads.tracked.push(other);
      ratios.push(rateOf(other) / rateOf(one));
    }
    bare.child.kill();
    const answered = loads.tracked.reduce((sum, { requests }) => sum + requests, 0);
    let opens = 0;
    for (const record of (await readRecords(service.url, keys.read)).values())
      opens += Number(record.total_opens);
    await stopService(service);
    ratios.sort((a, b) => a - b);
    const [least, middle, most] = [ratios[0], ratios[runs >> 1], ratios.at(-1)].map((ratio) =>
      ratio?.toFixed(2),
    );
    console.log(
      `${String(middle).padStart(8)} x  pixel: rate vs. the bare server (${least} to ${most} in ${runs} runs)`,
    );
    print("bare pixel", loads.bare);
    print("pixel with its event on disk", loads.tracked);
    console.log(`${answered} pixels were sent, ${opens} opens are counted`);
    if (answered !== opens) throw new Error("the number of pixels differs from the number of opens");
  });
}

const rateOf = ({ requests, seconds }: Load) => requests / seconds;

function print(name: string, loads: readonly Load[]): void {
  const sorted = [...loads].sort((a, b) => rateOf(a) - rateOf(b));
  const { p50, p99, statuses } = sorted[sorted.length >> 1] as Load;
  const rates = sorted.map((each) => Math.round(rateOf(each)));
  console.log(
    `${String(rates[rates.length >> 1]).padStart(8)} /s ${name} (${rates[0]} to ${rates.at(-1)}), p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, statuses ${JSON.stringify(statuses)}`,
  );
}

async function startBare() {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-pixel.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return { child, url: (JSON.parse(value ?? "{}") as { url: string }).url };
}

async function load(file: string): Promise<Load> {
  const script = join(import.meta.dirname, "pixel-load.ts");
  const child = spawn(process.execPath, [script, file, String(connections), String(secondsPerRun)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (piece) => {
    text += piece;
  });
  await once(child, "close");
  return JSON.parse(text) as Load;
}
