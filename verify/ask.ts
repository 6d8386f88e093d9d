// A request to a service: that it is never answered is a failure with a name.

const unansweredMsMax = 60_000;

/** The service has a request, and does not answer it. */
export class Unanswered extends Error {
  constructor(url: string) {
    super(`${url} was not answered within ${unansweredMsMax} ms`);
  }
}

/**
 * @throws Unanswered
 * @throws another error when the connection is lost
 */
export async function ask(
  url: string,
  key: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(unansweredMsMax);
  try {
    const answer = await fetch(url, { headers, signal, ...(body !== undefined && { method: "POST", body }) });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    throw signal.aborted ? new Unanswered(url) : error;
  }
}
