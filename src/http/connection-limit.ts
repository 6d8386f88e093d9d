// Limits open connections: in total, and those of one client, so that it cannot shut out all others.

import { BlockList, isIPv6, type Server, type Socket } from "node:net";
import type { Logger } from "pino";
import { networkOf } from "./network-of.ts";

/** So that many dropped connections do not flood the log. */
const dropsLoggedEveryMs = 10_000;

/**
 * Drops new connections beyond `maxConnections`, and those of a network that has half of them. A trusted proxy may have
 * all, because its connections belong to many clients.
 */
export function limitConnections(
  server: Server,
  options: { maxConnections: number; trustedProxies: readonly string[]; log: Logger },
): void {
  const { maxConnections, log } = options;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const warn = (facts: { network?: string }, message: string) => {
    if (performance.now() - loggedAt < dropsLoggedEveryMs) return;
    loggedAt = performance.now();
    log.warn(facts, `new connections are dropped: ${message}`);
  };
  server.maxConnections = maxConnections;
  // With several processes Node would otherwise offer the connection to the others again and again, without a pause.
  Object.assign(server, { dropMaxConnection: true });
  server.on("drop", () => warn({}, "MAX_CONNECTIONS are open"));

  const maxOfNetwork = Math.ceil(maxConnections / 2);
  const isProxy = addressMatcher(options.trustedProxies);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // Undefined if the client is gone already.
    if (address === undefined || isProxy(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= maxOfNetwork) {
      warn(
        { network },
        "this network has half of MAX_CONNECTIONS; if it is a proxy, add it to TRUSTED_PROXIES",
      );
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) as number) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** @param networks IP addresses and CIDR networks */
function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const each of networks) {
    const [address = "", bits] = each.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  // The zone of a link-local address is no part of a network.
  return (address) => list.check(address.split("%", 1)[0] ?? "", isIPv6(address) ? "ipv6" : "ipv4");
}
