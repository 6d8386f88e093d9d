// The checks of `doctor` that need no database.

import { openIdOf, type Settings } from "../../config.ts";
import { readScannerNetworks } from "../../counting/events/scanner-networks.ts";
import { paths } from "../../http/paths.ts";
import { listeningUrl } from "../../http/server/listen.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const maxAnswerMs = 5_000;

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

  async *public_url({ PUBLIC_URL: url, HOST, PORT }) {
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
    const answer = await askHealth(url + paths.health.live);
    if (answer === "ok") yield ok(`${url} answers.`);
    else
      yield problem(
        `${url}${paths.health.live} ${answer}. Start "serve", or correct PUBLIC_URL, DNS or proxy.`,
      );
  },

  async *proxy({ PUBLIC_URL: url, TRUSTED_PROXIES }) {
    if (!url.startsWith("https:") || isLoopback(url) || TRUSTED_PROXIES.length > 0) return;
    yield warning(
      "PUBLIC_URL is https, so there is a proxy, and all clients seem to have its address. Set TRUSTED_PROXIES to that address.",
    );
  },
};

function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** @returns `ok`, or what happens instead */
async function askHealth(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(maxAnswerMs) });
    const isHealthy = /^\{"status":"/.test(await response.text());
    return isHealthy ? "ok" : `answers with the status ${response.status}, and not as this service does`;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return `does not answer (${cause?.code ?? message})`;
  }
}
