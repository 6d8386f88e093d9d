// A key that was just made, shown this once, with lines that are ready to be used.

import type { KeyScope } from "../../../access/api-key.ts";
import { html } from "../../html.ts";
import type { PageContent } from "../page.ts";
import { copyable, copyableLines } from "../ui/copyable.ts";
import type { WebContext } from "../web-context.ts";
import { examplesOf } from "./key-examples.ts";

/** @param listPath the address of the page of all keys */
export function newKeyShown(
  { name, scope, text }: { name: string; scope: KeyScope; text: string },
  { publicUrl, others }: Pick<WebContext, "publicUrl" | "others">,
  listPath: string,
): PageContent {
  const examples = examplesOf(scope, { baseAddress: publicUrl(), key: text, ...others });
  const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">Copy the key now: it is never shown again. Whoever has it can use it, so keep it as you keep a password.</p>
<h3>Key, of the scope ${scope}</h3>
${copyable("key", text, "the key")}
<h3>Base address</h3>
${copyable("base-address", publicUrl(), "the base address")}
</section>
${examples.map(
  ({ id, title, hint, lines }) => html`<section class="card"><h2>${title}</h2>
${hint !== undefined && html`<p>${hint}</p>`}
${lines !== undefined && copyableLines(id, lines, `the lines for ${title}`)}
</section>`,
)}
<p><a href="${listPath}">I have copied it: to all keys</a></p>`;
  return { title: "Your new key", body };
}
