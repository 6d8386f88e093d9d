// Messages to Slack and Teams, read by a real HTTP server.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import test, { type TestContext } from "node:test";
import { createPostToChat, isChatUrl, postToChat } from "../../src/letters/post-to-chat.ts";
import { saveChat } from "../../src/storage/organizations/chats.ts";
import { makeNotifiedWorld, notifierOf } from "../support/notified-world.ts";
import { makeWebWorld } from "../support/web-world.ts";

const kinds = { language: "en", notifications: ["digest" as const] };

interface Card {
  contentType: string;
  content: { body: { text: string }[]; actions: unknown };
}

async function startChat(t: TestContext) {
  const received: { path: string | undefined; body: unknown }[] = [];
  const answers: number[] = [];
  const server = createServer(async (incoming, answer) => {
    received.push({ path: incoming.url, body: await json(incoming) });
    const status = answers.shift() ?? 200;
    answer.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end("ok");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const post = createPostToChat({ isAllowed: () => true, start: request as never });
  return { received, answers, url: `http://127.0.0.1:${port}/services/secret-part`, post };
}

test("posts the digest to Slack and Teams once, without mail, and retries what they do not accept", async (t) => {
  const { received, answers, url, post } = await startChat(t);
  const web = await makeNotifiedWorld(t);
  const { world, organization, signIn } = web;
  for (const service of ["slack", "teams"] as const) {
    await world.database.transactionOf(organization.id, (scope) =>
      saveChat(scope, { service, url: `${url}/${service}`, ...kinds }),
    );
  }
  const notifier = notifierOf(web, { mailer: undefined, postToChat: post });
  // In minutes: the time between two attempts doubles, up to half an hour.
  const retries = [1, 3, 7, 15, 31, 61];
  const start = world.clock.now;
  answers.push(503, 200, ...Array<number>(5).fill(503));
  await notifier.run();
  assert.equal(received.length, 2);
  for (const [index, minutes] of retries.entries()) {
    world.clock.now = start + minutes * 60_000 - 1;
    await notifier.run();
    assert.equal(received.length, index + 2);
    world.clock.now += 1;
    await notifier.run();
    assert.equal(received.length, index + 3);
  }
  assert.deepEqual(
    received.map(({ path }) => path?.split("/").at(-1)),
    ["slack", "teams", ...retries.map(() => "slack")],
  );
  const [teams, slack] = [received[1], received.at(-1)];
  const text = (slack?.body as { text: string } | undefined)?.text ?? "";
  assert.match(text, /^\*Acme: 1 campaign, Jun 8.*\*\nAcme sent 1 campaign/);
  assert.match(text, /Pay &lt;day&gt; &amp; parking: 90\.0%/);
  assert.match(text, /<http:\/\/127\.0\.0\.1\/\?from=2026-06-01&until=2026-06-07\|Open the overview>$/);
  const card = (teams?.body as { attachments: Card[] } | undefined)?.attachments[0];
  assert.equal(card?.contentType, "application/vnd.microsoft.card.adaptive");
  assert.ok(card?.content.body.some((block) => block.text.startsWith("- Open rate: 64.5%")));
  assert.deepEqual(card?.content.actions, [
    {
      type: "Action.OpenUrl",
      title: "Open the overview",
      url: "http://127.0.0.1/?from=2026-06-01&until=2026-06-07",
    },
  ]);

  world.clock.now += 7 * 24 * 3_600_000;
  await world.publishDue();
  answers.push(302, 404);
  await notifier.run();
  world.clock.now += 48 * 3_600_000;
  await notifier.run();
  assert.equal(received.length, 10, "follows no redirect, and does not repeat what is refused");
  const page = (await (await signIn("admin")).get("/settings/chat")).text;
  assert.match(page, /HTTP 302/);
  assert.match(page, /HTTP 404/);
  assert.doesNotMatch(page, /secret-part/);
});

test("takes only https URLs of the two services, and saves none that was not seen to work", async (t) => {
  const posted: string[] = [];
  let problem: Error | undefined;
  const { signIn, service } = await makeWebWorld(t, {
    async postToChat(_service, url) {
      posted.push(url);
      if (problem) throw problem;
    },
  });
  const admin = await signIn("admin");
  const refused = [
    ...["http://hooks.slack.com/x", "https://hooks.slack.com.evil.example/x", "https://169.254.169.254/"],
    ...["https://hooks.slack.com:8443/x", "https://user@hooks.slack.com/x", "https://127.0.0.1/x"],
    ...["https://[::1]/x", "nothing"],
  ];
  for (const url of refused) {
    assert.equal(isChatUrl("slack", url), false, url);
    const { status, text } = await admin.post("/settings/chat", "slack", { slack_url: url, kinds: "digest" });
    assert.equal(status, 400, url);
    assert.match(text, /Webhook URL of Slack: an https URL of an incoming webhook of Slack/);
  }
  assert.deepEqual(posted, []);
  assert.equal(isChatUrl("teams", "https://prod-1.westeurope.logic.azure.com:443/workflows/x?sig=y"), true);
  await assert.rejects(
    postToChat("slack", "https://127.0.0.1/x", { title: "", text: "", link: { label: "", url: "" } }),
    /not one of slack/,
  );

  const { MailError } = await import("../../src/letters/mail-error.ts");
  problem = new MailError("HTTP 404", "refused");
  const slack = { slack_url: "https://hooks.slack.com/services/T0/B0/secret-part", kinds: "digest" };
  assert.match(
    (await admin.post("/settings/chat", "slack", slack)).text,
    /Slack did not accept the test: HTTP 404\. Nothing was saved\./,
  );
  assert.doesNotMatch((await admin.get("/settings/chat")).text, /Connected/);
  problem = undefined;
  assert.equal(
    (await admin.post("/settings/chat", "slack", slack)).notice,
    "Slack is connected. The test was posted.",
  );
  const page = (await admin.get("/settings/chat")).text;
  assert.match(page, /Connected: hooks\.slack\.com\./);
  assert.doesNotMatch(page, /secret-part/);
  assert.doesNotMatch(service.log(), /secret-part/);
  assert.equal((await (await signIn("viewer")).get("/settings/chat")).status, 403);
});
