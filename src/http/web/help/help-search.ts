// Searches the help and the pages of the tools: the sections with all words of a query, each with the text around the first of
// them.

import { tools } from "../../connect/tools.ts";
import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { type HelpTopic, helpGroups, helpTopics } from "./help-topics.ts";

interface HelpMatch {
  url: string;
  /** The topic and the heading. */
  title: string;
  /** The words are marked. */
  excerpt: Html;
}

const maxMatches = 20;
/** Characters. */
const excerptLength = 200;
const beforeMatch = 60;

/** Pages with the words in their title are first. Tools are after tasks, and pages for programmers after both. */
export function searchHelp(query: string): HelpMatch[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu))];
  if (words.length === 0) return [];
  const countIn = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const sections = [...toolSections(), ...helpTopics().flatMap(sectionsOf)];
  const matches = sections.flatMap(({ url, title, heading, isTitle, order, blocks }) => {
    if (countIn([heading, ...blocks].join(" ")) < words.length) return [];
    const best = blocks.reduce((found, block) => (countIn(block) > countIn(found) ? block : found), "");
    const match = { url, title, excerpt: excerptOf(best || (blocks[0] ?? ""), words) };
    const hasTitle = isTitle && countIn(heading) === words.length;
    const rank = [Number(hasTitle), -order, countIn(heading), countIn(best)];
    return { match, rank };
  });
  return matches
    .sort((a, b) => compareRanks(b.rank, a.rank))
    .slice(0, maxMatches)
    .map(({ match }) => match);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

interface Section {
  url: string;
  /** The page and the heading. */
  title: string;
  heading: string;
  /** The heading is the title of its page. */
  isTitle: boolean;
  /** Of its kind of page: tasks, then tools, then programs. */
  order: number;
  /** The paragraphs, list items, table rows and blocks of code below the heading, without markup. */
  blocks: string[];
}

const programTopics: ReadonlySet<string> = new Set(helpGroups.programs);

function sectionsOf({ id, title, body }: HelpTopic): Section[] {
  return `<h1 id="">${title}</h1>${body.text}`.split(/(?=<h\d id=)/).map((part) => {
    const [all = "", anchor = "", heading = ""] = /^<h\d id="([^"]*)">(.*)<\/h\d>/.exec(part) ?? [];
    const blocks = part.slice(all.length).split(/<\/(?:p|li|tr|pre)>/);
    const isTitle = anchor === "";
    return {
      url: `${paths.web.help}/${id}${isTitle ? "" : `#${anchor}`}`,
      title: isTitle ? textOf(heading) : `${title}: ${textOf(heading)}`,
      heading: textOf(heading),
      isTitle,
      order: programTopics.has(id) ? 2 : 0,
      blocks: blocks.map(textOf),
    };
  });
}

/** The pages of the tools on *Connect*, by their name and steps. */
function toolSections(): Section[] {
  return tools.map(({ id, name, steps }) => ({
    url: `${paths.web.connect}/${id}`,
    title: name,
    heading: name,
    isTitle: true,
    order: 1,
    blocks: steps.map(({ text }) => text.replaceAll("`", "")),
  }));
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** The text of our own HTML. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<\/t[hd]>\s*(?=<t)/g, " · ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&([^;]+);/g, (all, name: string) => entities[name] ?? all)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/( ·)+(?= ·|\s*$)/g, "")
    .trim();
}

/** @param words of letters and digits only */
function excerptOf(text: string, words: readonly string[]): Html {
  const pattern = new RegExp(words.toSorted((a, b) => b.length - a.length).join("|"), "giu");
  const start = text.lastIndexOf(" ", Math.max(text.search(pattern) - beforeMatch, 0)) + 1;
  const end = text.indexOf(" ", start + excerptLength);
  const shown = end === -1 ? text.slice(start) : text.slice(start, end);
  const marks = shown.match(pattern) ?? [];
  const parts = shown.split(pattern).map((part, index) => {
    const mark = marks[index];
    return html`${part}${mark !== undefined && html`<mark>${mark}</mark>`}`;
  });
  return html`${start > 0 && "… "}${parts}${end !== -1 && " …"}`;
}
