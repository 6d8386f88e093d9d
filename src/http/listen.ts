// Listens on a host and port, with a clear error when that is impossible.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../errors.ts";
import { serverLimits } from "./server-limits.ts";

/**
 * For `localhost`, Fastify would listen on its other addresses too, with servers that have neither our limits on
 * connections nor our graceful shutdown. Clients of `localhost` try IPv4 as well.
 */
const addressOf = (host: string) => (host === "localhost" ? "127.0.0.1" : host);

/**
 * Returns the URL that the app listens on.
 *
 * @throws AppError `conflict` if the port is in use, or the host is not an address of this computer
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host: addressOf(host), port, backlog: serverLimits.backlog });
  } catch (error) {
    throw toListenError(error, host, port, "--port");
  }
  return listeningUrl(host, (app.server.address() as AddressInfo).port);
}

/**
 * Reserves a free port of the host for another process of this program: 0 if the host has none. A connection on the port
 * keeps the system from giving it to a program that asks for any free one, but lets a program that names it listen.
 */
export async function reservePort(host: string): Promise<{ port: number; release(): void }> {
  const server = createServer().listen({ host: addressOf(host), port: 0 });
  try {
    await once(server, "listening");
    const { address, port } = server.address() as AddressInfo;
    const connection = connect(port, address);
    const [[accepted]] = await Promise.all([once(server, "connection"), once(connection, "connect")]);
    const ends: Socket[] = [connection, accepted];
    return { port, release: () => ends.map((end) => end.destroy()) };
  } catch {
    return { port: 0, release: () => undefined };
  } finally {
    server.close();
  }
}

/** Returns the URL of a server on this host and port. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** @param setting the option or setting that chooses another port */
export function toListenError(error: unknown, host: string, port: number, setting: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new AppError("conflict", `port ${port} of ${host} is in use; choose another with ${setting}`);
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new AppError("conflict", `cannot listen on ${host}, port ${port} (${code})`);
  }
  return error;
}
