// Reads from a replica of the database while it is up to date.

import { minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { findOrganization, type Organization } from "../organizations.ts";
import { connect } from "./connect.ts";

export interface Replica {
  /**
   * Reads a snapshot in which the organization has at least the given revision.
   *
   * @returns undefined if the replica lags or fails; then read from the primary
   * @throws AppError that `work` throws
   */
  read<Result>(
    asOf: Pick<Organization, "id" | "revision" | "secret">,
    work: (queries: Queries, organization: Organization) => Promise<Result>,
  ): Promise<Result | undefined>;
  close(): Promise<void>;
}

/** Short, because the primary can answer instead. */
const bounds = { statementMs: 10_000, lockMs: 1_000, idleMs: 10_000 };
const connectMs = 1_000;
/** After a failure the replica is not used for this long; doubles with each failure. */
const minPauseMs = 5_000;
const maxPauseMs = minuteMs;

/** @param onFailure is called with the reason when the replica is not used for a while */
export function openReplica(
  url: string,
  maxConnections: number,
  onFailure: (error: unknown) => void,
): Replica {
  const kysely = connect(url, maxConnections, bounds, { connectMs });
  let pauseMs = minPauseMs;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    async read({ id, revision, secret }, work) {
      if (performance.now() < pausedUntil) return undefined;
      // After a failure only one request tries the replica; the others do not wait for the outcome.
      if (pauseMs > minPauseMs) pausedUntil = performance.now() + pauseMs;
      const reading = kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
      try {
        const result = await reading.execute(async (queries) => {
          const organization = await findOrganization(queries, id);
          if (organization && organization.secret !== secret)
            throw new Error("the replica is a copy of another database");
          if (!organization || organization.revision < revision) return undefined;
          return work(queries, organization);
        });
        [pauseMs, pausedUntil] = [minPauseMs, Number.NEGATIVE_INFINITY];
        return result;
      } catch (error) {
        if (error instanceof AppError) throw error;
        // Applying changes of the primary may cancel one query; the next one may succeed.
        if ((error as { code?: string }).code === "40001") return undefined;
        pausedUntil = performance.now() + pauseMs;
        pauseMs = Math.min(2 * pauseMs, maxPauseMs);
        onFailure(error);
        return undefined;
      }
    },
    close: () => kysely.destroy(),
  };
}
