// The base URL of the links that commands print.

import { listeningUrl } from "../../http/server/listen.ts";
import { type Shell, settingsOf } from "./shell.ts";

export function publicUrlOf(shell: Shell): string {
  const { PUBLIC_URL, HOST, PORT } = settingsOf(shell);
  return PUBLIC_URL || listeningUrl(HOST, PORT);
}

/**
 * Warns if PUBLIC_URL is not set: a command does not know the options of a running `serve`.
 *
 * @param link the kind of link that was printed
 * @param clients who opens it
 */
export function warnWithoutPublicUrl(shell: Shell, link: string, clients: string): void {
  if (settingsOf(shell).PUBLIC_URL !== "") return;
  shell.stderr.write(
    `warning: PUBLIC_URL is not set, so the ${link} starts with ${publicUrlOf(shell)}, from HOST and PORT. A server started with --host or --port has another URL. Replace this start in the link by the URL at which ${clients} reach the server, and set PUBLIC_URL to it.\n`,
  );
}
