// What an import would do: problems by line, and the first campaigns.

import { dateOrders } from "../../../campaign/calendar/exported-time.ts";
import { campaignRate } from "../../../campaign/campaign-rates.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import type { ReportedCampaign } from "../../../campaign/reported-campaign.ts";
import { importFields } from "../../../campaign/reported-campaign.ts";
import type { ImportPreview } from "../../../counting/import/preview-import.ts";
import { type Html, type HtmlValue, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { WebSession } from "../frame/page.ts";
import { actionForm } from "../ui/forms/form.ts";
import { dataTable } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";
import { inEnglish } from "../ui/texts/in-english.ts";
import { uploadForm } from "./upload-form.ts";

const maxShown = 100;

/** Shows what to do next, too: make another choice, or choose the corrected file. */
export function problemsCard(
  session: WebSession,
  { errors, errorCount, needsDateOrder, columns }: ImportPreview,
  query: URLSearchParams,
): Html {
  const { t } = session;
  const hidden = errorCount - Math.min(errors.length, maxShown);
  return html`<section class="card"><h2>${t("imports.problems", { count: errorCount })}</h2>
<p>${t(columns.length > 0 ? "imports.problemsHint" : "imports.fileProblemsHint")} ${inEnglish(session)}</p>
<ul lang="en" class="lines">${errors.slice(0, maxShown).map((error) => html`<li>${error}</li>`)}</ul>
${hidden > 0 && html`<p class="soft small">${t("imports.moreProblems", { count: hidden })}</p>`}
${needsDateOrder && dateOrderForm(session, query)}
${uploadForm(session, t("imports.correctedFile"))}
${discardForm(session)}</section>
`;
}

/** Two buttons, which keep the other choices of {@link readColumnChoices}. */
function dateOrderForm({ t }: Locale, query: URLSearchParams): Html {
  const kept = [...query].filter(([name]) => name !== "date_order");
  return html`<form method="get" class="row"><span>${t("imports.dateOrder")}</span>
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${dateOrders.map((order) => html`<button class="second" name="date_order" value="${order}">${t(`imports.dateOrders.${order}`)}</button>`)}</form>
`;
}

export function discardForm(session: WebSession): Html {
  const button = html`<button class="second">${session.t("imports.discard")}</button>`;
  return actionForm(session, "discard", button);
}

/** What was accepted but may not be meant. */
export function warningsCard(locale: Locale, { warnings }: ImportPreview): HtmlValue {
  if (warnings.length === 0) return false;
  return html`<details class="card"><summary>${locale.t("imports.warnings", { count: warnings.length })}</summary>
<ul lang="en" class="lines">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul></details>
`;
}

function rateOnPages({ campaign, metrics }: ReportedCampaign, name: "openRate" | "clickRate"): number | null {
  return campaignRate({ ...campaign, numbers: { reported: metrics } }, name);
}

/** The columns of the preview that are numbers, by the fields whose titles they have. */
const numbers = [
  ["recipient_count", "count", ({ campaign }) => campaign.recipientCount],
  ["unique_opens", "count", ({ metrics }) => metrics.unique_opens],
  ["open_rate", "rate", (reported) => rateOnPages(reported, "openRate")],
  ["unique_clicks", "count", ({ metrics }) => metrics.unique_clicks],
  ["click_rate", "rate", (reported) => rateOnPages(reported, "clickRate")],
] as const satisfies [
  keyof typeof importFields,
  "count" | "rate",
  (reported: ReportedCampaign) => number | null,
][];

/** What an import would do with a campaign. */
function stepText({ t, translate }: Locale, { status, changed }: ImportPreview["steps"][number]): string {
  const titles = changed.map((field) => translate(`fields.${field}`, importFields[field].title));
  return status === "changed"
    ? t("imports.stepChanged", { fields: titles.join(", ") })
    : t(`imports.steps.${status}`);
}

export function firstCampaigns(session: WebSession, { first, campaigns, steps }: ImportPreview): HtmlValue {
  const { organization, t, translate, timeText } = session;
  if (first.length === 0) return false;
  const title = (field: keyof typeof importFields) => translate(`fields.${field}`, importFields[field].title);
  const rows = first.map((reported, index) => {
    const { campaign, tags } = reported;
    // As in a CSV file: a name may contain a comma.
    const names = tags.map(({ name }) => name).join("; ");
    return [
      html`<bdi>${campaign.subject === "" ? quote("") : campaign.subject.slice(0, 200)}</bdi>`,
      timeText(campaign.sentAt),
      ...numbers.map(([, method, of]) => numberOrDash(session, method, of(reported))),
      names.slice(0, 200),
      steps[index] ? stepText(session, steps[index]) : "",
    ];
  });
  const fields = ["subject", "sent_at", ...numbers.map(([field]) => field), "tags"] as const;
  const classes = ["text", "", ...numbers.map(() => "number")];
  const caption = t("imports.preview", { shown: first.length, count: campaigns });
  return html`<section class="card"><h2>${caption}</h2>
<p class="soft small">${t("imports.previewHint", { timeZone: organization.timeZone })}</p>
${dataTable(caption, [...fields.map(title), t("imports.state")], rows, { classes, isStacked: true, hidesCaption: true })}</section>
`;
}
