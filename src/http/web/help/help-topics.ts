// The table of help pages that come from `docs/`. Links between them stay links; links to other files become text.

import { readFileSync } from "node:fs";
import type { HtmlValue } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { tools } from "../../connect/tools.ts";
import { type Document, renderDocument } from "../ui/texts/markdown.ts";

interface HelpTopic extends Document {
  id: HelpTopicId;
}

/** A link to help, with what it is about. */
export interface HelpLink {
  path: string;
  name: HtmlValue;
  note: HtmlValue;
}

/** The topics by the task of the reader. The messages have a title and a sentence about each. */
export const helpGroups = {
  numbers: ["numbers", "glossary"],
  tools: ["tools", "troubleshooting", "downloads", "odata", "sql-views"],
  programs: ["api"],
} as const;

export type HelpGroup = keyof typeof helpGroups;
/** The file in `docs/` without `.md`, and the end of the URL. */
type HelpTopicId = (typeof helpGroups)[HelpGroup][number];
const ids: readonly HelpTopicId[] = Object.values(helpGroups).flat();
const idOf = (text: string) => ids.find((id) => id === text);

/** The folder is beside `src/` in a checkout, and beside `dist/` in the package. */
const folder = new URL("../../../../docs/", import.meta.url);
/** The files never change while the service runs. */
const topics = new Map<HelpTopicId, HelpTopic>();

/** A page by its id; undefined if there is none. It is rendered when it is first shown. */
export function findHelpTopic(name: string): HelpTopic | undefined {
  const id = idOf(name);
  if (!id) return undefined;
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
  if (idOf(name)) return `${webPaths.help}/${name}${fragment}`;
  const [folderName, page] = name.split("/");
  if (folderName !== "connect") return link === "openapi.json" ? webPaths.apiReference : undefined;
  const tool = tools.find(({ id }) => id === page);
  return tool ? `${webPaths.connect}/${tool.id}` : webPaths.connect;
}
