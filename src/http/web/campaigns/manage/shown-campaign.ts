// The campaign that a form was shown for.

import { AppError } from "../../../../errors.ts";
import type { Html } from "../../../../locale/html.ts";
import type { StoredCampaign } from "../../../../storage/campaigns/stored-campaign.ts";
import type { Actor, PageRequest } from "../../frame/page.ts";
import { hiddenField } from "../../ui/forms/field.ts";
import { readCampaign } from "../find-campaign.ts";

export const registrationField = ({ registration }: StoredCampaign): Html =>
  hiddenField("registration", registration);

export const targetOf = (id: number) => `campaign ${id}`;

/** @throws AppError `conflict` if the form is of a campaign that was deleted, whose id another one has now */
export async function findShown(
  actor: Actor,
  form: URLSearchParams,
  request: PageRequest,
): Promise<StoredCampaign> {
  const stored = await readCampaign(actor, request);
  const registration = form.get("registration");
  if (registration === null || registration === String(stored.registration)) return stored;
  // The page shows nothing again that was entered for the other campaign.
  for (const name of [...form.keys()]) form.delete(name);
  throw new AppError("conflict", actor.t("campaign.replaced"));
}
