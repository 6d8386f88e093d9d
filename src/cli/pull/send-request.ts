// Sends one GET request and reads its answer, with bounds on its size and time.

import { once } from "node:events";
import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { get as getHttps, Agent as HttpsAgent } from "node:https";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { AppError } from "../../errors.ts";

/** Of an answer, decompressed. A page of 100 ordinary campaigns has about 100 kB. */
const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 120_000;

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Sends requests to one origin, over one connection that stays open. */
export class Requester {
  readonly #agent: HttpAgent;
  readonly #timeoutMs: number;

  constructor(origin: URL, { timeoutMs: ms = timeoutMs }: { timeoutMs?: number } = {}) {
    this.#timeoutMs = ms;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent = origin.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * @throws AppError `unavailable` if the answer is too large or has an unknown encoding; any other error if the
   *   connection fails, is cut, or takes too long
   */
  async send(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const get = url.protocol === "https:" ? getHttps : getHttp;
    try {
      const request = get(url, {
        agent: this.#agent,
        headers: { ...headers, "accept-encoding": "gzip" },
        signal: AbortSignal.any([signal, timeout]),
      });
      // Both `once` and the reader of the response get the error as well; without a listener it would end the process.
      request.on("error", () => undefined);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const body = await readBody(response, url.host);
      return { status: response.statusCode ?? 0, headers: response.headers, body };
    } catch (error) {
      if (timeout.aborted) throw new Error(`no complete answer within ${this.#timeoutMs / 1000} s`);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readBody(response: IncomingMessage, host: string): Promise<string> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  const chunks: Uint8Array[] = [];
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(host);
      chunks.push(chunk);
    }
  };
  if (encoding === "gzip") await pipeline(response, createGunzip(), collect);
  else if (encoding === "identity") await pipeline(response, collect);
  else {
    response.destroy();
    throw new AppError(
      "unavailable",
      `${host} answered with the encoding "${encoding}"; only gzip is accepted.`,
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}

const tooLarge = (host: string) =>
  new AppError(
    "unavailable",
    `${host} answered with more than ${maxBytes / 1024 / 1024} MiB, which is no page of 100 campaigns; check --from.`,
  );
