// Connections to a PostgreSQL server, as many as are needed at the same time.

import { Socket } from "node:net";
import { Kysely } from "kysely";
import pg from "pg";
import type { Tables } from "../tables.ts";
import { BoundedPostgresDialect, type TransactionBounds } from "./dialect.ts";

/** For a connection to be made, or to become free. */
const connectMsMax = 5_000;
/** Connections that nobody uses are closed, before their silence would end them. */
const idleMs = 30_000;
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
export function connect(
  url: string,
  connectionsMax: number,
  transactions: TransactionBounds,
  connectMs: number = connectMsMax,
): Kysely<Tables> {
  const { statementMs } = transactions;
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "email-analytics",
    stream: () => newSocket(sockets, statementMs > 0 ? statementMs + latenessMs : 0),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // An idle connection that dies is replaced; one in use tells its statement. Neither may end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  // The driver leaves a connection open on which it could not sign in.
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return new Kysely<Tables>({ dialect: new BoundedPostgresDialect(pool, transactions, endAll) });
}

/**
 * `query_timeout` of the driver would let the connection live, and what comes next wait behind the lost answer.
 *
 * @param silenceMs after which it is ended; 0 is never
 */
function newSocket(sockets: Set<Socket>, silenceMs: number): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  return socket.setTimeout(silenceMs, () => socket.destroy());
}

const bigint = 20;

/** Ids, instants and counts stay below 2^53. */
function parserOf(type: number, format?: "text" | "binary"): unknown {
  return type === bigint ? Number : pg.types.getTypeParser(type, format);
}
