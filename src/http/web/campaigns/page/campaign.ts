// The page of one campaign at `/campaigns/:id`, in tabs: whether it was opened, read, clicked and liked, compared with the
// other campaigns of its team and tags.

import { CampaignDetailsReader } from "../../../../listing/reports/campaign-details.ts";
import type { Html } from "../../../../locale/html.ts";
import { findQuestions } from "../../../../storage/campaigns/campaign-questions.ts";
import type { Page } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { parseList, type TabName } from "../campaign-url.ts";
import { findCampaign } from "../find-campaign.ts";
import { manageCampaignPage } from "../manage/manage-campaign.ts";
import { registerCampaignPage } from "../manage/register-campaign.ts";
import { inCampaignFrame } from "./campaign-frame.ts";
import { linksTab } from "./campaign-links.ts";
import { detailsTab } from "./campaign-numbers.ts";
import { summaryTab } from "./campaign-summary.ts";
import { surveysTab } from "./campaign-surveys.ts";
import { activityTab } from "./campaign-traffic.ts";
import { type CampaignView, parseOrder, parseTab, parseTraffic } from "./campaign-view.ts";
import { groupsTab } from "./groups-tab.ts";
import { recipientsPages } from "./recipients-page.ts";

export function campaignPages(context: WebContext): Page[] {
  const reader = new CampaignDetailsReader(context.database, context.shutdownSignal);
  return [
    registerCampaignPage(context),
    campaignPage(context, reader),
    manageCampaignPage(context),
    ...recipientsPages(context, reader),
  ];
}

function campaignPage(context: WebContext, reader: CampaignDetailsReader): Page {
  const { database, now } = context;
  return {
    path: "/campaigns/:id",
    role: "viewer",
    async show(session, request) {
      const tab = parseTab(session, request.query);
      const traffic = parseTraffic(session, request.query);
      const order = parseOrder(session, request.query);
      const list = await parseList(context, session, request.query);
      const stored = await findCampaign(database, session, request);
      const details = stored.counting === null ? undefined : await reader.read(session.organization, stored);
      const { id } = stored.campaign;
      const questions = await database.queryOf(session.organization.id, (scope) =>
        findQuestions(scope, [id]),
      );
      const view: CampaignView = {
        session,
        stored,
        details,
        traffic,
        list,
        order,
        questions: questions.get(id),
        query: request.query,
        now: now(),
      };
      return inCampaignFrame(context, view, tab, await tabContents[tab](view, context));
    },
  };
}

const tabContents: Record<TabName, (view: CampaignView, context: WebContext) => Html | Promise<Html>> = {
  summary: summaryTab,
  links: linksTab,
  audience: groupsTab,
  surveys: surveysTab,
  activity: activityTab,
  details: detailsTab,
};
