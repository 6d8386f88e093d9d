// Limits of an HTTP server that faces the public. Times are in milliseconds, sizes in bytes; body-limits.ts has the bodies.

export const serverLimits = {
  /** The time for the request head to arrive, and for a new connection to send anything. */
  headersMs: 15_000,
  /** The time for the whole request to arrive. */
  requestMs: 30_000,
  /** The time between a response and the next request on its connection. */
  keepAliveMs: 75_000,
  /** The time without a byte in either direction, such as from a client that stopped reading its response. */
  silenceMs: 90_000,
  /** The time between two checks for connections that exceed these times. */
  checkMs: 5_000,
  /** URL and headers of a request: a thousand tag ids fit. */
  headBytes: 32 * 1024,
  /** The time for a client that still sends a rejected body to read the answer. */
  lingeringMs: 30_000,
  /** The time without a byte from such a client. */
  lingeringSilenceMs: 5_000,
  /** The most bytes of the rejected body that are read and discarded. */
  lingeringBytes: 64 * 1024 * 1024,
  /** Connections that wait to be accepted. Linux allows at most `net.core.somaxconn`, and a client beyond retries after 1 s. */
  backlog: 4_096,
  /** The time for a page of changes to wait until others are read. */
  pageWaitMs: 500,
  /** The time that the oldest batch of an organization may wait to be written. */
  ingestWaitMs: 2_000,
  /** The time for the client of a download to take a piece of it. */
  downloadStallMs: 30_000,
  /** The time for the database to answer a readiness check. */
  readyMs: 2_000,
  /** The time after a 503 or 429 before the client should retry (`Retry-After`). */
  retryAfterMs: 5_000,
};

export type ServerLimits = typeof serverLimits;
