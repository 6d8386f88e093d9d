// The link on a page that can be shared, to the form that makes a share link of it.

import { hasPermission } from "../../../access/role.ts";
import { type HtmlValue, html } from "../../html.ts";
import { paths } from "../../paths.ts";
import type { WebSession } from "../page.ts";
import type { MenuLink } from "../ui/menu.ts";

/** For admins, if the organization allows share links. @param url of the page, without the host */
export function shareLink(session: WebSession, url: string): HtmlValue {
  const action = shareAction(session, url);
  return action && html`<a class="button second" href="${action.url}">${action.name}</a>`;
}

/** {@link shareLink} among other actions. */
export function shareAction({ organization, user, locale }: WebSession, url: string): MenuLink | false {
  if (organization.shareLinks !== "allow" || !hasPermission(user.role, "admin")) return false;
  const to = `${paths.web.shareLinks}?${new URLSearchParams({ view: url })}`;
  return { url: to, name: locale.t("share.share"), icon: "external" };
}
