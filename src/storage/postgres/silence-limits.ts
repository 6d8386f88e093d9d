// Limits how long a connection waits for the server. A statement outside a transaction has no timeout on the server: one
// would take a transaction or the session, and behind PgBouncer others use the session too. So the client cancels it. The
// `query_timeout` of the driver would not: the next statement would wait behind the lost response.

import type { Socket } from "node:net";
import pg from "pg";

/** What a connection waits for. */
type Wait = "statement" | "transaction" | "cancellation";

/**
 * Clients of one pool.
 *
 * @param limits in milliseconds; 0 is none:
 * - `statement`: a statement outside a transaction is canceled. Idle connections must be closed sooner.
 * - `transaction`: the connection is closed. The server has canceled the statement before, if it is up. A commit is never
 *   canceled: one that waits for a standby would succeed without it.
 * - `cancellation`: the connection is closed.
 */
export function clientWithLimits(limits: Record<Wait, number>): typeof pg.Client {
  return class extends pg.Client {
    readonly #config: string | pg.ClientConfig | undefined;
    /** The socket below TLS, which also sees all traffic. */
    readonly #socket: Socket;
    #wait: Wait | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.#config = config;
      this.#socket = this.connection.stream as Socket;
      this.#socket.on("timeout", () => this.#giveUp());
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver has many overloads.
    override query(...given: any[]): any {
      this.#waitFor(this.getTransactionStatus() === "I" ? "statement" : "transaction");
      return Reflect.apply(super.query, this, given);
    }

    #waitFor(wait: Wait): void {
      if (wait === this.#wait) return;
      this.#wait = wait;
      this.#socket.setTimeout(limits[wait]);
    }

    #giveUp(): void {
      if (this.#wait !== "statement") {
        this.#socket.destroy();
        return;
      }
      this.#waitFor("cancellation");
      cancelStatement(this, this.#config);
    }
  };
}

/** Members of the driver that its types lack. */
interface CancellableClient {
  processID: number;
  secretKey: number;
}

interface CancellableConnection {
  startup(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Sends a CancelRequest on a new connection (PostgreSQL manual, "Canceling Requests in Progress"). PgBouncer forwards it.
 * A failure has no effect: the connection is closed soon.
 */
function cancelStatement(client: pg.Client, config: string | pg.ClientConfig | undefined): void {
  const { processID, secretKey } = client as unknown as CancellableClient;
  const canceling = new pg.Client(config);
  const connection = canceling.connection as unknown as CancellableConnection;
  connection.startup = () => connection.cancel(processID, secretKey);
  canceling.on("error", () => undefined);
  // The server closes the connection without a response.
  canceling.connect(() => undefined);
}
