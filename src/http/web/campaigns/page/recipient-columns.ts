// The columns of the recipients of a campaign. The file also has the first click.

import type { RecipientActivity } from "../../../../listing/reports/recipient-activity.ts";
import { html, joinHtml } from "../../../../locale/html.ts";
import { nameColumn, numberColumn, timeColumn } from "../../frame/columns.ts";
import type { WebSession } from "../../frame/page.ts";
import type { PageColumn } from "../../ui/lists/table.ts";

export function recipientColumns(session: WebSession): PageColumn<RecipientActivity>[] {
  const { t } = session;
  return [
    nameColumn(t("recipients.columns.recipient"), ({ name }) => name),
    numberColumn(session, t("recipients.columns.opens"), "count", ({ opens }) => opens),
    {
      title: t("recipients.columns.device"),
      csv: ({ devices }) => devices.map((each) => t(`recipients.devices.${each}`)).join(", ") || null,
    },
    {
      title: t("recipients.columns.readTime"),
      csv: ({ readTime }) => readTime && t(`recipients.readTimes.${readTime}`),
    },
    numberColumn(session, t("links.clicks"), "count", ({ clicks }) => clicks),
    {
      ...timeColumn(session, t("recipients.columns.firstClick"), ({ firstClickAt }) => firstClickAt),
      cell: false,
    },
    {
      ...timeColumn(session, t("recipients.columns.lastClick"), ({ lastClickAt }) => lastClickAt),
      className: "time",
    },
    {
      title: t("recipients.columns.answers"),
      className: "text",
      csv: ({ answers }) =>
        answers.map(({ surveyId, reaction }) => `${surveyId}: ${reaction}`).join("; ") || null,
      cell: ({ answers }) =>
        answers.length === 0
          ? null
          : joinHtml(
              answers.map(
                ({ surveyId, reaction }) => html`<span class="soft">${surveyId}:</span> ${reaction}`,
              ),
              html`<br>`,
            ),
    },
  ];
}
