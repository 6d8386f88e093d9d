// Measures downloads: CPU time beside a file that Node streams and beside a hand-written program, the first byte, memory
// with a slow reader, and pages of other clients meanwhile.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileFormatName, fileFormatNames } from "../../src/formats/feed-files.ts";
import { paths } from "../../src/http/paths.ts";
import type { RunningService } from "../../verify/support/service.ts";
import { withTemporaryFolder } from "../../verify/support/temporary-folder.ts";
import { installPeer } from "../peers/install-peer.ts";
import { fillPlainTables } from "../peers/plain-tables.ts";
import { atLeast, atMost, type Findings } from "../read/findings.ts";
import { measureInterleaved, runPageLoad, type WritableEffort } from "../read/measure-interleaved.ts";
import { allPageUrls, pageUrl } from "../read/page-urls.ts";
import { ratioTable } from "../read/performance-page.ts";
import { printFindings } from "../read/print-findings.ts";
import { fetchResponse, Servers } from "../read/servers.ts";
import { makeWorld, type World } from "../read/world.ts";
import { buildPackage } from "../support/build-package.ts";
import { writeSection } from "../support/performance-sections.ts";
import { runWorker, startServer, startWorker } from "../support/programs.ts";
import type { DownloadJob, DownloadLoad } from "./download-load.ts";

/** CPU time of 100,000 campaigns. */
const goalsMs: Record<FileFormatName, number> = { ndjson: 1_000, csv: 1_300, parquet: 2_200 };
const slow = { bytesPerSecond: 1_000_000, maxSeconds: 10 };
const script = (name: string) => join(import.meta.dirname, name);

export async function benchDownloads(records: number, effort: WritableEffort): Promise<void> {
  const findings: Findings = { ratios: [], figures: [], notes: [], versions: [] };
  const installed = installPeer("csv-stringify", "6.9.0", {});
  await withTemporaryFolder(async (folder) => {
    const program = buildPackage(join(folder, "installed"));
    const world = await makeWorld(`sqlite:${join(folder, "some.db")}`, program, records);
    const plain = join(folder, "plain.db");
    await fillPlainTables(`sqlite:${plain}`, records);
    await measureCpu(world, { folder, plain, installed }, findings, effort);
    await measureOthers(world, findings, effort);
    await measurePull(world, findings, effort);
    const many = await makeWorld(`sqlite:${join(folder, "many.db")}`, program, 10 * records);
    for (const each of [world, many]) await measureMemory(each, findings);
    await measureNotModified(many, findings, effort);
  });
  printFindings(findings, effort.runs);
  if (effort.isWritten) writeSection("downloads", ratioTable(findings.ratios));
}

function download(
  { url, child }: RunningService,
  { keys }: World,
  path: string,
  options: Pick<DownloadJob, "bytesPerSecond" | "maxSeconds"> = {},
): Promise<DownloadLoad> {
  const job: DownloadJob = { url, path, key: keys.read, pid: child.pid ?? 0, ...options };
  return runWorker<DownloadLoad>(script("download-load.ts"), job, "client");
}

const countOf = ({ campaigns }: World) => campaigns.toLocaleString("en");

function measureCpu(
  world: World,
  { folder, plain, installed }: Record<"folder" | "plain" | "installed", string>,
  findings: Findings,
  { runs }: WritableEffort,
): Promise<void> {
  return Servers.during(async (servers) => {
    const ours = await servers.service(world);
    const argv = [installed, plain];
    const other = await servers.add(startServer(script("hand-written.ts"), argv, { cpu: "server" }));
    for (const format of fileFormatNames) {
      const path = paths.api[format];
      const file = join(folder, `emails.${format}`);
      writeFileSync(file, (await fetchResponse(ours, world, path)).body);
      const ceiling = await servers.add(startServer(script("file-server.ts"), [file], { cpu: "server" }));
      // It has no Parquet, so that is compared with its CSV.
      const otherPath = format === "ndjson" ? "/emails.ndjson" : "/emails.csv";
      const loads: Record<"ours" | "bare" | "other", number[]> = { ours: [], bare: [], other: [] };
      // The first one warms up.
      for (let run = -1; run < runs; run++) {
        const all = [
          ["ours", await download(ours, world, path)],
          ["bare", await download(ceiling, world, "/")],
          ["other", await download(other, world, otherPath)],
        ] as const;
        if (run >= 0) for (const [who, { cpuMs }] of all) loads[who].push(cpuMs);
      }
      const name = `CPU time, ${format} of ${countOf(world)}`;
      const isUsual = world.campaigns === 100_000;
      findings.ratios.push(
        {
          name: `${name}: service`,
          values: loads.ours,
          unit: "ms",
          goal: isUsual ? atMost(goalsMs[format]) : undefined,
        },
        { name: `${name}: the same bytes from a file`, values: loads.bare, unit: "ms" },
        { name: `${name}: hand-written`, values: loads.other, unit: "ms" },
        {
          name: `${name}: hand-written vs. service`,
          values: loads.other.map((ms, run) => ms / (loads.ours[run] ?? Number.NaN)),
          unit: "x",
          goal: atLeast(3),
        },
      );
      await servers.stop(ceiling);
    }
  });
}

/** Pages of 10 by sixteen connections, alone and beside a reader that is never done. */
function measureOthers(world: World, findings: Findings, effort: WritableEffort): Promise<void> {
  return Servers.during(async (servers) => {
    const server = await servers.service(world);
    const subject = { name: "a page of 10: service", server, key: world.keys.read, paths: [pageUrl(1, 10)] };
    const besideDownload = async () => {
      const job = { url: server.url, path: paths.api.ndjson, key: world.keys.read, pid: server.child.pid };
      const maxSeconds = 3 * effort.seconds;
      const reading = startWorker<DownloadLoad>(
        script("download-load.ts"),
        { ...job, ...slow, maxSeconds },
        "other",
      );
      const load = await runPageLoad(subject, effort);
      await reading.end();
      return load;
    };
    const { alone, beside } = await measureInterleaved(
      {
        alone: subject,
        beside: { name: "a page of 10 beside a download: service", measure: besideDownload },
      },
      effort,
    );
    const p99 = (run: number) =>
      (beside.runs[run]?.latencies?.p99 ?? Number.NaN) - (alone.runs[run]?.latencies?.p99 ?? Number.NaN);
    findings.ratios.push(
      {
        name: "a page of 10 beside a download at 1 MB/s vs. alone",
        values: beside.runs.map(({ rate }, run) => rate / (alone.runs[run]?.rate ?? Number.NaN)),
        unit: "x",
        goal: atLeast(0.8),
      },
      {
        name: "a page of 10 beside a download at 1 MB/s, p99 more than alone",
        values: alone.runs.map((_, run) => p99(run)),
        unit: "ms",
        goal: atMost(10),
      },
    );
    findings.figures.push(alone, beside);
  });
}

/** All campaigns at once, and by pages of 100, each from a server that was just started. */
function measurePull(world: World, findings: Findings, effort: WritableEffort): Promise<void> {
  return Servers.during(async (servers) => {
    const values: number[] = [];
    const pagePaths = allPageUrls(world);
    for (let run = 0; run < effort.runs; run++) {
      const server = await servers.service(world);
      const { ms } = await download(server, world, paths.api.ndjson);
      await servers.stop(server);
      const again = await servers.service(world);
      const subject = { name: "", server: again, key: world.keys.read, paths: pagePaths };
      const pages = await runPageLoad(subject, { ...effort, isPull: true });
      await servers.stop(again);
      values.push(ms / 1000 / pages.seconds);
    }
    const name = `time for ${countOf(world)} as NDJSON vs. ${pagePaths.length.toLocaleString("en")} pages`;
    findings.ratios.push({ name, values, unit: "x", goal: atMost(0.3) });
  });
}

/** The first download after a start. */
async function measureMemory(world: World, findings: Findings): Promise<void> {
  for (const format of fileFormatNames) {
    const load = await Servers.during(async (servers) =>
      download(await servers.service(world), world, paths.api[format], slow),
    );
    const name = `the first ${format} of ${countOf(world)} after a start`;
    findings.ratios.push(
      { name: `first byte of ${name}`, values: [load.firstMs], unit: "ms", goal: atMost(100) },
      {
        name: `peak memory over idle, ${name}, read at 1 MB/s for ${slow.maxSeconds} s`,
        values: [load.peakMb],
        unit: "MB",
        goal: atMost(130),
      },
    );
  }
}

function measureNotModified(world: World, findings: Findings, effort: WritableEffort): Promise<void> {
  return Servers.during(async (servers) => {
    const server = await servers.service(world);
    const headers = { authorization: `Bearer ${world.keys.read}`, "accept-encoding": "identity" };
    const response = await fetch(server.url + paths.api.ndjson, { method: "HEAD", headers });
    const ifNoneMatch = response.headers.get("etag") ?? "";
    const values: number[] = [];
    for (let run = 0; run < effort.runs; run++) {
      const subject = { name: "", server, key: world.keys.read, paths: [paths.api.ndjson], ifNoneMatch };
      const { cpuUs } = await runPageLoad({ ...subject, hasOpenLoop: false }, effort);
      values.push((cpuUs ?? Number.NaN) / 1000);
    }
    const name = `CPU time of a 304 for a download of ${countOf(world)}`;
    findings.ratios.push({ name, values, unit: "ms", goal: atMost(1) });
  });
}
