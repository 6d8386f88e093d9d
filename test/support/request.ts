// An HTTP request with an API key. A response that never comes is an error of its own.

const timeoutMs = 60_000;

/** The service received the request and did not respond. */
export class RequestTimeout extends Error {
  constructor(url: string) {
    super(`${url} did not respond within ${timeoutMs} ms`);
  }
}

/**
 * @param body makes it a POST, or another `method`
 * @throws RequestTimeout
 * @throws another error if the connection is lost
 */
export async function request(
  url: string,
  key: string,
  body?: string,
  method: "POST" | "PUT" = "POST",
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      headers,
      signal,
      ...(body !== undefined && { method, body }),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw signal.aborted ? new RequestTimeout(url) : error;
  }
}
