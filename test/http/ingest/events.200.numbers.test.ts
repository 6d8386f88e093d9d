// POST /ingest/v1/events: given these events, GET /data_api/v1/emails returns these metrics.

import assert from "node:assert/strict";
import test from "node:test";
import {
  at,
  checkNumbers,
  click,
  clicked,
  enps,
  opened,
  pulse,
  read,
  userAgents,
} from "../../support/number-cases.ts";
import { event, serveSender } from "../../support/serve-sender.ts";

test("renders a campaign with every kind of event as this exact JSON", async (t) => {
  const { service, key, put, post } = await serveSender(t, { timeZone: "America/New_York" });
  await put(1, {
    sending_type: "Timezone",
    recipient_count: 8,
    recipient_groups: ["Headquarters", "Sales"],
    tags: ["News"],
    surveys_count: 2,
  });
  await post([
    event({ user_agent: userAgents.chrome }),
    event({ device: "desktop", at: "2026-06-15T13:16:00+02:00" }),
    event({ recipient: "bob@example.com", user_agent: userAgents.iphone }),
    event({ recipient: "cat@example.com", ...click("a") }),
    event({ recipient: "dan@example.com", ...read(5) }),
    event({ recipient: "eve@example.com", ...enps({ score: 9, comment: "More of this" }) }),
    event({ recipient: "fay@example.com", ...pulse({ answer: "Yes" }) }),
    event({ recipient: "gus@example.com", user_agent: userAgents.apple }),
    event({ recipient: "gus@example.com", ...click("b", { machine: true }) }),
  ]);
  const { text } = await service.get("/data_api/v1/emails", { key });
  assert.equal(
    text,
    '{"emails":[{"id":1,"subject":"Campaign 1","sent_at":"Jun 15, 2026 7:00 AM","sent_from":"news@example.com",' +
      '"organization_team":"Default Team","sending_type":"Timezone","tracking_type":"Individual","open_rate":0.75,' +
      '"click_rate":0.125,"unique_opens":6,"multiple_opens":1,"unopened":2,"total_opens":7,"unique_clicks":1,' +
      '"multiple_clicks":0,"total_clicks":1,"click_per_unique_open_rate":17,"desktop_open_rate":67,' +
      '"mobile_open_rate":33,"tags":[{"name":"News","color":"#FF9DA7"}],"recipient_count":8,' +
      '"recipients":"Headquarters, Sales","read_time_glanced":0,"read_time_skimmed":100,"read_time_read":0,' +
      '"surveys_count":2,"enps_score_average":9,"enps_reactions_count":1,"enps_comments_count":1,' +
      '"survey_reactions_count":1,"survey_reactions_comments_count":0}],' +
      '"meta":{"page":1,"per_page":10,"total_entries":1,"total_pages":1}}',
  );
});

test("counts every type of event; a click, a reading or a survey answer implies one open", (t) =>
  checkNumbers(t, [
    { what: "nothing", events: [], people: {} },
    { what: "an open", events: [{}], people: opened },
    { what: "a click", events: [click("a")], people: clicked },
    { what: "a reading", events: [read(4)], people: { ...opened, read_time_skimmed: 100 } },
    {
      what: "an eNPS rating",
      events: [enps({ score: 7 })],
      people: { ...opened, enps_reactions_count: 1, enps_score_average: 7 },
    },
    {
      what: "a rating of another survey",
      events: [pulse({ score: 0 })],
      people: { ...opened, survey_reactions_count: 1 },
    },
    {
      what: "an answer",
      events: [pulse({ answer: "Yes", comment: "Because" })],
      people: { ...opened, survey_reactions_count: 1, survey_reactions_comments_count: 1 },
    },
    { what: "words alone", events: [enps({ comment: "Hm" }), pulse({ comment: "Hm" })], people: opened },
    {
      what: "opens beyond the first",
      events: [{}, {}, {}, { recipient: "bob@example.com" }],
      people: { open_rate: 0.02, unique_opens: 2, multiple_opens: 2, unopened: 98, total_opens: 4 },
    },
    {
      what: "a real open next to what implies one",
      events: [{}, click("a"), read(0), enps({ score: 10 }), pulse({ comment: "Hm" })],
      people: { ...clicked, enps_reactions_count: 1, enps_score_average: 10 },
    },
    {
      what: "clicks on one and on different links",
      events: [click("a"), click("a"), click("a"), click("b", at("12:00:00"))],
      people: { ...clicked, multiple_clicks: 3, total_clicks: 4 },
    },
  ]));

test("normalizes a recipient's email address: trimmed, lower case, one Unicode form", (t) => {
  const names = [
    " Jos\u00e9@Example.com",
    "jose\u0301@example.com\t",
    "JOS\u00c9@EXAMPLE.COM",
    "jos@example.com",
  ];
  const twice = { open_rate: 0.02, unique_opens: 2, multiple_opens: 2, unopened: 98, total_opens: 4 };
  const events = names.map((recipient) => ({ recipient }));
  return checkNumbers(t, [
    { what: "Individual", events, people: twice },
    { what: "Anonymous", campaign: { tracking_type: "Anonymous" }, events, people: twice },
    { what: "Overall", campaign: { tracking_type: "Overall" }, events, people: twice },
  ]);
});

test("counts devices instead of recipients with Overall tracking, possibly more than there are recipients", (t) => {
  const overall = { tracking_type: "Overall", recipient_count: 2 };
  const from = (ip: string | undefined, user_agent: string | undefined, recipient = "ann@example.com") => ({
    ip,
    user_agent,
    recipient,
  });
  const devices = (unique_opens: number, total_opens: number) => ({
    open_rate: Math.min(unique_opens / 2, 1),
    unique_opens,
    multiple_opens: total_opens - unique_opens,
    unopened: Math.max(2 - unique_opens, 0),
    total_opens,
  });
  const [one, two] = ["192.0.2.1", "192.0.2.2"];
  return checkNumbers(t, [
    {
      what: "one device of two recipients",
      campaign: overall,
      events: [from(one, "The Bat!"), from(one, "The Bat!", "bob@example.com")],
      people: devices(1, 2),
    },
    {
      what: "four devices of one recipient, one of them twice",
      campaign: overall,
      events: [
        from(one, "The Bat!"),
        from(two, "The Bat!"),
        from(one, "Thunderbird/115.0"),
        from(one, undefined),
        from(` ${one} `, ""),
      ],
      people: devices(4, 5),
    },
    {
      what: "where neither is known, the recipient",
      campaign: overall,
      events: [from(undefined, undefined), from("", " "), from(undefined, undefined, "bob@example.com")],
      people: devices(2, 3),
    },
    {
      what: "more clicks than recipients",
      campaign: overall,
      events: ["1", "2", "3"].map((ip) => click("a", { ip })),
      people: {
        ...devices(3, 3),
        click_rate: 1,
        unique_clicks: 3,
        total_clicks: 3,
        click_per_unique_open_rate: 100,
      },
    },
    {
      what: "with Individual tracking they make no difference",
      campaign: { recipient_count: 2 },
      events: [from(one, "The Bat!"), from(two, "Thunderbird/115.0")],
      people: devices(1, 2),
    },
    {
      what: "with Anonymous tracking neither",
      campaign: { recipient_count: 2, tracking_type: "Anonymous" },
      events: [
        from(one, "The Bat!"),
        from(two, "Thunderbird/115.0"),
        from(one, "The Bat!", "bob@example.com"),
      ],
      people: devices(2, 3),
    },
  ]);
});
