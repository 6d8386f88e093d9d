// What four kinds of sources make the service say, in every interface: one that reports bounces only, one whose webhook was
// down for an hour of deliveries, one that sends opens only, and Exchange, where tracked messages have no source.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { componentNames } from "../../../../src/http/server/components.ts";
import { addSource, changeSource, listSources } from "../../../../src/storage/keys/sources.ts";
import { changeNotifications } from "../../../../src/storage/users/users.ts";
import { downloadRows } from "../../../support/downloads.ts";
import { makeGuestRole } from "../../../support/guest-role.ts";
import { answerOfTool } from "../../../support/mcp.ts";
import { notifierOf } from "../../../support/notified-world.ts";
import { readRows } from "../../../support/odata.ts";
import { mainTextOf } from "../../../support/pages.ts";
import { pick } from "../../../support/pick.ts";
import { startSmtp } from "../../../support/smtp.ts";
import { makeWebWorld } from "../../../support/web-world.ts";
import { present, run, succeeds } from "../../../support/world.ts";

const sentAt = present - 10 * dayMs;
const columns = [
  "delivered",
  "bounced",
  "suppressed",
  "delivery_rate",
  "bounce_rate",
  "open_rate_of_delivered",
];

interface Expectation {
  reports: string[];
  /** Recipients by event. */
  events: Record<string, number>;
  /** On the page of the campaign, and to assistants. */
  text: string | null;
  /** In all feeds, in the order of {@link columns}. */
  numbers: (number | null)[];
  /** In the list. */
  cells: string[];
}

const expectations: Record<string, Expectation> = {
  "bounces only": {
    reports: ["bounce"],
    events: { open: 50, "bounce hard": 2, "bounce soft": 1 },
    text: "2 hard, 1 soft bounces. Deliveries are not reported.",
    numbers: [null, 3, 0, null, 0.03, null],
    cells: ["–", "3.0%", "–"],
  },
  "an hour of deliveries is lost": {
    reports: ["delivery", "bounce"],
    events: { open: 50, delivery: 60, "bounce hard": 1 },
    text: "60 delivered, 1 hard, 0 soft bounces. 39 recipients have no outcome. Their events may be lost: look at the provider.",
    numbers: [60, 1, 0, null, 0.01, null],
    cells: ["–", "1.0%", "–"],
  },
  "opens only": {
    reports: [],
    events: { open: 50 },
    text: null,
    numbers: [null, null, null, null, null, null],
    cells: ["–", "–", "–"],
  },
  "Exchange, without a source": {
    reports: [],
    events: { open: 50 },
    text: null,
    numbers: [null, null, null, null, null, null],
    cells: ["–", "–", "–"],
  },
};

const { mailer, received } = await startSmtp({ after });
const web = await makeWebWorld({ after }, { open: componentNames });
const { world, organization, service, key } = web;
const source = { url: service.url, key };
const viewer = await web.signIn("viewer");

test("says of each source what it reports, and nothing else", async () => {
  const { user } = await web.signIn("viewer", { email: "ann@example.com" });
  await world.write(organization, (scope) => changeNotifications(scope, user, ["alerts"]));
  const names = Object.keys(expectations);
  for (const [index, [subject, { reports, events }]] of Object.entries(expectations).entries()) {
    const id = index + 1;
    await world.register(organization, id, {
      ...{ subject, recipient_count: 100, delivery_reports: reports, team: `Team ${id}` },
      sent_at: new Date(sentAt).toISOString(),
    });
    await world.ingest(
      organization,
      Object.entries(events).flatMap(([kind, recipients]) => {
        const [type, bounce] = kind.split(" ");
        // Bounces and deliveries are of different recipients.
        const first = type === "bounce" ? 90 + (bounce === "soft" ? 5 : 0) : 0;
        return Array.from({ length: recipients }, (_, number) => ({
          ...{ id: `${kind} ${number}`, campaign_id: id, type, ...(bounce !== undefined && { bounce }) },
          ...{ recipient: `${first + number}@example.com`, at: new Date(sentAt + hourMs).toISOString() },
        }));
      }),
    );
  }

  const feeds: Record<string, readonly Record<string, unknown>[]> = {
    NDJSON: (await downloadRows("emails", source, "ndjson")) as never,
    CSV: (await downloadRows("emails", source, "csv")) as never,
    Parquet: (await downloadRows("emails", source, "parquet")) as never,
    OData: (await readRows(source, "/emails")) as never,
  };
  if (process.env.TEST_DATABASE === "postgres") {
    const role = await makeGuestRole({ after }, world.databaseUrl);
    await succeeds(world.databaseUrl, ["views", "add", "--organization", "1", "--role", role.name]);
    feeds.views = (await role.ask(`select * from analytics_${organization.id}.emails`)) as never;
  }
  for (const [feed, rows] of Object.entries(feeds)) {
    for (const [index, name] of names.entries()) {
      const row = rows.find(({ id }) => Number(id) === index + 1);
      const numbers = columns.map((column) => (row?.[column] === null ? null : Number(row?.[column])));
      assert.deepEqual(numbers, expectations[name]?.numbers, `${feed}: ${name}`);
    }
  }

  // The fields of v1 are the same for all.
  const { emails } = await service.emails(key);
  assert.deepEqual(
    pick(emails, "open_rate", "unique_opens", "recipient_count"),
    names.map(() => [0.5, 50, 100]),
  );

  const list = mainTextOf(
    await viewer.read("/campaigns?columns=delivery_rate&columns=bounce_rate&columns=open_rate_of_delivered"),
  );
  for (const [index, [name, { text, cells }]] of Object.entries(expectations).entries()) {
    const page = mainTextOf(await viewer.read(`/campaigns/${index + 1}`));
    if (text === null) assert.doesNotMatch(page, /bounce|no outcome|Deliveries are not/, name);
    else assert.ok(page.includes(text), `${name}: ${page}`);
    const { delivery } = await answerOfTool(source, "explain_campaign", { id: index + 1 });
    assert.equal(delivery, text, name);
    assert.ok(list.includes(`${name} ${cells.join(" ").replaceAll("–", "– no value")}`), `${name}: ${list}`);
  }
  // Two of four campaigns know their bounces, and the number says so.
  assert.match(mainTextOf(await viewer.read("/?period=all")), /Bounce rate: 2\.0%.{0,30}2 of 4/);

  await world.publishDue();
  await notifierOf(web, { mailer }).run();
  const alerts = received.filter(({ text }) => /bounce|spam|outcome/.test(text));
  assert.deepEqual(alerts, [], "nothing shows these bounces to be unusual");
  const findings = (await run(world.databaseUrl, ["doctor"])).stdout
    .split("\n")
    .filter((line) => /outcome/.test(line));
  assert.equal(findings.length, 1);
  assert.match(
    findings.join(),
    /campaign 2.*Less than 95 % of the recipients have an outcome after 72 hours/,
  );
});

test("shows what a source reported last, and which of its ticks say 0", async () => {
  const add = {
    provider: "sparkpost",
    secret: undefined,
    campaignField: "campaign_id",
    now: world.clock.now,
  };
  await world.write(organization, async (scope) => {
    await addSource(scope, add);
    const [added] = await listSources(scope);
    assert.ok(added);
    await changeSource(scope, added, { reports: { bounce: 0, delivery: present } });
  });
  const admin = await web.signIn("admin");
  const [, path = ""] = /href="(\/sources\/(?!traffic)[^"]+)"/.exec(await admin.read("/sources")) ?? [];
  const page = mainTextOf(await admin.read(path));
  assert.match(
    page,
    /Deliveries Last one Jun 15, 2026, 12:00 PM UTC Bounces None yet Unsubscriptions Spam complaints/,
  );
});
