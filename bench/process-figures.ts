// What Linux tells of a running process; undefined elsewhere.

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Linux counts the time of processors in hundredths of a second. */
const msOfTick = 10;

/** Of all threads of a process, in and outside of the kernel. */
export function processorMs(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program, in brackets, may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * msOfTick;
}

/** Resident memory, in megabytes of 2^20 bytes. */
export function memoryOf(pid: number): { peak: number; now: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  const field = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status ?? "")?.[1] ?? 0) / 1024;
  return status === undefined ? undefined : { peak: field("VmHWM"), now: field("VmRSS") };
}

const quietMs = 200;
const quietMsMax = 20_000;

/** Waits until a process that was started has done what it does by itself, as far as that can be told. */
export async function untilQuiet(pid: number): Promise<void> {
  const giveUpAt = performance.now() + quietMsMax;
  for (let before = processorMs(pid); before !== undefined && performance.now() < giveUpAt; ) {
    await pause(quietMs);
    const after = processorMs(pid);
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
