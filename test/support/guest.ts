// A client of the web application that keeps cookies, starts without a session, and sends forms with their CSRF token.

import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { csrfTokenOf } from "../../src/http/web/frame/csrf.ts";
import { inviteUser, setPassword } from "../../src/storage/users/passwords.ts";
import type { User } from "../../src/storage/users/users.ts";
import { type PageResponse, requestPage, type WebWorld } from "./web-world.ts";

export interface GuestClient {
  cookies: Map<string, string>;
  get(path: string): Promise<PageResponse>;
  /** Sends a form with the CSRF token of the browser. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>;
  /** Loads the sign-in page and submits it. */
  signIn(email: string, password: string, more?: Record<string, string>): Promise<PageResponse>;
  signOut(): Promise<PageResponse>;
}

export function makeGuest(url: string): GuestClient {
  const cookies = new Map<string, string>();
  const send = async (
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await requestPage(url + path, { cookie, fields, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const tokenFor = (cookieName: string) => csrfTokenOf(cookies.get(cookieName) ?? "none");
  const client: GuestClient = {
    cookies,
    get: (path) => send(path),
    post: (path, fields, headers) => send(path, { form_token: tokenFor("ea_guest"), ...fields }, headers),
    async signIn(email, password, more = {}) {
      const page = await send("/sign-in");
      if (page.status === 200) assert.ok(page.text.includes(tokenFor("ea_guest")));
      return client.post("/sign-in", { action: "sign-in", email, password, ...more });
    },
    signOut: () => send("/sign-out", { form_token: tokenFor("ea_session"), action: "sign-out" }),
  };
  return client;
}

/** A stored hash with a low cost. Verifying a hash with the usual cost takes a tenth of a second. */
export function hashCheaply(password: string): string {
  const salt = Buffer.alloc(16);
  const hash = scryptSync(password.normalize("NFC"), salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  return `scrypt$10$8$1$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** Gives a user a password, whose hash has a low cost. */
export function givePassword(
  { world }: Pick<WebWorld, "world">,
  user: User,
  password: string,
): Promise<void> {
  const hashed = hashCheaply(password);
  return world.database.transactionOf(user.organizationId, (scope) => setPassword(scope, user, hashed));
}

/** Makes an invite link. @returns its path and its secret */
export async function invite({ world }: Pick<WebWorld, "world">, user: User) {
  const secret = await world.database.transactionOf(user.organizationId, (scope) =>
    inviteUser(scope, user, world.clock.now),
  );
  return { path: `/sign-in/password/${user.organizationId}.${secret}`, secret };
}
