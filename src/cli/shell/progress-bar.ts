// A progress bar on standard error. It is drawn only on a terminal.

import cliProgress from "cli-progress";
import type { Output } from "./output.ts";

export interface ProgressBar {
  /** @param share from 0 to 1 */
  show(share: number, text: string): void;
  /** Erases the bar. Always call it when the work ends or fails: the timer of the bar keeps the process alive. */
  clear(): void;
}

export function progressBar({ stderr }: Output): ProgressBar {
  if (!stderr.isTTY) return { show() {}, clear() {} };
  const bar = new cliProgress.SingleBar({
    stream: stderr,
    format: "[{bar}] {percentage} % {text}",
    barsize: 30,
    barCompleteChar: "#",
    barIncompleteChar: "-",
    autopadding: true,
    clearOnComplete: true,
    // Long lines are cut. Otherwise the bar would turn line wrapping off, and Ctrl-C would leave it off.
    linewrap: true,
  });
  return {
    show(share, text) {
      if (bar.isActive) bar.update(share, { text });
      else bar.start(1, share, { text });
    },
    clear() {
      bar.stop();
    },
  };
}
