// Networks from which only scanners come: the ones in scanner-networks.txt, and those of the operator.

import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { LRUCache } from "lru-cache";
import type { EventType } from "../../campaign/events/event.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";

const shippedText = readFileSync(new URL("scanner-networks.txt", import.meta.url), "utf8");

type ScannedScope = "all" | "clicks";

export class ScannerNetworks {
  readonly #networks = { all: new BlockList(), clicks: new BlockList() };
  /** A look-up takes longer than all else that classifies an event, and most addresses come more than once. */
  readonly #scopes = new LRUCache<string, ScannedScope | "none">({ max: 10_000 });

  /** @param text the lines of the operator's file */
  constructor(text = "") {
    for (const line of [...shippedText.split("\n"), ...text.split("\n")]) {
      const network = parseLine(line);
      if (network) this.#networks[network.scope].addSubnet(network.address, network.bits, network.family);
    }
  }

  isScanner(ip: string | undefined, type: EventType): boolean {
    if (ip === undefined) return false;
    let scope = this.#scopes.get(ip);
    if (scope === undefined) {
      scope = this.#scopeOf(ip.trim());
      this.#scopes.set(ip, scope);
    }
    return scope === "all" || (scope === "clicks" && type === "click");
  }

  #scopeOf(ip: string): ScannedScope | "none" {
    if (isIP(ip) === 0) return "none";
    const family = isIP(ip) === 6 ? "ipv6" : "ipv4";
    if (this.#networks.all.check(ip, family)) return "all";
    return this.#networks.clicks.check(ip, family) ? "clicks" : "none";
  }
}

export const shippedNetworks = new ScannerNetworks();

/**
 * Reads the operator's file.
 *
 * @param path empty for no file
 * @throws AppError `bad_request` that names the first line that is not accepted
 */
export function readScannerNetworks(path: string): string {
  if (path === "") return "";
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new AppError("bad_request", `SCANNER_NETWORKS: cannot read ${quote(path)}`, error);
  }
  for (const [index, line] of text.split("\n").entries()) {
    if (parseLine(line) !== undefined) continue;
    const accepted = "NETWORK SCOPE NAME, such as 192.0.2.0/24 all Our gateway; the scope is all or clicks";
    throw new AppError(
      "bad_request",
      `SCANNER_NETWORKS: line ${index + 1} of ${quote(path)}: ${quote(line)} is not ${accepted}`,
    );
  }
  return text;
}

/** @returns null for an empty line and a comment; undefined if the line is not accepted */
function parseLine(line: string) {
  if (/^\s*(#|$)/.test(line)) return null;
  const [, address = "", digits, scope] = /^\s*([^\s/]+)\/(\d{1,3})\s+(all|clicks)\s+\S/.exec(line) ?? [];
  const [version, bits] = [isIP(address), Number(digits)];
  if (version === 0 || bits < 1 || bits > (version === 4 ? 32 : 128)) return undefined;
  return { address, bits, family: version === 4 ? "ipv4" : "ipv6", scope: scope as ScannedScope } as const;
}
