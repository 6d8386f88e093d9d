// The page of a new API key. It shows the key once, with a command that tries it.

import type { KeyScope } from "../../../../access/api-key.ts";
import { html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { paths, webPaths } from "../../../../paths.ts";
import type { PageContent } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { copyable, copyableLines } from "../../ui/forms/copyable.ts";

/** @param note what else to know about the key */
export function newKeyPage(
  locale: Locale,
  { name, scope, text, note }: { name: string; scope: KeyScope; text: string; note?: string },
  { publicUrl }: Pick<WebContext, "publicUrl">,
): PageContent {
  const { t } = locale;
  const header = `-H "Authorization: Bearer ${text}"`;
  const example =
    scope === "read"
      ? `curl ${header} "${publicUrl()}${paths.api.emails}?per_page=100"`
      : `curl "${publicUrl()}${paths.ingest.events}" ${header} \\\n  -H "Content-Type: application/json" -d '{"events": []}'`;
  const body = html`<section class="card"><h2>${name}</h2>
<p class="warning" role="status">${t("keys.copyNow")}</p>
${note !== undefined && html`<p>${note}</p>`}
<h3>${t("keys.keyWithScope", { scope })}</h3>
${copyable(locale, "key", text, t("keys.keyLabel"))}
<h3>${t("keys.baseUrl")}</h3>
${copyable(locale, "base-address", publicUrl(), t("keys.baseUrlLabel"))}
</section>
<section class="card"><h2>${"curl"}</h2>
${scope === "ingest" && html`<p>${t("keys.ingestHint")}</p>`}
${copyableLines(locale, "curl", example, t("keys.codeLabel"))}
<p><a href="${webPaths.connect}">${t("connect.allTools")}</a></p></section>
<p><a href="${webPaths.analyticsApi}">${t("keys.doneCopying")}</a></p>`;
  return { title: t("keys.newKeyTitle"), body };
}
