// A solver looks for sums and differences of released numbers that depend on fewer recipients than a group may have.

import assert from "node:assert/strict";
import test from "node:test";
import { releaseGroups } from "../../../src/campaign/audience/release-groups.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { findSmallSum, guessSmallestSum, type KnownPart } from "./signed-sums.ts";

const minGroup = 10;

/** The value of each attribute of a recipient, and whether it has an event. */
interface Person {
  values: number[];
  isActive: boolean;
}

/** Small numbers are more frequent. */
const skewed = (random: Random, count: number) =>
  Math.min(random.between(0, count - 1), random.between(0, count - 1));

function makeTable(random: Random, attributes: number): number[][] {
  const counts = Array.from({ length: attributes }, () => random.between(2, 7));
  const isSkewed = random.chance(50);
  return Array.from({ length: random.between(40, 150) }, () =>
    counts.map((count) => (isSkewed ? skewed(random, count) : random.between(0, count - 1))),
  );
}

/** Sites lie within countries, and teams within departments, but for some recipients. */
function makeDirectory(random: Random, attributes: number): number[][] {
  const countries = random.between(2, 8);
  const departments = random.between(4, 12);
  const siteCountries = Array.from({ length: countries * random.between(2, 4) }, () =>
    skewed(random, countries),
  );
  const teamDepartments = Array.from({ length: departments * random.between(2, 6) }, () =>
    skewed(random, departments),
  );
  const languages = Array.from({ length: countries }, () => skewed(random, Math.ceil(countries / 2)));
  const brokenPercent = random.between(0, 5);
  const columns = random.shuffle([0, 1, 2, 3, 4, 5, 6, 7]).slice(0, attributes);
  return Array.from({ length: random.between(100, 600) }, () => {
    const broken = (value: number, count: number) =>
      random.chance(brokenPercent) ? skewed(random, count) : value;
    const site = skewed(random, siteCountries.length);
    const team = skewed(random, teamDepartments.length);
    const country = broken(siteCountries[site] as number, countries);
    const department = broken(teamDepartments[team] as number, departments);
    const language = broken(languages[country] as number, countries);
    const [level, tenure] = [skewed(random, 6), skewed(random, 5)];
    const contract = random.chance(85) ? 0 : random.between(1, 3);
    const all = [country, site, department, team, language, level, tenure, contract];
    return columns.map((column) => all[column] as number);
  });
}

const groupIdOf = (value: number, attribute: number) => 1_000 * (attribute + 1) + value;

/** @param isNamed whether recipients without an event count */
function release(people: readonly Person[], isNamed: boolean) {
  const attributeIds = (people[0]?.values ?? []).map((_, attribute) => attribute + 1);
  const combinations = people.map(({ values, isActive }) => ({
    groups: Object.fromEntries(
      values.map((value, attribute) => [attribute + 1, groupIdOf(value, attribute)]),
    ),
    ...{ recipients: 1, active: Number(isActive), enpsReactions: 0 },
  }));
  const limits = { minGroup, minRatings: 1, countsInactive: isNamed };
  return releaseGroups(combinations, attributeIds, limits);
}

/** Released groups, the withheld groups of each attribute, and the campaign. */
function knownParts(people: readonly Person[], isReleased: (groupId: number) => boolean): KnownPart[] {
  const everyone = [...people.keys()];
  const byAttribute = (people[0]?.values ?? []).flatMap((_, attribute) => {
    const groupOf = (index: number) => groupIdOf(people[index]?.values[attribute] as number, attribute);
    return [...Map.groupBy(everyone, (index) => (isReleased(groupOf(index)) ? groupOf(index) : 0)).values()];
  });
  return [everyone, ...byAttribute];
}

/** Invented recipients must not make a sum look as if it depended on many. */
const weightsOf = (people: readonly Person[], isNamed: boolean) =>
  people.map(({ isActive }) => (isActive || isNamed ? 1 : 2 ** -20));

interface World {
  name: string;
  count: number;
  make: (random: Random, attributes: number) => number[][];
  attributes: readonly [number, number];
}

const worlds: readonly World[] = [
  { name: "random tables", count: randomCases(12, 3_000), make: makeTable, attributes: [3, 8] },
  { name: "directories", count: randomCases(4, 300), make: makeDirectory, attributes: [3, 8] },
  {
    name: "directories of two attributes",
    count: randomCases(4, 300),
    make: makeDirectory,
    attributes: [2, 2],
  },
];

for (const { name, count, make, attributes } of worlds) {
  test(`finds no sum of up to five released parts that few recipients decide: ${name}`, () => {
    let longer = 0;
    const shares = [100, 60].map((activePercent) => {
      let [released, all] = [0, 0];
      for (let seed = 1; seed <= count; seed++) {
        const random = new Random(seed);
        const people = make(random, random.between(...attributes)).map((values) => ({
          ...{ values, isActive: random.chance(activePercent) },
        }));
        const isNamed = activePercent === 100;
        const releases = release(people, isNamed);
        const parts = knownParts(people, (id) => releases.has(id));
        const small = findSmallSum(parts, weightsOf(people, isNamed), { min: minGroup });
        assert.equal(small, undefined, `seed ${seed}`);
        if (isNamed) longer += Number(guessSmallestSum(parts, people.length, random) < minGroup);
        released += releases.size;
        all += knownParts(people, () => true).length - 1;
      }
      return `${((100 * released) / all).toFixed(1)} %`;
    });
    // Sums of any length are withheld if there are two attributes.
    if (attributes[1] === 2) assert.equal(longer, 0);
    report(
      `${count} ${name}: ${shares.join(", ")} of groups are released if all recipients count, or the 60 % with an event; a longer sum of few was found in ${longer}`,
    );
  });
}

/** The numbers of a signed sum of up to five parts, tried one by one. */
function smallestSum(parts: readonly KnownPart[], size: number): number {
  const sums = (values: readonly number[], first: number, left: number): number => {
    const changed = values.filter((value) => value !== 0).length || Number.POSITIVE_INFINITY;
    if (left === 0) return changed;
    const next = parts.slice(first).flatMap((part, index) =>
      [1, -1].map((sign) =>
        sums(
          values.map((value, each) => value + (part.includes(each) ? sign : 0)),
          first + index,
          left - 1,
        ),
      ),
    );
    return Math.min(changed, ...next);
  };
  return sums(Array(size).fill(0), 0, 5);
}

test("the solver finds what trying all sums finds", () => {
  let found = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const random = new Random(seed);
    const people = Array.from({ length: 12 }, () => ({
      ...{ values: [1, 2, 3].map(() => random.between(0, 1)), isActive: true },
    }));
    const parts = knownParts(people, () => true);
    const smallest = smallestSum(parts, people.length);
    for (const min of [2, 3, 4]) {
      const small = findSmallSum(parts, weightsOf(people, true), { min });
      assert.equal(
        small !== undefined,
        smallest < min,
        `seed ${seed}, ${min}: ${small}, smallest ${smallest}`,
      );
      found += Number(small !== undefined);
    }
  }
  assert.ok(found > 5, `${found} found`);
});

test("withholds a group if three attributes reveal one person, as an outsider found", () => {
  const crowd = (count: number, values: number[]) =>
    Array.from({ length: count }, () => ({ values, isActive: true }));
  const people = [
    crowd(36, [1, 1, 1]),
    crowd(26, [0, 0, 1]),
    crowd(1, [1, 1, 0]),
    crowd(30, [0, 1, 0]),
    crowd(30, [2, 1, 0]),
  ].flat();
  // 37 of the first attribute, and 26 of the second, without 62 of the third.
  const all = knownParts(people, () => true);
  assert.equal(findSmallSum(all, weightsOf(people, true), { min: minGroup }), 1);
  assert.equal(findSmallSum(all, weightsOf(people, true), { min: minGroup, terms: 2 }), undefined);
  assert.equal(guessSmallestSum(all, people.length, new Random(1)), 1);
  const releases = release(people, true);
  const shown = knownParts(people, (id) => releases.has(id));
  assert.equal(findSmallSum(shown, weightsOf(people, true), { min: minGroup }), undefined);
  assert.equal(releases.size, 4, "three of seven are withheld");
});
