// Classifies errors of SQLite, and turns them into what callers and operators have to know.

import { AppError } from "../../errors.ts";

/** A disk that is full, read-only or failing. The files beside the database need space and permission too. */
const unwritable = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN)|ENOSPC$|EDQUOT$|EROFS$|EACCES$|EPERM$)/;

/** Whether writing fails, while reading may work. */
export function isUnwritable(error: unknown): boolean {
  return unwritable.test(codeOf(error));
}

/** Completes a message of SQLite, which says "disk I/O error" on a full disk. Empty for other errors. */
export function explainUnwritable(error: unknown): string {
  return /^SQLITE_(FULL|READONLY|IOERR)/.test(codeOf(error))
    ? "; the disk is full or read-only: free space, or let this user write"
    : "";
}

/** An AppError `unavailable` if the database cannot be written now; any other error as it is. */
export function toAppError(error: unknown): unknown {
  if (!isUnwritable(error)) return error;
  const message = `The database cannot be written now (${codeOf(error)}); the disk is full or read-only. Nothing was saved; try again.`;
  return new AppError("unavailable", message, error);
}

/** An error of opening a file that the operator can fix. */
export function toOpenError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const { message } = error as Error;
  const code = codeOf(error);
  const shownCode = code === "" || message.includes(code) ? "" : ` (${code})`;
  const isForeign = code === "SQLITE_NOTADB";
  const nextStep = isForeign ? "; use another DATABASE_URL, or restore a backup" : explainUnwritable(error);
  return new AppError(
    "conflict",
    `DATABASE_URL: sqlite:${path} cannot be opened: ${message}${shownCode}${nextStep}`,
    error,
  );
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? "");
}
