// Connection pools of a PostgreSQL server.

import { Socket } from "node:net";
import { Kysely } from "kysely";
import pg from "pg";
import type { DatabaseUse } from "../queries/database.ts";
import type { Tables } from "../tables/tables.ts";
import { TimeoutPostgresDialect, type TransactionTimeouts } from "./dialect.ts";
import { clientWithLimits } from "./silence-limits.ts";

/** The longest wait for a connection to open or to become free. */
const maxConnectMs = 5_000;
/** Idle connections are closed before the limit of a statement would be over. */
const idleMs = 20_000;
/** A host or network that is down sends nothing, so a response this much later than the statement timeout is given up. */
const graceMs = 10_000;
/** Delay of the first TCP keep-alive probe. */
const keepAliveMs = 10_000;

interface Connections {
  kysely: Kysely<Tables>;
  count(): NonNullable<DatabaseUse["connections"]>;
}

/** A pool that opens connections on demand. @param transactions the timeouts of each transaction */
export function connect(url: string, maxConnections: number, transactions: TransactionTimeouts): Connections {
  const { statementMs, idleMs: transactionIdleMs } = transactions;
  // A transaction that may pause between two statements is silent as well.
  const transaction = transactionIdleMs > 0 ? statementMs + graceMs : 0;
  const limits = { statement: statementMs, transaction, cancellation: graceMs };
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    Client: clientWithLimits(limits),
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: maxConnectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: "email-analytics",
    stream: () => newSocket(sockets),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // The pool replaces dead idle connections, and statements report dead ones in use. Unhandled, either event would end the
  // process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  // The driver leaves a socket open if authentication fails.
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const kysely = new Kysely<Tables>({ dialect: new TimeoutPostgresDialect(pool, transactions, endAll) });
  const count = () => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
    return { used: totalCount - idle, idle, waiting };
  };
  return { kysely, count };
}

function newSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}

const bigint = 20;

/** Parses bigint as a number: ids, times and counts stay below 2^53. */
function parserOf(type: number, format?: "text" | "binary"): unknown {
  return type === bigint ? Number : pg.types.getTypeParser(type, format);
}
