// Tells public IP addresses from private ones, and connects only to public ones, so that a host name cannot lead a pull
// into the operator's network.

import { type LookupAddress, type LookupAllOptions, lookup as resolve } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";
import { AppError } from "../../errors.ts";

/** Special-purpose addresses (IANA registry, RFC 6890) and multicast. */
const reservedIPv4: readonly [network: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Within 2000::/3, the only public part: Teredo, documentation and 6to4, which contain or lead to other addresses. */
const reservedIPv6: readonly [network: string, bits: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const reserved = new BlockList();
for (const [network, bits] of reservedIPv4) reserved.addSubnet(network, bits, "ipv4");
for (const [network, bits] of reservedIPv6) reserved.addSubnet(network, bits, "ipv6");

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Whether an IP address is reachable from the internet. Of IPv6, addresses that contain one of IPv4 are not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return isIP(address) === 4 && !reserved.check(address, "ipv4");
}

/** The host of a URL that names this computer. */
export const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host for a connection, and fails if one of its addresses is not public. The connection uses the addresses
 * that were checked: a second answer of the name server (DNS rebinding) has no effect.
 */
export function lookupPublic(resolveAll: Resolve = resolve): LookupFunction {
  return (host, options, callback) => {
    resolveAll(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const refused = addresses?.find(({ address }) => !isPublicAddress(address));
      if (error || !first) callback(error ?? new Error(`${host} has no address`), "");
      else if (refused) callback(new PrivateAddressError(host, refused.address), "");
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** @throws PrivateAddressError if the URL contains an IP address that is not public; sockets do not resolve those */
export function checkAddressIn({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw new PrivateAddressError(hostname, address);
}

export class PrivateAddressError extends AppError {
  constructor(host: string, address: string) {
    const name =
      host === address || host === `[${address}]` ? address : `${host} has the address ${address}, which`;
    super(
      "forbidden",
      `--from: ${name} is not a public address; add --allow-private if the service is in your network`,
    );
  }
}
