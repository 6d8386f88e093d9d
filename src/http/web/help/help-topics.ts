// The table of help pages that come from `docs/`. Links between them stay links; links to other files become text.

import { readFileSync } from "node:fs";
import { tools } from "../../connect/tools.ts";
import { paths } from "../../paths.ts";
import { type Document, renderDocument } from "../ui/markdown.ts";

export interface HelpTopic extends Document {
  /** The file in `docs/` without `.md`, and the end of the URL. */
  id: string;
}

/** The topics by the task of the reader, each with a sentence about it. */
export const helpGroups = {
  tools: {
    tools: "Compares the ways in which tools read campaigns, and says which one fits your tool.",
    troubleshooting: "What to do when a tool does not show what you expect.",
    refresh: "How to keep the data of a tool up to date.",
    downloads: "All campaigns in one file: CSV, NDJSON or Parquet.",
    odata: "The tables that Power BI, Excel and Tableau read.",
    "sql-views": "How tools that speak SQL read the campaigns from PostgreSQL.",
  },
  numbers: {
    units: "What to know before you sum or average a field.",
    numbers: "How opens, clicks, reads and answers become the numbers of a campaign.",
    glossary: "The terms of the service and what they mean.",
  },
  programs: { api: "How programs read campaigns: keys, pages, filters, changes and errors." },
} as const satisfies Record<string, Record<string, string>>;

export type HelpGroup = keyof typeof helpGroups;
const ids: readonly string[] = Object.values(helpGroups).flatMap((topics) => Object.keys(topics));

/** Beside `src/` in a checkout, and beside `dist/` in the package. */
const folder = new URL("../../../../docs/", import.meta.url);
/** The files never change while the service runs. */
const topics = new Map<string, HelpTopic>();

/** A page by its id; undefined if there is none. It is rendered when it is first shown. */
export function findHelpTopic(id: string): HelpTopic | undefined {
  if (!ids.includes(id)) return undefined;
  const topic = topics.get(id) ?? {
    id,
    ...renderDocument(readFileSync(new URL(`${id}.md`, folder), "utf8"), urlOfLink),
  };
  topics.set(id, topic);
  return topic;
}

/** All pages, in their order. */
export function helpTopics(): HelpTopic[] {
  return ids.flatMap((id) => findHelpTopic(id) ?? []);
}

/** The URL on this service of a link between files of `docs/`; undefined if the file is not shown here. */
function urlOfLink(link: string): string | undefined {
  if (/^(#|https:)/.test(link)) return link;
  const [, name = "", fragment = ""] = /^([\w/-]+)\.md(#.*)?$/.exec(link) ?? [];
  if (ids.includes(name)) return `${paths.web.help}/${name}${fragment}`;
  const [folderName, page] = name.split("/");
  if (folderName !== "connect") return link === "openapi.json" ? paths.web.apiReference : undefined;
  const tool = tools.find(({ id }) => id === page);
  return tool ? `${paths.web.connect}/${tool.id}` : paths.web.connect;
}
