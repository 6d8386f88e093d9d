// GET /docs: the API reference, for everyone. Swagger UI shows the OpenAPI document and sends requests.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { Html, html } from "../../../locale/html.ts";
import { localeOf } from "../../../locale/locale.ts";
import { paths, webPaths } from "../../../paths.ts";
import { directives } from "../frame/security-headers.ts";
import type { WebContext } from "../frame/web-context.ts";
import { addAsset, assetPaths, makeAsset } from "../ui/assets.ts";
import { productName } from "../ui/icons/brand.ts";

/** A file of Swagger UI, which the plugin of Fastify carries without scripts that run at installation. */
function swaggerFile(name: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)), "utf8");
}

/** The key is in headers only, and the page forgets it. Without cookies, no browser asks for a password after a 401. */
const start = `"use strict";
const spec = JSON.parse(document.getElementById("openapi").textContent);
// The service may have other URLs than its public one, and pages may send requests to their own host only.
spec.servers = [{ url: location.origin }];
// Swagger UI would fill them in, and few campaigns match all of them.
for (const { get } of Object.values(spec.paths)) for (const parameter of get.parameters ?? []) delete parameter.example;
document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);
SwaggerUIBundle({
  spec,
  dom_id: "#swagger-ui",
  deepLinking: true,
  defaultModelRendering: "model",
  validatorUrl: null,
  requestInterceptor: (request) => ({ ...request, credentials: "omit", cache: "no-store" }),
});
`;

/** Colors of Swagger UI have too little contrast, and a list of one server needs no choice. */
const contrast = `
.swagger-ui :is(.servers, .servers-title) { display: none; }
html:not(.dark-mode) .swagger-ui .info a { color: #1f62ad; }
html:not(.dark-mode) .swagger-ui .info .title small { background: #5b6270; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #44690a; }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #1464b4; }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: #14764a; color: #14764a; }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .json-schema-2020-12-expand-deep-button, .renderedMarkdown p) { color: #444; }
.dark-mode .swagger-ui td.header-col { color: #e4e6e6; }
.dark-mode .swagger-ui .json-schema-2020-12-expand-deep-button { color: #e4e6e6; }
header { padding: 1rem 1.75rem 0; font: 1rem system-ui, sans-serif; }
`;

/** The policy is that of other pages, but style sheets of Swagger UI have their icons in them. */
const csp = {
  contentSecurityPolicy: { useDefaults: false, directives: { ...directives, imgSrc: ["'self'", "data:"] } },
};

const javaScript = "text/javascript; charset=utf-8";
const styleFile = makeAsset(swaggerFile("swagger-ui.css") + contrast, "css", "text/css; charset=utf-8");
const bundle = {
  ...makeAsset(swaggerFile("swagger-ui-bundle.js"), "js", javaScript),
  content: () => swaggerFile("swagger-ui-bundle.js"),
};
const startFile = makeAsset(start, "js", javaScript);

export function addApiReference(scope: FastifyInstance, { publicUrl, openApiDocument }: WebContext): void {
  for (const asset of [styleFile, bundle, startFile]) addAsset(scope, asset);
  scope.get(webPaths.apiReference, { helmet: csp }, async (request, reply) => {
    const title = localeOf(request).t("pages.apiReference");
    // In a script element, only "<" could end it.
    const document = JSON.stringify(openApiDocument(publicUrl())).replaceAll("<", "\\u003c");
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${productName}</title>
<link rel="icon" href="${assetPaths.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${styleFile.path}">
<script type="application/json" id="openapi">${new Html(document)}</script>
<script src="${bundle.path}" defer></script>
<script src="${startFile.path}" defer></script>
</head>
<body>
<header><a href="/">${productName}</a></header>
<div id="swagger-ui"></div>
<noscript><p>This page needs JavaScript. The same is in <a href="${paths.api.openApi}">${paths.api.openApi}</a>.</p></noscript>
</body>
</html>
`;
    return reply.type("text/html; charset=utf-8").header("cache-control", "no-store").send(page.text);
  });
}
