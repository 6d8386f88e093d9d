// A browser without pages: an HTTP client that keeps cookies and submits forms with their CSRF token.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";

export interface FormResponse {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

export interface FormClient {
  get(path: string, headers?: Record<string, string>): Promise<FormResponse>;
  /** Loads the page of a form and submits it from there. */
  submit(path: string, fields: Record<string, string>): Promise<FormResponse>;
}

/** @param localAddress the client's IP address, such as 127.0.0.5 */
export function makeFormClient(origin: string, localAddress = "127.0.0.1"): FormClient {
  const cookies = new Map<string, string>();
  const send = async (
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<FormResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = request(new URL(path, origin), {
      agent: false,
      localAddress,
      method: body === undefined ? "GET" : "POST",
      headers: { ...(cookie && { cookie }), ...headers },
    }).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    for (const each of response.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const { statusCode: status = 0, headers: received } = response;
    return { status, headers: received, text: await readText(response) };
  };
  return {
    get: (path, headers = {}) => send(path, headers),
    async submit(path, fields) {
      const { text } = await send(path, {});
      const [, token = ""] = /name="form_token" value="([^"]*)"/.exec(text) ?? [];
      const headers = { "content-type": "application/x-www-form-urlencoded", origin };
      return send(path, headers, String(new URLSearchParams({ form_token: token, ...fields })));
    },
  };
}
