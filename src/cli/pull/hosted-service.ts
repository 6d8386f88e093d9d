// Requests pages of the emails endpoint of a hosted service: waits as it demands, retries what may succeed later, and never
// sends the key elsewhere.

import { dayMs, minuteMs, secondMs } from "../../campaign/calendar/durations.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { paths } from "../../paths.ts";
import type { Shell } from "../shell/shell.ts";
import { type Answer, sendRequest } from "./send-request.ts";

/** The attempts take about two minutes with the waits between them. */
const maxAttempts = 7;
const firstRetryMs = 2 * secondMs;
/** The wait after a 429 that does not say how long. All attempts together outlast a limit per hour. */
const limitedMs = 15 * minuteMs;
const maxRetryAfterMs = dayMs;
const maxRedirects = 5;
/** Codes of errors that retrying rarely cures: there is no such host, or it does not prove with TLS that it is the one. */
const wrongHost = /^(ENOTFOUND|EPROTO|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|ERR_TLS_)/;

interface HostedServiceOptions {
  /** The base URL. */
  from: URL;
  key: string;
  shell: Pick<Shell, "now" | "sleep">;
  /** Aborts requests and waits. */
  signal: AbortSignal;
  /** Called before each wait. */
  onWait(why: string, ms: number): void;
}

/** Why a request failed that may succeed later. */
interface Failure {
  problem: string;
  retryAfterMs?: number | undefined;
}

export class HostedService {
  readonly #options: HostedServiceOptions;
  #hasAnswered = false;
  /** How many requests were sent. */
  requests = 0;

  constructor(options: HostedServiceOptions) {
    this.#options = options;
  }

  /**
   * Returns the parsed body of a page.
   *
   * @throws AppError `unauthorized` if the key is rejected, `unavailable` if the
   *   service does not answer with a page
   */
  async page(query: Record<string, string>): Promise<unknown> {
    const { from } = this.#options;
    const url = new URL(`${from.href.replace(/\/$/, "")}${paths.api.emails}?${new URLSearchParams(query)}`);
    for (let attempt = 1; ; attempt++) {
      const result = await this.#try(url);
      if ("body" in result) return result.body;
      const { problem, retryAfterMs = firstRetryMs * 2 ** (attempt - 1) } = result;
      if (attempt === maxAttempts || retryAfterMs > maxRetryAfterMs) {
        const times = attempt === 1 ? "" : ` ${attempt} times`;
        const retryAfter =
          retryAfterMs > maxRetryAfterMs ? "; it accepts requests again in more than a day" : "";
        throw new AppError("unavailable", `${problem}${times}${retryAfter}.`);
      }
      this.#options.onWait(problem, retryAfterMs);
      await this.#options.shell.sleep(retryAfterMs, this.#options.signal);
    }
  }

  async #try(url: URL): Promise<{ body: unknown } | Failure> {
    let answer: Answer;
    try {
      answer = await this.#follow(url);
    } catch (error) {
      if (error instanceof AppError || this.#options.signal.aborted) throw error;
      const { message, code = "" } = error as NodeJS.ErrnoException;
      const problem = `The request to ${url.host} failed: ${this.#withoutKey(message)}`;
      // A host that has answered before exists.
      if (wrongHost.test(code) && !this.#hasAnswered) {
        throw new AppError("unavailable", `${problem}. Check --from and the network.`);
      }
      return { problem };
    }
    this.#hasAnswered = true;
    const { status, headers } = answer;
    // It may repeat the key of the request, in a record as well.
    const body = this.#withoutKey(answer.body);
    if (status === 408 || status === 429 || status >= 500) {
      const given = parseRetryAfter(headers.get("retry-after"), this.#options.shell.now());
      const retryAfterMs = given ?? (status === 429 ? limitedMs : undefined);
      return { problem: `${url.host} answered with status ${status}`, retryAfterMs };
    }
    if (status !== 200) throw this.#refusal(url, status, body);
    if (!answer.isUtf8)
      throw new AppError("unavailable", `${url.host} answered with text that is not UTF-8.`);
    try {
      // JSON may write its characters in other ways.
      const clean = (_: string, value: unknown) =>
        typeof value === "string" ? this.#withoutKey(value) : value;
      return { body: JSON.parse(body, clean) };
    } catch {
      // A proxy may have cut it.
      if (/^\s*\{/.test(body)) {
        return { problem: `${url.host} answered with JSON that is not complete` };
      }
      throw new AppError(
        "unavailable",
        `${url.host} answered with text that is not JSON: ${quote(body)}. Check --from: it is the base URL of the service, to which ${paths.api.emails} is added.`,
      );
    }
  }

  /** Follows redirects within the origin. */
  async #follow(first: URL): Promise<Answer> {
    const { key, signal } = this.#options;
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      "user-agent": "email-analytics pull",
    };
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      this.requests += 1;
      const answer = await sendRequest(url, headers, signal);
      const location = answer.headers.get("location");
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === null) return answer;
      const target = URL.canParse(location, url) ? new URL(location, url) : undefined;
      if (target?.origin !== url.origin) {
        const place = quote(this.#withoutKey(target?.origin ?? location));
        throw new AppError(
          "unavailable",
          `${url.origin} redirects to ${place}. The key is not sent there; if it is the same service, use it as --from.`,
        );
      }
      url = target;
    }
    throw new AppError(
      "unavailable",
      `${first.host} redirects more than ${maxRedirects} times. Check --from.`,
    );
  }

  #refusal({ host }: URL, status: number, body: string): AppError {
    const said = `${host} answered with status ${status}: ${quote(body)}.`;
    if (status === 401 || status === 403) {
      return new AppError(
        "unauthorized",
        `The hosted service rejects the key. ${said} Create a key there, under Settings, Integrations, Analytics API.`,
      );
    }
    return new AppError("unavailable", `${said} Check --from: it is the base URL of the service.`);
  }

  #withoutKey(text: string): string {
    return text.replaceAll(this.#options.key, "<API_KEY>");
  }
}

/** The milliseconds of a `Retry-After` header, in seconds or as a date (RFC 9110, 10.2.3); undefined if it has none. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * secondMs;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
