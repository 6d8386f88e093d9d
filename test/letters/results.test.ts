// The result of a campaign, and alerts.

import assert from "node:assert/strict";
import test from "node:test";
import { addSource, recordSourceEvents } from "../../src/storage/keys/sources.ts";
import { changeNotifications } from "../../src/storage/users/users.ts";
import { notifierOf } from "../support/notified-world.ts";
import { type ReceivedMail, startSmtp } from "../support/smtp.ts";
import { makeWebWorld, type WebWorld } from "../support/web-world.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 4, 1, 12);

async function makeReader({ world, signIn }: WebWorld, kind: "results" | "alerts") {
  const { user } = await signIn("viewer", { email: "ann@example.com" });
  await world.database.transactionOf(user.organizationId, (scope) =>
    changeNotifications(scope, user, [kind]),
  );
}

/** Sends a campaign to 100 people at a time of the clock; some open it after one hour, and others after two days. */
async function sendCampaign(
  { world, organization }: WebWorld,
  id: number,
  sentAt: number,
  [soon, late]: [number, number],
  subject = `Campaign ${id}`,
) {
  await world.register(organization, id, { sent_at: new Date(sentAt).toISOString(), team: "HR", subject });
  const events = Array.from({ length: soon + late }, (_, number) => ({
    ...{ id: `e-${number}`, campaign_id: id, recipient: `${number}@example.com`, type: "open" },
    at: new Date(sentAt + (number < soon ? 1 : 50) * hourMs).toISOString(),
  }));
  await world.ingest(organization, events);
}

const bodyOf = (mail: ReceivedMail | undefined) =>
  (mail?.text ?? "").replaceAll("\r\n", "\n").split("\nOpen the")[0];

test("mails the result 24 and 72 hours after a campaign was sent, as its page has it, without what came later", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t);
  const { world, signIn } = web;
  await makeReader(web, "results");
  world.clock.now = start + 40 * 24 * hourMs;
  for (let id = 1; id <= 6; id++) await sendCampaign(web, id, start + id * 24 * hourMs, [40 + id, 10]);
  const sentAt = world.clock.now - 100 * hourMs;
  await sendCampaign(web, 9, sentAt, [60, 10], "Pay\r\nBcc: evil@example.com");
  const notifier = notifierOf(web, { mailer });
  const runAt = async (hours: number) => {
    world.clock.now = sentAt + hours * hourMs;
    await notifier.run();
  };
  await runAt(24 - 1 / hourMs);
  assert.equal(received.length, 0);
  await runAt(30);
  await runAt(71.9);
  assert.equal(received.length, 1);
  for (const hours of [72, 80]) {
    await runAt(hours);
    assert.equal(received.length, 2);
  }
  const [first, second] = received;
  assert.match(
    bodyOf(first) ?? "",
    /AFTER 24.H\n- Open rate: 60\.0% \(50–69\)\n {2}↗ \+16\.5 pts, 24.h: 60\.0%, usually 43\.5%\n- Click rate: 0\.0%/,
  );
  assert.match(bodyOf(second) ?? "", /AFTER 72.H\n- Open rate: 70\.0% \(60–78\)/);
  assert.match(bodyOf(first) ?? "", /vs\. HR at this age \(6 campaigns\)/);
  const [head = ""] = (first?.raw ?? "").split("\r\n\r\n");
  assert.doesNotMatch(head, /^Bcc:/im);
  assert.deepEqual(first?.to, ["ann@example.com"]);
  const page = (await (await signIn("viewer")).get("/campaigns/9")).text;
  assert.match(page.replaceAll(/\s/g, " "), /72 h: 70\.0%, usually 53\.5%/);
  assert.match((bodyOf(second) ?? "").replaceAll(/\s/g, " "), /72 h: 70\.0%, usually 53\.5%/);
});

test("mails an alert once for a silent source, once a day for events that could not be counted, and none when that is mended", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t);
  const { world, organization } = web;
  await makeReader(web, "alerts");
  world.clock.now = start;
  const base = { secret: undefined, campaignField: "campaign_id", now: start };
  await world.database.transactionOf(organization.id, async (scope) => {
    for (const provider of ["postmark", "brevo"]) {
      await recordSourceEvents(
        scope,
        await addSource(scope, { ...base, provider }),
        new Set(["open"]),
        start,
      );
    }
  });
  const notifier = notifierOf(web, { mailer });
  const runAt = async (hours: number) => {
    world.clock.now = start + hours * hourMs;
    await notifier.run();
  };
  const subjects = () => received.map((mail) => bodyOf(mail)?.split("\n")[0]).sort();
  await runAt(7 * 24);
  assert.deepEqual(subjects(), []);
  await runAt(7 * 24 + 1);
  await runAt(8 * 24);
  assert.deepEqual(subjects(), ["Brevo stopped sending events.", "Postmark stopped sending events."]);

  const events = Array.from({ length: 3 }, (_, number) => ({
    ...{ id: `e-${number}`, campaign_id: 77, recipient: `${number}@example.com`, type: "open" },
    at: new Date(world.clock.now).toISOString(),
  }));
  await world.ingest(organization, events);
  await runAt(8 * 24 + 0.1);
  assert.equal(received.length, 2, "events often wait only for their campaign");
  await runAt(8 * 24 + 2);
  await runAt(8 * 24 + 5);
  assert.equal(received.length, 3);
  assert.equal(subjects()[0], "3 events could not be counted and are in quarantine.");

  await runAt(9 * 24 + 1);
  await world.ingest(organization, [{ ...events[0], id: "other", campaign_id: 78 }]);
  await runAt(9 * 24 + 1.1);
  await world.register(organization, 78, { sent_at: new Date(start).toISOString() });
  await runAt(9 * 24 + 5);
  assert.equal(received.length, 3, "counted meanwhile");
});

test("mails an alert for bounces beyond the usual after 24 hours, and for complaints at each limit once a month", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t);
  const { world, organization } = web;
  await makeReader(web, "alerts");
  world.clock.now = start;
  const team = { team: "HR", recipient_count: 400, delivery_reports: ["bounce", "delivery", "complaint"] };
  let count = 0;
  const send = async (id: number, sentAt: number, outcomes: Record<string, number>) => {
    await world.register(organization, id, {
      ...team,
      subject: `No. ${id}`,
      sent_at: new Date(sentAt).toISOString(),
    });
    const at = new Date(sentAt + hourMs).toISOString();
    const events = Object.entries(outcomes).flatMap(([type, number]) =>
      Array.from({ length: number }, (_, index) => ({
        ...{ id: `e-${count++}`, campaign_id: id, recipient: `${index}@example.com`, type, at },
        ...(type === "bounce" && { bounce: "hard" }),
      })),
    );
    world.clock.now = Math.max(world.clock.now, sentAt + 2 * hourMs);
    await world.ingest(organization, events);
  };
  const notifier = notifierOf(web, { mailer });
  const mailed = async (at: number) => {
    world.clock.now = at;
    await world.publishDue();
    await notifier.run();
    return received
      .splice(0)
      .map((mail) => mail.text.replaceAll("\r\n", "\n").replaceAll(/[\u2068\u2069]/g, ""));
  };
  for (const id of [1, 2, 3])
    await send(id, start - (40 + id) * 24 * hourMs, { bounce: 3 + id, delivery: 400 });
  await send(4, start, { bounce: 60 });
  await send(5, start, { bounce: 6 });
  assert.deepEqual(await mailed(start + 23 * hourMs), []);
  const [first = "", ...others] = await mailed(start + 24 * hourMs);
  assert.deepEqual(others, []);
  assert.match(
    first,
    /^15\.0% of “No\. 4” bounced\.\n.*\/campaigns\/4\n.*Usually it is [\d.<]+% to [\d.]+%\./s,
  );
  assert.deepEqual(await mailed(start + 25 * hourMs), [], "once");

  await send(6, start + 26 * hourMs, { delivery: 400, complaint: 4 });
  assert.deepEqual(await mailed(start + 30 * hourMs), [], "four are few");
  for (const id of [7, 8, 9, 10, 11, 12]) await send(id, start + 31 * hourMs, { delivery: 400 });
  await send(13, start + 31 * hourMs, { delivery: 400, complaint: 1 });
  const [at01 = ""] = await mailed(start + 34 * hourMs);
  assert.match(at01, /^0\.156% of the messages of the last 30 days were reported as spam\.\n/);
  assert.match(at01, /Stay below 0\.1%\. From 0\.3% on, .*Gmail reports no complaints to providers/s);
  await send(14, start + 35 * hourMs, { delivery: 400, complaint: 12 });
  assert.deepEqual(
    (await mailed(start + 38 * hourMs)).map((text) => text.split("\n")[0]),
    ["Act now: 0.472% of the messages of the last 30 days were reported as spam."],
  );
  assert.deepEqual(await mailed(start + 39 * hourMs), []);
});
