// The background check as the serving process sees it: finds damage without delaying requests.

import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { type CheckJob, type CheckOutcome, checkFile } from "./check-process.ts";

export interface BackgroundCheck {
  stop(): void;
}

/**
 * Checks a database once, in a process of its own: SQLite checks a file in one call, which would keep a thread from ending
 * at shutdown for as long as it takes.
 *
 * @param delayMs until the check starts
 * @param onEnd receives the result; not called after `stop`
 */
export function startBackgroundCheck(
  job: CheckJob,
  delayMs: number,
  onEnd: (outcome: CheckOutcome) => void,
): BackgroundCheck {
  let child: ChildProcess | undefined;
  let end: typeof onEnd | undefined = onEnd;
  const endWith = (outcome: CheckOutcome) => {
    end?.(outcome);
    end = undefined;
  };
  const timer = setTimeout(() => {
    // An exception here would end the service. Some sandboxes forbid setting a priority.
    try {
      child = fork(checkFile, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      child.once("message", (outcome: CheckOutcome) => endWith(outcome));
      child.once("error", (error) => endWith({ failure: String(error) }));
      child.once("exit", (code, signal) => endWith({ failure: `the check ended with ${signal ?? code}` }));
      // At once: its threads inherit it, and loading its modules would delay requests for tens of milliseconds.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
      child.send(job);
    } catch (error) {
      endWith({ failure: String(error) });
      child?.kill("SIGKILL");
    }
  }, delayMs);
  return {
    stop() {
      end = undefined;
      clearTimeout(timer);
      child?.kill("SIGKILL");
    },
  };
}
