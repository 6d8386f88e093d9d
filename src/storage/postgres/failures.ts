// What PostgreSQL and the way to it can fail with, and what that means: try again, or tell whoever asked to.

import { AppError } from "../../errors.ts";

/** The connection was lost while a commit was under way: it may have been made, or not. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the connection was lost during a commit", { cause });
  }
}

/** Of PostgreSQL (Appendix A of its manual): classes by their first two characters, or single ones. */
const lostConnection = [
  "08", // connection exceptions
  "57P", // shut down, crashed, or not up yet
  "25P03", // ended because nothing happened in a transaction
  "25P04", // ended because the transaction took too long
];
/** Two transactions were in each other's way; nothing of this one was written. */
const inTheWay = ["40001", "40P01"];
/** No connection is left, or none of the memory. */
const noRoom = ["53200", "53300", "53400"];
/** Another's lock, a statement that takes too long, a full disk, a host that nobody knows: to be tried later. */
const busy = ["55P03", "57014", "53", "25006", "ENOTFOUND"];
/** Not supported; among that, to write on a replica. */
const notSupported = "0A000";
/** Of the network. */
const unreachable = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENETDOWN$|EAI_AGAIN$|ENOENT$)/;
/** What the driver says without a code. */
const ofDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

export function isConnectionLost(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  if (typeof code === "string" && code !== "") {
    // A file of the way there, such as a certificate, will not come by waiting.
    if (code === "ENOENT" && syscall !== "connect") return false;
    return startsWith(code, lostConnection) || unreachable.test(code);
  }
  return ofDriver.test(String(message));
}

/** Nothing was written, and the next attempt may well succeed. */
export function isTransient(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // What was the primary is none any more; a new connection may find the new one.
  const isReplica = code === notSupported && /during recovery/.test(String(message));
  return isReplica || isConnectionLost(error) || startsWith(String(code), [...inTheWay, ...noRoom]);
}

/** What is told to whoever asked, where it is nobody's fault; any other error as it is. */
export function toAppError(error: unknown): unknown {
  if (error instanceof OutcomeUnknown) {
    return new AppError(
      "unavailable",
      "The connection to the database was lost while the change was being committed: it is not known whether it was made. Look before you try again.",
      error,
    );
  }
  const code = String((error as { code?: unknown }).code ?? "no answer");
  if (code === "55P03") {
    return new AppError(
      "unavailable",
      "another process is writing to the database; try again when it is done",
      error,
    );
  }
  if (isTransient(error) || startsWith(code, busy)) {
    return new AppError(
      "unavailable",
      `The database cannot be used now (${code}). Nothing was changed; try again.`,
      error,
    );
  }
  return error;
}

function startsWith(code: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => code.startsWith(beginning));
}
