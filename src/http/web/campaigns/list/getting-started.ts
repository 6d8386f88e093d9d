// What an organization without campaigns sees.

import { hasPermission, type Role } from "../../../../access/role.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { paths } from "../../../../paths.ts";
import { emptyState } from "../../ui/lists/empty-state.ts";

/** Leads admins to the checklist on the overview. Viewers have no permission for any of its steps. */
export function gettingStarted({ t }: Locale, role: Role): Html {
  const title = t("campaigns.noCampaigns");
  if (!hasPermission(role, "admin")) {
    return emptyState({ icon: "campaigns", title, text: t("campaigns.askAdmin") });
  }
  const actions = html`<a class="button" href="${paths.web.overview}">${t("campaigns.getStarted")}</a>`;
  return emptyState({ icon: "campaigns", title, actions });
}
