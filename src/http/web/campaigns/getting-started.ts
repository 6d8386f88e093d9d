// What an organization without campaigns sees.

import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, html } from "../../html.ts";
import { campaignsStrings } from "../strings/campaigns.ts";

/** The next steps. Viewers have no permission for any of them. */
export function gettingStarted(role: Role): Html {
  const { noCampaigns, askAdmin, startWithProgram, startWithProvider, startWithImport } = campaignsStrings;
  const heading = html`<h2>${noCampaigns}</h2>`;
  if (!hasPermission(role, "admin")) {
    return html`<section class="card">${heading}
<p>${askAdmin}</p></section>`;
  }
  return html`<section class="card">${heading}
<p>${campaignsStrings.gettingStarted}</p>
<ul>
<li>${startWithProgram("/settings/integrations/analytics-api")}</li>
<li>${startWithProvider}</li>
<li>${startWithImport}</li>
</ul></section>`;
}
