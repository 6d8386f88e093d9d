// A form that sends a request from the page. The script of the web application shows it and runs it: a browser that sent it
// as a form would put the key into the URL.

import { type Html, html } from "../../html.ts";
import type { OpenApiOperation } from "../../openapi-types.ts";
import { referenceStrings as strings } from "../strings/reference.ts";

/** The id of the field with the key, which all forms share. */
export const keyFieldId = "api-key";

/** No control has a name, so that no browser sends its value. */
export function tryForm(
  path: string,
  { operationId, summary, parameters = [], security }: OpenApiOperation,
): Html {
  const fields = parameters.map(({ name, example }) => {
    const id = `${operationId}-${name}`;
    const placeholder = Array.isArray(example) ? example.join(",") : String(example ?? "");
    return html`<div class="field"><label for="${id}">${name}</label>
<input id="${id}" data-parameter="${name}" autocomplete="off"${placeholder !== "" && html` placeholder="${strings.forExample(placeholder)}"`}></div>
`;
  });
  return html`<form hidden data-try="${path}"${security === undefined && html` data-key="${keyFieldId}"`} data-not-sent="${strings.notSent}" data-binary="${strings.binary}" data-cut="${strings.cut}">
<h4>${strings.tryIt}</h4>
<div class="fields">${fields}
<div class="field tight"><button aria-label="${strings.sendLabel(summary)}">${strings.send}</button></div></div>
<p class="soft small">${strings.answerLimit}</p>
<div role="status"></div><pre tabindex="0" role="region" aria-label="${strings.answerOf(summary)}" hidden></pre>
</form>`;
}
