// The campaigns page at `/campaigns`: filters, search, and the list. Its file has all campaigns of the list, read from the
// database while it is sent, with the numbers of the traffic that the page shows.

import { readReleased } from "../../../../listing/find-released.ts";
import { sortCampaigns } from "../../../../listing/sums/campaign-values.ts";
import { subjectText } from "../../../../locale/subject-text.ts";
import { webPaths } from "../../../../paths.ts";
import { csvFileName } from "../../filters/csv-file-name.ts";
import { filteredFile, filteredPage } from "../../filters/filtered-campaigns.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { Page } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { sampleLine } from "../../import/sample-data.ts";
import { type ListRequest, listParameters, parseListRequest } from "../campaigns-url.ts";
import { findCampaign } from "../find-campaign.ts";
import { campaignsList, orderOf, readList } from "./campaigns-list.ts";
import { csvColumns } from "./csv-columns.ts";
import { addLinks } from "./list-menus.ts";

/** Another choice leads to the first page of the list. */
const own = (request: ListRequest) => listParameters({ ...request, page: 1 });

export const campaignsPages = (context: WebContext): Page[] => [
  filteredPage({
    path: webPaths.campaigns,
    csv: webPaths.campaignsCsv,
    ask: parseListRequest,
    own,
    search: ({ t }) => t("filters.searchSubjects"),
    read: async (scope, found) => ({
      list: await readList(scope, found),
      sample: await sampleLine(scope, found),
      compared:
        found.asked.compared !== "" &&
        (await findCampaign(scope, found, { params: { id: found.asked.compared } })),
    }),
    show({ content: { list, sample, compared }, ...found }) {
      const { t } = found;
      const summary = t("overview.campaignCount", { count: list.totals.sums.campaigns });
      return {
        title: t("pages.campaigns"),
        lead: compared && t("comparison.choose", { subject: subjectText(found, compared.campaign) }),
        windowTitle: `${summary} · ${t("pages.campaigns")}`,
        headingLink: addLinks(found),
        above: sample,
        summary,
        ...campaignsList(found, list),
      };
    },
  }),
  filteredFile({
    path: webPaths.campaignsCsv,
    ask: parseListRequest,
    read: (scope, { filter, asked }) => sortCampaigns(scope, filter, orderOf(asked)),
    show(found) {
      const {
        asked,
        page: { filters },
        content,
        organization,
      } = found;
      const ids = content.map(({ id }) => id);
      const campaigns = readReleased(context.database, organization, ids, context.shutdownSignal);
      return csvFile(
        csvFileName("campaigns", filters),
        csvColumns(asked.columns, {
          locale: found,
          timeZone: organization.timeZone,
          traffic: filters.traffic,
        }),
        campaigns,
      );
    },
  }),
];
