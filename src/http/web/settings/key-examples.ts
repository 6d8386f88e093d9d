// Lines with a key in them, ready to be pasted into a terminal, a program or a tool for reports.

import type { KeyScope } from "../../../access/api-key.ts";

export interface Example {
  id: string;
  title: string;
  hint?: string;
  lines?: string;
}

interface Given {
  baseAddress: string;
  key: string;
  /** Under the base address. */
  emailsPath: string;
  eventsPath: string;
}

export function examplesOf(scope: KeyScope, given: Given): Example[] {
  return scope === "read" ? readingExamples(given) : sendingExamples(given);
}

function readingExamples({ baseAddress, key, emailsPath }: Given): Example[] {
  const address = `${baseAddress}${emailsPath}?per_page=100`;
  return [
    { id: "curl", title: "curl", lines: `curl -H "Authorization: Bearer ${key}" "${address}"` },
    {
      id: "power-bi",
      title: "Power BI",
      hint: "Get data, Blank query, Advanced editor. When Power BI asks for the credential, choose Basic, with any user name and the key as the password: so it does not stand in the query. Do not choose Web API, which puts the key into the address.",
      lines: powerQuery(baseAddress, emailsPath),
    },
    {
      id: "excel",
      title: "Excel",
      hint: "For one page: Data, From Web, this address; then Basic, with any user name and the key as the password. For all pages: Data, Get data, From other sources, Blank query, Advanced editor, and the lines for Power BI.",
      lines: address,
    },
    { id: "python", title: "Python", lines: pythonReading(address, key) },
  ];
}

function sendingExamples({ baseAddress, key, eventsPath }: Given): Example[] {
  const address = baseAddress + eventsPath;
  const body = '{"events": []}';
  const curl = [
    `curl "${address}" -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" -d '${body}'`,
  ];
  const python = [
    "import json, urllib.request",
    "",
    "request = urllib.request.Request(",
    `    "${address}",`,
    `    data=json.dumps(${body}).encode(),`,
    `    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},`,
    ")",
    "print(json.load(urllib.request.urlopen(request, timeout=60)))",
  ];
  const hint = "It sends no event yet, and shows that the key is accepted.";
  return [
    { id: "curl", title: "curl", hint, lines: curl.join("\n") },
    { id: "python", title: "Python", hint, lines: python.join("\n") },
  ];
}

function pythonReading(address: string, key: string): string {
  return [
    "import json, urllib.request",
    "",
    `address = "${address}"`,
    `headers = {"Authorization": "Bearer ${key}"}`,
    "emails, page, pages = [], 1, 1",
    "while page <= pages:",
    '    request = urllib.request.Request(f"{address}&page={page}", headers=headers)',
    "    answer = json.load(urllib.request.urlopen(request, timeout=60))",
    '    emails += answer["emails"]',
    '    page, pages = page + 1, answer["meta"]["total_pages"]',
    'print(len(emails), "campaigns")',
  ].join("\n");
}

/** Power Query M: all pages, with an address that stays one fixed text, so that a scheduled refresh is possible. */
function powerQuery(baseAddress: string, emailsPath: string): string {
  return `let
    BaseAddress = "${baseAddress}",
    SentBefore = DateTimeZone.ToText(
        DateTimeZone.FixedUtcNow(), [Format = "yyyy-MM-dd'T'HH:mm:ss'Z'", Culture = "en-US"]
    ),
    GetPage = (page as number) as record =>
        Json.Document(
            Web.Contents(
                BaseAddress,
                [
                    RelativePath = "${emailsPath.slice(1)}",
                    Query = [page = Number.ToText(page), per_page = "100", sent_before = SentBefore]
                ]
            )
        ),
    First = GetPage(1),
    Others = List.Transform({2 .. First[meta][total_pages]}, each GetPage(_)[emails]),
    Emails = Table.FromRecords(First[emails] & List.Combine(Others))
in
    Emails`;
}
