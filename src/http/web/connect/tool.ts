// The page of one tool at `/connect/:tool`: its steps, files and limits. Its limits, and the steps of some tools, are in
// English.

import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import type { ConnectStep, ConnectTool } from "../../connect/connect-tool.ts";
import { connectorText, fillInText, type Placeholders } from "../../connect/connector-text.ts";
import type { Action, Page, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { createKey, defaultLifetime, keyLifetimes } from "../settings/keys/create-key.ts";
import { copyable, copyableLines } from "../ui/forms/copyable.ts";
import { actionForm } from "../ui/forms/form.ts";
import { inEnglish } from "../ui/texts/in-english.ts";
import { renderInline } from "../ui/texts/markdown.ts";
import { firstRequestCard, firstRequestUrl, waitingContent } from "./first-request.ts";
import { requireTool } from "./require-tool.ts";

export function toolPage(context: WebContext): Page {
  const { publicUrl } = context;
  return {
    path: `${webPaths.connect}/:tool`,
    role: "viewer",
    actionRole: "admin",
    async show(session, { params }) {
      const tool = requireTool(session, params.tool);
      const body = html`${tool.usesMcp && !context.servesMcp && html`<p class="warning">${session.t("connect.needsMcp")}</p>`}${tool.usesViews ? databaseNote(session, context) : tool.usesCsvLink ? linkCard(session) : keyCard(session, tool)}
${stepsCard(session, tool, { address: publicUrl() })}
${factsCard(session, tool, publicUrl())}`;
      return {
        title: session.t("connect.toolTitle", { name: tool.name }),
        body,
        headingLink: allToolsLink(session),
      };
    },
    actions: { create_key: createKeyAction(context) },
  };
}

const allToolsLink = ({ t }: Locale): Html =>
  html`<a href="${webPaths.connect}">${t("connect.allTools")}</a>`;

function stepsCard(
  session: WebSession,
  tool: ConnectTool,
  { address, key }: Pick<Placeholders, "address" | "key">,
): Html {
  const { organization, language, t, translate } = session;
  const { id, name, steps, lines, url } = tool;
  const placeholders = { address, organization: organization.id, key };
  const texts = steps.map(({ text }, index) => translate(`connect.toolSteps.${id}.${index + 1}`, text));
  const isUntranslated = language !== "en" && texts.every((text, index) => text === steps[index]?.text);
  return html`<section class="card"><h2>${t("connect.steps")} ${isUntranslated && inEnglish(session)}</h2>
<ol${isUntranslated && html` lang="en"`}>${steps.map((step, index) => html`<li>${renderStep(session, { ...step, text: texts[index] ?? step.text }, placeholders, index + 1)}</li>\n`)}</ol>
${fileLinks(session, tool)}
${lines && copyableLines(session, "lines", connectorText(lines.path, address), t("connect.linesLabel", { name }))}
${
  url !== undefined &&
  html`<h3>${t("connect.urlToEnter")}</h3>
${copyable(session, "url", fillInText(url, placeholders), t("connect.urlLabel"))}`
}
</section>`;
}

/** Commands have a Copy button, unless they still lack the key. */
function renderStep(
  locale: Locale,
  { text, commands = [] }: ConnectStep,
  placeholders: Placeholders,
  number: number,
): Html {
  const lines = commands.map((command, index) => {
    const line = fillInText(command, placeholders);
    if (command.includes("{{key}}") && placeholders.key === undefined)
      return html`<p><code>${line}</code></p>`;
    const label = locale.t("connect.commandLabel", { step: number, command: index + 1 });
    return html`<p>${copyable(locale, `command-${number}-${index + 1}`, line, label)}</p>`;
  });
  return html`${renderInline(fillInText(text, placeholders))}${lines}`;
}

/** The schema in the SQL files, which need no session and so no organization. */
const exampleSchema = "analytics_1";

function fileLinks({ organization, t, rich }: WebSession, { id, files, usesViews }: ConnectTool): HtmlValue {
  if (files.length === 0) return undefined;
  const links = files.map(
    ({ name }) =>
      html`<a class="button second" href="${webPaths.connect}/${id}/${name}" download>${t("connect.download", { file: name })}</a>
`,
  );
  const schema = `analytics_${organization.id}`;
  const schemaNote =
    schema !== exampleSchema && rich("connect.replaceSchema", { given: exampleSchema, own: schema });
  return html`<p class="row">${links}</p>
<p class="soft small">${usesViews ? schemaNote : t("connect.filesHold")}</p>`;
}

/** Whether this service has what tools with SQL views need. Only PostgreSQL is shared with other programs. */
function databaseNote({ t }: Locale, { database }: WebContext): Html {
  return database.isShared
    ? html`<p class="notice">${t("connect.hasPostgres")}</p>`
    : html`<p class="warning">${t("connect.needsPostgres")}</p>`;
}

function keyCard(session: WebSession, { name }: ConnectTool): Html {
  const { t } = session;
  const content = session.isAdmin
    ? html`<p>${t("connect.keyIntro")}</p>
${actionForm(session, "create_key", html`<button>${t("connect.createKey", { name })}</button>`)}`
    : html`<p>${t("connect.keyForViewers")}</p>`;
  return html`<section class="card"><h2>${t("connect.key")}</h2>
${content}</section>`;
}

function linkCard({ isAdmin, t }: WebSession): Html {
  return html`<section class="card"><h2>${t("csvLinks.title")}</h2>${
    isAdmin
      ? html`<p>${t("csvLinks.intro")}</p><p><a class="button" href="${webPaths.analyticsApi}#csv-links">${t("csvLinks.create")}</a></p>`
      : html`<p>${t("connect.linkForViewers")}</p>`
  }</section>`;
}

/** Shows the key once, with the steps, and waits for its first request. */
function createKeyAction(context: WebContext): Action {
  return async (actor, _form, { params }) => {
    const { t } = actor;
    const tool = requireTool(actor, params.tool);
    const { id, text } = await createKey(
      actor,
      { name: tool.name, scope: "read", days: keyLifetimes[defaultLifetime], numbersName: true },
      context,
    );
    const waitUrl = firstRequestUrl(tool.id, id);
    const body = html`<section class="card"><h2>${t("connect.key")}</h2>
<p class="warning">${t("keys.copyNow")}</p>
${copyable(actor, "key", text, t("keys.keyLabel"))}
<noscript><p><a class="button" href="${waitUrl}">${t("connect.waitElsewhere")}</a></p></noscript></section>
${stepsCard(actor, tool, { address: context.publicUrl(), key: text })}
${firstRequestCard(actor, waitUrl, waitingContent(actor, tool.name))}
${factsCard(actor, tool, context.publicUrl())}`;
    return { title: t("connect.newKeyTitle", { name: tool.name }), body };
  };
}

function factsCard(session: WebSession, { refresh, limits }: ConnectTool, address: string): Html {
  const { organization, t } = session;
  const facts: [string, string][] = [
    [t("connect.refresh"), refresh],
    [t("connect.limits"), limits],
  ];
  const placeholders = { address, organization: organization.id };
  return html`<section class="card"><h2>${t("connect.facts")} ${inEnglish(session)}</h2>
<dl class="facts">${facts.map(([name, text]) => html`<dt>${name}</dt><dd lang="en">${fillInText(text, placeholders)}</dd>`)}</dl>
<p><a href="${webPaths.help}/tools#units">${t("connect.units")}</a></p>
<p><a href="${webPaths.help}/troubleshooting">${t("connect.troubleshooting")}</a></p></section>`;
}
