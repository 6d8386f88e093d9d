// POST /ingest/v1/events: human and automated activity, and devices.

import test from "node:test";
import {
  at,
  byRecipients,
  checkNumbers,
  click,
  clicked,
  enps,
  type Given,
  opened,
  openedTwice,
  pulse,
  read,
  userAgents,
} from "../../support/number-cases.ts";

test("counts human activity including mail proxies, or all activity if the organization chooses so", (t) =>
  checkNumbers(t, [
    ...[userAgents.outlook, userAgents.chrome, userAgents.iphone, userAgents.ipad].map((user_agent) => ({
      what: user_agent,
      events: [click("a", { user_agent }), read(1, { user_agent })],
      people: { ...clicked, read_time_glanced: 100 },
    })),
    ...[userAgents.gmail, userAgents.yahoo].map((user_agent) => ({
      what: user_agent,
      events: [{ user_agent }, { user_agent }],
      people: openedTwice,
    })),
    ...[
      userAgents.apple,
      userAgents.gmailPrefetch,
      userAgents.barracuda,
      userAgents.curl,
      ` ${userAgents.apple} `,
    ].map((user_agent) => ({
      what: user_agent,
      events: [{ user_agent }, click("a", { user_agent }), read(1, { user_agent })],
      people: {},
      all: clicked,
    })),
    {
      what: "the provider says so",
      events: [
        { machine: true, user_agent: userAgents.iphone },
        click("a", { machine: true }),
        read(1, { machine: true }),
      ],
      people: {},
      all: clicked,
    },
    { what: "the provider says that it was a person", events: [{ machine: false }], people: opened },
    {
      what: "an automated survey answer does not count",
      events: [enps({ score: 3, user_agent: userAgents.curl, machine: true })],
      people: { ...opened, enps_reactions_count: 1, enps_score_average: 3 },
    },
    {
      what: "the hidden link",
      events: [{}, click("a"), click("b", at("11:30:00")), click("c", { hidden: true, ...at("12:00:00") })],
      people: opened,
      all: { ...clicked, multiple_clicks: 2, total_clicks: 3 },
    },
    {
      what: "the hidden link, followed by another recipient",
      events: [click("a"), click("c", { hidden: true, recipient: "bot@example.com" })],
      people: clicked,
      all: {
        open_rate: 0.02,
        click_rate: 0.02,
        unique_opens: 2,
        unopened: 98,
        total_opens: 2,
        unique_clicks: 2,
        total_clicks: 2,
        click_per_unique_open_rate: 100,
      },
    },
  ]));

test("treats clicks on three links within ten seconds as automated, in any order", (t) =>
  checkNumbers(t, [
    {
      what: "within ten seconds",
      events: [click("c", at("11:15:10")), click("a", at("11:15:00")), click("b", at("11:15:05"))],
      people: {},
      all: { ...clicked, multiple_clicks: 2, total_clicks: 3 },
    },
    {
      what: "a millisecond more",
      events: [click("c", at("11:15:10.001")), click("a", at("11:15:00")), click("b", at("11:15:05"))],
      people: { ...clicked, multiple_clicks: 2, total_clicks: 3 },
    },
    {
      what: "two links, many times",
      events: ["a", "b", "a", "b", "a", "b"].map((url) => click(url)),
      people: { ...clicked, multiple_clicks: 5, total_clicks: 6 },
    },
    {
      what: "a burst, and a click an hour later",
      events: [click("a"), click("b"), click("c"), click("c"), click("a", at("12:00:00"))],
      people: clicked,
      all: { ...clicked, multiple_clicks: 4, total_clicks: 5 },
    },
    {
      what: "three recipients",
      events: byRecipients(3).map((recipient, index) => click(`${index}`, recipient)),
      people: {
        open_rate: 0.03,
        click_rate: 0.03,
        unique_opens: 3,
        unopened: 97,
        total_opens: 3,
        unique_clicks: 3,
        total_clicks: 3,
        click_per_unique_open_rate: 100,
      },
    },
    {
      what: "a burst beside an open, which a scanner made too",
      events: [{}, click("a"), click("b"), click("c")],
      people: {},
      all: { ...clicked, multiple_clicks: 2, total_clicks: 3 },
    },
    {
      what: "a burst long after an open",
      events: [at("11:15:00"), ...["a", "b", "c"].map((link) => ({ ...click(link), ...at("11:20:00") }))],
      people: opened,
      all: { ...clicked, multiple_clicks: 2, total_clicks: 3 },
    },
  ]));

test("counts the devices of opens with a known device, with shares that sum to 100", (t) => {
  const [desktop, mobile] = [{ device: "desktop" }, { device: "mobile" }];
  const opens = (count: number, rates: Given) => ({
    ...opened,
    multiple_opens: count - 1,
    total_opens: count,
    ...rates,
  });
  const shares = (desktop_open_rate: number, mobile_open_rate: number) => ({
    desktop_open_rate,
    mobile_open_rate,
  });
  return checkNumbers(t, [
    { what: "one", events: [desktop, {}, {}], people: opens(3, shares(100, 0)) },
    { what: "thirds", events: [desktop, mobile, mobile], people: opens(3, shares(33, 67)) },
    {
      what: "eighths: a tie goes to the first",
      events: [desktop, ...Array(7).fill(mobile)],
      people: opens(8, shares(13, 87)),
    },
    {
      what: "eighths the other way round",
      events: [mobile, ...Array(7).fill(desktop)],
      people: opens(8, shares(88, 12)),
    },
    {
      what: "what user agents name",
      events: [
        { user_agent: userAgents.chrome },
        { user_agent: userAgents.iphone },
        { user_agent: userAgents.ipad },
        { user_agent: "The Bat! 9" },
      ],
      people: opens(4, shares(33, 67)),
    },
    {
      what: "an explicit device wins over the user agent",
      events: [{ user_agent: userAgents.iphone, ...desktop }],
      people: opens(1, shares(100, 0)),
    },
    {
      what: "a proxy has no device of its own",
      events: [{ user_agent: userAgents.gmail }, { user_agent: userAgents.yahoo }],
      people: opens(2, shares(0, 0)),
    },
    {
      what: "clicks, readings and answers have none",
      events: [click("a", mobile), read(0, mobile), pulse({ comment: "Hm", ...mobile })],
      people: clicked,
    },
    {
      what: "an automated open with an explicit mobile device",
      events: [desktop, { machine: true, ...mobile }],
      people: opens(1, shares(100, 0)),
      all: opens(2, shares(50, 50)),
    },
  ]);
});
