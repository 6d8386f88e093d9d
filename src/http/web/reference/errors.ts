// The errors of operations: those that they share in one table for all, and the others in each section.

import { type Html, html } from "../../html.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../openapi-types.ts";
import { referenceStrings as strings } from "../strings/reference.ts";
import { renderInline } from "../ui/markdown.ts";
import { columnHeader, renderTable, textColumnHeader } from "../ui/table.ts";
import { nameOf } from "./schema.ts";

/** The codes of errors by status. */
type OperationErrors = ReadonlyMap<string, string>;

export interface ErrorContext {
  document: OpenApiDocument;
  shared: OperationErrors;
}

/** The anchor of the {@link sharedErrors}. */
export const sharedErrorsId = "errors";

/** The errors of an operation, besides the {@link sharedErrors}. */
export function errorSection(operation: OpenApiOperation, { document, shared }: ErrorContext): Html {
  const own = new Map([...errorsOf(operation)].filter(([status]) => !shared.has(status)));
  const others = html`<p class="soft"><a href="#${sharedErrorsId}">${strings.sharedErrors}</a></p>`;
  if (own.size === 0) return others;
  return html`<h4>${strings.errors}</h4>
${errorTable(strings.errorsOf(operation.summary), own, document)}
${others}`;
}

function errorsOf({ responses }: OpenApiOperation): OperationErrors {
  return new Map(
    Object.entries(responses).flatMap(([status, response]) =>
      "$ref" in response ? [[status, nameOf(response.$ref)]] : [],
    ),
  );
}

/** The errors that all operations have. */
export function sharedErrors(operations: readonly OpenApiOperation[]): OperationErrors {
  const [first = new Map<string, string>(), ...others] = operations.map(errorsOf);
  return new Map(
    [...first].filter(([status, code]) => others.every((errors) => errors.get(status) === code)),
  );
}

export function errorTable(caption: string, errors: OperationErrors, { components }: OpenApiDocument): Html {
  const rows = [...errors].map(
    ([status, code]) => html`<tr><th scope="row">${status}</th><td class="wide"><code>${code}</code></td>
<td class="text wide">${renderInline(components.responses[code]?.description ?? "")}</td></tr>
`,
  );
  const headers = [
    columnHeader(strings.status),
    columnHeader(strings.code),
    textColumnHeader(strings.meaning),
  ];
  return renderTable(caption, headers, rows, { isStacked: true, hidesCaption: true });
}
