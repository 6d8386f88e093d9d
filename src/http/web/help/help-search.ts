// Searches the help: the sections with all words of a query, each with the text around the first of them.

import { type Html, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import { type HelpTopic, helpTopics } from "./help-topics.ts";

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

/** Sections with the words in their heading are first. */
export function searchHelp(query: string): HelpMatch[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu))];
  if (words.length === 0) return [];
  const countIn = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const matches = helpTopics().flatMap((topic) =>
    sectionsOf(topic).flatMap(({ heading, anchor, blocks }) => {
      if (countIn([heading, ...blocks].join(" ")) < words.length) return [];
      const best = blocks.reduce((found, block) => (countIn(block) > countIn(found) ? block : found), "");
      const match = {
        url: `${paths.web.help}/${topic.id}${anchor && `#${anchor}`}`,
        title: anchor === "" ? heading : `${topic.title}: ${heading}`,
        excerpt: excerptOf(best || (blocks[0] ?? ""), words),
      };
      return { match, rank: words.length * countIn(heading) + countIn(best) };
    }),
  );
  return matches
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxMatches)
    .map(({ match }) => match);
}

interface Section {
  heading: string;
  /** Empty for the title. */
  anchor: string;
  /** The paragraphs, list items, table rows and blocks of code below the heading, without markup. */
  blocks: string[];
}

function sectionsOf({ title, body }: HelpTopic): Section[] {
  return `<h1 id="">${title}</h1>${body.text}`.split(/(?=<h\d id=)/).map((part) => {
    const [all = "", anchor = "", heading = ""] = /^<h\d id="([^"]*)">(.*)<\/h\d>/.exec(part) ?? [];
    const blocks = part.slice(all.length).split(/<\/(?:p|li|tr|pre)>/);
    return { heading: textOf(heading), anchor, blocks: blocks.map(textOf) };
  });
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
