// Listens on a host and port, with a clear error when that is impossible.

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../errors.ts";
import { serverLimits } from "../request/limits.ts";

/**
 * For `localhost`, Fastify would listen on its other addresses too, with servers that have neither our limits on
 * connections nor our graceful shutdown. Clients of `localhost` try IPv4 as well.
 */
const addressOf = (host: string) => (host === "localhost" ? "127.0.0.1" : host);

/**
 * Returns the URL that the app listens on.
 *
 * @param sharesPort whether other processes may listen on the same port: the system distributes the connections
 * @throws AppError `conflict` if the port is in use, or the host is not an address of this computer
 */
export async function listen(
  app: FastifyInstance,
  { host, port, sharesPort }: { host: string; port: number; sharesPort: boolean },
): Promise<string> {
  const options = { host: addressOf(host), port, backlog: serverLimits.backlog, reusePort: sharesPort };
  try {
    await app.listen(options);
  } catch (error) {
    throw toListenError(error, host, port, "--port");
  }
  return listeningUrl(host, (app.server.address() as AddressInfo).port);
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
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "ENOTSUP") {
    return new AppError("conflict", `cannot listen on ${host}, port ${port} (${code})`);
  }
  return error;
}
