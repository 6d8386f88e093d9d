// The help for people who read the numbers, in all languages: `/help/overview` explains the overview in its order,
// `/help/questions` answers what people ask. Their entries are in the messages.

import { type FeedField, feedFields } from "../../../campaign/feed/feed-fields.ts";
import { html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import type { Page } from "../frame/page.ts";
import { renderInline } from "../ui/texts/markdown.ts";
import type { HelpLink } from "./help-topics.ts";

const pages = ["overview", "questions"] as const;

const pathOf = (page: string) => `${webPaths.help}/${page}`;

export const readerLinks = ({ t }: Locale): HelpLink[] =>
  pages.map((page) => ({
    path: pathOf(page),
    name: t(`help.${page}.title`),
    note: t(`help.${page}.summary`),
  }));

/** The entries of a page, in Markdown. In them, `[[key]]` is the text that other pages have with this key. */
function entriesOf({ texts, translate }: Locale, page: (typeof pages)[number]): HelpLink[] {
  const render = (text = "") =>
    renderInline(
      text.replaceAll(/\[\[(.*?)\]\]/g, (_, key: string) =>
        translate(key, feedFields[key.split(".").at(-1) as FeedField]?.description ?? key),
      ),
    );
  const notes: Record<string, string> = texts(`help.${page}.texts`);
  return Object.entries(texts(`help.${page}.names`)).map(([id, name]) => ({
    path: `${pathOf(page)}#${id}`,
    name: render(name),
    note: render(notes[id]),
  }));
}

export const readerEntries = (locale: Locale): HelpLink[] => pages.flatMap((page) => entriesOf(locale, page));

export const readerPages: Page[] = pages.map((page) => ({
  path: pathOf(page),
  role: "viewer",
  async show(actor) {
    const items = entriesOf(actor, page).map(
      ({ path, name, note }) => html`<dt id="${path.split("#")[1]}">${name}</dt><dd>${note}</dd>\n`,
    );
    return {
      title: actor.t(`help.${page}.title`),
      body: html`<section class="card document"><dl class="topics">${items}</dl></section>`,
      headingLink: html`<a href="${webPaths.help}">${actor.t("help.allTopics")}</a>`,
    };
  },
}));
