// Measures downloads: CPU time beside a file that Node streams and beside a hand-written program, the first byte, memory
// with a slow reader, and pages of other clients meanwhile.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileFormatName, fileFormatNames } from "../../src/formats/feed-files.ts";
import { filePath } from "../../src/paths.ts";
import type { RunningService } from "../../test/support/service-process.ts";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { atLeast, atMost, type Findings, printFindings, ratioOf } from "../read/findings.ts";
import { type Effort, measureInterleaved } from "../read/measure-interleaved.ts";
import type { Load } from "../read/page-load.ts";
import { pageUrl } from "../read/page-urls.ts";
import { fetchResponse, Servers } from "../read/servers.ts";
import { makeWorld, type World } from "../read/world.ts";
import { buildPackage } from "../support/build-package.ts";
import { runWorker, startServer, startWorker } from "../support/programs.ts";
import type { DownloadJob, DownloadLoad } from "./download-load.ts";
import { installPeer } from "./install-peer.ts";
import { fillPlainTables } from "./plain-tables.ts";

/** CPU time of 100,000 campaigns. */
const goalsMs: Record<FileFormatName, number> = { ndjson: 700, csv: 800, parquet: 1_500, xlsx: 3_000 };
const slow = { bytesPerSecond: 1_000_000, maxSeconds: 10 };
const script = (name: string) => join(import.meta.dirname, name);

export async function benchDownloads(records: number, effort: Effort): Promise<void> {
  const findings: Findings = { ratios: [], figures: [] };
  const installed = installPeer("csv-stringify", "6.9.0");
  await withTemporaryFolder(async (folder) => {
    const program = await buildPackage(join(folder, "installed"));
    const world = await makeWorld(`sqlite:${join(folder, "some.db")}`, program, records);
    const plain = join(folder, "plain.db");
    fillPlainTables(plain, records);
    const startOther = () => startServer(script("hand-written.ts"), [installed, plain], { cpu: "server" });
    await Servers.during(async (servers) => {
      const other = await servers.add(startOther());
      for (const format of fileFormatNames)
        await measureCpu(servers, other, { world, folder, format }, findings, effort);
    });
    await measureOthers(world, findings, effort);
    await measureMemory(world, findings);
  });
  printFindings(findings);
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

async function measureCpu(
  servers: Servers,
  other: RunningService,
  { world, folder, format }: { world: World; folder: string; format: FileFormatName },
  findings: Findings,
  { runs }: Effort,
): Promise<void> {
  const path = filePath("emails", format);
  const ours = await servers.service(world);
  const file = join(folder, `emails.${format}`);
  writeFileSync(file, (await fetchResponse(ours, world, path)).body);
  const ceiling = await servers.add(startServer(script("file-server.ts"), [file], { cpu: "server" }));
  // It has no Parquet, so that is compared with its CSV.
  const otherPath = format === "ndjson" ? "/emails.ndjson" : "/emails.csv";
  const ms: Record<"ours" | "bare" | "other", number[]> = { ours: [], bare: [], other: [] };
  // The first one warms up.
  for (let run = -1; run < runs; run++) {
    const all = [
      ["ours", await download(ours, world, path)],
      ["bare", await download(ceiling, world, "/")],
      ["other", await download(other, world, otherPath)],
    ] as const;
    if (run >= 0) for (const [who, { cpuMs }] of all) ms[who].push(cpuMs);
  }
  const name = `CPU time, ${format} of ${countOf(world)}`;
  const goal = world.campaigns === 100_000 ? atMost(goalsMs[format]) : undefined;
  const ratios = ms.other.map((each, run) => each / (ms.ours[run] ?? Number.NaN));
  findings.ratios.push(
    { name: `${name}: service`, values: ms.ours, unit: "ms", goal },
    { name: `${name}: the same bytes from a file`, values: ms.bare, unit: "ms" },
    { name: `${name}: hand-written vs. service`, values: ratios, unit: "x" },
  );
  await servers.stop(ceiling);
  await servers.stop(ours);
}

/** Pages of 10 by sixteen connections, alone and beside a reader that is never done. */
function measureOthers(world: World, findings: Findings, effort: Effort): Promise<void> {
  return Servers.during(async (servers) => {
    const server = await servers.service(world);
    const subject = { server, key: world.keys.read, paths: [pageUrl(1, 10)] };
    const beside = async (measure: () => Promise<Load>) => {
      const job = {
        url: server.url,
        path: filePath("emails", "ndjson"),
        key: world.keys.read,
        pid: server.child.pid,
      };
      const limits = { ...slow, maxSeconds: 3 * effort.seconds };
      const reading = startWorker<DownloadLoad>(script("download-load.ts"), { ...job, ...limits }, "other");
      const load = await measure();
      await reading.end();
      return load;
    };
    const by = await measureInterleaved(
      {
        alone: { name: "a page of 10", ...subject },
        beside: { name: "a page of 10 beside a download", ...subject, beside },
      },
      effort,
    );
    const name = "a page of 10 beside a download at 1 MB/s vs. alone";
    findings.ratios.push(ratioOf(name, by.beside, by.alone, { goal: atLeast(0.8) }));
    findings.figures.push(by.alone, by.beside);
  });
}

/** The first download after a start. */
async function measureMemory(world: World, findings: Findings): Promise<void> {
  for (const format of fileFormatNames) {
    const load = await Servers.during(async (servers) =>
      download(await servers.service(world), world, filePath("emails", format), slow),
    );
    const name = `the first ${format} of ${countOf(world)} after a start`;
    findings.ratios.push(
      { name: `first byte of ${name}`, values: [load.firstMs], unit: "ms", goal: atMost(100) },
      {
        name: `peak memory over idle of ${name}, read at 1 MB/s`,
        values: [load.peakMb],
        unit: "MB",
        goal: atMost(130),
      },
    );
  }
}
