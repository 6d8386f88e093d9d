// The network that an IP address belongs to, for limits on what one client can do.

import { isIPv6 } from "node:net";

/** The network of an IP address: the first 64 bits of an IPv6 address, because one host has all of them. */
export function networkOf(ipAddress: string): string {
  const plain = ipAddress.split("%", 1)[0] ?? "";
  if (!isIPv6(plain)) return ipAddress.slice(0, 100);
  const [head = "", tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  const isMapped = groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff";
  return isMapped ? groups.slice(6).join(":") : groups.slice(0, 4).join(":");
}
