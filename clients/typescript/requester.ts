// Sends requests: retries what may succeed later, waits as the service demands, and never sends the key elsewhere.

import { EmailAnalyticsError } from "./email-analytics-error.ts";

/** With the waits between them, 15 seconds. */
const maxAttempts = 5;
const firstRetryMs = 1_000;
const defaultMaxWaitMs = 120_000;
const quotedLength = 200;

export interface RequesterOptions {
  /** The base URL of the service, such as `https://analytics.example.com`. */
  address: string;
  /** An API key with the scope `read`. */
  key: string;
  /** Allows http, in a network that you trust. This computer is always allowed. */
  allowHttp?: boolean | undefined;
  /** The longest `Retry-After` that is waited for; a longer one is an error. 120,000 by default. */
  maxWaitMs?: number | undefined;
  /** Waits before a retry. */
  sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

interface GetRequest {
  path: string;
  query: URLSearchParams;
  signal: AbortSignal | undefined;
  /** For the whole response. */
  timeoutMs?: number;
}

export class Requester {
  readonly #base: string;
  readonly #host: string;
  readonly #key: string;
  readonly #maxWaitMs: number;
  readonly #sleep: NonNullable<RequesterOptions["sleep"]>;
  #hasAnswered = false;

  /** @throws TypeError if the address or the key cannot be one */
  constructor({ address, key, allowHttp, maxWaitMs = defaultMaxWaitMs, sleep = wait }: RequesterOptions) {
    const { protocol, hostname, host, href } = parseAddress(address);
    const isSafe =
      protocol === "https:" || allowHttp || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    if (!isSafe) {
      throw new TypeError(
        `address: "${address}" is not https; allowHttp allows it in a network that you trust`,
      );
    }
    // A message must not quote a key.
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new TypeError("key: it is empty, or has characters that no key has");
    this.#base = href.replace(/\/+$/, "").replace(/\/+data_api\/v1\/emails$/, "");
    this.#host = host;
    this.#key = key;
    this.#maxWaitMs = maxWaitMs;
    this.#sleep = sleep;
  }

  /**
   * The response with the status 200, before its body is read.
   *
   * @throws EmailAnalyticsError
   */
  response(request: GetRequest): Promise<Response> {
    return this.#retry(request, () => this.#send(request));
  }

  /**
   * The body of a page.
   *
   * @throws EmailAnalyticsError
   */
  page(request: GetRequest): Promise<unknown> {
    return this.#retry(request, async () => this.#readPage(await this.#send(request)));
  }

  async #retry<Result>({ signal }: GetRequest, send: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof EmailAnalyticsError)) throw error;
        const waitMs = error.retryAfterMs ?? firstRetryMs * 2 ** (attempt - 1);
        if (!this.#isTemporary(error) || attempt === maxAttempts || waitMs > this.#maxWaitMs) throw error;
        await this.#sleep(waitMs, signal);
      }
    }
  }

  /** A host that never answered is probably misspelled. */
  #isTemporary({ code, status = 0 }: EmailAnalyticsError): boolean {
    if (code === "connection_failed") return this.#hasAnswered;
    return code === "cut" || status === 408 || status === 429 || status >= 500;
  }

  async #send({ path, query, signal, timeoutMs }: GetRequest): Promise<Response> {
    const signals = [signal, timeoutMs && AbortSignal.timeout(timeoutMs)].filter((each) => !!each);
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}?${query}`, {
        headers: { authorization: `Bearer ${this.#key}` },
        // A browser would keep a copy of the data.
        cache: "no-store",
        redirect: "manual",
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      throw new EmailAnalyticsError(
        "connection_failed",
        `The request to ${this.#host} failed: ${reasonOf(error)}.`,
        { cause: error },
      );
    }
    this.#hasAnswered = true;
    if (response.status !== 200) throw await this.#failureOf(response);
    return response;
  }

  async #readPage(response: Response): Promise<unknown> {
    const text = await readText(response, this.#host);
    const body = parseJson(text);
    if ("emails" in body && "meta" in body) return body;
    throw new EmailAnalyticsError(
      "unexpected_response",
      `${this.#host} answered with text that is not a page of the API: ${this.#quote(text)}. Is address the base URL of the service?`,
      { ...detailsOf(response), status: response.status },
    );
  }

  async #failureOf(response: Response): Promise<EmailAnalyticsError> {
    const { status, type, headers } = response;
    const location = headers.get("location");
    // Browsers hide where a redirect goes.
    if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
      const target = location === null ? "another URL" : this.#quote(location);
      await response.body?.cancel();
      return new EmailAnalyticsError(
        "redirected",
        `${this.#host} redirects to ${target}. The key is not sent there; if it is the same service, use it as address.`,
        { ...detailsOf(response), status },
      );
    }
    const text = await response.text().catch(() => "");
    const { error: code, error_message: message } = parseJson(text);
    if (typeof code !== "string" || typeof message !== "string") {
      return new EmailAnalyticsError(
        "unexpected_response",
        `${this.#host} answered with status ${status} and text that is not an error of the API: ${this.#quote(text)}. A proxy may have sent it.`,
        { ...detailsOf(response), status },
      );
    }
    const hint =
      code === "gone" ? " Start again with a download and an empty copy, and go on from its cursor." : "";
    return new EmailAnalyticsError(
      code,
      `${this.#host} answered with status ${status}, ${code}: ${this.#withoutKey(message)}${hint}`,
      { ...detailsOf(response), status },
    );
  }

  #quote(text: string): string {
    return JSON.stringify(this.#withoutKey(text).slice(0, quotedLength));
  }

  /** A response may repeat the headers of the request. */
  #withoutKey(text: string): string {
    return text.replaceAll(this.#key, "<API_KEY>");
  }
}

function parseAddress(address: string): URL {
  // A message must not quote a password.
  if (address.includes("@")) {
    throw new TypeError("address: leave out the user name and the password; the key is sent instead");
  }
  if (!URL.canParse(address) || !/^https?:/.test(address)) {
    throw new TypeError(`address: "${address}" is no URL such as https://analytics.example.com`);
  }
  return new URL(address);
}

/** The object; an empty one if the text is anything else. */
function parseJson(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

async function readText(response: Response, host: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new EmailAnalyticsError("cut", `The response of ${host} was cut: ${reasonOf(error)}.`, {
      ...detailsOf(response),
      cause: error,
    });
  }
}

function detailsOf({ headers }: Response) {
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get("retry-after")),
  };
}

/** `Retry-After` in seconds, or as a date (RFC 9110, 10.2.3). */
function parseRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(at - Date.now(), 0);
}

/** Node gives the reason as the cause. */
export function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return (cause as Error).message;
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
