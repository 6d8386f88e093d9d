// What an organization without campaigns sees.

import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";

/** The next steps. Viewers have no permission for any of them. */
export function gettingStarted({ strings }: Locale, role: Role): Html {
  const { noCampaigns, askAdmin, startWithProgram, startWithProvider, startWithImport } = strings.campaigns;
  const heading = html`<h2>${noCampaigns}</h2>`;
  if (!hasPermission(role, "admin")) {
    return html`<section class="card">${heading}
<p>${askAdmin}</p></section>`;
  }
  return html`<section class="card">${heading}
<p>${strings.campaigns.gettingStarted}</p>
<ul>
<li>${startWithProgram("/settings/integrations/analytics-api")}</li>
<li>${startWithProvider}</li>
<li>${startWithImport}</li>
</ul></section>`;
}
