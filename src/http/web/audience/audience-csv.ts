// The groups of an attribute as CSV, in the order of the page.

import { AppError } from "../../../errors.ts";
import { groupFile } from "../breakdown/group-file.ts";
import { parseOrder, sortRows } from "../breakdown/group-order.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { audienceColumns, audienceRows } from "./audience-columns.ts";
import { periodsFile } from "./audience-periods.ts";
import { readAudience } from "./read-audience.ts";

export function audienceFile(context: WebContext, { path, page }: { path: string; page: string }): Page {
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { locale } = session;
      const { query } = request;
      const { found, content: audience } = await filteredCampaigns(context, session, request, {
        path: page,
        isFile: true,
        read: (scope, filtered) => readAudience(scope, session, filtered, query),
      });
      if (!audience.attribute) throw new AppError("not_found", locale.t("audience.noAttributes"));
      const rows = sortRows(audienceRows(locale, audience), parseOrder(locale, query, audienceColumns));
      const { name } = audience.attribute;
      if (query.get("by") === "period") {
        const file = csvFileName("audience-by-period", found.page.filters);
        return periodsFile(locale, audience, { rows, name, file });
      }
      return groupFile(locale, rows, {
        file: csvFileName("audience", found.page.filters),
        name,
        columns: audienceColumns,
      });
    },
  };
}
