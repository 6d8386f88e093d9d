// Reporting tools and spreadsheets.

import type { ToolEntry } from "./connect-tool.ts";

const basic = "choose Basic, enter any user name, and your API key as the password";

const openAgain = "Open the URL again: each time, it returns all campaigns as they are at that moment.";
const linkLimits =
  "Everyone who has the URL can read the campaigns. It works 60 times an hour, until the link expires.";

export const reports = [
  {
    id: "power-bi",
    name: "Power BI",
    minutes: 2,
    url: "{{address}}/odata/v1/",
    steps: [
      "Open the file `email-analytics.pbids`, or choose Get data, OData feed, and enter `{{address}}/odata/v1/`.",
      `When Power BI asks for credentials, ${basic}. Do not choose Web API.`,
      "Select `emails`, for tags also `email_tags` and `tags`, and for groups of recipients `email_groups`. Choose Load.",
    ],
    files: [
      "power-bi/email-analytics.pbids",
      "power-bi/incremental-refresh.pq",
      "power-bi/measures.dax",
      "power-bi/csv-types.pq",
    ],
    refresh:
      "A refresh loads everything. For incremental refresh, add the parameters RangeStart and RangeEnd of the type Date/Time, paste incremental-refresh.pq into the Advanced editor of emails, and refresh the last 30 days.",
    limits:
      "Power BI Service needs the on-premises data gateway if the internet does not reach your service. An average of rates is wrong: paste measures.dax into the DAX query view, and choose Update model with changes. csv-types.pq loads the CSV file instead of OData, with its types.",
    tested:
      "Every test run parses the M with Microsoft's parser, sends the requests that Power Query is known to send, and computes each measure in SQL from its DAX. Power BI was not run.",
  },
  {
    id: "excel",
    name: "Excel",
    minutes: 2,
    url: "{{address}}/odata/v1/",
    steps: [
      "On Windows, open the file `emails.odc`, or choose Data, Get Data, From Other Sources, From OData Feed, and enter `{{address}}/odata/v1/`.",
      `When Excel asks for credentials, ${basic}. Choose Connect.`,
    ],
    files: ["excel/emails.odc"],
    refresh: "Data, Refresh All. Each refresh loads everything.",
    limits:
      "Excel on the web does not read OData: open a CSV link, as for Excel on a Mac. A sheet has at most 1,048,576 rows.",
    tested:
      "Every test run parses the M in the file with Microsoft's parser, and sends the requests that Power Query is known to send. Excel was not run.",
  },
  {
    id: "mac-excel",
    name: "Excel on a Mac",
    minutes: 1,
    usesCsvLink: true,
    steps: [
      "Create a CSV link, and copy its URL for Excel, which ends in `.xlsx`.",
      "Open the URL in a browser, and the downloaded file in Excel.",
    ],
    refresh: openAgain,
    limits: linkLimits,
    tested: "Every test run reads the file with a reader of our own. Excel was not run.",
  },
  {
    id: "libreoffice",
    name: "LibreOffice Calc",
    minutes: 1,
    usesCsvLink: true,
    steps: [
      "Create a CSV link, and copy its URL for Excel, which ends in `.xlsx`.",
      "In Calc, choose File, Open, and enter the URL as the file name.",
    ],
    refresh: openAgain,
    limits: linkLimits,
    tested:
      "Every test run reads the file with a reader of our own. `npm run verify -- connectors` opens it in LibreOffice 7.4 and compares each value; the menu was not tried.",
  },
  {
    id: "tableau",
    name: "Tableau",
    minutes: 2,
    url: "{{address}}/odata/v1/emails",
    steps: [
      "Choose Connect, To a Server, OData, and enter `{{address}}/odata/v1/emails` as the server.",
      "Choose Username and Password: any user name, and your API key as the password. Sign in.",
    ],
    files: ["tableau/calculations.txt"],
    refresh: "Tableau reads OData as an extract: refresh the extract, which loads everything.",
    limits:
      "No live connection. An average of rates is wrong: create the calculated fields of calculations.txt. Use tag_names for tags, because Tableau does not support the list tags. Tableau Cloud needs Tableau Bridge if the internet does not reach your service.",
    tested:
      "Every test run requests the URL as an OData client with user name and password, and computes each calculated field in SQL from its formula. Tableau was not run.",
  },
  {
    id: "google-sheets",
    name: "Google Sheets",
    minutes: 5,
    steps: [
      "In the spreadsheet, choose Extensions, Apps Script, and replace the text there with the file.",
      "In Project Settings, add the script property `EMAIL_ANALYTICS_KEY` with your API key.",
      "Run the function `refresh`. Later, choose email-analytics, Refresh in the spreadsheet.",
    ],
    files: ["google-sheets/Code.gs"],
    refresh: "Each run replaces the sheet emails. For daily runs, add a time-driven trigger in Apps Script.",
    limits:
      'The internet must reach your service. Google reads at most 50 MB, about 50,000 campaigns. All editors of the spreadsheet can see the key. Without a script: create a CSV link, and enter =IMPORTDATA("…") with it.',
    tested:
      "Every test run runs the file with real requests, and stand-ins for the services of Google. Not run at Google.",
  },
  {
    id: "looker-studio",
    name: "Looker Studio",
    minutes: 10,
    steps: [
      "At `script.google.com`, create a project, replace `Code.gs`, and in Project Settings show and replace `appsscript.json`.",
      "Choose Deploy, Test deployments, and copy the Head Deployment ID. In Looker Studio, choose Create, Data source, Build your own, and paste it.",
      "Enter your API key when Looker Studio asks for it.",
    ],
    files: ["looker-studio/Code.gs", "looker-studio/appsscript.json"],
    refresh:
      "By the data freshness of the data source, 12 hours by default. Each report loads its fields and its date range.",
    limits:
      "The internet must reach your service. Google reads at most 50 MB, about 50,000 campaigns a request. Rates are not aggregated: add a calculated field such as SUM(IF(recipient_count IS NULL, 0, unique_opens)) / SUM(IF(unique_opens IS NULL, 0, recipient_count)).",
    tested:
      "Every test run runs the file with real requests, and stand-ins for the services of Google. Not run at Google.",
  },
] as const satisfies readonly ToolEntry[];
