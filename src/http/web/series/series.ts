// The page of a series at `/series`: does it get better? Its issues as dots, against the year before, with the best subjects,
// links, comments and reach.

import { LatestCommentsReader } from "../../../listing/reports/latest-comments.ts";
import { paths } from "../../../paths.ts";
import type { Scope } from "../../../storage/queries/scope.ts";
import type { Page, PageRequest, WebSession } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { commentsShown } from "../overview/overview-details.ts";
import { readDetails, readIssues } from "./read-page.ts";
import { seriesFile } from "./series-file.ts";
import { showSeries } from "./series-view.ts";

/** The page, and its issues as CSV. */
export function seriesPages(context: WebContext): Page[] {
  const commentsReader = new LatestCommentsReader(context.database);
  const issues = (scope: Scope, session: WebSession, { query }: PageRequest) =>
    readIssues(scope, session, query, context.now());
  return [
    {
      path: paths.web.series,
      role: "viewer",
      async show(session, request) {
        const { organization } = session;
        const found = await context.database.snapshotOf(organization.id, async (scope) => {
          const read = await issues(scope, session, request);
          return { ...read, ...(await readDetails(scope, session, read)) };
        });
        // Outside of the snapshot, because they may take a moment and are cached.
        const comments = await commentsReader.read(organization, found.details.commented, {
          limit: commentsShown,
          signal: context.shutdownSignal,
        });
        return showSeries(session, { ...found, comments });
      },
    },
    {
      path: paths.web.seriesCsv,
      role: "viewer",
      show: async (session, request) =>
        context.database.snapshotOf(session.organization.id, async (scope) =>
          seriesFile(session, await issues(scope, session, request)),
        ),
    },
  ];
}
