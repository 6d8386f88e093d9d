// The cookies of the web application: session, known device, CSRF secret of guests, pending sign-ins (OpenID, second factor),
// and the notice for the next page.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { dayMs } from "../../../campaign/calendar/durations.ts";
import { sessionLifetimeMs } from "../../../storage/users/sessions.ts";

const names = {
  session: "ea_session",
  device: "ea_device",
  guest: "ea_guest",
  openId: "ea_open_id",
  secondFactor: "ea_second_factor",
  notice: "ea_notice",
} as const;
type CookieName = keyof typeof names;

/** Max-Age of each cookie in seconds; undefined for a cookie that ends with the browser session. */
const maxAges: Record<CookieName, number | undefined> = {
  session: sessionLifetimeMs.absolute / 1000,
  // Browsers keep no cookie longer (RFC 6265bis, section 5.5).
  device: (400 * dayMs) / 1000,
  guest: undefined,
  openId: 600,
  secondFactor: 300,
  notice: 60,
};

/** Reads and writes cookies. Behind HTTPS they are Secure and have the `__Host-` prefix, so no other host can set them. */
export class Cookies {
  readonly #isSecure: () => boolean;

  constructor(publicUrl: () => string) {
    this.#isSecure = () => publicUrl().startsWith("https:");
  }

  #nameOf(name: CookieName): string {
    return `${this.#isSecure() ? "__Host-" : ""}${names[name]}`;
  }

  read({ cookies }: FastifyRequest, name: CookieName): string {
    return cookies[this.#nameOf(name)] ?? "";
  }

  write(reply: FastifyReply, name: CookieName, value: string): void {
    const maxAge = maxAges[name];
    reply.setCookie(this.#nameOf(name), value, {
      path: "/",
      httpOnly: true,
      // The value "strict" would make a link from another site open the sign-in form, not the page.
      sameSite: "lax",
      secure: this.#isSecure(),
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  clear(reply: FastifyReply, name: CookieName): void {
    reply.clearCookie(this.#nameOf(name), {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: this.#isSecure(),
    });
  }

  /** Returns the CSRF secret of a browser that is not signed in, and creates it if there is none. */
  guestSecret(request: FastifyRequest, reply: FastifyReply): string {
    const existing = this.read(request, "guest");
    if (/^[\w-]{43}$/.test(existing)) return existing;
    const secret = randomBytes(32).toString("base64url");
    this.write(reply, "guest", secret);
    return secret;
  }

  /** Returns the notice for this page, and deletes it. */
  takeNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
    const notice = this.read(request, "notice");
    if (notice === "") return undefined;
    this.clear(reply, "notice");
    return notice.slice(0, 1_000);
  }
}
