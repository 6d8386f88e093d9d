// The page of surveys at `/surveys`: how each question was answered, month by month.

import type { Ranged } from "../../../campaign/ranges.ts";
import { rangeOf, rateOfSome } from "../../../campaign/rate-ranges.ts";
import { coveredRateOf } from "../../../campaign/sum-rates.ts";
import { type Html, type HtmlValue, html, joinHtml } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { webPaths } from "../../../paths.ts";
import { filteredPage } from "../filters/filtered-campaigns.ts";
import type { Page } from "../frame/page.ts";
import type { WebContext } from "../frame/web-context.ts";
import { emptyState } from "../ui/lists/empty-state.ts";
import { cellLabel, columnHeader, numberCell, renderTable, stackedBar } from "../ui/lists/table.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { leftOutText } from "../ui/numbers/left-out.ts";
import { rateWithRange, shareWithRange } from "../ui/numbers/rate-with-range.ts";
import { surveyLabel } from "../ui/texts/survey-name.ts";
import { type AskedQuestion, type FoundSurveys, readSurveyed, readSurveys } from "./read-surveys.ts";
import { type ShownAnswer, shownAnswers } from "./shown-answers.ts";

export function surveysPage(context: WebContext): Page {
  return filteredPage({
    path: webPaths.surveys,
    hasTraffic: false,
    read: readSurveyed,
    async show({ content, ...session }) {
      const found = await readSurveys(context, session, content);
      return {
        title: session.t("pages.surveys"),
        headingLink: aboutNumbers(session, notes(session, found)),
        results: sections(session, found),
      };
    },
  });
}

function sections(locale: Locale, found: FoundSurveys): HtmlValue {
  const enps = found.total.ratings + found.ratingsCounting > 0 && enpsSection(locale, found);
  if (!enps && found.questions.length === 0) {
    return emptyState({ icon: "surveys", title: locale.t("surveys.none"), text: locale.t("surveys.hint") });
  }
  const shown = shownAnswers(found.questions);
  return html`${enps}${found.questions.map((question, index) => questionSection(locale, found, { ...question, shown: shown[index] ?? [] }))}`;
}

/** Which answers are not on the page, and what the range of a month depends on. */
function notes({ t, ...locale }: Locale, { total, months, withheld, leftOut }: FoundSurveys): string[] {
  const { from, of } = coveredRateOf(total, "enpsIndex");
  return [
    from < of && `${t("campaign.enps")}: ${t("campaigns.coverage", { from, of })}.`,
    leftOutText({ t, ...locale }, total),
    withheld > 0 && t("surveys.withheld", { campaigns: withheld }),
    leftOut > 0 && t("surveys.leftOut", { campaigns: leftOut }),
    months.size > 1 && t("surveys.rangesNote"),
  ].filter((note) => typeof note === "string");
}

interface AnswerColumn {
  name: HtmlValue;
  /** The name as plain text, for windows in which rows are cards. */
  label: string;
  color: string;
}

interface AnswersRow {
  month: number;
  shares: number[];
  count: number;
  more?: Html;
}

function enpsSection(locale: Locale, { total, months, enpsQuestion, ...found }: FoundSurveys): Html {
  const { t, format } = locale;
  const columns = (["detractors", "passives", "promoters"] as const).map((kind, index) => {
    const name = t(`campaign.kinds.${kind}`);
    return { name, label: name, color: ["s-bad", "s-neutral", "s-good"][index] ?? "" };
  });
  const rows = [...months].flatMap(([month, sums]) => {
    const { indexed, detractors, promoters } = sums;
    if (indexed === 0) return [];
    const counts = [detractors, indexed - detractors - promoters, promoters];
    const rate = rateOfSome(sums, total, "enpsIndex");
    const more = html`<td class="number"${cellLabel(t("campaign.enps"))}>${rate && indexText(locale, rate)}</td>`;
    return [{ month, shares: counts.map((count) => count / indexed), count: indexed, more }];
  });
  const index = coveredRateOf(total, "enpsIndex").rate;
  const mean = coveredRateOf(total, "enpsMean").rate;
  const summary = [
    index !== null &&
      rateWithRange(locale, "enpsIndex", index, rangeOf(total, "enpsIndex"), { isPrinted: true }),
    t("campaign.ratings", { ratings: total.ratings }),
    countingText(locale, found.ratingsCounting),
    mean !== null && t("surveys.average", { mean: format.mean(mean) }),
  ].filter(Boolean);
  const name = html`${t("campaign.enps")}${enpsQuestion !== undefined && html` <span class="soft small" lang="" dir="auto">${enpsQuestion}</span>`}`;
  const table =
    rows.length > 0 &&
    answersTable(locale, found, { caption: t("campaign.enps"), columns, rows, more: t("campaign.enps") });
  return section(name, joinHtml(summary, " · "), table);
}

const indexText = (locale: Locale, { value, low, high }: Ranged): HtmlValue =>
  rateWithRange(locale, "enpsIndex", value, Number.isFinite(low) ? { low, high } : null, { isPrinted: true });

/** Why the newest month may lack answers. */
const countingText = ({ t }: Locale, answers: number): string | false =>
  answers > 0 && t("surveys.moreCounting", { answers });

function questionSection(
  locale: Locale,
  found: Pick<FoundSurveys, "spans" | "unit">,
  question: AskedQuestion & { shown: readonly ShownAnswer[] },
): Html {
  const { t } = locale;
  const { survey, text, months, shown } = question;
  const columns: AnswerColumn[] = shown.map(({ answer, color }) => ({
    name: answer === "" ? t("campaign.forgottenAnswer") : html`<span lang="" dir="auto">${answer}</span>`,
    label: answer === "" ? t("campaign.forgottenAnswer") : String(answer),
    color,
  }));
  const hasOthers = question.answers.length > shown.length;
  if (hasOthers) columns.push({ name: t("surveys.other"), label: t("surveys.other"), color: "s5" });
  const rows = [...months].map(([month, counts]) => {
    const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
    const shares = shown.map(({ answer }) => (counts.get(answer) ?? 0) / count);
    if (hasOthers) shares.push(Math.max(1 - shares.reduce((sum, share) => sum + share, 0), 0));
    return { month, shares, count };
  });
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const name =
    text === undefined ? surveyLabel(locale, survey) : html`<span lang="" dir="auto">${text}</span>`;
  const caption = t("surveys.caption", { question: text ?? survey.surveyId });
  const summary = [t("surveys.answered", { answers: all }), countingText(locale, question.counting)];
  const table = rows.length > 0 && answersTable(locale, found, { caption, columns, rows });
  return section(name, joinHtml(summary.filter(Boolean), " · "), table);
}

function section(name: HtmlValue, summary: HtmlValue, table: HtmlValue): Html {
  return html`<section class="card answers"><div class="card-head"><h2>${name}</h2><span class="soft">${summary}</span></div>
${table}</section>`;
}

/** The newest month first. @param more the title of a column behind the shares */
function answersTable(
  locale: Locale,
  { spans, unit }: Pick<FoundSurveys, "spans" | "unit">,
  {
    caption,
    columns,
    rows,
    more,
  }: { caption: string; columns: readonly AnswerColumn[]; rows: readonly AnswersRow[]; more?: string },
): Html {
  const { t, format } = locale;
  const colors = columns.map(({ color }) => color);
  const shown = rows
    .toSorted((a, b) => b.month - a.month)
    .flatMap(({ month, shares, count, more: cell }) => {
      const first = spans[month]?.first;
      if (!first) return [];
      const cells = shares.map(
        (share, index) =>
          html`<td class="number"${cellLabel(columns[index]?.label ?? "")}>${shareWithRange(locale, Math.round(share * count), count)}</td>`,
      );
      const name = unit === "year" ? String(first.year) : format.month(first);
      return html`<tr><th scope="row">${name}</th><td aria-hidden="true">${stackedBar(shares, colors)}</td>${cells}${cell}${numberCell(locale, count, t("surveys.answers"))}</tr>\n`;
    });
  return renderTable(
    caption,
    [
      columnHeader(t(`overview.units.${unit}`)),
      html`<td aria-hidden="true"></td>`,
      ...columns.map(
        ({ name, color }) =>
          html`<th scope="col" class="number"><svg class="swatch ${color}" viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="3"/></svg> ${name}</th>`,
      ),
      ...[more, t("surveys.answers")].map(
        (title) => title && html`<th scope="col" class="number">${title}</th>`,
      ),
    ],
    shown,
    { hidesCaption: true, isStacked: "short" },
  );
}
