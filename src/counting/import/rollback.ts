// Rolls a transaction back that has done its work, such as a dry run.

/** Thrown in a transaction to roll it back. */
export class Rollback extends Error {}

/** Rethrows all other errors. */
export function ignoreRollback(error: unknown): void {
  if (!(error instanceof Rollback)) throw error;
}
