// The pages of links and of comments: over all campaigns that match the filters.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { locales } from "../../../src/locale/locale.ts";
import { open } from "../../support/events.ts";
import { assertMatches, assertPage, rowsIn, textOf } from "../../support/pages.ts";
import { makeWebWorld, requestPage } from "../../support/web-world.ts";
import { campaign, present } from "../../support/world.ts";

let events = 0;

function event(campaign_id: number, given: Record<string, unknown>): Record<string, unknown> {
  events += 1;
  return open(events, { campaign_id, at: "2026-06-15T11:05:00Z", ...given });
}

const click = (campaign: number, name: string, path: string, given = {}) =>
  event(campaign, {
    type: "click",
    recipient: `${name}@example.com`,
    url: `https://example.com/${path}`,
    ...given,
  });

/** Scores of different recipients, each with a comment. */
const answers = (campaign: number, scores: readonly number[], comment: string) =>
  scores.map((score, index) =>
    event(campaign, {
      ...{ type: "survey", survey_id: "s", kind: "enps", score, comment: `${comment} ${score}` },
      recipient: `p${index}@example.com`,
    }),
  );

/** Campaigns by their IDs, sent on these days of June, and a viewer. */
async function start(
  t: TestContext,
  days: Readonly<Record<number, number>>,
  given: (id: number) => Record<string, unknown> = () => ({}),
) {
  const site = await makeWebWorld(t);
  for (const [id, day] of Object.entries(days)) {
    await site.world.register(site.organization, Number(id), {
      ...{ subject: `News ${id}`, sent_at: `2026-06-${day}T08:00:00Z`, team: id === "2" ? "HR" : "IT" },
      ...given(Number(id)),
    });
  }
  const viewer = await site.signIn("viewer");
  /** Downloads the file of a page. @returns its name and lines */
  const fileOf = async (page: string) => {
    const [, path = ""] = /href="([^"]*)" download/.exec(page) ?? [];
    const { headers, text } = await viewer.get(path.replaceAll("&amp;", "&"));
    const [, name] = /filename="(.*)"/.exec(headers.get("content-disposition") ?? "") ?? [];
    return { name, lines: text.trimEnd().split("\r\n") };
  };
  return { ...site, viewer, fileOf };
}

const commentsIn = (text: string) =>
  [...text.matchAll(/<blockquote lang="" dir="auto">(.*?)<\/blockquote>/g)].map(([, comment]) => comment);

test("chooses the most clicked links by the traffic that is shown", async (t) => {
  const { world, organization, viewer } = await start(t, { 1: 13 });
  const links = Array.from({ length: 100 }, (_, link) => click(1, `person-${link}`, `${link}`));
  const scans = ["ann", "bob"].map((name) => click(1, name, "scanned", { machine: true }));
  await world.ingest(organization, [...links, ...scans]);
  const human = rowsIn(await viewer.read("/links"));
  assert.deepEqual([human.length, human[0]?.[1]], [100, "1"]);
  assert.deepEqual(rowsIn(await viewer.read("/links?traffic=all"))[0], ["/scanned", "2", "2.0%", "1"]);
  const file = (await viewer.read("/links.csv?traffic=all")).split("\r\n");
  assert.equal(file[1], "https://example.com/scanned,2,1.96078431372549,1");
});

test("adds up the clicks of links over the campaigns that match", async (t) => {
  const { world, organization, viewer, service, fileOf } = await start(t, { 1: 13, 2: 14 });
  await world.ingest(organization, [
    ...[click(1, "ann", "a?person=1"), click(1, "bob", "a?person=2")],
    ...[click(2, "ann", "a"), click(2, "bob", "<b>")],
  ]);
  const other = await world.addOrganization();
  await world.register(other.organization, 1, {});
  await world.ingest(other.organization, [click(1, "eve", "foreign")]);
  const all = await viewer.get("/links");
  assert.equal(all.status, 200);
  assert.deepEqual(rowsIn(all.text), [
    ["/a", "3", "75.0%", "2"],
    ["/%3Cb%3E", "1", "25.0%", "1"],
  ]);
  assert.match(
    all.text,
    /<a href="https:\/\/example\.com\/a" rel="noopener noreferrer nofollow"><bdi[^>]*><wbr>\/a/,
  );
  assert.match(all.text, /From all 2 campaigns that this service counts\./);
  assert.equal(
    locales.en.t("links.scope", { read: 1_000, of: 30_003, isPartial: true, imported: 29 }),
    "From the newest 1,000 of 30,003 campaigns that this service counts, without 29 imported ones.",
  );
  assert.match(all.text, /<a href="\/links" aria-current="page">/);
  assert.deepEqual(rowsIn(await viewer.read("/links?team=IT")), [["/a", "2", "100.0%", "1"]]);
  const none = await viewer.read("/links?period=2020");
  assert.match(none, /No clicks in these campaigns/);
  assert.doesNotMatch(none, / download>/, "there is nothing to download");
  assert.doesNotMatch(await viewer.read("/comments?period=2020"), / download>/);
  await world.save(organization, [campaign({ id: 3, sentAt: present - 86_400_000 })]);
  assert.match(
    await viewer.read("/links"),
    /From all 2 campaigns that this service counts, without an imported one\./,
  );
  assert.deepEqual(await fileOf(all.text), {
    name: "links-2026-03-18-to-2026-06-15-human.csv",
    lines: [
      "Link,Clicks,Share of clicks (%),Campaigns",
      "https://example.com/a,3,75,2",
      "https://example.com/%3Cb%3E,1,25,1",
    ],
  });
  assert.equal((await viewer.get("/links.csv?period=soon")).status, 400);
  assertPage(await viewer.get("/links?period=soon"), 400, /Period: &quot;soon&quot; is not accepted/);
  const german = await requestPage(`${service.url}/links?period=soon`, {
    ...{ cookie: viewer.cookie, headers: { "accept-language": "de" } },
  });
  assertMatches(german.text, [
    /Zeitraum: Der Wert „soon“ ist nicht zulässig\. Wählen Sie einen von diesen: 7d, 30d,/,
    />Nur Menschen<.*>Alle Aktivitäten</s,
  ]);
});

test("keeps the filters in the links of the rail", async (t) => {
  const { viewer } = await start(t, { 1: 13, 2: 14 });
  const railOf = async (path: string) =>
    [...(await viewer.get(path)).text.matchAll(/<li><a href="([^"]*)"(?: aria-current="page")?><svg/g)]
      .slice(0, 8)
      .map(([, link]) => link);
  const railWith = (kept: string) => [
    ...["", "campaigns", "breakdown", "links", "audience", "surveys", "comments"].map(
      (path) => `/${path}?period=2026-06&amp;team=HR${kept}`,
    ),
    "/sources",
  ];
  const filtered = "/links?period=2026-06&team=HR&traffic=all";
  assert.deepEqual(await railOf(filtered), railWith("&amp;traffic=all"));
  const fromList = await railOf("/campaigns/2?list=period%3D2026-06%26team%3DHR%26sort%3Dclicks");
  assert.deepEqual(fromList, railWith(""));
  assert.equal((await railOf("/links?period=soon"))[0], "/");
});

test("lists comments by campaign and rating, without names, once enough recipients answered", async (t) => {
  const { world, organization, viewer } = await start(t, { 1: 12, 2: 13, 3: 14 }, () => ({
    tracking_type: "Anonymous",
  }));
  await world.ingest(organization, [
    ...answers(1, [10, 9, 8, 7, 6], "<i>One"),
    ...answers(2, [0, 1, 2, 9, 10], "Two"),
    ...answers(3, [3, 4, 5, 6], "Three"),
  ]);
  const text = await viewer.read("/comments");
  const sorted = commentsIn(text).toSorted();
  assert.deepEqual(sorted, [
    ...["&lt;i&gt;One 10", "&lt;i&gt;One 6", "&lt;i&gt;One 7", "&lt;i&gt;One 8", "&lt;i&gt;One 9"],
    ...["Two 0", "Two 1", "Two 10", "Two 2", "Two 9"],
  ]);
  assert.match(commentsIn(text)[0] ?? "", /^Two/, "the newest campaign comes first");
  assert.doesNotMatch(text, /p0@example\.com|Three/);
  assert.match(
    text,
    /<a href="\/campaigns\/2"><bdi[^>]*>News 2<\/bdi><\/a> <span class="time">Jun 13, 2026<\/span>/,
  );
  assert.match(await viewer.read("/comments?traffic=all"), /<a href="\/campaigns\/2\?traffic=all">/);
  const rated = async (query: string) => commentsIn(await viewer.read(`/comments?${query}`)).toSorted();
  assert.deepEqual(await rated("rating=low"), ["&lt;i&gt;One 6", "Two 0", "Two 1", "Two 2"]);
  assert.deepEqual(await rated("rating=middle"), ["&lt;i&gt;One 7", "&lt;i&gt;One 8"]);
  assert.deepEqual(await rated("rating=high&team=HR"), ["Two 10", "Two 9"]);
  assert.deepEqual(await rated("team=HR&rating=middle"), []);
  assertMatches(await viewer.read("/comments?rating=low&team=HR"), [
    /<a href="\/comments\?team=HR" *>All<\/a>/,
    /href="\/comments\?team=HR&amp;rating=low" aria-current="true"[^>]*>0 to 6</,
  ]);
  const wrong = await viewer.get("/comments?rating=bad");
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /Rating: "bad" is not accepted; use one of any, low, middle, high, none/);

  assert.doesNotMatch(text, /is not here|are not here/);
  await world.database.transactionOf(organization.id, (scope) =>
    closeCampaign(scope, organization, 2, present),
  );
  const imported = (id: number, metrics: object) =>
    campaign({
      ...{ id, sentAt: present - 1, team: "IT" },
      metrics: { survey_reactions_comments_count: null, ...metrics },
    });
  await world.save(organization, [
    imported(7, { enps_comments_count: 111 }),
    imported(8, { enps_comments_count: 1, survey_reactions_comments_count: 1 }),
    imported(9, { enps_comments_count: null }),
  ]);
  const notes = await viewer.read("/comments?rating=low");
  assert.match(
    notes,
    /113 comments on imported campaigns are missing: imports have only their number\. 5 comments on closed campaigns are not here: their texts were deleted\./,
  );
  assert.doesNotMatch(await viewer.read("/comments?team=HR"), /imported campaigns/);
  assert.deepEqual(await rated("team=HR"), []);
  assert.match(await viewer.read("/comments?team=HR"), /No comments to show/);
  const unfound = await viewer.read("/comments?q=zzzz&rating=low");
  assert.match(unfound, /No results for (?:"|&quot;)zzzz/);
  assert.match(unfound, /<a class="button" href="\/comments\?rating=low">Clear search<\/a>/);
});

test("shows answers to surveys in badges, which have colors for eNPS ratings only", async (t) => {
  const { world, organization, viewer } = await start(t, { 1: 14 });
  const pulse = answers(1, [1, 2, 3, 4, 5], "C").map(({ score, ...rest }) => ({
    ...{ ...rest, kind: "pulse" },
    ...(score === 1 ? { score } : { answer: "Partly" }),
  }));
  await world.ingest(organization, pulse);
  assertMatches(await viewer.read("/comments"), [
    /<footer><span class="score" lang="" dir="auto">Partly<\/span>/,
    /<footer><span class="score" lang="" dir="auto">1<\/span>/,
  ]);
  // The score of another survey is no rating.
  assert.doesNotMatch(
    await viewer.read("/comments?rating=low"),
    /<footer><span class="score" [^>]*>1<\/span>/,
  );
});

test("says how many comments match in all, 25 a page, and finds them by their words or subject", async (t) => {
  const ids = Array.from({ length: 11 }, (_, index) => index + 1);
  const { world, organization, viewer } = await start(t, Object.fromEntries(ids.map((id) => [id, 14])));
  await world.ingest(
    organization,
    ids.flatMap((id) => answers(id, [1, 2, 3, 4, 5], `C${id}`)),
  );
  for (const [page, count, shown] of [
    [1, 25, /1–25 of 55[\s\S]*href="\?rating=low&amp;page=2" class="button second small">Next page</],
    [3, 5, /51–55 of 55/],
    [99, 5, /51–55 of 55/],
  ] as const) {
    const text = await viewer.read(`/comments?rating=low&page=${page}`);
    assertMatches(text, [/<h2>55 comments<\/h2>/, shown]);
    assert.equal(commentsIn(text).length, count);
  }
  for (const [query, total, found] of [
    ["q=c7+3", "1 comment", ["C7 3"]],
    ["q=3++NEWS+c7", "1 comment", ["C7 3"]],
    ["q=NEWS+7", "5 comments", ["C7 1", "C7 2", "C7 3", "C7 4", "C7 5"]],
    ["q=news&rating=high", "0 comments", []],
    ["q=zebra", "0 comments", []],
  ] as const) {
    const text = await viewer.read(`/comments?${query}`);
    assert.match(text, new RegExp(`<h2>${total}</h2>`), query);
    assert.deepEqual(commentsIn(text).toSorted(), found, query);
    const hasChoices = query !== "q=zebra";
    assert.equal(/id="rating"|id="status"/.test(text), hasChoices, query);
  }
});

test("shows the question of each comment and filters by rating, on the page and in its file", async (t) => {
  const { world, organization, viewer, signIn, fileOf } = await start(t, { 1: 12, 2: 13 });
  const pulse = answers(1, [1, 2, 3, 4, 5], "Words").map(({ score, ...rest }) => {
    return { ...rest, kind: "pulse", survey_id: "useful", answer: Number(score) > 3 ? "=Yes" : "No" };
  });
  await world.ingest(organization, [
    ...answers(1, [10, 9, 3, 7, 6], "One"),
    ...answers(2, [0, 8, 5, 9, 10], "Two is longer"),
    ...pulse,
  ]);
  const read = async (query: string) => commentsIn(await viewer.read(`/comments?${query}`));
  const countOf = async (rating: string) => (await read(`rating=${rating}`)).length;
  const parts = await Promise.all(["low", "middle", "high", "none"].map(countOf));
  assert.deepEqual(parts, [4, 2, 4, 5], "together all 15");
  const unrated = await read("rating=none");
  assert.ok(
    unrated.every((comment) => String(comment).startsWith("Words")),
    "other answers are no ratings",
  );

  const text = await viewer.read("/comments?team=IT");
  assertMatches(text, [
    /<h2>10 comments<\/h2>/,
    /<p class="soft small">eNPS <span class="code">s<\/span><\/p>/,
  ]);
  const file = await fileOf(text);
  const [header, ...lines] = file.lines;
  assert.deepEqual(
    [
      file.name,
      header,
      lines.length,
      lines.find((line) => line.includes("One 3")),
      lines.find((line) => line.includes("Words 4")),
    ],
    [
      "comments-2026-03-18-to-2026-06-15.csv",
      "Question,Comment,Rating (0…10),Answer,Campaign ID,Campaign,Team,Campaign sent (UTC)",
      10,
      "eNPS s,One 3,3,,1,News 1,IT,2026-06-12 08:00:00",
      "Survey useful,Words 4,,'=Yes,1,News 1,IT,2026-06-12 08:00:00",
    ],
  );
  for (const each of ["/comments?", "/comments.csv?"]) {
    const wrong = await viewer.get(`${each}rating=best`);
    assertPage(
      wrong,
      400,
      /Rating: &quot;best&quot; is not accepted; use one of any, low, middle, high, none/,
    );
  }
  const other = await world.addOrganization();
  const stranger = await signIn("admin", { organization: other.organization });
  assert.doesNotMatch(await stranger.read("/comments.csv"), /One|Two/);
});

test("names surveys by their questions, which may differ between campaigns", async (t) => {
  const { world, organization, signIn } = await makeWebWorld(t);
  for (const [index, question] of ["Recommend <us>?", "Recommend <us>?", "Vår nya kantin?"].entries()) {
    const [id, surveys] = [index + 1, [{ survey_id: "s", kind: "enps", question }]];
    await world.register(organization, id, { subject: `News ${id}`, surveys });
    await world.ingest(organization, answers(id, [10, 9, 3, 7, 6], `C${id}`));
  }
  world.clock.now += 7 * 86_400_000;
  await world.publishDue();
  const viewer = await signIn("viewer");
  const text = await viewer.read("/comments");
  assert.match(text, /<h2>15 comments<\/h2>/);
  const questions = [...text.matchAll(/<p class="soft small"><span lang="" dir="auto">(.*?)<\/span><\/p>/g)];
  const asked = Map.groupBy(questions, ([, name = ""]) => textOf(name));
  assert.deepEqual(
    [...asked].map(([name, of]) => `${name} ${of.length}`),
    ["Vår nya kantin? 5", "Recommend <us>? 10"],
  );
  assert.match(await viewer.read("/comments.csv"), /\r\nRecommend <us>\?,C1 10,10,,1,News 1,/);
  for (const tab of ["summary", "surveys"]) {
    const page = await viewer.read(`/campaigns/3?tab=${tab}`);
    assert.match(page, /<span lang="" dir="auto">Vår nya kantin\?<\/span>/);
  }
});
