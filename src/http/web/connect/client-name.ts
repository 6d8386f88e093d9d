// The name of the tool that sent a request, from its User-Agent.

import { connectStrings } from "../strings/connect.ts";

/** Tools whose User-Agent does not begin with their name. The first match wins. */
const knownClients: readonly [pattern: RegExp, name: string][] = [
  [/Microsoft\.Data\.Mashup/, "Power Query (Power BI or Excel)"],
  [/Google-Apps-Script/, "Google Apps Script"],
  [/GoogleDocs/, "Google Sheets"],
  [/PowerShell/, "PowerShell"],
  [/Tableau/, "Tableau"],
  [/Python-urllib/, "Python"],
  [/^Mozilla\//, "a browser"],
];

const maxLength = 60;

/** `curl/8.5.0` or `Power Query (Power BI or Excel)`. @param userAgent the User-Agent header; empty if there was none */
export function clientName(userAgent: string): string {
  const known = knownClients.find(([pattern]) => pattern.test(userAgent));
  return known?.[1] ?? (userAgent.split(" ", 1)[0]?.slice(0, maxLength) || connectStrings.unknownClient);
}
