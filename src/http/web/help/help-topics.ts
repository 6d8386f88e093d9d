// The table of help pages that come from `docs/`. Links between them stay links; links to other files become text.

import { readFileSync } from "node:fs";
import { tools } from "../../connect/tools.ts";
import { paths } from "../../paths.ts";
import { type Document, renderDocument } from "../ui/markdown.ts";

export interface HelpTopic extends Document {
  /** The file in `docs/` without `.md`, and the end of the URL. */
  id: string;
}

/** By the task of the reader. */
export const helpGroups = {
  tools: ["tools", "troubleshooting", "refresh", "downloads", "odata", "sql-views"],
  numbers: ["units", "numbers", "glossary"],
  programs: ["api"],
} as const;

export type HelpGroup = keyof typeof helpGroups;
const ids: readonly string[] = Object.values(helpGroups).flat();

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
