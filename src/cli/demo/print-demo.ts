// Prints what the demo serves, and commands to try it.

import { company } from "../../counting/sample/company.ts";
import { type Output, printResult } from "../shell/output.ts";
import type { DemoServer } from "./demo-server.ts";

export function printDemo(output: Output, { url, signInUrl, key, campaigns, tagId }: DemoServer): void {
  const curl = (query: string) =>
    `  curl -H "Authorization: Bearer ${key}" "${url}/data_api/v1/emails${query}"`;
  const lines = [
    `${company.organization.name}, a fictional company, sent ${campaigns.imported + campaigns.counted} campaigns since 2023; the ${campaigns.counted} of the last nine months`,
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
