// A read replica of the database: whoever reads the records of an organization is sent there, as long as it is up to date.

import { minuteMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { findOrganization, type Organization } from "../organizations.ts";
import { connect } from "./connect.ts";

export interface Replica {
  /**
   * Reads one state of the data, in which the organization has at least the revision that it is given with.
   *
   * @returns undefined where the replica is behind or cannot be used: the primary has to be asked
   * @throws Refusal that the work gives
   */
  read<Result>(
    asOf: Pick<Organization, "id" | "revision" | "secret">,
    work: (queries: Queries, organization: Organization) => Promise<Result>,
  ): Promise<Result | undefined>;
  close(): Promise<void>;
}

/** It answers soon, or somebody else does. In milliseconds. */
const bounds = { statementMs: 10_000, lockMs: 1_000, idleMs: 10_000 };
const connectMs = 1_000;
/** One that could not be used is left alone for so long, and longer each time. */
const restMsMin = 5_000;
const restMsMax = minuteMs;

/** @param onTrouble hears why the replica is left alone for a while */
export function openReplica(
  url: string,
  connectionsMax: number,
  onTrouble: (error: unknown) => void,
): Replica {
  const kysely = connect(url, connectionsMax, bounds, connectMs);
  let restMs = restMsMin;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    async read({ id, revision, secret }, work) {
      if (performance.now() < restsUntil) return undefined;
      // After a rest one request tries it, and the others do not wait for what comes of that.
      if (restMs > restMsMin) restsUntil = performance.now() + restMs;
      const reading = kysely.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
      try {
        const result = await reading.execute(async (queries) => {
          const organization = await findOrganization(queries, id);
          if (organization && organization.secret !== secret) throw new Error("it is of another database");
          if (!organization || organization.revision < revision) return undefined;
          return work(queries, organization);
        });
        [restMs, restsUntil] = [restMsMin, Number.NEGATIVE_INFINITY];
        return result;
      } catch (error) {
        if (error instanceof AppError) throw error;
        // What it applies of the primary's changes may be in the way of one request, and not of the next.
        if ((error as { code?: string }).code === "40001") return undefined;
        restsUntil = performance.now() + restMs;
        restMs = Math.min(2 * restMs, restMsMax);
        onTrouble(error);
        return undefined;
      }
    },
    close: () => kysely.destroy(),
  };
}
