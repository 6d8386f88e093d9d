// Classifies errors of PostgreSQL, the driver and the network: transient or not, and what to tell the caller.

import { AppError } from "../../errors.ts";

/** The connection, or that of Citus to a node, was lost during a commit: the transaction may be committed or not. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the connection was lost during a commit", { cause });
  }
}

// Error codes of PostgreSQL (Appendix A of its manual): single codes, or classes by their first characters.

/** A lock could not be acquired within `lock_timeout`. */
export const lockNotAvailable = "55P03";
const connectionLost = [
  "08", // connection exceptions
  "57P", // shut down, crashed, or still starting
  "25P03", // idle transaction timed out
  "25P04", // transaction timed out
];
/** Serialization failure and deadlock: the transaction was rolled back. */
const conflicts = ["40001", "40P01"];
/** The server is out of connections or memory. */
const outOfResources = ["53200", "53300", "53400"];
/** A lock timeout, a statement timeout, a full disk, a read-only server, an unknown host. */
const unavailable = [lockNotAvailable, "57014", "53", "25006", "ENOTFOUND"];
/** Includes writing on a replica. */
const notSupported = "0A000";

const networkErrors = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENETDOWN$|EAI_AGAIN$|ENOENT$)/;
/** Messages of the driver, which have no code. */
const driverErrors =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/** Citus lost a node during the commit. It has no error code of its own. */
const citusCommitError = /^could not commit transaction for shard /;

/** Whether a commit that failed like this may have been made. */
export function mayBeCommitted(error: unknown): boolean {
  return isConnectionLost(error) || citusCommitError.test(String((error as { message?: unknown }).message));
}

function isConnectionLost(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  if (typeof code === "string" && code !== "") {
    // A missing file other than the socket, such as a certificate, is not transient.
    if (code === "ENOENT" && syscall !== "connect") return false;
    return startsWith(code, connectionLost) || networkErrors.test(code);
  }
  return driverErrors.test(String(message));
}

/** Whether nothing was written and a retry may succeed. */
export function isTransient(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // After a failover the old primary is a replica; a new connection may reach the new primary.
  const isReplica = code === notSupported && /during recovery/.test(String(message));
  return isReplica || isConnectionLost(error) || startsWith(String(code), [...conflicts, ...outOfResources]);
}

/** An AppError `unavailable` for failures that are not the caller's fault; any other error as it is. */
export function toAppError(error: unknown): unknown {
  if (error instanceof OutcomeUnknown) {
    return new AppError(
      "unavailable",
      "The connection to the database was lost during a commit, so it is unknown whether the change was made. Check before you try again.",
      error,
    );
  }
  const code = String((error as { code?: unknown }).code ?? "no answer");
  if (code === lockNotAvailable) {
    return new AppError(
      "unavailable",
      "another process is writing to the database; try again when it is done",
      error,
    );
  }
  if (isTransient(error) || startsWith(code, unavailable)) {
    return new AppError(
      "unavailable",
      `The database is unavailable (${code}). Nothing was changed; try again.`,
      error,
    );
  }
  return error;
}

function startsWith(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix));
}
