// What an organization without campaigns may do next.

import { hasPermission, type Role } from "../../../access/role.ts";
import { type Html, html } from "../../html.ts";

/** Viewers cannot do any of it. */
export function firstSteps(role: Role): Html {
  const heading = html`<h2>There are no campaigns yet</h2>`;
  if (!hasPermission(role, "admin")) {
    return html`<section class="card">${heading}
<p>An admin of your organization can change that.</p></section>`;
  }
  return html`<section class="card">${heading}
<p>As soon as there are, you see here how they are opened, clicked and read. There are three ways to begin:</p>
<ul>
<li>Let your own program send campaigns and events: <a href="/settings/integrations/analytics-api">generate a key of the scope ingest</a>.</li>
<li>Let your email provider send its events: whoever runs this service adds it with <code>email-analytics source add</code>; then it stands under <a href="/sources">Sources</a>.</li>
<li>Bring in finished numbers: whoever runs this service uses <code>email-analytics import</code>.</li>
</ul></section>`;
}
