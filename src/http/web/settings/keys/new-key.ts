// The page of a new API key. It shows the key once, with code examples.

import type { KeyScope } from "../../../../access/api-key.ts";
import { html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import type { PageContent } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { copyable, copyableLines } from "../../ui/forms/copyable.ts";
import { keyExamples } from "./key-examples.ts";

/** @param note what else to know about the key. @param listPath the page of all keys */
export function newKeyPage(
  locale: Locale,
  { name, scope, text, note }: { name: string; scope: KeyScope; text: string; note?: string },
  { publicUrl, otherComponents }: Pick<WebContext, "publicUrl" | "otherComponents">,
  listPath: string,
): PageContent {
  const { t } = locale;
  const examples = keyExamples(locale, scope, { baseUrl: publicUrl(), key: text, ...otherComponents });
  const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">${t("keys.copyNow")}</p>
${note !== undefined && html`<p>${note}</p>`}
<h3>${t("keys.keyWithScope", { scope })}</h3>
${copyable(locale, "key", text, t("keys.keyLabel"))}
<h3>${t("keys.baseUrl")}</h3>
${copyable(locale, "base-address", publicUrl(), t("keys.baseUrlLabel"))}
</section>
${examples.map(
  ({ id, title, hint, code }) => html`<section class="card"><h2>${title}</h2>
${hint !== undefined && html`<p>${hint}</p>`}
${code !== undefined && copyableLines(locale, id, code, t("keys.codeLabel", { title }))}
</section>`,
)}
<p><a href="${listPath}">${t("keys.doneCopying")}</a></p>`;
  return { title: t("keys.newKeyTitle"), body };
}
