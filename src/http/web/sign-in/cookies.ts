// The cookies of the web application: the session, a secret for forms of those who have not signed in yet, what is kept
// while somebody signs in elsewhere, and a notice for the next page.

import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sessionLifetimeMs } from "../../../storage/sessions.ts";

const names = {
  session: "ea_session",
  guest: "ea_guest",
  openId: "ea_open_id",
  notice: "ea_notice",
} as const;
type Name = keyof typeof names;

/** How long browsers keep each, in seconds; undefined: until they are closed. */
const ages: Record<Name, number | undefined> = {
  session: sessionLifetimeMs.absolute / 1000,
  guest: undefined,
  openId: 600,
  notice: 60,
};

/** Behind HTTPS, browsers send it nowhere else, and no other host may set it. */
export class Cookies {
  readonly #isSecure: () => boolean;

  constructor(publicUrl: () => string) {
    this.#isSecure = () => publicUrl().startsWith("https:");
  }

  #nameOf(name: Name): string {
    return `${this.#isSecure() ? "__Host-" : ""}${names[name]}`;
  }

  read({ cookies }: FastifyRequest, name: Name): string {
    return cookies[this.#nameOf(name)] ?? "";
  }

  write(reply: FastifyReply, name: Name, value: string): void {
    const maxAge = ages[name];
    reply.setCookie(this.#nameOf(name), value, {
      path: "/",
      httpOnly: true,
      // Not "strict": who follows a link to a page from elsewhere is signed in there.
      sameSite: "lax",
      secure: this.#isSecure(),
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  clear(reply: FastifyReply, name: Name): void {
    reply.clearCookie(this.#nameOf(name), {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      secure: this.#isSecure(),
    });
  }

  /** The secret for the forms of a browser in which nobody has signed in; made where there is none. */
  guestSecret(request: FastifyRequest, reply: FastifyReply): string {
    const known = this.read(request, "guest");
    if (/^[\w-]{43}$/.test(known)) return known;
    const secret = randomBytes(32).toString("base64url");
    this.write(reply, "guest", secret);
    return secret;
  }

  /** What is to be said on the next page, once. */
  takeNotice(request: FastifyRequest, reply: FastifyReply): string | undefined {
    const notice = this.read(request, "notice");
    if (notice === "") return undefined;
    this.clear(reply, "notice");
    return notice.slice(0, 1_000);
  }
}
