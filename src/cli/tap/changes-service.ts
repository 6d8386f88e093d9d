// Requests pages of changes from a service, and retries what may succeed later.

import { secondMs } from "../../campaign/calendar/durations.ts";
import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import type { ChangesBody } from "../../http/api/changes.ts";
import { paths } from "../../http/paths.ts";
import { type Failure, parseRetryAfter } from "../pull/hosted-service.ts";
import type { Shell } from "../shell.ts";
import { type TapConfig, toObject } from "./tap-files.ts";

const timeoutMs = 120 * secondMs;
/** With the waits between them, about two minutes. */
const maxAttempts = 7;
const firstRetryMs = 2 * secondMs;
const maxWaitMs = 600 * secondMs;
const checkUrl = "check url in --config, the base URL of the service";

export class ChangesService {
  readonly #config: TapConfig;
  readonly #shell: Pick<Shell, "now" | "sleep" | "stderr">;
  readonly #signal: AbortSignal;

  /** @param signal aborts requests and waits */
  constructor(config: TapConfig, shell: Pick<Shell, "now" | "sleep" | "stderr">, signal: AbortSignal) {
    this.#config = config;
    this.#shell = shell;
    this.#signal = signal;
  }

  /**
   * The page after a cursor, or the first one.
   *
   * @throws AppError `gone` if the cursor is no longer valid, `unauthorized` if the key is rejected, `unavailable` if the
   *   service does not answer with a page
   */
  async page(cursor: string | undefined): Promise<ChangesBody> {
    const { url, perPage } = this.#config;
    const query = new URLSearchParams({
      ...(cursor !== undefined && { cursor }),
      ...(perPage !== undefined && { per_page: String(perPage) }),
    });
    const target = `${url.href.replace(/\/+$/, "")}${paths.api.changes}?${query}`;
    for (let attempt = 1; ; attempt++) {
      const result = await this.#try(target);
      if ("page" in result) {
        if (!result.page.meta.has_more || result.page.meta.cursor !== cursor) return result.page;
        throw new AppError("unavailable", `${url.host} sends the same page of changes again and again`);
      }
      const { problem, retryAfterMs = firstRetryMs * 2 ** (attempt - 1) } = result;
      if (attempt === maxAttempts || retryAfterMs > maxWaitMs) throw new AppError("unavailable", problem);
      this.#shell.stderr.write(`${problem}; trying again in ${Math.ceil(retryAfterMs / 1000)} s\n`);
      await this.#shell.sleep(retryAfterMs, this.#signal);
    }
  }

  async #try(target: string): Promise<{ page: ChangesBody } | Failure> {
    const { url, apiKey } = this.#config;
    let response: Response;
    let text: string;
    try {
      response = await fetch(target, {
        headers: { authorization: `Bearer ${apiKey}`, "user-agent": "email-analytics tap" },
        // The key goes nowhere else.
        redirect: "manual",
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)]),
      });
      text = await response.text();
    } catch (error) {
      this.#signal.throwIfAborted();
      const { cause = error } = error as { cause?: unknown };
      return { problem: `the request to ${url.host} failed: ${(cause as Error).message}` };
    }
    const { status, headers } = response;
    if (status === 429 || status >= 500) {
      const retryAfterMs = parseRetryAfter(headers.get("retry-after") ?? undefined, this.#shell.now());
      return { problem: `${url.host} answered with status ${status}`, retryAfterMs };
    }
    if (status !== 200) throw refusal(url.host, status, text.replaceAll(apiKey, "<API_KEY>"));
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return { problem: `${url.host} answered with text that is no JSON` };
    }
    if (isPage(body)) return { page: body };
    const answer = quote(text.replaceAll(apiKey, "<API_KEY>"));
    throw new AppError("unavailable", `${url.host} answered with no page of changes: ${answer}; ${checkUrl}`);
  }
}

/** Whether it has what the tap needs. A newer service may have more. */
function isPage(body: unknown): body is ChangesBody {
  const { emails, meta } = toObject(body) ?? {};
  const { cursor, has_more } = toObject(meta) ?? {};
  const isChange = (value: unknown) => {
    const { id, updated_at, deleted } = toObject(value) ?? {};
    return Number.isSafeInteger(id) && typeof updated_at === "string" && typeof deleted === "boolean";
  };
  const hasMeta = typeof cursor === "string" && cursor !== "" && typeof has_more === "boolean";
  return hasMeta && Array.isArray(emails) && emails.every(isChange);
}

function refusal(host: string, status: number, text: string): AppError {
  const said = `${host} answered with status ${status}: ${quote(text)}`;
  if (status === 410) {
    return new AppError(
      "gone",
      `the state is no longer valid, because a backup was restored there or the service has new fields; delete the rows of the target, and run without --state. ${said}`,
    );
  }
  if (status === 401 || status === 403) {
    return new AppError("unauthorized", `the key is rejected; create one with the scope read. ${said}`);
  }
  return new AppError("unavailable", `${said}; ${checkUrl}`);
}
