// A proxy between a service and PostgreSQL that resets the connection during a commit: before the server receives it,
// while the server commits, or after the commit but before the service gets the response.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Read-only transactions end with a commit as well. */
export interface Cut {
  of: "reading" | "writing";
  when: "before" | "during" | "after";
}

export interface ResettingProxy {
  port: number;
  /** Resets both sides of the connection at the next commit of this kind. Resolves when it is done. */
  cutNextCommit(cut: Cut): Promise<void>;
  stop(): Promise<void>;
}

/** A service under load commits long before. */
const commitTimeoutMs = 60_000;

/** A cut that waits for a commit. */
type PendingCut = Cut & { done: () => void; failed: (error: Error) => void };

/** @param target the local port of the PostgreSQL server */
export async function startResettingProxy(target: number): Promise<ResettingProxy> {
  let pending: PendingCut | undefined;
  const sockets = new Set<Socket>();
  const take = (of: Cut["of"]): PendingCut | undefined => {
    if (pending?.of !== of) return undefined;
    const taken = pending;
    pending = undefined;
    return taken;
  };
  const proxy = createServer({ noDelay: true }, (service) => {
    const server = connect({ host: "127.0.0.1", port: target, noDelay: true });
    for (const socket of [service, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    // When one side disconnects, disconnect the other one.
    service.on("close", () => server.writableEnded || server.destroy());
    server.on("close", () => service.destroy());
    join(service, server, take);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    port: (proxy.address() as AddressInfo).port,
    async cutNextCommit(cut) {
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      pending = { ...cut, done, failed };
      const late = setTimeout(
        () => failed(new Error(`no ${cut.of} transaction was committed`)),
        commitTimeoutMs,
      );
      await promise.finally(() => clearTimeout(late));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** Forwards the messages of each side to the other one, until a cut. */
function join(service: Socket, server: Socket, take: (of: Cut["of"]) => PendingCut | undefined): void {
  let of: Cut["of"] = "writing";
  /** The cut to make before the response to the commit is forwarded. */
  let cutAfter: PendingCut | undefined;
  const cut = ({ done }: PendingCut) => {
    service.resetAndDestroy();
    server.resetAndDestroy();
    done();
  };
  const requests = new Messages(0);
  service.on("data", (chunk: Buffer) => {
    for (const message of requests.of(chunk)) {
      const statement = statementOf(message);
      if (statement?.startsWith("begin")) of = statement.includes(" read only") ? "reading" : "writing";
      const pending = statement === "commit" ? take(of) : undefined;
      if (pending?.when === "before") return cut(pending);
      if (pending?.when === "during") {
        // The server commits at the end of the connection, while the service may already retry.
        server.end(message);
        service.resetAndDestroy();
        return pending.done();
      }
      cutAfter ??= pending;
      server.write(message);
    }
  });
  const responses = new Messages(1);
  server.on("data", (chunk: Buffer) => {
    for (const message of responses.of(chunk)) {
      const type = String.fromCharCode(message[0] ?? 0);
      if (!cutAfter) service.write(message);
      else if (type === "E") cutAfter.failed(new Error(`a commit failed: ${message.toString("latin1")}`));
      else if (type === "Z") return cut(cutAfter);
    }
  });
}

/** Splits a stream into PostgreSQL messages: type (one byte), length, body. The first message of a client has no type. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #typeBytes: 0 | 1;

  constructor(typeBytes: 0 | 1) {
    this.#typeBytes = typeBytes;
  }

  *of(chunk: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= this.#typeBytes + 4) {
      const end = this.#typeBytes + this.#rest.readInt32BE(this.#typeBytes);
      if (this.#rest.length < end) return;
      const message = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      this.#typeBytes = 1;
      yield message;
    }
  }
}

/** The statement of a simple query message. */
function statementOf(message: Buffer): string | undefined {
  return message[0] === "Q".charCodeAt(0) ? message.toString("utf8", 5, message.length - 1) : undefined;
}
