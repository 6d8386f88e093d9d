// The link on a page that can be shared, to the form that makes a share link of it.

import { hasPermission } from "../../../access/role.ts";
import { type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { WebSession } from "../page.ts";

/** For admins, if the organization allows share links. @param url of the page, without the host */
export function shareLink({ organization, user, locale }: WebSession, url: string): HtmlValue {
  if (organization.shareLinks !== "allow" || !hasPermission(user.role, "admin")) return false;
  const to = `${paths.web.shareLinks}?${new URLSearchParams({ view: url })}`;
  return html`<a class="button second" href="${to}">${locale.t("share.share")}</a>`;
}
