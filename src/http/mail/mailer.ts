// Sends mail over SMTP. Off unless SMTP_URL is set.

import { createTransport } from "nodemailer";
import type { Html } from "../html.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: Html;
}

export interface Mailer {
  /** @throws Error if the server did not accept it */
  send(mail: Mail): Promise<void>;
}

/** Somebody may be waiting for a page. */
const timeoutMs = 10_000;

/**
 * @param url `smtp://` or `smtps://`; with credentials it requires TLS, except to this machine
 * @param from the sender's address
 */
export function createMailer(url: string, from: string): Mailer {
  const { hostname, username } = new URL(url);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const transport = createTransport({
    url,
    requireTLS: username !== "" && !isLocal,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail has the text that it is given, never a file or a URL of this machine.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html }) {
      await transport.sendMail({
        from: { name: "email-analytics", address: from },
        // As an object: an address is never read as a list of addresses.
        to: { name: "", address: to },
        subject,
        text,
        html: String(html),
        // Keeps out-of-office replies away (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
  };
}
