// What an organization without campaigns sees.

import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/** The next steps. Viewers have no permission for any of them. */
export function gettingStarted({ t, rich }: Locale, role: Role): Html {
  const heading = html`<h2>${t("campaigns.noCampaigns")}</h2>`;
  if (!hasPermission(role, "admin")) {
    return html`<section class="card">${heading}
<p>${t("campaigns.askAdmin")}</p></section>`;
  }
  return html`<section class="card">${heading}
<p>${t("campaigns.gettingStarted")}</p>
<ul>
<li>${rich("campaigns.startWithProgram", { href: "/settings/integrations/analytics-api" })}</li>
<li>${rich("campaigns.startWithProvider", { href: "/sources" })}</li>
<li>${rich("campaigns.startWithImport")}</li>
</ul></section>`;
}
