// Compares the answer of a tool with the page that it links to: each number as the page writes it.

import assert from "node:assert/strict";
import { locales } from "../../../src/locale/locale.ts";
import { likelyEndText } from "../../../src/locale/same-age-text.ts";
import { cardOf, keyNumbersIn, type PageRow, rowsIn, textIn } from "./page-texts.ts";
import type { Question } from "./questions.ts";

const { t, format } = locales.en;
const dash = "–";

type Rate = { value: number | null; low: number | null; high: number | null } | null;
type Difference = { difference: number | null; conclusion: string };

/** The numbers that were compared, for the report. */
export interface Compared {
  numbers: number;
}

const columns = {
  open_rate: t("numbers.openRate"),
  click_rate: t("numbers.clickRate"),
  click_to_open_rate: t("campaigns.columns.click_to_open_rate"),
  read_time: textIn(t("numbers.readShare")),
  enps: t("numbers.enpsIndex"),
  average_rating: t("numbers.enpsMean"),
};
type RateName = keyof typeof columns;
const rateNames = Object.keys(columns) as RateName[];
const countColumns = {
  recipients: t("numbers.recipient_count"),
  opens: t("numbers.unique_opens"),
  clicks: t("numbers.unique_clicks"),
  comments: t("numbers.comments_count"),
};

function write(name: string, value: number): string {
  if (name === "enps") return format.index(value);
  return textIn(name === "average_rating" ? format.mean(value) : format.rate(value));
}

/** As `printedRange` writes it. */
function writeRange(name: string, { low, high }: { low: number | null; high: number | null }): string {
  if (low === null || high === null) return "";
  if (name === "enps") {
    return ` (${textIn(t("ui.lowToHigh", { low: write(name, low), high: write(name, high) }))})`;
  }
  if (name === "average_rating") return ` (${write(name, low)}–${write(name, high)})`;
  return ` (${format.count(Math.round(100 * low))}–${format.count(Math.round(100 * high))})`;
}

/** The rate, with its range if that is printed. */
function assertRate(text: string | undefined, name: string, rate: Rate, what = name): void {
  const value = write(name, rate?.value ?? 0);
  const printed = value + writeRange(name, rate ?? { low: null, high: null });
  assert.ok(text === value || text === printed, `${what}: the page has ${text}, the tool ${printed}`);
}

/** A cell of a list: the rate, and its range either printed or on hover. */
function checkRateCell(compared: Compared, name: string, rate: Rate, cell: string, what: string): void {
  const text = textIn(
    cell.replace(/<small title.*?<\/small>/s, "").replace(/<span class="badge.*?<\/span>/s, ""),
  );
  compared.numbers += 1;
  if (rate === null || rate.value === null) {
    assert.match(text, /^(–|withheld.*|.*few.*|)$/i, what);
    return;
  }
  assertRate(text, name, rate, what);
  const hover = /data-range="likely (.*?) to (.*?)"/.exec(cell);
  if (!hover || rate.low === null || rate.high === null) return;
  assert.deepEqual(
    [hover[1], hover[2]].map((each) => textIn(each ?? "")),
    [write(name, rate.low), write(name, rate.high)],
    what,
  );
  compared.numbers += 2;
}

/** The change beside a number: an arrow only beyond chance. */
function checkChange(
  compared: Compared,
  html: string,
  { difference, conclusion }: Difference,
  what: string,
): void {
  const change = /<span class="change[^"]*"[^>]*>.*?<\/span>/s.exec(html)?.[0];
  compared.numbers += 1;
  if (difference === null) {
    assert.equal(change, undefined, `${what}: ${conclusion}`);
    return;
  }
  const text = textIn(change ?? "");
  const hasArrow = change?.includes("<svg") === true;
  // One that rounds to 0 has no direction on the page.
  if (text === t("overview.unchanged") || !/[1-9]/.test(text.split(" · ")[0] ?? "")) return;
  const unsure = text.includes(t("overview.seasonal", { rate: "" }).split("(")[0] ?? "")
    ? "seasonal"
    : "cannot_tell";
  const shown = hasArrow ? (/[−-]/.test(text) ? "lower" : "higher") : unsure;
  assert.equal(conclusion, shown, `${what}: the page has ${text}`);
}

const idsIn = (html: string) =>
  [...html.matchAll(/<th scope="row" class="text"><a href="\/campaigns\/(\d+)/g)].map(([, id]) => Number(id));

interface Found {
  campaigns: number;
  emails_sent: number;
  rates: Record<RateName, NonNullable<Rate>>;
  found: ({ id: number; rates: Record<RateName, Rate> } & Record<keyof typeof countColumns, number | null>)[];
}

function checkFound(compared: Compared, answer: Found, html: string): void {
  const rows = rowsIn(html);
  assert.match(html, new RegExp(`data-summary="${format.count(answer.campaigns)} campaigns?"`));
  if (answer.campaigns === 0) return;
  const idOf = ({ html: row }: PageRow) => Number(/href="\/campaigns\/(\d+)/.exec(row)?.[1]);
  assert.deepEqual(
    answer.found.map(({ id }) => id),
    rows.slice(0, answer.found.length).map(idOf),
  );
  assert.equal(answer.found.length, Math.min(rows.length, 25));
  const [total] = rowsIn(html, "tfoot");
  const totalOf = (label: string) => total?.byLabel.get(label) ?? "";
  assert.equal(
    textIn(totalOf(countColumns.recipients).replace(/<small>.*/s, "")),
    format.count(answer.emails_sent),
  );
  for (const name of rateNames) {
    checkRateCell(compared, name, answer.rates[name], totalOf(columns[name]), `total of ${name}`);
  }
  for (const [index, each] of answer.found.entries()) {
    const cellOf = (label: string) => rows[index]?.byLabel.get(label) ?? "";
    for (const [name, label] of Object.entries(countColumns)) {
      const value = each[name as keyof typeof countColumns];
      assert.equal(
        textIn(cellOf(label)),
        value === null ? dash : format.count(value),
        `${name} of ${each.id}`,
      );
      compared.numbers += 1;
    }
    for (const name of rateNames) {
      checkRateCell(compared, name, each.rates[name], cellOf(columns[name]), `${name} of ${each.id}`);
    }
  }
}

interface Trend {
  metric: string;
  campaigns: number;
  still_counting: number;
  rate: Rate;
  sentence: { untrusted_text: string };
  so_far: { rate: Rate; likely_open_rate: { low: number; high: number } | null } | null;
  change: Difference | null;
  series: { campaigns: number; rate: Rate }[];
  stand_out: { best: { id: number }[]; worst: { id: number }[]; nothing_stands_out: boolean };
}

const metricTitles: Record<string, string> = {
  open_rate: t("numbers.openRate"),
  click_rate: t("numbers.clickRate"),
  click_to_open_rate: t("numbers.clickToOpenRate"),
  enps: t("numbers.enpsIndex"),
  campaigns: t("pages.campaigns"),
};

function checkTrend(compared: Compared, answer: Trend, html: string): void {
  assert.match(html, new RegExp(`data-summary="${format.count(answer.campaigns)} campaigns?"`));
  if (answer.campaigns === 0) return;
  const [, sentence = ""] = /<div id="results"[^>]*><p>(.*?)<\/p>/s.exec(html) ?? [];
  assert.equal(
    textIn(sentence.replace(/<span class="with-comments">.*/s, "")),
    answer.sentence.untrusted_text,
  );
  const { metric, rate, change } = answer;
  const card = keyNumbersIn(html).get(metricTitles[metric] ?? "");
  compared.numbers += 1;
  const end = answer.so_far?.likely_open_rate;
  if (end && metric === "open_rate") assert.ok(card?.html.includes(likelyEndText(locales.en, end)));
  if (metric === "campaigns") assert.equal(card?.value, format.count(answer.campaigns));
  // The page has the chart of this rate, but no card.
  else if (metric === "click_to_open_rate") assert.equal(card, undefined);
  else if (/class="metric provisional"/.test(card?.html ?? "")) {
    assertRate(card?.value, metric, answer.so_far?.rate ?? null);
    assert.ok(answer.so_far && 2 * answer.still_counting > answer.campaigns);
  } else if (rate?.value != null) assertRate(card?.value, metric, rate);
  // Without an eNPS, the page may have the average rating of imports.
  else assert.match(card?.value ?? "", /^(\D*|Average [\d.]+ of 10)$/);
  if (change && card) checkChange(compared, card?.html ?? "", change, metric);
  const rows = rowsIn(/id="chart".*?<\/section>/s.exec(html)?.[0] ?? "");
  for (const [index, { rate: some, campaigns }] of answer.series.entries()) {
    const text = textIn(rows[index]?.cells[0] ?? "");
    if (rows.length === 0) break;
    compared.numbers += 1;
    const what = `series ${index} of ${metric}`;
    if (metric === "campaigns") assert.equal(text, campaigns === 0 ? text : format.count(campaigns), what);
    else if (some?.value != null)
      assert.equal(text, write(metric, some.value) + writeRange(metric, some), what);
    else assert.doesNotMatch(text, /\d/, what);
  }
  const { best, worst, nothing_stands_out } = answer.stand_out;
  assert.equal(html.includes(t("overview.nothingStandsOut")), nothing_stands_out);
  for (const [which, listed] of Object.entries({ best, worst } as const)) {
    const shown = cardOf(html, t(`overview.ranked.${which as "best" | "worst"}`));
    assert.deepEqual(
      idsIn(shown),
      listed.map(({ id }) => id),
      which,
    );
    compared.numbers += listed.length;
  }
}

interface ComparedCampaigns {
  campaigns: {
    id: number;
    rates: Record<RateName, Rate>;
    best_in: RateName[];
    open_rate_at_same_age: Rate;
  }[];
  groups: (Record<"open_rate" | "click_rate" | "enps", Rate> & {
    name: string | null;
    campaigns: number;
    vs_others: Difference;
  })[];
}

function checkComparison(compared: Compared, { campaigns }: ComparedCampaigns, html: string): void {
  const rows = new Map(rowsIn(html).map((row) => [row.header, row]));
  for (const name of rateNames) {
    const row = rows.get(columns[name]);
    for (const [index, each] of campaigns.entries()) {
      const cell = row?.cells[index] ?? "";
      if (row) checkRateCell(compared, name, each.rates[name], cell, `${name} of ${each.id}`);
      else assert.equal(each.rates[name], null, name);
      assert.equal(cell.includes("badge good"), each.best_in.includes(name), `best ${name} of ${each.id}`);
    }
  }
  const [sameAge] = [...rows].find(([header]) => header.startsWith("Open rate after")) ?? [];
  const row = sameAge === undefined ? undefined : rows.get(sameAge);
  for (const [index, each] of campaigns.entries()) {
    if (row)
      checkRateCell(compared, "open_rate", each.open_rate_at_same_age, row.cells[index] ?? "", "same age");
    else assert.equal(each.open_rate_at_same_age, null);
  }
}

function checkGroups(compared: Compared, { groups }: ComparedCampaigns, html: string): void {
  const rows = rowsIn(html);
  for (const group of groups) {
    const name = group.name ?? t("overview.notSet");
    const campaigns = format.count(group.campaigns);
    const row = rows.find(
      ({ header, byLabel }) =>
        header.startsWith(name) && textIn(byLabel.get(t("pages.campaigns")) ?? "") === campaigns,
    );
    assert.ok(row, `group ${name}`);
    for (const rate of ["open_rate", "click_rate", "enps"] as const) {
      checkRateCell(compared, rate, group[rate], row.byLabel.get(columns[rate]) ?? "", `${rate} of ${name}`);
    }
    checkChange(compared, row.html.slice(0, row.html.indexOf("<td")), group.vs_others, `group ${name}`);
  }
}

interface Explained {
  id: number;
  still_counting: boolean;
  unique_opens: number | null;
  recipients: number | null;
  rates: Record<RateName, { rate: Rate; team_usual: Rate; vs_team: Difference }>;
  at_its_age: {
    open_rate: { rate: Rate; usual: Rate; vs_usual: Difference } | null;
    likely_open_rate: unknown;
  } | null;
}

function checkExplained(compared: Compared, answer: Explained, html: string): void {
  const cards = keyNumbersIn(html);
  for (const name of rateNames) {
    const card = cards.get(columns[name]);
    // The page has either the index or the average, and neither without ratings.
    if (!card) continue;
    const { rate, team_usual, vs_team } = answer.rates[name];
    compared.numbers += 1;
    if (rate?.value == null) {
      assert.doesNotMatch(card.value, /%/, name);
      continue;
    }
    assertRate(card.value, name, rate, `${name} of ${answer.id}`);
    const usual = /(?:>|· )Team:? ((?!too few).*?)\s*(?:<|$)/.exec(card.html)?.[1];
    const own = team_usual?.value == null ? undefined : write(name, team_usual.value);
    assert.equal(usual === undefined ? undefined : textIn(usual), own, `usual ${name} of ${answer.id}`);
    if (!answer.still_counting) checkChange(compared, card.html, vs_team, `${name} of ${answer.id}`);
    else if (name === "open_rate") {
      const { vs_usual } = answer.at_its_age?.open_rate ?? {};
      checkChange(
        compared,
        card.html,
        vs_usual ?? { difference: null, conclusion: "" },
        `age of ${answer.id}`,
      );
      if (answer.at_its_age) {
        const isTooEarly = answer.at_its_age.likely_open_rate === null;
        assert.equal(html.includes(t("campaign.tooEarly")), isTooEarly, `forecast of ${answer.id}`);
      }
    }
  }
}

/** @param html of the page of the answer, with all columns */
export function checkWithPage(
  compared: Compared,
  { tool, input }: Question,
  answer: unknown,
  html: string,
): void {
  if (tool === "find_campaigns") checkFound(compared, answer as Found, html);
  else if (tool === "trend") checkTrend(compared, answer as Trend, html);
  else if (tool === "explain_campaign") checkExplained(compared, answer as Explained, html);
  else if (input.ids) checkComparison(compared, answer as ComparedCampaigns, html);
  else checkGroups(compared, answer as ComparedCampaigns, html);
}
