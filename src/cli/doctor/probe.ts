// Sends requests to PUBLIC_URL as a client does, and sees what a proxy makes of them.

import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import type { PrometheusMetricName } from "../../http/monitoring/metrics.ts";
import { bodyLimits } from "../../http/request/body-limits.ts";
import type { ProxyReport } from "../../http/server/health.ts";
import { paths } from "../../paths.ts";

const maxAnswerMs = 5_000;

/** Addresses for documentation (RFC 5737). A proxy adds one, or replaces them. */
export const forgedAddresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

function open(
  url: string,
  headers: Record<string, string | number>,
  method: "GET" | "POST" = "GET",
): ClientRequest {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return request(url, { method, headers, agent: false, signal: AbortSignal.timeout(maxAnswerMs) });
}

/** Does not follow redirects: senders of events do not either. @throws Error of the network */
async function get(url: string, headers: Record<string, string> = {}) {
  const sent = open(url, headers).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const port = response.socket.localPort;
  return { status: response.statusCode, headers: response.headers, body: await text(response), port };
}

/** @returns `ok`, or what happens instead */
export async function askHealth(url: string): Promise<string> {
  try {
    const { status, headers, body } = await get(url);
    if (body === '{"status":"ok"}' && headers["x-request-id"] !== undefined) return "ok";
    if (headers.location !== undefined) return `redirects to ${targetOf(headers.location, url)}`;
    const reason =
      status === 502 || status === 504 ? "the proxy does not reach the service" : "not as this service does";
    return `answers with the status ${status}, and ${reason}`;
  } catch (error) {
    return explain(error as NodeJS.ErrnoException);
  }
}

function targetOf(location: string, url: string): string {
  const target = URL.canParse(location, url) ? new URL(location, url).href : location.slice(0, 200);
  return target === url ? "itself, without end" : target;
}

function explain({ code = "", name, message }: NodeJS.ErrnoException): string {
  if (/^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$/.test(code)) {
    return `does not speak TLS (${code}): the port takes http, not https`;
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `has a certificate that clients refuse (${code})`;
  return `does not answer (${code === "ABORT_ERR" || name === "AbortError" ? "timeout" : code || message})`;
}

/** @returns what the service received; undefined if it does not answer at this URL */
export async function askProxy(base: string): Promise<(ProxyReport & { isDirect: boolean }) | undefined> {
  const headers = { "x-forwarded-for": forgedAddresses.join(", "), bearer_auth: "none" };
  try {
    const { body, port } = await get(base + paths.health.proxy, headers);
    const report = JSON.parse(body) as ProxyReport;
    if (report.region === undefined) return undefined;
    return { ...report, isDirect: report.client_port === port };
  } catch {
    return undefined;
  }
}

/** Reads a metric without labels of the service. @returns undefined if the service does not answer, or has no such value */
export async function readMetric(url: string, name: PrometheusMetricName): Promise<number | undefined> {
  try {
    const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec((await get(url)).body) ?? [];
    return value === undefined ? undefined : Number(value);
  } catch {
    return undefined;
  }
}

/**
 * Announces the largest body that the service takes, to a webhook URL that does not exist, without sending it.
 *
 * @returns whether a proxy refuses it for its size; the service itself would answer 404
 */
export async function refusesLargeBodies(base: string): Promise<boolean> {
  const headers = { expect: "100-continue", "content-length": bodyLimits.webhook };
  const sent = open(`${base}${paths.ingest.webhooks}/none`, headers, "POST");
  try {
    sent.flushHeaders();
    return await new Promise((resolve, reject) => {
      sent.once("continue", () => resolve(false)).once("error", reject);
      sent.once("response", ({ statusCode }) => resolve(statusCode === 413));
    });
  } catch {
    return false;
  } finally {
    sent.on("error", () => undefined).destroy();
  }
}
