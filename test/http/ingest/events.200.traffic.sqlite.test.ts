// POST /ingest/v1/events: human and automated activity, and devices.

import test from "node:test";
import {
  at,
  checkNumbers,
  click,
  clicked,
  enps,
  opened,
  openedTwice,
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
