// Prints what the demo serves, and commands to try it.

import { headOffice } from "../../counting/sample/branches.ts";
import { type Output, printResult, printRows } from "../shell/output.ts";
import type { DemoServer } from "./demo-server.ts";

export function printDemo(output: Output, { url, signInUrl, key, campaigns, tagId }: DemoServer): void {
  const curl = (query: string) => curlCommand({ url, key }, query);
  const lines = [
    `${headOffice.organization.name}, a fictional company, sent ${campaigns.imported + campaigns.counted} campaigns since 2023; the ${campaigns.counted} of the last nine months`,
    "are counted from events. Open the web application, signed in as an admin:",
    "",
    `  ${signInUrl}`,
    "",
    "Connect your tools to the API:",
    "",
    `  URL      ${url}/data_api/v1/emails`,
    `  API key  ${key}`,
    "",
    "Or run one of these in another terminal:",
    "",
    curl("?per_page=2"),
    curl("?sent_after=2024-06-01&sent_before=2024-06-30"),
    curl(`?tag_ids=${tagId}&per_page=100`),
    "",
    "Ctrl-C to stop.",
  ];
  printResult(output, { url, key, sign_in: signInUrl }, lines.join("\n"));
}

/** Prints a table with explanations, or only its rows as JSON. */
export function printRegions(output: Output, servers: readonly DemoServer[]): void {
  const explain = (...lines: string[]) => {
    if (!output.json) output.stdout.write(`${lines.join("\n")}\n`);
  };
  const { name } = headOffice.organization;
  const rows = servers.map(({ region, url, key }) => ({ region, url, key }));
  const [first] = rows;
  explain(`${name}, a fictional company, has a branch in each of these regions, which share no data:`, "");
  printRows(output, rows, "");
  explain("", "Run this in another terminal, and try the key at another URL:", "");
  if (first) explain(curlCommand(first, "?per_page=2"), "", "Ctrl-C to stop.");
}

function curlCommand({ url, key }: { url: string; key: string }, query: string): string {
  return `  curl -H "Authorization: Bearer ${key}" "${url}/data_api/v1/emails${query}"`;
}
