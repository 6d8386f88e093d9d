// The page of a series at `/series`: does it get better? Its issues as dots, against the year before, with the best subjects,
// links, comments and reach.

import { LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { paths } from "../../../paths.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { commentsShown } from "../overview/overview-details.ts";
import { readPage } from "./read-page.ts";
import { showSeries } from "./series-view.ts";

export function seriesPage({ database, now, shutdownSignal: signal }: WebContext): Page {
  const commentsReader = new LatestCommentsReader(database);
  return {
    path: paths.web.series,
    role: "viewer",
    async show(session, { query }) {
      const { organization } = session;
      const found = await database.snapshotOf(organization.id, (scope) =>
        readPage(scope, session, query, now()),
      );
      // Outside of the snapshot, because they may take a moment and are cached.
      const options = { limit: commentsShown, signal };
      const comments = await commentsReader.read(organization, found.details.commented, options);
      return showSeries(session, found, comments);
    },
  };
}
