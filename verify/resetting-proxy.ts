// A way from a service to its PostgreSQL server that breaks in the middle of a commit: before the server hears of it,
// while it makes it, or when it has made it and the service has not heard so yet.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Reading transactions end by a commit as well. */
export interface Cut {
  of: "reading" | "writing";
  when: "before" | "during" | "after";
}

export interface ResettingProxy {
  port: number;
  /** Resets the connection of the next commit of that kind, towards both sides. Resolves when that is done. */
  cutNextCommit(cut: Cut): Promise<void>;
  stop(): Promise<void>;
}

/** A service that is at work commits long before. */
const commitMsMax = 60_000;

/** A cut that is to be made, and what to do when it was. */
type Wanted = Cut & { done: () => void; failed: (error: Error) => void };

/** @param target the port of the server, on this machine */
export async function startResettingProxy(target: number): Promise<ResettingProxy> {
  let wanted: Wanted | undefined;
  const sockets = new Set<Socket>();
  const take = (of: Cut["of"]): Wanted | undefined => {
    if (wanted?.of !== of) return undefined;
    const taken = wanted;
    wanted = undefined;
    return taken;
  };
  const proxy = createServer({ noDelay: true }, (service) => {
    const server = connect({ host: "127.0.0.1", port: target, noDelay: true });
    for (const socket of [service, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    // What one side does abruptly reaches the other side abruptly.
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
      wanted = { ...cut, done, failed };
      const late = setTimeout(() => failed(new Error(`no ${cut.of} transaction was committed`)), commitMsMax);
      await promise.finally(() => clearTimeout(late));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** Hands the messages of each side to the other one, until a cut. */
function join(service: Socket, server: Socket, take: (of: Cut["of"]) => Wanted | undefined): void {
  let of: Cut["of"] = "writing";
  /** What the answer to the commit is kept back for. */
  let cutAfter: Wanted | undefined;
  const cut = ({ done }: Wanted) => {
    service.resetAndDestroy();
    server.resetAndDestroy();
    done();
  };
  const asked = new Messages(0);
  service.on("data", (piece: Buffer) => {
    for (const message of asked.of(piece)) {
      const statement = statementOf(message);
      if (statement?.startsWith("begin")) of = statement.includes(" read only") ? "reading" : "writing";
      const wanted = statement === "commit" ? take(of) : undefined;
      if (wanted?.when === "before") return cut(wanted);
      if (wanted?.when === "during") {
        // The server takes the commit with the end of the connection, while the service may begin again already.
        server.end(message);
        service.resetAndDestroy();
        return wanted.done();
      }
      cutAfter ??= wanted;
      server.write(message);
    }
  });
  const answered = new Messages(1);
  server.on("data", (piece: Buffer) => {
    for (const message of answered.of(piece)) {
      const type = String.fromCharCode(message[0] ?? 0);
      if (!cutAfter) service.write(message);
      else if (type === "E") cutAfter.failed(new Error(`a commit failed: ${message.toString("latin1")}`));
      else if (type === "Z") return cut(cutAfter);
    }
  });
}

/** Cuts what comes in into messages: a type of one byte, a length, a body. The first one of a client has no type. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #typeBytes: 0 | 1;

  constructor(typeBytes: 0 | 1) {
    this.#typeBytes = typeBytes;
  }

  *of(piece: Buffer): Generator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, piece]);
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

/** The text of a message that holds a statement and nothing else. */
function statementOf(message: Buffer): string | undefined {
  return message[0] === "Q".charCodeAt(0) ? message.toString("utf8", 5, message.length - 1) : undefined;
}
