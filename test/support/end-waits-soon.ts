// Shortens the timeouts of requests, for tests of hosts that do not answer.

import type { TestContext } from "node:test";

/** Until the test ends, every `AbortSignal.timeout` aborts after 50 ms. */
export function endWaitsSoon(t: TestContext): void {
  const { timeout } = AbortSignal;
  t.mock.method(AbortSignal, "timeout", () => timeout(50));
}
