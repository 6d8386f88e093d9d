// Survey results from few answers: two services that differ only in them answer the same on every interface, so nothing
// can be read or computed. One more answer shows them.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { fileFormatNames } from "../../src/formats/feed-files.ts";
import { addAttributesTo, saveList } from "../support/audience.ts";
import { addCsvLink, switchCsvLinks } from "../support/csv-links.ts";
import { requestDownload } from "../support/downloads.ts";
import { makeGuestRole } from "../support/guest-role.ts";
import { notOnCitus } from "../support/not-on-citus.ts";
import { isFullSize } from "../support/random-cases.ts";
import { sqliteTest } from "../support/sqlite-test.ts";
import { makeWebWorld, type WebWorld } from "../support/web-world.ts";
import { campaign, present, run } from "../support/world.ts";

const min = 4;
const types = ["Anonymous", "Overall", "Individual"] as const;
interface Variant {
  score: number;
  text: string;
}

/** What the recipients of the two services answered. */
const variants = [
  { score: 0, text: "no" },
  { score: 10, text: "a longer yes" },
] as const satisfies Variant[];

/** Campaigns by their tracking type and number of answers; enough answers are the same in both services. */
const small = (["Anonymous", "Overall"] as const).flatMap((type, row) =>
  Array.from({ length: min - 1 }, (_, index) => ({
    id: 10 * (row + 1) + index + 1,
    type,
    answers: index + 1,
  })),
);
const enough = types.map((type, index) => ({ id: 40 + index, type, answers: min + 1 }));
const imported = small.map(({ id, ...each }) => ({ ...each, id: 100 + id }));

/** Each answer is of another recipient. */
function answersOf(id: number, { score, text }: Variant, from: number, until: number) {
  return Array.from({ length: until - from }, (_, index) => from + index).flatMap((number) => {
    const about = {
      campaign_id: id,
      recipient: `person-${number + 1}@example.com`,
      type: "survey",
      survey_id: "s",
    };
    // Answers of the same time are in the order of their hashes, which are random.
    const [at, later] = [0, 1].map((ms) => new Date(present - 1_000_000 + 2 * number + ms).toISOString());
    return [
      { ...about, at, id: `e-${id}-${number}`, kind: "enps", score, comment: `${text} ${number}` },
      { ...about, at: later, id: `p-${id}-${number}`, kind: "pulse", answer: text, comment: text },
    ];
  });
}

interface Side {
  site: WebWorld;
  link: string;
  viewer: Awaited<ReturnType<WebWorld["signIn"]>>;
  /** Asks for a view; undefined on SQLite and on Citus. */
  ask: ((statement: string) => Promise<unknown[]>) | undefined;
}

async function makeSide(t: TestContext, variant: Variant): Promise<Side> {
  const site = await makeWebWorld(t);
  const { world, organization } = site;
  const command = (...argv: string[]) =>
    run(world.databaseUrl, [...argv, "--organization", `${organization.id}`, "--json"]);
  const changed = await command("organization", "change", "--min-answers", `${min}`);
  assert.equal(changed.exitCode, 0, changed.stderr);
  await addAttributesTo(world, organization, ["Department"]);
  for (const { id, type, answers } of [...small, ...enough]) {
    await world.register(organization, id, {
      ...{ tracking_type: type, subject: `Campaign of team ${id % 2}`, surveys_count: 2 },
      ...{ team: `Team ${id % 2}`, tags: [`Tag ${id % 3}`], recipient_groups: [`Group ${id}`] },
    });
    // As many are in a group as without one, so that both are released.
    const groups = [
      { count: 12, values: { Department: "Sales" } },
      { count: 12, values: {} },
    ];
    if (type !== "Overall") await saveList(world, organization, id, groups);
    const isSmall = answers < min;
    await world.ingest(
      organization,
      answersOf(id, isSmall ? variant : { score: 9, text: "same" }, 0, answers),
    );
  }
  await world.save(
    organization,
    imported.map(({ id, type, answers }) =>
      campaign({
        ...{ id, trackingType: type, team: `Team ${id % 2}`, sentAt: present - 3_600_000, surveysCount: 1 },
        metrics: { enps_reactions_count: answers, enps_score_average: variant.score },
      }),
    ),
  );
  // So that sums have their rates.
  world.clock.now += 8 * 86_400_000;
  await world.publishDue();
  await switchCsvLinks(world, organization, "allow");
  const { path } = await addCsvLink(world, organization);
  const hasViews =
    world.databaseUrl.startsWith("postgres") && !notOnCitus("there are no views on Citus").skip;
  const role = hasViews ? await makeGuestRole(t, world.databaseUrl) : undefined;
  if (role) {
    const added = await command("views", "add", "--role", role.name);
    assert.equal(added.exitCode, 0, added.stderr);
  }
  const link = site.service.url + path;
  return { site, link, ask: role?.ask, viewer: await site.signIn("admin") };
}

const feedQueries = [
  "",
  "?tag_ids=1",
  "?tag_ids=2,3",
  "?sent_after=2026-06-01",
  "?sent_before=2026-06-15",
  "?per_page=3",
];
const odataQueries = [
  "",
  "?$filter=enps_score_average ge 5",
  "?$filter=enps_score_average eq 0",
  "?$filter=enps_score_average eq null",
  "?$filter=enps_score_average lt 5 or enps_score_average ne null&$count=true",
  "?$orderby=enps_score_average desc",
  "?$orderby=enps_score_average,id&$top=3",
  "?$filter=tracking_type eq 'Anonymous'&$select=id,enps_score_average",
];
const groupQueries = odataQueries.slice(0, 5);
const ids = [...small, ...enough, ...imported].map(({ id }) => id);
const filters = [
  "",
  "&team=Team 1",
  "&tag_ids=1",
  "&surveys=rated",
  "&surveys=some",
  "&traffic=all",
  "&q=Campaign",
];
const groups = [11, 23, 40].map((id) => `&group=Group ${id}`);
const columns = "columns=enps,average_rating,comments,open_rate";
const sorts = ["enps", "average_rating", "comments", "sent_at"];
const allPages = [
  ...[...filters, ...groups].flatMap((filter) =>
    ["/?", "/campaigns.csv?", "/surveys?", "/comments?", "/comments.csv?"].map(
      (path) => `${path}period=all&${columns}${filter}`,
    ),
  ),
  ...filters.map((filter) => `/campaigns?period=all&${columns}${filter}`),
  ...sorts.flatMap((sort) =>
    ["asc", "desc"].flatMap((order) =>
      ["/campaigns", "/campaigns.csv"].map(
        (path) => `${path}?period=all&${columns}&sort=${sort}&order=${order}`,
      ),
    ),
  ),
  ...["by=team", "by=tag", "by=sending_type"].map((view) => `/?period=all&${view}`),
  ...["rating=low", "rating=high", "rating=none", "q=yes", "q=no"].map(
    (view) => `/comments?period=all&${view}`,
  ),
  ...ids.flatMap((id) => [
    ...["summary", "surveys", "details"].map((tab) => `/campaigns/${id}?tab=${tab}`),
    `/campaigns/${id}?tab=surveys&traffic=all`,
  ]),
  ...[small, enough, imported].map(
    (some) => `/campaigns/compare?ids=${some.slice(0, 5).map(({ id }) => id)}`,
  ),
  "/campaigns/40/recipients",
  "/campaigns/42/recipients.csv",
  "/links?period=all",
  ...["/audience", "/audience.csv"].map((path) => `${path}?period=all`),
  ...ids.map((id) => `/campaigns/${id}?tab=audience`),
];
/** Every thirtieth, and those that are asked for by name. */
const pages = allPages.filter(
  (path, index) => isFullSize || index % 30 === 0 || /audience|tab=surveys$/.test(path),
);

/** Every answer by its interface and query, without secrets, which are random. */
async function readAll({ site, link, viewer, ask }: Side): Promise<Map<string, string>> {
  const { service, key } = site;
  const read = new Map<string, string>();
  const request = async (url: string) => {
    const { status, bytes } = await requestDownload(url.replaceAll(" ", "%20"), { key });
    assert.equal(status, 200, `${url}: ${Buffer.from(bytes).toString()}`);
    return Buffer.from(bytes)
      .toString("latin1")
      .replaceAll(service.url, "")
      .replaceAll(/"(next_)?cursor":"[^"]*"/g, "");
  };
  const root = `${service.url}/data_api/v1/emails`;
  for (const format of fileFormatNames) {
    const url = `${service.url}/data_api/v1/email_groups.${format}`;
    read.set(`groups.${format}`, await request(url));
  }
  for (const query of groupQueries) {
    read.set(`odata groups${query}`, await request(`${service.url}/odata/v1/email_groups${query}`));
  }
  for (const query of feedQueries) {
    for (const format of ["", ".csv", ".ndjson", ".parquet", ".xlsx"]) {
      if (format !== "" && query.includes("page")) continue;
      if (format !== "" && query !== "" && !isFullSize) continue;
      read.set(`v1${format}${query}`, await request(`${root}${format}${query}`));
    }
  }
  read.set("changes", await request(`${root}/changes?updated_after=2020-01-01T00:00:00Z`));
  read.set("link", await request(link));
  for (const query of odataQueries) {
    read.set(`odata${query}`, await request(`${service.url}/odata/v1/emails${query}`));
  }
  const order = "order by enps_score_average, id";
  if (ask) {
    read.set("view", JSON.stringify(await ask(`select * from analytics_1.emails ${order}`)));
    const groups = await ask("select * from analytics_1.email_groups order by 1, 2, 3");
    read.set("view groups", JSON.stringify(groups));
  }
  for (const path of pages) {
    const { status, text } = await viewer.get(path.replaceAll(" ", "%20"));
    assert.equal(status, 200, path);
    // The keys of comments are hashes under the secret of each campaign, which is random as its registration is.
    const shown = text.replaceAll(/ name="(?:comment|registration)" value="[^"]*"/g, "");
    read.set(path, shown.replaceAll(viewer.csrfToken, ""));
  }
  return read;
}

/** The interfaces and queries whose answers differ. */
async function differences(sides: readonly Side[]): Promise<string[]> {
  const [one, other] = await Promise.all(sides.map(readAll));
  return [...(one as Map<string, string>)].flatMap(([name, text]) =>
    other?.get(name) === text ? [] : [name],
  );
}

/** Adds an answer to campaigns, by the variant of each side. */
async function answerOnceMore(sides: readonly Side[], some: typeof small): Promise<void> {
  for (const [index, { site }] of sides.entries()) {
    for (const { id, answers } of some) {
      const added = answersOf(id, variants[index] as Variant, answers, answers + 1);
      await site.world.ingest(site.organization, added);
    }
  }
}

const averagesOf = async ({ site }: Side) => {
  const { emails } = await site.service.emails(site.key, "?per_page=100");
  return new Map(emails.map(({ id, enps_score_average: average }) => [id, average]));
};

test("answers the same on every interface whatever few recipients answered, until one more answers", async (t) => {
  const sides = [await makeSide(t, variants[0]), await makeSide(t, variants[1])];
  assert.deepEqual(await differences(sides), []);
  for (const side of sides) {
    const averages = await averagesOf(side);
    assert.ok(small.every(({ id }) => averages.get(id) === 0));
    assert.ok(enough.every(({ id }) => averages.get(id) === 9));
    const { emails } = await side.site.service.emails(side.site.key, "?per_page=100");
    const counts = new Map(emails.map((email) => [email.id, email]));
    for (const { id } of small) {
      const { enps_reactions_count, enps_comments_count, survey_reactions_count } = counts.get(id) ?? {};
      assert.deepEqual([enps_reactions_count, enps_comments_count, survey_reactions_count], Array(3).fill(0));
    }
    const { text } = await side.viewer.get("/campaigns/11?tab=surveys");
    assert.match(text, /Fewer than 4 answers/);
  }
  // One more answer to one campaign of each type.
  const lasts = small.filter(({ answers }) => answers === min - 1);
  await answerOnceMore(sides, lasts);
  const shown = await differences(sides);
  const feeds = ["v1", "v1.csv", "v1.ndjson", "v1.parquet", "v1.xlsx", "changes", "link", "odata"];
  const groupFeeds = [...fileFormatNames.map((format) => `groups.${format}`), "odata groups"];
  const [views, groupViews] = sides[0]?.ask ? [["view"], ["view groups"]] : [[], []];
  for (const name of [...groupFeeds, ...groupViews]) {
    assert.ok(!shown.includes(name), `${name} shows answers by group from more of them on, and later`);
  }
  for (const name of [...feeds, ...views]) {
    assert.ok(shown.includes(name), `${name} shows enough answers`);
  }
  for (const { id } of lasts) assert.ok(shown.includes(`/campaigns/${id}?tab=surveys`));
  const hidden = [...small, ...imported].filter((each) => !lasts.includes(each));
  for (const { id } of hidden) assert.ok(!shown.includes(`/campaigns/${id}?tab=surveys`), `${id}`);
  for (const [index, side] of sides.entries()) {
    const averages = await averagesOf(side);
    const { score } = variants[index] as Variant;
    for (const { id } of lasts) assert.equal(averages.get(id), score);
    assert.ok(hidden.every(({ id }) => averages.get(id) === 0));
  }
});

sqliteTest("shows everything from one answer on when recipients have names", async (t) => {
  const { world, organization, service, key, signIn } = await makeWebWorld(t);
  await world.register(organization, 1, { tracking_type: "Individual", surveys_count: 1 });
  await world.ingest(organization, answersOf(1, variants[1], 0, 1));
  assert.equal((await service.emails(key)).emails[0]?.enps_score_average, 10);
  const { text } = await (await signIn("viewer")).get("/campaigns/1?tab=surveys");
  assert.match(text, /a longer yes 0/);
  assert.doesNotMatch(text, /Fewer than/);
});

sqliteTest("a changed minimum publishes records, totals and changes again at once", async (t) => {
  const { world, organization, service, key, signIn } = await makeWebWorld(t);
  await world.register(organization, 1, { tracking_type: "Anonymous", surveys_count: 1 });
  await world.ingest(organization, answersOf(1, { score: 8, text: "fine" }, 0, 5));
  world.clock.now += 8 * 86_400_000;
  await world.publishDue();
  const admin = await signIn("admin");
  const read = async () => {
    const { text } = await requestDownload(`${service.url}/data_api/v1/emails.ndjson`, { key }).then(
      ({ bytes }) => ({ text: Buffer.from(bytes).toString() }),
    );
    const overview = (await admin.get("/?period=all")).text;
    return {
      v1: (await service.emails(key)).emails[0]?.enps_score_average,
      feed: (JSON.parse(text) as Record<string, unknown>).enps_score_average,
      total: overview.includes("5 ratings"),
      comments: (await admin.get("/comments?period=all")).text.includes("fine 0"),
    };
  };
  const withheld = { v1: 0, feed: null, total: false, comments: false };
  const shown = { v1: 8, feed: 8, total: true, comments: true };
  assert.deepEqual(await read(), shown);
  const change = (min_answers: string) =>
    admin.post("/settings/organization", "organization", {
      ...{ name: "Acme", time_zone: "UTC", count: "people", audit_days: "400", min_answers },
    });
  await change("6");
  assert.deepEqual(await read(), withheld);
  for (const refused of ["51", "5", "1"]) {
    assert.match((await change(refused)).text, /&quot; is not a whole number from 6 to 50/);
  }
  assert.match((await admin.get("/settings/audit")).text, /min answers: 6/);
  const lower = `organization change --organization ${organization.id} --min-answers 5`;
  assert.equal((await run(world.databaseUrl, lower)).exitCode, 0);
  assert.deepEqual(await read(), shown);
});

sqliteTest("export for import is complete, exports as downloads are not", async (t) => {
  const { world, organization } = await makeWebWorld(t);
  await world.register(organization, 1, { tracking_type: "Anonymous", surveys_count: 1 });
  await world.ingest(organization, answersOf(1, { score: 8, text: "fine" }, 0, 5));
  await run(world.databaseUrl, [
    ...["organization", "change", "--organization", `${organization.id}`, "--min-answers", "6"],
  ]);
  const averageIn = async (format: string) => {
    const { stdout } = await run(world.databaseUrl, [
      ...["export", "--organization", `${organization.id}`, "--format", format],
    ]);
    return (JSON.parse(stdout) as Record<string, unknown>).enps_score_average;
  };
  assert.equal(await averageIn("ndjson"), 8);
  assert.equal(await averageIn("feed-ndjson"), null);
});
