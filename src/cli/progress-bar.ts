// A bar that shows how far long work has come; on a terminal only.

import type { Output } from "./output.ts";

const refreshMs = 100;
const barWidth = 30;

export interface ProgressBar {
  /** @param share from 0 to 1, or undefined where the end is not known */
  show(share: number | undefined, text: string): void;
  clear(): void;
}

export function progressBar({ stderr }: Output, now: () => number = Date.now): ProgressBar {
  if (!stderr.isTTY) return { show() {}, clear() {} };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(share, text) {
      if (now() - shownAt < refreshMs) return;
      shownAt = now();
      const full = Math.round(Math.min(share ?? 0, 1) * barWidth);
      const bar = `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] ${String(Math.floor((share ?? 0) * 100)).padStart(3)} % `;
      const line = `${share === undefined ? "" : bar}${text}`;
      stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || 80) - 1)}`);
    },
    clear() {
      stderr.write("\r\x1b[K");
    },
  };
}
