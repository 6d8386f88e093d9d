// A report in words, and as JSON.

import { isoDay } from "../campaign/calendar/calendar-date.ts";
import { hourMs } from "../campaign/calendar/durations.ts";
import type { DateSpan } from "../campaign/calendar/period.ts";
import { rangedRate } from "../campaign/campaign-number.ts";
import { changeKind, type Range, type Ranged } from "../campaign/ranges.ts";
import type { CoveredRateName } from "../campaign/sum-rates.ts";
import { snakeCase } from "../campaign/sums.ts";
import { type FreshCampaign, freshShown } from "../listing/reports/fresh-campaigns.ts";
import type { PeriodReport } from "../listing/reports/period-report.ts";
import { overviewQuery } from "../listing/sums/filter-query.ts";
import { ageText } from "../locale/age-text.ts";
import { type Locale, locales } from "../locale/locale.ts";
import { changeSince, type MetricChange, rateDifference } from "../locale/rate-difference.ts";
import { coverageText, methodOfRate, rangeInText } from "../locale/rate-text.ts";
import { changeAtAge, comparedName, likelyEndText } from "../locale/same-age-text.ts";
import { subjectText } from "../locale/subject-text.ts";
import { clausesText } from "../locale/write-clauses.ts";
import { campaignPath, urlWithQuery } from "../paths.ts";
import type { Letter, LetterRow, LetterSection } from "./letter.ts";

/** @param publicUrl without a trailing slash */
export function reportLetter(locale: Locale, report: PeriodReport, publicUrl: string): Letter {
  const { t } = locale;
  const { organization, period, sent, page } = report;
  const about = {
    organization: organization.name,
    dates: datesOf(locale, period.sent),
    count: sent.campaigns,
  };
  return {
    language: locale.language,
    subject: t("digest.subject", { ...about }),
    lead: [
      t("digest.lead", { ...about, emails: sent.recipients }),
      ...(sent.campaigns > 0 ? [clausesText(locale, report.clauses, "previous")] : []),
    ].join("\n\n"),
    sections: [
      ratesSection(locale, report),
      ...(["best", "worst"] as const).flatMap((which) => rankedSection(locale, report, which, publicUrl)),
      ...freshSection(locale, report, publicUrl),
      ...commentsSection(locale, report),
    ],
    link: {
      label: t("digest.openOverview"),
      url: publicUrl + urlWithQuery("/", overviewQuery(page.filters, page.view, page.defaults)),
    },
    notes: [
      ...(report.hasSample ? [t("sample.included")] : []),
      t("overview.scope", { timeZone: organization.timeZone }),
    ],
  };
}

const datesOf = ({ format }: Locale, { first, last }: DateSpan) => format.dateRange(first, last);

function ratesSection(locale: Locale, report: PeriodReport): LetterSection {
  const { t } = locale;
  const { period, rated, compared, rates, best, worst } = report;
  const rows = rates.map((line): LetterRow => {
    const change = changeSince(locale, line, "previous");
    const notes = [change && changeText(change), coverageText(locale, line)];
    return {
      name: t(`numbers.${line.name}`),
      value: rangedText(locale, line.name, line.rate),
      note: notes.filter(Boolean).join(" · ") || undefined,
    };
  });
  const isOlder = isoDay(period.rated.first) !== isoDay(period.sent.first);
  const isNothing = rates.length > 0 && best.length + worst.length === 0;
  const notes = [
    rated.campaigns === 0 && t("digest.noneRated"),
    compared && rows.length > 0 && t("digest.compared", { dates: datesOf(locale, compared) }),
    rated.counting > 0 && t("ui.leftOut", { count: rated.counting }),
    isNothing && t("overview.nothingStandsOut"),
    isOlder && t("digest.weekBefore"),
  ];
  return {
    title: t("digest.rates", { dates: datesOf(locale, period.rated), count: rated.campaigns }),
    rows,
    notes: notes.flatMap((note) => note || []),
  };
}

function rankedSection(
  locale: Locale,
  { organization, ...report }: PeriodReport,
  which: "best" | "worst",
  publicUrl: string,
): LetterSection[] {
  if (report[which].length === 0) return [];
  const { t, format } = locale;
  const rows = report[which].map(({ stored: { campaign }, rate, usual, baseline }) => {
    const change = rateDifference(locale, "openRate", rate, usual);
    const comparedWith = t("campaigns.vsUsual", {
      team: comparedName(locale, baseline),
      rate: format.rate(usual.value),
    });
    return {
      name: subjectText(locale, campaign),
      value: rangedText(locale, "openRate", rate),
      note: `${changeText(change)} ${comparedWith} · ${format.dateTime(campaign.sentAt, organization.timeZone)}`,
      url: publicUrl + campaignPath(campaign.id),
    };
  });
  return [{ title: t(`digest.ranked.${which}`), rows }];
}

function freshSection(
  locale: Locale,
  { sent, fresh, page: { filters }, at }: PeriodReport,
  publicUrl: string,
): LetterSection[] {
  if (sent.counting === 0) return [];
  const { t } = locale;
  const rows = fresh.slice(0, freshShown).map((campaign) => {
    const { sentAt, id } = campaign.stored.campaign;
    const rate = rangedRate(campaign.stored, filters.traffic, "openRate");
    const change = changeAtAge(locale, "openRate", campaign.atItsAge);
    const notes = [
      ageText(locale, at - sentAt),
      change && `${changeText(change)} · ${likelyEndText(locale, campaign.likelyEnd)}`,
    ];
    return {
      name: subjectText(locale, campaign.stored.campaign),
      value: rate ? rangedText(locale, "openRate", rate) : undefined,
      note: notes.filter(Boolean).join(" · "),
      url: publicUrl + campaignPath(id),
    };
  });
  const more = sent.counting - rows.length;
  const notes = [...(more > 0 ? [t("digest.moreCounting", { count: more })] : []), t("digest.countingNote")];
  return [{ title: t("overview.stillCounting", { count: sent.counting }), rows, notes }];
}

/** A whole comment may be longer than the rest of the letter. */
const commentLength = 400;

function commentsSection(locale: Locale, { comments: { count, latest } }: PeriodReport): LetterSection[] {
  if (latest.length === 0) return [];
  const rows = latest.map(({ text, reaction, subject }) => ({
    name: locale.t("ui.quoted", { text: shortened(text) }),
    value: reaction === undefined ? undefined : String(reaction),
    note: subjectText(locale, { subject }),
  }));
  return [{ title: locale.t("digest.comments", { count, shown: latest.length }), rows }];
}

const shortened = (text: string) =>
  text.length > commentLength ? `${text.slice(0, commentLength).toWellFormed()}…` : text;

/** `62.1% (58–66)` */
export function rangedText(locale: Locale, name: CoveredRateName, { value, ...range }: Ranged): string {
  const text = locale.format[methodOfRate(name)](value);
  return Number.isFinite(range.low) ? `${text} ${rangeInText(locale, name, range)}` : text;
}

/** An arrow says that it is more than chance. */
export function changeText({ text, direction, comparedWith: other }: MetricChange): string {
  const arrow = { up: "↗ ", down: "↘ ", flat: "" }[direction];
  return other === undefined ? arrow + text : `${arrow}${text}, ${other}`;
}

/** The same content for programs. Rates are from 0 to 1, the eNPS from -100 to 100. */
export function reportJson({ organization, period, page, at, ...report }: PeriodReport): object {
  const { sent, rated, compared, rates, fresh, comments } = report;
  const idOf = ({ stored: { campaign } }: Pick<FreshCampaign, "stored">) => ({
    id: campaign.id,
    subject: campaign.subject,
    sent_at: new Date(campaign.sentAt).toISOString(),
  });
  const ranked = (which: "best" | "worst") =>
    report[which].map((each) => ({
      ...idOf(each),
      open_rate: rangedJson(each.rate),
      usual: each.usual.value,
    }));
  return {
    organization: organization.name,
    time_zone: organization.timeZone,
    period: spanJson(period.sent),
    campaigns: sent.campaigns,
    recipients: sent.recipients,
    sentence: clausesText(locales.en, report.clauses, "previous"),
    rates: {
      period: spanJson(period.rated),
      campaigns: rated.campaigns,
      still_counting: rated.counting,
      compared_with: compared ? spanJson(compared) : null,
      ...Object.fromEntries(
        rates.map(({ name, rate, before, yearBefore, from, of }) => [
          snakeCase(name),
          {
            ...rangedJson(rate),
            from,
            of,
            before: before && rangedJson(before),
            conclusion: before && changeKind(rate, before, yearBefore),
          },
        ]),
      ),
    },
    best: ranked("best"),
    worst: ranked("worst"),
    still_counting: {
      campaigns: sent.counting,
      newest: fresh.slice(0, freshShown).map((each) => {
        const { stored, atItsAge: aged, likelyEnd = null } = each;
        const rate = rangedRate(stored, page.filters.traffic, "openRate");
        return {
          ...idOf(each),
          open_rate: rate && rangedJson(rate),
          same_age: aged
            ? { hours: aged.age / hourMs, open_rate: aged.rate.value, usual: rangedJson(aged.usual) }
            : null,
          likely_end: likelyEnd,
        };
      }),
    },
    comments: {
      count: comments.count,
      latest: comments.latest.map(({ campaignId, subject, text, kind, reaction = null }) => ({
        campaign_id: campaignId,
        subject,
        comment: text,
        survey: kind,
        answer: reaction,
      })),
    },
  };
}

const spanJson = ({ first, last }: DateSpan) => ({ from: isoDay(first), until: isoDay(last) });

/** A range that is not known is null. */
const rangedJson = ({ value, low, high }: { value: number } & Range) => ({
  value,
  low: Number.isFinite(low) ? low : null,
  high: Number.isFinite(high) ? high : null,
});
