// The tool explain_campaign: what the page of a campaign says of it, beside its team, its tags and the usual at its age.

import Type, { type Static } from "typebox";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { answersOf, numberOf, rangedRate } from "../../campaign/campaign-number.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import { largestInteger } from "../../campaign/fields/field-schema.ts";
import { areComparable, coveredRateOf } from "../../campaign/sum-rates.ts";
import { ofTraffic } from "../../campaign/sums.ts";
import { AppError } from "../../errors.ts";
import { findReleased } from "../../listing/find-released.ts";
import { type Benchmarks, findBenchmarks } from "../../listing/reports/campaign-benchmarks.ts";
import { likelyEndOf, ratesAtAge, readSameAge, type SameAge } from "../../listing/reports/same-age.ts";
import { deliveryText } from "../../locale/delivery-text.ts";
import { locales } from "../../locale/locale.ts";
import { isStillCounting, kindOf, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findLastEventAt } from "../../storage/keys/sources.ts";
import {
  agedSchema,
  answerAged,
  answerCampaign,
  answerRate,
  answerRates,
  campaignSchema,
  choice,
  compareRates,
  count,
  differenceSchema,
  knownCount,
  likelyEndSchema,
  nullable,
  number,
  rateProperties,
  rateSchema,
  strict,
  untrusted,
  untrustedNote,
} from "./answer-schema.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const commentsShown = 6;
/** Reading a thousand answers takes a few milliseconds. */
const maxAnswers = 10_000;

const comparedRateSchema = strict({
  rate: rateSchema,
  team_usual: rateSchema,
  vs_team: differenceSchema,
});
const output = strict({
  ...campaignSchema.properties,
  kind: choice(
    ["reported", "counted", "closed"],
    "reported: the numbers were imported. closed: they are final.",
  ),
  tags: Type.Array(Type.String()),
  recipients: knownCount,
  unique_opens: knownCount,
  unique_clicks: knownCount,
  delivery: nullable(
    Type.String({ description: "What became of its messages. Null if nothing reports it." }),
  ),
  survey_answers: knownCount,
  comments_count: knownCount,
  withheld_below: nullable(
    Type.Integer({ description: "Survey results are withheld, because fewer answered." }),
  ),
  rates: strict(
    rateProperties(() => comparedRateSchema),
    "Each beside the usual one of its team in the year before. low and high of team_usual are what one more campaign of the team would usually have.",
  ),
  team_campaigns: count("The campaigns of its team in the year before."),
  tag_averages: Type.Array(
    strict({
      tag: Type.String(),
      campaigns: count("With the tag, in the year before."),
      open_rate: number("Null if it is not comparable."),
      click_rate: number("As open_rate."),
    }),
  ),
  at_its_age: nullable(
    strict(
      {
        hours: Type.Number(),
        open_rate: agedSchema,
        click_rate: agedSchema,
        likely_open_rate: likelyEndSchema,
        compared_campaigns: count("Earlier campaigns at the same age."),
      },
      "While it is still counting: its rates at the last age that it has reached, beside the usual ones.",
    ),
  ),
  comments: Type.Array(strict({ ...untrusted, answer: nullable(Type.String()) }), {
    description: `The newest ${commentsShown} of an open campaign, without names. ${untrustedNote}`,
  }),
});

export const explainCampaign = defineTool({
  title: "Explain a campaign",
  description:
    "How one campaign did: counts, rates with ranges, how they compare with its team, its tags and the usual at its age, and its latest comments.",
  input: Type.Object({
    id: Type.Integer({ minimum: 1, maximum: largestInteger }),
    traffic: Type.Optional(choice(trafficFilters)),
  }),
  output,
  async run(context, { id, traffic = context.organization.countedTraffic }) {
    const { organization, database, now } = context;
    const { stored, benchmarks, sameAge, at } = await database.snapshotOf(organization.id, async (scope) => {
      const [stored] = await findReleased(scope, organization, [id]);
      if (!stored || stored.campaign.sentAt > now)
        throw new AppError("not_found", `No campaign ${id} was sent.`);
      const benchmarks = await findBenchmarks(scope, stored, traffic);
      const sameAge = isStillCounting(stored)
        ? await readSameAge(scope, stored, { traffic, now })
        : undefined;
      return { stored, benchmarks, sameAge, at: await findLastEventAt(scope) };
    });
    const last = { at, timeZone: organization.timeZone, isStillCounting: isStillCounting(stored) };
    const delivery = deliveryText(locales.en, ofTraffic(stored, traffic), last);
    return {
      ...answerCampaign(stored, context, traffic),
      delivery: delivery ? `${delivery.outcomes} ${delivery.notes}`.trim() : null,
      kind: kindOf(stored),
      tags: stored.tags.map(({ name }) => name),
      recipients: stored.campaign.recipientCount,
      unique_opens: numberOf(stored, traffic, "unique_opens"),
      unique_clicks: numberOf(stored, traffic, "unique_clicks"),
      survey_answers: answersOf(stored),
      comments_count: numberOf(stored, traffic, "comments_count"),
      withheld_below: stored.numbers.withheldBelow ?? null,
      ...compareWithOthers(stored, traffic, benchmarks),
      at_its_age: sameAge ? answerAtAge(sameAge) : null,
      comments: await latestComments(context, stored),
    };
  },
});

function compareWithOthers(
  stored: StoredCampaign,
  traffic: (typeof trafficFilters)[number],
  { baseline, tags }: Benchmarks,
): Pick<Static<typeof output>, "rates" | "team_campaigns" | "tag_averages"> {
  const own = sumsOfCampaign(ofTraffic(stored, traffic));
  const team = stored.campaign.team ? baseline : undefined;
  const rates = rateProperties((name) => {
    const rate = rangedRate(stored, traffic, answerRates[name]);
    const usual = isStillCounting(stored) ? null : (team?.usual(answerRates[name]) ?? null);
    const isComparable = team?.isComparable(answerRates[name]) ?? true;
    const reason = isStillCounting(stored) ? "still_counting" : isComparable ? undefined : "not_comparable";
    const vs_team = compareRates(rate, usual, { reason });
    return { rate: answerRate(rate), team_usual: answerRate(usual), vs_team };
  });
  const averageOf = (sums: (typeof tags)[number]["sums"], name: "openRate" | "clickRate") =>
    areComparable(own, sums, { name, traffic }) ? coveredRateOf(sums, name).rate : null;
  return {
    rates,
    team_campaigns: team?.sums.settledCampaigns ?? 0,
    tag_averages: tags.map(({ tag, sums }) => ({
      tag: tag.name,
      campaigns: sums.settledCampaigns,
      open_rate: averageOf(sums, "openRate"),
      click_rate: averageOf(sums, "clickRate"),
    })),
  };
}

function answerAtAge(sameAge: SameAge): Static<typeof output>["at_its_age"] {
  if (sameAge.age === undefined) return null;
  return {
    hours: sameAge.age / hourMs,
    open_rate: answerAged(ratesAtAge(sameAge, "openRate")),
    click_rate: answerAged(ratesAtAge(sameAge, "clickRate")),
    likely_open_rate: likelyEndOf([sameAge]) ?? null,
    compared_campaigns: sameAge.comparable.length,
  };
}

async function latestComments({ organization, comments }: ToolContext, stored: StoredCampaign) {
  if ((answersOf(stored) ?? 0) > maxAnswers) return [];
  const newest = await comments.read(organization, [stored], { limit: commentsShown, signal: undefined });
  return newest.map(({ text, reaction }) => ({
    untrusted_text: text,
    answer: reaction === undefined ? null : String(reaction),
  }));
}
