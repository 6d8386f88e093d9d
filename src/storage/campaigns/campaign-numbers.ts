// Reads the numbers of many campaigns for sums; on SQLite from a covering index.

import { type RawBuilder, sql } from "kysely";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import { type SummedCampaign, summedMetrics, summedTally } from "../../campaign/sums.ts";
import type { Queries } from "../database.ts";
import { inputRows, isPostgres, joinByKey } from "../dialect-differences.ts";
import { teamKey } from "./teams.ts";

/** Reading whole rows and parsing all of their numbers would take twice as long. */
const numbersIndex = "campaigns_sums";

interface CampaignNumbers extends SummedCampaign {
  id: number;
  /** Shortened as by `teamKey`. */
  team: string | null;
}

interface NumbersRow {
  id: number;
  team: string | null;
  recipient_count: number | null;
  numbers: string;
}

/** The numbers of the existing ones of these campaigns, in no particular order. */
export async function findCampaignNumbers(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<CampaignNumbers[]> {
  const input = inputRows(
    queries,
    { id: "integer" },
    ids.map((id) => [id]),
  );
  const { numbers, read } = isPostgres(queries) ? wholeNumbers : listedNumbers;
  const condition = sql`campaigns.organization_id = ${organizationId} and campaigns.id = input.id`;
  const { rows } = await sql<NumbersRow>`
    select campaigns.id, ${teamKey} as team, recipient_count, ${numbers} as numbers
    ${joinByKey(queries, input, "campaigns", condition, { onSqlite: numbersIndex })}`.execute(queries);
  return rows.map((row) => {
    return { id: row.id, team: row.team, recipientCount: row.recipient_count, numbers: read(row.numbers) };
  });
}

interface NumbersFormat {
  numbers: RawBuilder<string>;
  read(text: string): SummedCampaign["numbers"];
}

const wholeNumbers: NumbersFormat = {
  numbers: sql`
    case when tallies is null then '{"reported":' || reported_metrics || '}' else '{"tallies":' || tallies || '}' end`,
  read: (text) => JSON.parse(text) as SummedCampaign["numbers"],
};

const listOf = (members: readonly string[]) => `json_array(${members.join(", ")})`;
const listOfMetrics = listOf(summedMetrics.map((name) => `reported_metrics -> '${name}'`));
const listOfTallies = listOf(
  trafficFilters.map((traffic) => listOf(summedTally.map((name) => `tallies -> '$.${traffic}.${name}'`))),
);

type List = (number | null)[];

/** Only the summed numbers, without names: one list for a reported campaign, one per traffic for a counted one. */
const listedNumbers: NumbersFormat = {
  // Must match the expression of the index character by character.
  numbers: sql.raw(`case when tallies is null then ${listOfMetrics} else ${listOfTallies} end`),
  read(text) {
    const list = JSON.parse(text) as List | [people: List, all: List];
    if (!hasTallies(list)) return { reported: named(summedMetrics, list) };
    const [people, all] = list;
    return {
      tallies: {
        people: named(summedTally, people),
        all: named(summedTally, all),
      },
    } as SummedCampaign["numbers"];
  },
};

function hasTallies(list: List | [List, List]): list is [List, List] {
  return Array.isArray(list[0]);
}

function named<Name extends string>(names: readonly Name[], list: List): Record<Name, number | null> {
  const numbers = {} as Record<Name, number | null>;
  for (let index = 0; index < names.length; index++) numbers[names[index] as Name] = list[index] ?? null;
  return numbers;
}
