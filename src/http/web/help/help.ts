// The pages below `/help`: a list by task, and a page for each topic.

import { orNotFound } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import type { Page } from "../frame/page.ts";
import { inEnglish } from "../ui/texts/in-english.ts";
import { fieldsPage, fieldsPath } from "./fields.ts";
import { findHelpTopic, type HelpGroup, type HelpLink, helpGroups } from "./help-topics.ts";
import { readerEntries, readerLinks, readerPages } from "./reader-pages.ts";

/** Help that is not in `docs/`. */
const otherLinks = (locale: Locale): Record<HelpGroup, HelpLink[]> => {
  const { t } = locale;
  return {
    numbers: [
      ...readerLinks(locale),
      { path: fieldsPath, name: t("help.fieldsTitle"), note: t("help.fields") },
    ],
    tools: [{ path: webPaths.connect, name: t("pages.connect"), note: t("help.connect") }],
    programs: [{ path: webPaths.apiReference, name: t("pages.apiReference"), note: t("help.apiReference") }],
  };
};

/** The pages behind them are in English. */
const topicLinks = ({ t }: Locale, group: HelpGroup): HelpLink[] =>
  helpGroups[group].map((id) => ({
    path: `${webPaths.help}/${id}`,
    name: t(`help.topics.${id}.title`),
    note: t(`help.topics.${id}.summary`),
  }));

const groups = Object.keys(helpGroups) as HelpGroup[];

/** All help, for the search. */
export const helpLinks = (locale: Locale): HelpLink[] => [
  ...groups.flatMap((group) => [...otherLinks(locale)[group], ...topicLinks(locale, group)]),
  ...readerEntries(locale),
];

const indexPage: Page = {
  path: webPaths.help,
  role: "viewer",
  async show(actor) {
    const cards = groups.map((group) => groupCard(actor, group));
    return { title: actor.t("pages.help"), body: html`<div class="cards">${cards}</div>` };
  },
};

function groupCard(locale: Locale, group: HelpGroup): Html {
  const links = (links: HelpLink[], attribute?: Html, mark?: Html) =>
    links.map(
      ({ path, name, note }) =>
        html`<dt><a href="${path}"${attribute}>${name}</a>${mark}</dt><dd class="soft">${note}</dd>\n`,
    );
  return html`<section class="card"><h2>${locale.t(`help.groups.${group}`)}</h2><dl class="topics">
${links(otherLinks(locale)[group])}${links(topicLinks(locale, group), html` hreflang="en"`, html` ${inEnglish(locale)}`)}</dl></section>
`;
}

const topicPage: Page = {
  path: `${webPaths.help}/:topic`,
  role: "viewer",
  async show(actor, { params }) {
    const { t } = actor;
    const topic = orNotFound(findHelpTopic(params.topic ?? ""), t("help.notFound"));
    return {
      title: topic.title,
      titleLanguage: "en",
      windowTitle: t(`help.topics.${topic.id}.title`),
      lead: inEnglish(actor),
      body: html`<article class="card document" lang="en">${topic.body}</article>`,
      headingLink: html`<a href="${webPaths.help}">${t("help.allTopics")}</a>`,
    };
  },
};

export const helpPages: Page[] = [indexPage, ...readerPages, fieldsPage, topicPage];
