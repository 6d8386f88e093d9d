// Finds the campaign of a page by the id in its path.

import { largestInteger } from "../../../campaign/fields/field-schema.ts";
import { AppError } from "../../../errors.ts";
import { findReleased } from "../../../listing/find-released.ts";
import type { Locale } from "../../../locale/locale.ts";
import { quoted } from "../../../locale/quoted.ts";
import type { StoredCampaign } from "../../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { PageRequest, WebSession } from "../frame/page.ts";

/** @throws AppError `not_found` if the path has no id of a campaign of the organization */
export async function findCampaign(
  scope: Scope,
  session: WebSession,
  { params }: Pick<PageRequest, "params">,
): Promise<StoredCampaign> {
  const text = params.id ?? "";
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text) || id > largestInteger) throw notFound(session, text);
  const [stored] = await findReleased(scope, session.organization, [id]);
  if (!stored) throw notFound(session, text);
  return stored;
}

/** {@link findCampaign} for what needs nothing else of the same state of the data. */
export function readCampaign(
  session: WebSession,
  request: Pick<PageRequest, "params">,
): Promise<StoredCampaign> {
  return session.snapshot((scope) => findCampaign(scope, session, request));
}

function notFound(locale: Locale, text: string): AppError {
  return new AppError("not_found", locale.t("campaign.notFound", { id: quoted(locale, text) }));
}
