// Waits until the process should stop.

import { once } from "node:events";

/** Resolves at the first SIGTERM or SIGINT. A second one ends the process immediately, as Node does by default. */
export async function untilSignal(): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(process, "SIGTERM", { signal }), once(process, "SIGINT", { signal })]);
  ended.abort();
}
