// The page of one campaign at `/campaigns/:id`, in tabs: whether it was opened, read, clicked and liked, compared with the
// other campaigns of its team and tags.

import { CampaignDetailsReader } from "../../../../listing/reports/campaign-details.ts";
import type { Html } from "../../../../locale/html.ts";
import { findQuestions } from "../../../../storage/campaigns/campaign-questions.ts";
import { listTags } from "../../../../storage/organizations/tags.ts";
import type { Page } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import type { TabName } from "../campaign-url.ts";
import { manageActions } from "../manage/manage-campaign.ts";
import { registerCampaignPage } from "../manage/register-campaign.ts";
import { inCampaignFrame } from "./campaign-frame.ts";
import { linksTab } from "./campaign-links.ts";
import { detailsTab } from "./campaign-numbers.ts";
import { readSummary } from "./campaign-summary.ts";
import { surveysTab } from "./campaign-surveys.ts";
import { type CampaignView, parseTab, type ReadTab, readRequested } from "./campaign-view.ts";
import { readGroupsTab } from "./groups-tab.ts";
import { recipientsPages } from "./recipients-page.ts";

export function campaignPages(context: WebContext): Page[] {
  const reader = new CampaignDetailsReader(context.database, context.shutdownSignal);
  return [registerCampaignPage, campaignPage(reader), ...recipientsPages(context, reader)];
}

function campaignPage(reader: CampaignDetailsReader): Page {
  return {
    path: "/campaigns/:id",
    role: "viewer",
    actionRole: "admin",
    async show(session, request) {
      const tab = parseTab(session, request.query);
      const { show, ...read } = await session.snapshot(async (scope) => {
        const requested = await readRequested(scope, session, request);
        const { id } = requested.stored.campaign;
        const questions = (await findQuestions(scope, [id])).get(id);
        const allTags = await listTags(scope);
        const { rejected } = request;
        return { ...requested, questions, allTags, rejected, show: await tabs[tab](scope, requested) };
      });
      // Details take a moment and are cached. They may be newer than the snapshot.
      const details = await reader.read(session.organization, read.stored);
      const view: CampaignView = { ...read, details };
      return inCampaignFrame(view, tab, show(view));
    },
    actions: manageActions,
  };
}

/** A tab that shows only what all tabs read. */
const shown =
  (show: (view: CampaignView) => Html): ReadTab =>
  async () =>
    show;

const tabs: Record<TabName, ReadTab> = {
  summary: readSummary,
  links: shown(linksTab),
  audience: readGroupsTab,
  surveys: shown(surveysTab),
  details: shown(detailsTab),
};
