// Code examples with a new API key, ready to paste into a terminal, a program or a reporting tool.

import type { KeyScope } from "../../../../access/api-key.ts";
import type { Locale } from "../../../../locale/locale.ts";

interface KeyExample {
  id: string;
  title: string;
  hint?: string;
  code?: string;
}

interface ExampleOptions {
  baseUrl: string;
  key: string;
  /** Paths below the base URL. */
  emailsPath: string;
  odataPath: string;
  eventsPath: string;
}

export function keyExamples(locale: Locale, scope: KeyScope, options: ExampleOptions): KeyExample[] {
  return scope === "read" ? readExamples(locale, options) : ingestExamples(locale, options);
}

function readExamples({ t }: Locale, { baseUrl, key, emailsPath, odataPath }: ExampleOptions): KeyExample[] {
  const url = `${baseUrl}${emailsPath}?per_page=100`;
  return [
    { id: "curl", title: "curl", code: `curl -H "Authorization: Bearer ${key}" "${url}"` },
    {
      id: "power-bi",
      title: "Power BI",
      hint: t("keys.powerBiHint"),
      code: `${baseUrl}${odataPath}/`,
    },
    {
      id: "excel",
      title: "Excel",
      hint: t("keys.excelHint"),
      code: `${baseUrl}${odataPath}/`,
    },
    { id: "python", title: "Python", code: pythonReadExample(url, key) },
  ];
}

function ingestExamples({ t }: Locale, { baseUrl, key, eventsPath }: ExampleOptions): KeyExample[] {
  const url = baseUrl + eventsPath;
  const body = '{"events": []}';
  const curl = [
    `curl "${url}" -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" -d '${body}'`,
  ];
  const python = [
    "import json, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    "${url}",`,
    `    data=json.dumps(${body}).encode(),`,
    `    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},`,
    ")",
    "print(json.load(urllib.request.urlopen(request, timeout=60)))",
  ];
  const hint = t("keys.ingestHint");
  return [
    { id: "curl", title: "curl", hint, code: curl.join("\n") },
    { id: "python", title: "Python", hint, code: python.join("\n") },
  ];
}

/** Fixes `sent_before`, so that a campaign that is sent meanwhile does not shift the pages. */
function pythonReadExample(url: string, key: string): string {
  return [
    "import json, urllib.request",
    "from datetime import datetime, timezone",
    "",
    `url = "${url}"`,
    `headers = {"Authorization": "Bearer ${key}"}`,
    'sent_before = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")',
    "emails, page, pages = [], 1, 1",
    "while page <= pages:",
    '    query = f"&page={page}&sent_before={sent_before}"',
    "    request = urllib.request.Request(url + query, headers=headers)",
    "    response = json.load(urllib.request.urlopen(request, timeout=60))",
    '    emails += response["emails"]',
    '    page, pages = page + 1, response["meta"]["total_pages"]',
    'print(len(emails), "campaigns")',
  ].join("\n");
}
