// The checks of `doctor` that need no database.

import { isLoopback } from "../../access/loopback.ts";
import { openIdOf, type Settings } from "../../config.ts";
import { readScannerNetworks } from "../../counting/events/scanner-networks.ts";
import { bodyLimits } from "../../http/request/body-limits.ts";
import { listeningUrl } from "../../http/server/listen.ts";
import { paths } from "../../paths.ts";
import { type Finding, megabytes, ok, problem, warning } from "./finding.ts";
import { askHealth, askProxy, forgedAddresses, readMetric, refusesLargeBodies } from "./probe.ts";

export const settingsChecks: Record<string, (settings: Settings) => AsyncGenerator<Finding>> = {
  async *settings(settings) {
    for (const check of [() => openIdOf(settings), () => readScannerNetworks(settings.SCANNER_NETWORKS)]) {
      try {
        check();
      } catch (error) {
        yield problem(`${(error as Error).message}. Until then, "serve" does not start.`);
      }
    }
    if (settings.TRACKING_URL === "" || settings.TRACKING_SECRET.length > 0) return;
    yield warning(
      "TRACKING_URL is set and TRACKING_SECRET is not, so tracked messages are off. Set TRACKING_SECRET to at least 32 random characters.",
    );
  },

  async *public_url({ PUBLIC_URL: url, HOST, PORT, REGION }) {
    if (url === "") {
      const links = listeningUrl(HOST, PORT);
      yield warning(`PUBLIC_URL is not set, so links lead to ${links}. Set it to the URL that clients use.`);
      return;
    }
    if (!url.startsWith("https:") && !isLoopback(url)) {
      yield problem(
        `PUBLIC_URL is ${url}, so keys and passwords travel unencrypted. Put a proxy with TLS in front, and set the https URL.`,
      );
    }
    if (new URL(url).pathname !== "/") {
      yield warning(`PUBLIC_URL is ${url}. The web application works only at the root of a host: use one.`);
    }
    const live = url + paths.health.live;
    const answer = await askHealth(live);
    if (answer !== "ok") {
      yield problem(`${live} ${answer}. Start "serve", or correct PUBLIC_URL, DNS or proxy.`);
      return;
    }
    const region = (await askProxy(url))?.region;
    if (region !== undefined && region !== REGION) {
      yield problem(
        `${url} is of another service: its REGION is ${region}, and here it is ${REGION}. Correct PUBLIC_URL or REGION.`,
      );
    }
    yield ok(`${url} answers.`);
  },

  async *proxy({ PUBLIC_URL: url, TRUSTED_PROXIES }) {
    const answer = url === "" ? undefined : await askProxy(url);
    if (answer?.isDirect) {
      yield ok("There is none: requests reach the service directly.");
      return;
    }
    const isLikely = url.startsWith("https:") && !isLoopback(url);
    const isUntrusted = answer
      ? answer.forwarded_addresses > 0 && !answer.is_trusted
      : isLikely && TRUSTED_PROXIES.length === 0;
    if (isUntrusted) yield warning(untrusted);
    if (!answer) {
      yield ok("Not checked, because no service answers at PUBLIC_URL.");
      return;
    }
    yield* addressFindings(answer.forwarded_addresses);
    if (answer.http_version === "1.0") {
      yield problem(
        'The proxy speaks HTTP/1.0 to the service, which refuses downloads over it. Set HTTP/1.1, in nginx "proxy_http_version 1.1;".',
      );
    }
    if (!answer.has_bearer_auth) {
      yield warning(
        'The proxy drops the header bearer_auth, in which some tools send their key. Let it pass, in nginx "underscores_in_headers on;".',
      );
    }
    if (await refusesLargeBodies(url)) {
      yield problem(
        `The proxy refuses bodies of ${bodyLimits.webhook / 1024 ** 2} MiB, so senders lose events. Raise its limit, in nginx "client_max_body_size 10m;".`,
      );
    }
  },

  async *memory({ MONITORING: address }) {
    if (!address) {
      yield ok("Not measured, because MONITORING is not set.");
      return;
    }
    const url = listeningUrl(address.host, address.port) + paths.metrics;
    const used = await readMetric(url, "email_analytics_memory_bytes");
    if (used === undefined) {
      yield ok(`Not measured, because no service reports it at ${url}.`);
      return;
    }
    const limit = await readMetric(url, "email_analytics_memory_limit_bytes");
    yield ok(
      `The service uses ${megabytes(used)}${limit === undefined ? "" : ` of the ${megabytes(limit)} of its container`}.`,
    );
  },
};

const untrusted =
  "There is a proxy that the service does not trust, so all clients seem to have its address. Set TRUSTED_PROXIES to that address.";

/** @param count how many addresses X-Forwarded-For has behind the proxy */
function* addressFindings(count: number): Generator<Finding> {
  const advice = 'Add the address, in nginx "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;".';
  if (count === 0) {
    yield problem(`The proxy passes no X-Forwarded-For, so all clients seem to have its address. ${advice}`);
  } else if (count === forgedAddresses.length) {
    yield problem(
      `The proxy passes X-Forwarded-For on as clients send it, so they can choose their address. ${advice}`,
    );
  }
}
