// One operation of the API: parameters, responses, a curl line, and a form that sends it.

import { type Html, type HtmlValue, html } from "../../html.ts";
import type { OpenApiOperation, OpenApiParameter } from "../../openapi-types.ts";
import { locales } from "../locale.ts";
import { referenceStrings as strings } from "../strings/reference.ts";
import { copyableLines } from "../ui/copyable.ts";
import { renderInline } from "../ui/markdown.ts";
import { columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import { type ErrorContext, errorSection } from "./errors.ts";
import { describeType, describeValue, fact } from "./schema.ts";
import { tryForm } from "./try-form.ts";

export interface PathOperation {
  path: string;
  operation: OpenApiOperation;
}

const needsKey = ({ security }: OpenApiOperation): boolean => security === undefined;

interface SectionContext extends ErrorContext {
  baseUrl: string;
}

export function operationSection({ path, operation }: PathOperation, context: SectionContext): Html {
  const { operationId, summary, description, parameters = [] } = operation;
  return html`<section class="card" id="${operationId}"><h3>${summary}</h3>
<p><code>GET ${path}</code></p>
<p>${renderInline(description)}</p>
<p class="soft">${needsKey(operation) ? strings.needsKey : strings.needsNoKey}</p>
${parameters.length > 0 && parameterTable(summary, parameters)}
${responseTable(operation)}
${errorSection(operation, context)}
${exampleOf(operation)}
<h4>${strings.request}</h4>
${copyableLines(locales.en, `curl-${operationId}`, curlLine(context.baseUrl + path, operation), strings.curlLabel(summary))}
${!path.includes("{") && tryForm(path, operation)}</section>`;
}

function parameterTable(summary: string, parameters: readonly OpenApiParameter[]): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema, example }) => html`<tr>
<th scope="row"><code>${name}</code>${place === "path" && html`<br><span class="soft small">${strings.inPath}</span>`}${required && html`<br><span class="soft small">${strings.required}</span>`}</th>
<td class="wide">${describeType(schema)}</td>
<td class="text wide">${describeValue({ ...schema, description })}${fact(strings.example, example)}</td></tr>
`,
  );
  const headers = [columnHeader(strings.name), columnHeader(strings.type), textColumnHeader(strings.meaning)];
  return html`<h4>${strings.parameters}</h4>
${renderTable(strings.parametersOf(summary), headers, rows, { isStacked: true })}`;
}

function responseTable({ summary, responses }: OpenApiOperation): Html {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    if ("$ref" in response) return [];
    const contents = Object.entries(response.content ?? {}).map(
      ([mediaType, { schema }]) => html`<code>${mediaType.split(";")[0]}</code><br>${describeType(schema)}`,
    );
    return html`<tr><th scope="row">${status}</th><td class="wide">${contents}</td>
<td class="text wide">${renderInline(response.description)}</td></tr>
`;
  });
  const headers = [
    columnHeader(strings.status),
    columnHeader(strings.content),
    textColumnHeader(strings.meaning),
  ];
  return html`<h4>${strings.responses}</h4>
${renderTable(strings.responsesOf(summary), headers, rows, { isStacked: true })}`;
}

/** Headers and example of the response with status 200. */
function exampleOf({ summary, responses }: OpenApiOperation): HtmlValue {
  const success = responses[200];
  if (!success || "$ref" in success) return undefined;
  const rows = Object.entries(success.headers ?? {}).map(
    ([name, { description, example }]) => html`<tr><th scope="row"><code>${name}</code></th>
<td class="text wide">${renderInline(description)}${fact(strings.example, example)}</td></tr>
`,
  );
  const headers = [columnHeader(strings.header), textColumnHeader(strings.meaning)];
  const example = Object.values(success.content ?? {})[0]?.example;
  return html`<details><summary>${strings.responseHeaders}</summary>
${renderTable(strings.responseHeadersOf(summary), headers, rows, { isStacked: true })}</details>
${example !== undefined && html`<details><summary>${strings.exampleResponse}</summary><pre>${JSON.stringify(example, null, 2)}</pre></details>`}`;
}

function curlLine(url: string, operation: OpenApiOperation): string {
  const success = operation.responses[200];
  const mediaTypes = success && "content" in success ? Object.keys(success.content ?? {}) : [];
  const isFile = !mediaTypes.includes("application/json");
  const key = needsKey(operation) ? ' -H "Authorization: Bearer <API_KEY>"' : "";
  return `curl${key}${isFile ? " --fail --remote-name" : ""} "${url}"`;
}
