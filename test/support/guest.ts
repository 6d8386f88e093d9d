// A browser in which nobody has signed in yet: it keeps its cookies, and sends forms as the pages have them.

import assert from "node:assert/strict";
import { csrfTokenOf } from "../../src/http/web/ui/csrf.ts";
import { type PageResponse, requestPage } from "./visiting.ts";

export interface GuestClient {
  cookies: Map<string, string>;
  get(path: string): Promise<PageResponse>;
  /** Sends a form with the token of the browser, as from the page of that path. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>;
  /** Signs in from the page for it. */
  signIn(email: string, password: string, more?: Record<string, string>): Promise<PageResponse>;
  /** Signs out by the button of the frame. */
  signOut(): Promise<PageResponse>;
}

export function makeGuest(url: string): GuestClient {
  const cookies = new Map<string, string>();
  const ask = async (path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const seen = await requestPage(url + path, { cookie, fields, headers });
    for (const set of seen.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return seen;
  };
  const tokenOf = (name: string) => csrfTokenOf(cookies.get(name) ?? "none");
  const self: GuestClient = {
    cookies,
    get: (path) => ask(path),
    post: (path, fields, headers) => ask(path, { form_token: tokenOf("ea_guest"), ...fields }, headers),
    async signIn(email, password, more = {}) {
      const page = await ask("/sign-in");
      if (page.status === 200) assert.ok(page.text.includes(tokenOf("ea_guest")));
      return self.post("/sign-in", { action: "sign-in", email, password, ...more });
    },
    signOut: () => ask("/sign-out", { form_token: tokenOf("ea_session"), action: "sign-out" }),
  };
  return self;
}
