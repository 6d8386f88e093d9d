// The pages below `/help`: a list by task, and a page for each topic.

import { AppError } from "../../../errors.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { paths } from "../../../paths.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { inEnglish } from "../ui/texts/in-english.ts";
import { fieldsPage, fieldsPath } from "./fields.ts";
import { findHelpTopic, type HelpGroup, type HelpTopicId, helpGroups } from "./help-topics.ts";

export const helpPages = (context: WebContext): Page[] => [indexPage, fieldsPage(context), topicPage];

interface HelpLink {
  url: string;
  title: string;
  summary: string;
}

/** Help that is not in `docs/`. */
const otherLinks = ({ t }: Locale): Record<HelpGroup, HelpLink> => ({
  tools: { url: paths.web.connect, title: t("pages.connect"), summary: t("help.connect") },
  numbers: { url: fieldsPath, title: t("help.fieldsTitle"), summary: t("help.fields") },
  programs: { url: paths.web.apiReference, title: t("pages.apiReference"), summary: t("help.apiReference") },
});

const indexPage: Page = {
  path: paths.web.help,
  role: "viewer",
  async show({ locale }) {
    const groups = (Object.keys(helpGroups) as HelpGroup[]).map((group) => groupCard(locale, group));
    return { title: locale.t("pages.help"), body: html`<div class="cards">${groups}</div>` };
  },
};

function groupCard(locale: Locale, group: HelpGroup): Html {
  const { t } = locale;
  const { url, title, summary } = otherLinks(locale)[group];
  return html`<section class="card"><h2>${t(`help.groups.${group}`)}</h2><dl class="topics">
<dt><a href="${url}">${title}</a></dt><dd class="soft">${summary}</dd>
${helpGroups[group].map((id) => topicLink(locale, id))}</dl></section>
`;
}

/** The page behind the link is in English. */
function topicLink(locale: Locale, id: HelpTopicId): Html {
  return html`<dt><a href="${paths.web.help}/${id}" hreflang="en">${locale.t(`help.topics.${id}.title`)}</a> ${inEnglish(locale)}</dt><dd class="soft">${locale.t(`help.topics.${id}.summary`)}</dd>
`;
}

const topicPage: Page = {
  path: `${paths.web.help}/:topic`,
  role: "viewer",
  async show({ locale }, { params }) {
    const { t } = locale;
    const topic = findHelpTopic(params.topic ?? "");
    if (!topic) throw new AppError("not_found", t("help.notFound"));
    return {
      title: topic.title,
      titleLanguage: "en",
      windowTitle: t(`help.topics.${topic.id}.title`),
      lead: inEnglish(locale),
      body: html`<article class="card document" lang="en">${topic.body}</article>`,
      headingLink: html`<a href="${paths.web.help}">${t("help.allTopics")}</a>`,
    };
  },
};
