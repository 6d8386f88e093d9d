// What all operations share.

import type { Crossing } from "./crossing.ts";
import { minuteMs } from "./model.ts";

/** @returns what was done; undefined if it was not possible. Throws an AssertionError if the service did something wrong. */
export type Operation = (crossing: Crossing) => Promise<string | undefined>;

/** Zones whose offset never changes, in hours. */
export const timeZones: Record<string, number> = { UTC: 0, "Asia/Tokyo": 9, "America/Phoenix": -7 };

/** The wall clock of a time zone, as a control for local times has it: `2026-01-31T09:00`. */
export function localField(at: number, timeZone: string): string {
  return new Date(at + (timeZones[timeZone] ?? 0) * 60 * minuteMs).toISOString().slice(0, 16);
}

/** The instant of a wall clock time, such as `Jun 15, 2026 9:00 AM`. */
export function instantOf(localTime: string, timeZone: string): number {
  return Date.parse(`${localTime} UTC`) - (timeZones[timeZone] ?? 0) * 60 * minuteMs;
}

/** So few that operations meet. */
export function pickId({ random, model }: Crossing): number {
  const known = [...model.usedIds].filter((id) => id < 100_000);
  return known.length > 0 && random.chance(60) ? random.pick(known) : random.between(1, 5);
}

const tagNames = ["News", "HR", "Both", "Spring"];

export function pickTags({ random, model }: Crossing): string[] {
  const names = new Set([...tagNames, ...model.tags.map(({ name }) => name)]);
  return random.shuffle([...names]).slice(0, random.pick([0, 1, 1, 2]));
}

/** Whose text no other campaign has. */
export const newSubject = (crossing: Crossing) => `Subject-${crossing.next()}-x`;
