// A real SMTP server that keeps what it receives.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { createMailer } from "../../src/letters/mailer.ts";
import type { Cleanup } from "./world.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and bodies, as they came. */
  raw: string;
  text: string;
}

interface SmtpOptions {
  /** The code that it answers to a mail instead of accepting it; `true` is 450. The sender waits for a promise. */
  refuses?: (to: string) => boolean | number | Promise<boolean>;
  /** A free one by default. */
  port?: number;
}

export async function startSmtp(t: Cleanup, { refuses = () => false, port: wanted = 0 }: SmtpOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    async onData(stream, session, done) {
      const raw = await text(stream);
      const { mailFrom, rcptTo } = session.envelope;
      const code = await refuses(rcptTo[0]?.address ?? "");
      if (code) return done(Object.assign(new Error("not now"), code !== true && { responseCode: code }));
      const from = mailFrom ? mailFrom.address : "";
      received.push({ from, to: rcptTo.map(({ address }) => address), raw, text: plainTextOf(raw) });
      done();
    },
  });
  server.on("error", () => undefined);
  server.listen(wanted, "127.0.0.1");
  await once(server.server, "listening");
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://127.0.0.1:${port}`;
  const mailer = createMailer(url, "analytics@example.com");
  return { received, url, mailer };
}

/** Of the first part, which is quoted-printable, base64 or plain. */
function plainTextOf(raw: string): string {
  const [, head = "", body = ""] =
    /Content-Type: text\/plain([\s\S]*?)\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(raw) ?? [];
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
