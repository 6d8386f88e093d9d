// Spreadsheets and reporting tools.

import type { ConnectTool } from "./connect-tool.ts";

const javascript = "text/javascript; charset=utf-8";

export const spreadsheets = [
  {
    id: "google-sheets",
    name: "Google Sheets",
    minutes: 5,
    steps: [
      "In the spreadsheet, choose Extensions, Apps Script, and replace the text there with the file.",
      "In Project Settings, add the script property EMAIL_ANALYTICS_KEY with your API key.",
      "Run the function refresh. Later, choose email-analytics, Refresh in the spreadsheet.",
    ],
    files: [{ path: "google-sheets/Code.gs", name: "Code.gs", contentType: javascript }],
    refresh: "Each run replaces the sheet emails. For daily runs, add a time-driven trigger in Apps Script.",
    limits:
      'The internet must reach {{address}}. Google reads at most 50 MB, about 50,000 campaigns. All editors of the spreadsheet can see the key. Without a script: create a CSV link, and enter =IMPORTDATA("…") with it.',
    tested:
      "Every test run runs the file with real requests, and stand-ins for the services of Google. Not run at Google.",
  },
  {
    id: "looker-studio",
    name: "Looker Studio",
    minutes: 10,
    steps: [
      "At script.google.com, create a project, replace Code.gs, and in Project Settings show and replace appsscript.json.",
      "Choose Deploy, Test deployments, and copy the Head Deployment ID. In Looker Studio, choose Create, Data source, Build your own, and paste it.",
      "Enter your API key when Looker Studio asks for it.",
    ],
    files: [
      { path: "looker-studio/Code.gs", name: "Code.gs", contentType: javascript },
      {
        path: "looker-studio/appsscript.json",
        name: "appsscript.json",
        contentType: "application/json; charset=utf-8",
      },
    ],
    refresh:
      "By the data freshness of the data source, 12 hours by default. Each report loads its date range.",
    limits:
      "The internet must reach {{address}}. Google reads at most 50 MB, about 50,000 campaigns a request. Rates are not aggregated: add a calculated field such as SUM(unique_opens) / SUM(recipient_count).",
    tested:
      "Every test run runs the file with real requests, and stand-ins for the services of Google. Not run at Google.",
  },
] as const satisfies readonly ConnectTool[];
