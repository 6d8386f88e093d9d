// Connections to a PostgreSQL server, as many as are needed at the same time.

import { Socket } from "node:net";
import { Kysely } from "kysely";
import pg from "pg";
import { BoundedPostgresDialect, type TransactionBounds } from "./postgres-dialect.ts";
import type { Tables } from "./tables.ts";

/** For a connection to be made, or to become free. */
const connectMs = 5_000;
/** Connections that nobody uses are closed. */
const idleMs = 60_000;
/**
 * A machine that was shut off and a network that was cut send nothing: what is late by so much longer than a statement may
 * take is given up.
 */
const latenessMs = 10_000;
/** For the first question of the system to a connection that has fallen silent. */
const keepAliveMs = 10_000;

/**
 * Connections are made when they are needed.
 *
 * @param transactions what each transaction is bounded by
 */
export function connectTo(
  url: string,
  connectionsMax: number,
  transactions: TransactionBounds,
): Kysely<Tables> {
  const { statementMs } = transactions;
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "email-analytics",
    ...(statementMs > 0 && { stream: () => endedBySilence(statementMs + latenessMs) }),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // An idle connection that dies is replaced; one in use tells its statement. Neither may end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Tables>({ dialect: new BoundedPostgresDialect(pool, transactions) });
}

/** `query_timeout` of the driver would let the connection live, and what comes next wait behind the lost answer. */
function endedBySilence(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => socket.destroy());
}

const bigint = 20;

/** Ids, instants and counts stay below 2^53. */
function parserOf(type: number, format?: "text" | "binary"): unknown {
  return type === bigint ? Number : pg.types.getTypeParser(type, format);
}
