// Sends mail over SMTP. Off unless SMTP_URL is set.

import { createTransport } from "nodemailer";
import type { Html } from "../locale/html.ts";
import { MailError } from "./mail-error.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: Html;
  /** A POST to it ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string;
}

export interface Mailer {
  /** @throws MailError if the server did not accept it */
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
  return {
    async send({ to, subject, text, html, unsubscribeUrl }) {
      let isDataSent = false;
      // Errors do not tell at which command the connection broke: the log of commands does.
      const logger = logOf((command) => {
        if (command === "DATA") isDataSent = true;
      });
      const transport = createTransport({
        url,
        logger,
        transactionLog: true,
        requireTLS: username !== "" && !isLocal,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        // A mail has the text that it is given, never a file or a URL of this machine.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          from: { name: "email-analytics", address: from },
          // An object is never read as a list of addresses.
          to: { name: "", address: to },
          subject,
          text,
          html: String(html),
          headers: {
            // Keeps out-of-office replies away (RFC 3834).
            "Auto-Submitted": "auto-generated",
            ...(unsubscribeUrl !== undefined && {
              "List-Unsubscribe": `<${unsubscribeUrl}>`,
              "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            }),
          },
        });
      } catch (error) {
        throw toMailError(error as SmtpError, isDataSent);
      }
    },
  };
}

type SmtpError = Error & { code?: string; responseCode?: number };

/** A refusal of the credentials or of the connection is no refusal of the mail. */
function toMailError(error: SmtpError, isDataSent: boolean): MailError {
  const { code = "", responseCode } = error;
  const isOfMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (!isOfMail) return new MailError(error.message, isDataSent ? "unknown" : "away", error);
  const isRefused = responseCode === undefined || responseCode >= 500;
  return new MailError(error.message, isRefused ? "refused" : "later", error);
}

/** A log that passes on the commands of the client, without credentials. */
function logOf(onCommand: (command: string) => void) {
  const ignore = () => undefined;
  return {
    level: ignore,
    trace: ignore,
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
    debug(entry: { tnx?: string }, text: string) {
      if (entry.tnx === "client") onCommand(text);
    },
  };
}
