// The groups of an attribute as CSV, in the order of the page.

import { AppError } from "../../../errors.ts";
import { csvFileName } from "../filters/csv-file-name.ts";
import { filteredCampaigns } from "../filters/filtered-campaigns.ts";
import type { Page } from "../page.ts";
import { csvFile, csvNumber, csvTitle, csvUnits } from "../ui/csv-file.ts";
import type { NumberMethod } from "../ui/number-or-dash.ts";
import type { WebContext } from "../web-context.ts";
import { type AudienceColumn, audienceColumns, numberIn, parseOrder, sortRows } from "./audience-order.ts";
import { columnTitles } from "./audience-table.ts";
import { type AudienceRow, readAudience } from "./read-audience.ts";

const methods: Record<Exclude<AudienceColumn, "name">, NumberMethod> = {
  ...{ campaigns: "count", recipients: "count", open_rate: "rate", click_rate: "rate", read: "rate" },
  enps: "index",
};

export function audienceFile(context: WebContext, { path, page }: { path: string; page: string }): Page {
  return {
    path,
    role: "viewer",
    async show(session, request) {
      const { locale } = session;
      const found = await filteredCampaigns(context, session, request, { path: page });
      if (found.problem !== undefined) throw new AppError("bad_request", found.problem);
      const audience = await readAudience(context.database, session, found, request.query);
      if (!audience.attribute) throw new AppError("not_found", locale.t("audience.noAttributes"));
      const titles = columnTitles(locale, audience.attribute.name);
      const header = audienceColumns.map((column) => {
        const unit = column === "name" ? undefined : csvUnits[methods[column]];
        return unit === undefined ? titles[column] : csvTitle(titles[column], unit);
      });
      const rows = sortRows(audience.rows, parseOrder(locale, request.query));
      const cells = rows.map((row) =>
        audienceColumns.map((column) => cellOf(row, column, locale.t("audience.notKnown"))),
      );
      return csvFile(csvFileName("audience", found.page.filters), header, [cells]);
    },
  };
}

function cellOf(row: AudienceRow, column: AudienceColumn, notKnown: string): string | number | null {
  if (column === "name") return row.id === row.attributeId ? notKnown : row.name;
  return csvNumber(methods[column], numberIn(row, column));
}
