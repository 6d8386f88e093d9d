// CPU time and memory of a running process, from /proc. Undefined on other systems than Linux.

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Linux counts CPU time in ticks of 10 ms. */
const msOfTick = 10;

/** CPU time of all threads of a process, user and system. */
export function cpuMs(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The program name, in parentheses, can contain spaces.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * msOfTick;
}

/** Resident memory, in MB. */
export function memoryOf(pid: number): { peak: number; now: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  const field = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? "")?.[1] ?? 0) * 1024) / 1e6;
  return status === undefined ? undefined : { peak: field("VmHWM"), now: field("VmRSS") };
}

/** The service starts the threads for upkeep and downloads two seconds after it listens. */
const idleMs = 2_200;
const maxWaitMs = 20_000;

/** Waits until a process that was just started uses no more CPU time. */
export async function untilIdle(pid: number): Promise<void> {
  const giveUpAt = performance.now() + maxWaitMs;
  for (let before = cpuMs(pid); before !== undefined && performance.now() < giveUpAt; ) {
    await pause(idleMs);
    const after = cpuMs(pid);
    if (after === undefined || after - before <= msOfTick) return;
    before = after;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
