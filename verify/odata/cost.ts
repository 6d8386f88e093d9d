// Measures what OData costs a serving process: all campaigns beside the NDJSON download, one month of ten years, and memory.

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeWorld, sentAtOf } from "../../bench/read/world.ts";
import { cpuMs, memoryOf } from "../../bench/support/process-stats.ts";
import { programPath, startService, stopService } from "../support/service.ts";

export interface CostOptions {
  folder: string;
  campaigns: number;
  /** Limit on CPU time over that of the NDJSON download. */
  maxRatio: number;
  /** Limit on the CPU time of a month over that of everything. */
  maxMonthShare: number;
  /** Limit on resident memory over that of the NDJSON download. */
  maxMegabytes: number;
  print: (line: string) => void;
}

interface Cost {
  cpuMs: number;
  peakMb: number;
  megabytes: number;
  rows: number;
}

const rounds = 3;
/** A month costs less than the clock of processes can tell. */
const months = 40;

/** @throws AssertionError if OData costs more */
export async function verifyODataCost(options: CostOptions): Promise<void> {
  const { folder, campaigns, maxRatio, maxMonthShare, maxMegabytes, print } = options;
  const world = await makeWorld(`sqlite:${join(folder, "cost.db")}`, programPath, campaigns);
  // A computer that pauses cuts no download.
  const service = await startService(world.databaseUrl, { environment: { DOWNLOAD_SECONDS: "3600" } });
  try {
    const { url, child } = service;
    const pid = child.pid ?? 0;
    const measure = (path: string, times = 1) => read({ url, pid, key: world.keys.read }, path, times);
    const everything = "/odata/v1/emails";
    const ndjson = "/data_api/v1/emails.ndjson";
    // The first of each compiles the code.
    for (const path of [ndjson, everything]) await measure(path);
    const costs: Record<"ndjson" | "odata", Cost[]> = { ndjson: [], odata: [] };
    for (let round = 0; round < rounds; round++) {
      costs.ndjson.push(await measure(ndjson));
      costs.odata.push(await measure(everything));
    }
    const [file, all] = [median(costs.ndjson), median(costs.odata)];
    const start = sentAtOf(Math.floor(campaigns / 2), campaigns);
    const [from, until] = [start, start + 30 * 86_400_000].map((at) => new Date(at).toISOString());
    const month = await measure(
      `${everything}?$filter=sent_at%20ge%20${from}%20and%20sent_at%20lt%20${until}`,
      months,
    );
    const scan = await measure(`${everything}?$filter=unique_opens%20gt%20390`);
    const sorted = await measure(`${everything}?$orderby=updated_at`);
    const monthMs = month.cpuMs / months;
    for (const [name, cost] of Object.entries({ ndjson: file, odata: all, scan, sorted })) {
      print(
        `${name}: ${Math.round(cost.cpuMs)} ms of CPU, ${cost.megabytes.toFixed(1)} MB, peak ${Math.round(cost.peakMb)} MB`,
      );
    }
    print(
      `a month: ${monthMs.toFixed(1)} ms of CPU, ${((100 * monthMs) / all.cpuMs).toFixed(2)} % of everything`,
    );
    print(`OData over NDJSON: ${(all.cpuMs / file.cpuMs).toFixed(2)}`);
    assert.equal(all.rows, campaigns);
    assert.ok(all.cpuMs <= maxRatio * file.cpuMs, `more than ${maxRatio} times NDJSON`);
    assert.ok(monthMs <= maxMonthShare * all.cpuMs, `a month costs more than ${100 * maxMonthShare} %`);
    assert.ok(all.peakMb <= file.peakMb + maxMegabytes, `more than ${maxMegabytes} MB over NDJSON`);
  } finally {
    await stopService(service);
  }
}

/** Once in every row. */
const rowMark = '"tag_names":';

/** Reads without parsing. */
async function read(
  { url, pid, key }: { url: string; pid: number; key: string },
  path: string,
  times: number,
): Promise<Cost> {
  const before = cpuMs(pid) ?? 0;
  let [bytes, rows, peakMb] = [0, 0, 0];
  for (let left = times; left > 0; left--) {
    const headers = { authorization: `Bearer ${key}`, "accept-encoding": "identity" };
    const response = await fetch(url + path, { headers });
    assert.equal(response.status, 200, path);
    let end = "";
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      const text = end + Buffer.from(chunk).toString("latin1");
      rows += text.split(rowMark).length - 1;
      end = text.slice(1 - rowMark.length);
      peakMb = Math.max(peakMb, memoryOf(pid)?.now ?? 0);
    }
  }
  return { cpuMs: (cpuMs(pid) ?? 0) - before, peakMb, megabytes: bytes / 1e6, rows };
}

function median(costs: readonly Cost[]): Cost {
  return costs.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(costs.length / 2)] as Cost;
}
