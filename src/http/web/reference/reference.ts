// GET /docs: the API reference, for everyone. It shows the OpenAPI document, with forms that send requests.

import type { FastifyInstance } from "fastify";
import { type Html, html } from "../../html.ts";
import type { OpenApiDocument } from "../../openapi-types.ts";
import { paths } from "../../paths.ts";
import { localeOf, locales } from "../locale.ts";
import type { Cookies } from "../sign-in/cookies.ts";
import { findWebSession } from "../sign-in/web-session.ts";
import { referenceStrings as strings } from "../strings/reference.ts";
import { copyable } from "../ui/copyable.ts";
import { sendPage } from "../ui/layout.ts";
import { renderInline } from "../ui/markdown.ts";
import type { WebContext } from "../web-context.ts";
import { errorTable, sharedErrors, sharedErrorsId } from "./errors.ts";
import { operationSection, type PathOperation } from "./operation.ts";
import { schemaSection } from "./schema.ts";
import { keyFieldId } from "./try-form.ts";

export function addApiReference(scope: FastifyInstance, context: WebContext, cookies: Cookies): void {
  const { publicUrl, otherComponents } = context;
  /** The base URL is known once the server listens, and then stays. */
  let rendered: { baseUrl: string; body: Html } | undefined;
  scope.get(paths.web.apiReference, async (request, reply) => {
    const baseUrl = publicUrl();
    if (rendered?.baseUrl !== baseUrl) {
      rendered = { baseUrl, body: renderReference(otherComponents.openApiDocument(baseUrl), baseUrl) };
    }
    const session = await findWebSession(request, context, cookies);
    const { pages, signIn } = (session?.locale ?? localeOf(request)).strings;
    const signInLink = html`<a href="${paths.web.signIn}?to=${paths.web.apiReference}">${signIn.title}</a>`;
    const page = {
      title: pages.apiReference,
      body: rendered.body,
      headingLink: session ? undefined : signInLink,
      isWide: true,
    };
    return sendPage(reply, page, { context, session, path: paths.web.apiReference });
  });
}

function renderReference(document: OpenApiDocument, baseUrl: string): Html {
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, operation: get }));
  const shared = sharedErrors(operations.map(({ operation }) => operation));
  const context = { document, baseUrl, shared };
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return html`<div lang="en">${introduction(document, baseUrl)}
${keyCard()}
<nav class="card" aria-label="${strings.contents}"><ul>${operations.map(contentsLink)}
<li><a href="#${sharedErrorsId}">${strings.sharedErrors}</a></li>
<li><a href="#schemas">${strings.schemas}</a></li></ul></nav>
${groups.map(
  (group) => html`<h2>${group.name.charAt(0).toUpperCase() + group.name.slice(1)}</h2>
<p>${group.description}</p>
${group.operations.map((each) => operationSection(each, context))}`,
)}
<section class="card" id="${sharedErrorsId}"><h2>${strings.sharedErrors}</h2>
${errorTable(strings.sharedErrors, shared, document)}</section>
<h2 id="schemas">${strings.schemas}</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema))}</div>`;
}

const contentsLink = ({ path, operation }: PathOperation): Html =>
  html`<li><a href="#${operation.operationId}">${operation.summary}</a> <code>${path}</code></li>
`;

function introduction({ info, components }: OpenApiDocument, baseUrl: string): Html {
  const schemes = Object.values(components.securitySchemes);
  return html`<section class="card"><p>${renderInline(info.description)}</p>
<h2>${strings.baseUrl}</h2>
<p>${copyable(locales.en, "base-address", baseUrl, strings.baseUrlLabel)}</p>
<h2>${strings.authentication}</h2>
<p>${strings.authenticationIntro}</p>
<ul>${schemes.map(({ description }) => html`<li>${renderInline(description)}</li>`)}</ul>
<h2>${strings.forPrograms}</h2>
<ul><li><a href="${paths.api.openApi}">${strings.openApi}</a></li>
<li><a href="${paths.api.metricContract}">${strings.metricContract}</a></li></ul></section>`;
}

function keyCard(): Html {
  return html`<section class="card"><h2>${strings.tryIt}</h2>
<noscript><p>${strings.withoutScript}</p></noscript>
<div data-scripted hidden><div class="field"><label for="${keyFieldId}">${strings.key}</label>
<input id="${keyFieldId}" type="password" autocomplete="off" spellcheck="false" aria-describedby="${keyFieldId}-hint">
<p class="hint" id="${keyFieldId}-hint">${strings.keyHint}</p></div></div></section>`;
}
