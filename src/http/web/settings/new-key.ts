// The page of a new API key. It shows the key once, with code examples.

import type { KeyScope } from "../../../access/api-key.ts";
import { html } from "../../html.ts";
import type { PageContent } from "../page.ts";
import { keysStrings } from "../strings/keys.ts";
import { copyable, copyableLines } from "../ui/copyable.ts";
import type { WebContext } from "../web-context.ts";
import { keyExamples } from "./key-examples.ts";

/** @param listPath the page of all keys */
export function newKeyPage(
  { name, scope, text }: { name: string; scope: KeyScope; text: string },
  { publicUrl, otherComponents }: Pick<WebContext, "publicUrl" | "otherComponents">,
  listPath: string,
): PageContent {
  const examples = keyExamples(scope, { baseUrl: publicUrl(), key: text, ...otherComponents });
  const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">${keysStrings.copyNow}</p>
<h3>${keysStrings.keyWithScope(scope)}</h3>
${copyable("key", text, keysStrings.keyLabel)}
<h3>${keysStrings.baseUrl}</h3>
${copyable("base-address", publicUrl(), keysStrings.baseUrlLabel)}
</section>
${examples.map(
  ({ id, title, hint, code }) => html`<section class="card"><h2>${title}</h2>
${hint !== undefined && html`<p>${hint}</p>`}
${code !== undefined && copyableLines(id, code, keysStrings.codeLabel(title))}
</section>`,
)}
<p><a href="${listPath}">${keysStrings.doneCopying}</a></p>`;
  return { title: keysStrings.newKeyTitle, body };
}
