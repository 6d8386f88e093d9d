// The search for campaigns, compared with a plain filter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foldCase } from "../../../src/listing/numbers/fold-case.ts";
import { listCampaigns, searchCampaigns } from "../../../src/listing/reports/search-campaigns.ts";
import type { SortOrder } from "../../../src/listing/timeline/batches.ts";
import { TimelineCache } from "../../../src/listing/timeline/timeline-cache.ts";
import type { IndexEntry } from "../../../src/storage/campaigns/index-entries.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import { Random } from "../../support/histories.ts";
import { campaign, makeWorld } from "../../support/world.ts";

test("folds letter case and Unicode composition", () => {
  for (const [one, other] of [
    ["ÄRZTE", "ärzte"],
    ["Cafe\u0301", "CAFÉ"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδοσ"],
    ["ΟΔΟΣ", "οδος"],
    ["ПРИВЕТ", "привет"],
    ["İSTANBUL", "istanbul"],
  ] as const) {
    assert.equal(foldCase(one), foldCase(other));
  }
  assert.notEqual(foldCase("Cafe"), foldCase("Café"));
});

test("finds every match once across pages, in either order, when many campaigns share an instant", async (t) => {
  const world = await makeWorld(t);
  const {
    organization: { id },
  } = await world.addOrganization();
  const random = new Random(7);
  const start = Date.UTC(2026, 0, 1);
  const campaigns = Array.from({ length: 1_300 }, (_, index) =>
    campaign({
      id: index + 1,
      sentAt: start + random.between(0, 2) * 1_000,
      subject: random.chance(3) ? `Grüße ${index}` : `Letter ${index}`,
      team: random.pick(["A", "B"]),
    }),
  );
  const organization = await world.database.query((queries) => findOrganization(queries, id));
  assert.ok(organization);
  await world.save(organization, campaigns);
  const saved = await world.database.query((queries) => findOrganization(queries, id));
  assert.ok(saved);
  const timeline = await new TimelineCache(world.database, 1_000_000).current(saved);
  const context = { database: world.database, organizationId: id, timeline };
  const sorted = campaigns.map((each) => each.campaign).sort((a, b) => b.sentAt - a.sentAt || b.id - a.id);
  for (const order of ["latest", "earliest"] as SortOrder[]) {
    const all = order === "latest" ? sorted : sorted.toReversed();
    const pages: number[] = [];
    for (let offset = 0; ; offset += 400) {
      const page = await listCampaigns(context, {}, { order, offset, limit: 400 });
      assert.equal(page.total, all.length);
      if (page.campaigns.length === 0) break;
      pages.push(...page.campaigns.map((each) => each.campaign.id));
    }
    assert.deepEqual(
      pages,
      all.map((each) => each.id),
    );
    for (const team of [undefined, "A"]) {
      const wanted = all.filter((each) => each.subject.startsWith("Grüße") && (!team || each.team === team));
      const found: number[] = [];
      let after: IndexEntry | undefined;
      do {
        const query = { selection: {}, subject: "GRÜSSE", team, order, after, limit: 4 };
        const matches = await searchCampaigns(context, query);
        assert.ok(matches.campaigns.length <= 4);
        found.push(...matches.campaigns.map((each) => each.campaign.id));
        after = matches.last;
      } while (after);
      assert.ok(wanted.length > 8);
      assert.deepEqual(
        found,
        wanted.map((each) => each.id),
      );
    }
  }
});

test("finds the same campaigns as a plain filter for any characters", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const random = new Random(11);
  // Letters whose other case has more letters or is ASCII, and composed ones.
  const letters = [
    "k",
    "K",
    "\u212a",
    "s",
    "ſ",
    "ß",
    "i",
    "İ",
    "ı",
    "ﬁ",
    "f",
    "é",
    "e\u0301",
    "Σ",
    "ς",
    "-",
    "%",
    "_",
  ];
  const randomWord = (length: number) => Array.from({ length }, () => random.pick(letters)).join("");
  const subjects = Array.from({ length: 300 }, (_, index) =>
    index % 3 === 0 ? `Kiss ${index}` : randomWord(random.between(1, 9)),
  );
  await world.save(
    organization,
    subjects.map((subject, index) => campaign({ id: index + 1, subject })),
  );
  // Another organization has campaigns with the same ids and other subjects.
  const other = await world.addOrganization();
  await world.save(
    other.organization,
    subjects.map((_, index) => campaign({ id: index + 1, subject: "kiss ksiſé%_", team: "Theirs" })),
  );
  const saved = await world.database.query((queries) => findOrganization(queries, organization.id));
  assert.ok(saved);
  const timeline = await new TimelineCache(world.database, 1_000_000).current(saved);
  const context = { database: world.database, organizationId: organization.id, timeline };
  const searches = [
    "kiss",
    "KISS 1",
    "",
    "%",
    "_",
    ...Array.from({ length: 60 }, () => randomWord(random.between(1, 3))),
  ];
  for (const subject of searches) {
    const query = { selection: {}, subject, order: "earliest", limit: 300 } as const;
    const { campaigns } = await searchCampaigns(context, query);
    const wanted = subjects.flatMap((each, index) =>
      foldCase(each).includes(foldCase(subject)) ? [index + 1] : [],
    );
    assert.deepEqual(
      campaigns.map((each) => each.campaign.id),
      wanted,
      subject,
    );
  }
  // Neither the other organization's team, nor text with NUL, which PostgreSQL rejects.
  for (const none of [{ team: "Theirs" }, { team: "a\0b" }, { subject: "\0" }, { subject: "kiss\0" }]) {
    const { campaigns, last } = await searchCampaigns(context, {
      selection: {},
      order: "latest",
      limit: 9,
      ...none,
    });
    assert.deepEqual([campaigns, last], [[], undefined]);
  }
});
