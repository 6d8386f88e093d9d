// The tool describe_metrics: what numbers mean, and by what campaigns can be selected.

import Type from "typebox";
import { isoDay } from "../../campaign/calendar/calendar-date.ts";
import { metricContract } from "../../campaign/feed/metric-contract.ts";
import { findFilterDefaults } from "../../listing/sums/filter-defaults.ts";
import { findFilterOptions } from "../../listing/sums/filter-options.ts";
import { todayOf } from "../../listing/sums/page-filters.ts";
import { webPaths } from "../../paths.ts";
import { nullable, strict } from "./answer-schema.ts";
import { defineTool } from "./tool.ts";

/** An assistant can read this many names. Others can still be asked for. */
const maxNames = 100;
const names = Type.Array(Type.String(), { description: `At most ${maxNames}.` });
const text = nullable(Type.String());

const described = metricContract.fields.flatMap(
  ({ name, title, unit, description, definition, numerator, denominator, null: nullMeans }) =>
    unit === null
      ? []
      : [{ name, title, unit, description, definition, numerator, denominator, null_means: nullMeans }],
);

export const describeMetrics = defineTool({
  title: "Describe the metrics",
  description:
    "Call it first: the definition of each metric, and the teams, tags, sending types and recipient groups by which the other tools select campaigns.",
  input: Type.Object({}),
  output: strict({
    metrics: Type.Array(
      strict({
        name: Type.String(),
        title: Type.String(),
        unit: Type.String(),
        description: Type.String(),
        definition: text,
        numerator: text,
        denominator: text,
        null_means: text,
      }),
      {
        description:
          "A rate over several campaigns is the sum of numerators by the sum of denominators, never an average of rates: let trend or compare compute it.",
      },
    ),
    teams: names,
    tags: names,
    sending_types: names,
    groups: names,
    time_zone: Type.String(),
    today: Type.String(),
    counted_traffic: Type.String({ description: "Whether opens and clicks of people count, or all." }),
    min_answers: Type.Integer({
      description: "Survey results from fewer answers are withheld in campaigns without names.",
    }),
    has_campaigns: Type.Boolean(),
    page_url: Type.String(),
  }),
  async run({ organization, database, publicUrl, now }) {
    return database.snapshotOf(organization.id, async (scope) => {
      const options = await findFilterOptions(scope);
      const defaults = await findFilterDefaults(scope, { organization }, now);
      return {
        metrics: described,
        teams: options.teams.slice(0, maxNames),
        tags: options.tags.map(({ name }) => name).slice(0, maxNames),
        sending_types: options.sendingTypes.slice(0, maxNames),
        groups: options.groups.slice(0, maxNames),
        time_zone: organization.timeZone,
        today: isoDay(todayOf(defaults)),
        counted_traffic: organization.countedTraffic,
        min_answers: organization.minAnswers,
        has_campaigns: !defaults.isEmpty,
        page_url: `${publicUrl}${webPaths.help}/fields`,
      };
    });
  },
});
