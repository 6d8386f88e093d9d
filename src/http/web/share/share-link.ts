// The link on a page that can be shared, to the form that makes a share link of it.

import { webPaths } from "../../../paths.ts";
import type { WebSession } from "../frame/page.ts";
import type { HeadAction } from "../ui/lists/menu.ts";

/** Returns a link for admins. Its form asks to allow share links first. @param url starts at the path */
export function shareAction({ isAdmin, t }: WebSession, url: string): HeadAction | false {
  if (!isAdmin) return false;
  const to = `${webPaths.shareLinks}?${new URLSearchParams({ view: url })}`;
  return { url: to, name: t("share.share"), icon: "external" };
}
