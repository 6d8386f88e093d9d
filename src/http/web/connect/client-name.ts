// The name of the tool that sent a request, from its User-Agent.

import type { Locale } from "../../../locale/locale.ts";

/** Tools whose User-Agent does not begin with their name. The first match wins. */
const knownClients: readonly [pattern: RegExp, name: string][] = [
  [/Google-Apps-Script/, "Google Apps Script"],
  [/GoogleDocs/, "Google Sheets"],
  [/PowerShell/, "PowerShell"],
  [/Tableau/, "Tableau"],
  [/Python-urllib/, "Python"],
];

const maxLength = 60;

/** `curl/8.5.0` or `Google Sheets`. @param userAgent the User-Agent header; empty if there was none */
export function clientName({ t }: Locale, userAgent: string): string {
  const known = knownClients.find(([pattern]) => pattern.test(userAgent));
  if (known) return known[1];
  if (userAgent.includes("Microsoft.Data.Mashup")) return t("connect.clients.powerQuery");
  if (userAgent.startsWith("Mozilla/")) return t("connect.clients.browser");
  return userAgent.split(" ", 1)[0]?.slice(0, maxLength) || t("connect.clients.unknown");
}
