// The digest, read from a real mail server, and the outbox.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import test from "node:test";
import { removeCampaign } from "../../src/counting/campaigns/remove-campaign.ts";
import { createMailer } from "../../src/letters/mailer.ts";
import { findCampaignIds } from "../../src/storage/campaigns/campaigns.ts";
import { addImport, saveImport } from "../../src/storage/imports/imports.ts";
import { saveChat } from "../../src/storage/organizations/chats.ts";
import { measureOutbox } from "../../src/storage/organizations/outbox.ts";
import { addUser, saveUser } from "../../src/storage/users/users.ts";
import { actionsOf } from "../support/audit.ts";
import { makeNotifiedWorld, notifierOf } from "../support/notified-world.ts";
import { freePort } from "../support/proxies.ts";
import { event, senderOf } from "../support/serve-sender.ts";
import { type ReceivedMail, startSmtp } from "../support/smtp.ts";
import { makeWebWorld, type WebWorld } from "../support/web-world.ts";
import { present, run } from "../support/world.ts";

const hourMs = 3_600_000;
/** Of Monday, June 15, 2026. */
const monday = Date.UTC(2026, 5, 15);

/** Users who have signed in. */
async function addReaders({ signIn }: WebWorld, names: readonly string[]) {
  const readers = [];
  for (const name of names) readers.push(await signIn("viewer", { email: `${name}@example.com` }));
  return readers;
}

/** What the command prints at the time of the clock. */
async function reportOf({ world: { databaseUrl, clock } }: WebWorld, ...argv: string[]): Promise<string> {
  const environment = { DATABASE_URL: databaseUrl, PUBLIC_URL: "http://127.0.0.1" };
  const { stdout } = await run(databaseUrl, ["report", ...argv], { now: () => clock.now, environment });
  return stdout.trimEnd();
}

const headerOf = ({ raw }: ReceivedMail, name: string) =>
  new RegExp(`^${name}:\\s+((?:.*\\r\\n[ \\t]+)*.*)\\r$`, "im").exec(raw)?.[1]?.replaceAll(/\r\n\s+/g, " ") ??
  "";
const recipientsOf = (mails: readonly ReceivedMail[]) => mails.map(({ to }) => to[0]?.split("@")[0]).sort();
const pathOf = (url: string) => new URL(url.replace(/^<|>$/g, "")).pathname;

test("mails the digest on Monday at 8 in the organization's zone, once, to readers who want it, with one-click unsubscribe", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeNotifiedWorld(t);
  const { world, service, organization } = web;
  await run(world.databaseUrl, ["organization", "change", "--time-zone", "Europe/Berlin"]);
  const [ann, , cecile] = await addReaders(web, ["ann", "bob", "cecile"]);
  assert.ok(ann && cecile);
  await world.database.transactionOf(organization.id, (scope) =>
    addUser(scope, { email: "invited@example.com", role: "viewer", now: world.clock.now }),
  );
  const [dora] = await addReaders(web, ["dora"]);
  assert.equal((await dora?.post("/settings/account", "notifications", {}))?.notice, "Choice saved.");
  await world.database.transactionOf(organization.id, (scope) =>
    saveUser(scope, cecile.user, { language: "fr" }),
  );
  const notifier = notifierOf(web, { mailer });
  for (const at of [monday - hourMs, monday + 6 * hourMs - 60_000]) {
    world.clock.now = at;
    await notifier.run();
  }
  assert.equal(received.length, 0);
  world.clock.now = monday + 6 * hourMs;
  await notifier.run();
  assert.deepEqual(recipientsOf(received), ["ann", "bob", "cecile"]);
  // Also after the clock was ten weeks ahead for a moment.
  for (const at of [7, 70 * 24 + 7, 8, 12, 42]) {
    world.clock.now = monday + at * hourMs;
    await notifier.run();
  }
  assert.equal(received.length, 3, "never twice");
  const recipients = received.map(({ to }) => to[0]?.split("@")[0] ?? "");

  const mailTo = (name: string) => received[recipients.indexOf(name)] as ReceivedMail;
  const mail = mailTo("ann");
  world.clock.now = monday + 6 * hourMs;
  const text = mail.text.replaceAll("\r\n", "\n");
  assert.equal(text.split("You get this mail")[0]?.trimEnd(), await reportOf(web));
  assert.match(mailTo("cecile").text, /Chiffres définitifs|CHIFFRES DÉFINITIFS/);
  assert.match(mail.raw, /Content-Type: multipart\/alternative/);
  assert.match(mail.raw, /Content-Type: text\/html; charset=utf-8/);
  assert.match(headerOf(mail, "Subject"), /Acme=3A_1_campaign=2C_Jun_8/);
  assert.equal(headerOf(mail, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
  const url = headerOf(mail, "List-Unsubscribe");
  assert.ok(text.includes(url.slice(1, -1)));

  const path = pathOf(url);
  const oneClick = () =>
    fetch(service.url + path, {
      method: "POST",
      body: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const page = await fetch(service.url + path);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Stop this mail to ann@example\.com\?/);
  const kinds = async () => {
    const text = (await ann.get("/settings/account")).text;
    return [...text.matchAll(/value="(\w+)" checked/g)].map(([, kind]) => kind);
  };
  assert.deepEqual(await kinds(), ["digest"], "a GET changes nothing");
  const forged = [path.slice(0, -1) + (path.endsWith("A") ? "B" : "A"), path.replace("-digest.", "-alerts.")];
  const others = [
    path.replace(/\/(\d+)-(\d+)-/, (_, id, user) => `/${id}-${Number(user) + 1}-`),
    "/unsubscribe/1-1-digest.",
  ];
  for (const wrong of [...forged, ...others]) {
    const response = await fetch(service.url + wrong, { method: "POST", body: "List-Unsubscribe=One-Click" });
    assert.equal(response.status, 404, wrong);
  }
  assert.deepEqual(await kinds(), ["digest"]);
  assert.deepEqual([(await oneClick()).status, (await oneClick()).status], [200, 200]);
  assert.deepEqual(await kinds(), []);
  const actions = await actionsOf(world, organization.id);
  assert.equal(
    actions.filter((each) => each === "somebody, notifications.change, ann@example.com, not digest").length,
    1,
  );

  world.clock.now = monday + 7 * 24 * hourMs + 8 * hourMs;
  await world.publishDue();
  await notifier.run();
  assert.deepEqual(recipientsOf(received.slice(3)), ["bob", "cecile"], "the next Monday");
});

/** What an outage hides from the digest of June 15: campaigns that were sent or reached their final numbers meanwhile. */
const outages = [
  // Its seven days end at 8:00.
  { name: "an hour", hours: 1, sentHours: [168.5, 200], sent: 1, final: 1, counting: 0 },
  { name: "a day", hours: 24, sentHours: [12, 180], sent: 1, final: 1, counting: 1 },
  { name: "a week", hours: 7 * 24, sentHours: [20, 60, 150, 300], sent: 3, final: 1, counting: 3 },
];

test("mails after an outage of an hour, a day and a week the digest that it would have mailed without", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t);
  const { world, service, signIn } = web;
  const end = monday + 8.5 * hourMs;
  for (const { name, hours, sentHours } of outages) {
    world.clock.now = end - hours * hourMs;
    const added = await world.addOrganization({ name });
    await signIn("viewer", {
      email: `${name.replace(" ", "-")}@example.com`,
      organization: added.organization,
    });
    const { put, post } = senderOf(service, added);
    for (const [index, sent] of sentHours.entries()) {
      const sentAt = end - sent * hourMs;
      await put(index + 1, { sent_at: new Date(sentAt).toISOString(), team: "HR" });
      if (sentAt > world.clock.now) continue;
      const opens = Array.from({ length: 30 }, (_, reader) =>
        event({
          campaign_id: index + 1,
          recipient: `${reader}@example.com`,
          at: new Date(sentAt).toISOString(),
        }),
      );
      assert.equal((await post(opens)).body.accepted, 30);
    }
  }
  world.clock.now = end;
  await notifierOf(web, { mailer }).run();
  const texts = new Map(received.map(({ to, text }) => [to[0], text.replaceAll("\r\n", "\n")]));
  await world.publishDue();
  for (const { name, ...expected } of outages) {
    const text = texts.get(`${name.replace(" ", "-")}@example.com`) ?? "no mail";
    const report = await reportOf(web, "--organization", name);
    assert.equal(text.split("You get this mail")[0]?.trimEnd(), report, name);
    const numberAt = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
    assert.deepEqual(
      {
        sent: numberAt(/ sent (\d+) campaign/),
        final: numberAt(/^FINAL NUMBERS OF (\d+) CAMPAIGN/m),
        counting: numberAt(/^(\d+) CAMPAIGNS? STILL COUNTING/m),
      },
      { sent: expected.sent, final: expected.final, counting: expected.counting },
      name,
    );
  }
});

test("loses no mail while the mail server is away for a day, or busy, gives up after three days, and tells of mail that did not arrive", async (t) => {
  const web = await makeNotifiedWorld(t);
  const { world } = web;
  await addReaders(web, ["ann", "bob", "gone", "later", "never"]);
  const admin = await web.signIn("admin");
  const port = await freePort();
  const notifier = notifierOf(web, {
    mailer: createMailer(`smtp://127.0.0.1:${port}`, "analytics@example.com"),
  });
  for (let hours = 0; hours < 24; hours++) {
    await notifier.run();
    world.clock.now += hourMs;
  }
  let isBusy = true;
  const attempts = new Map<string, number>();
  const { received } = await startSmtp(t, {
    port,
    refuses(to) {
      attempts.set(to, (attempts.get(to) ?? 0) + 1);
      if (to.startsWith("gone")) return 550;
      return to.startsWith("never") || (to.startsWith("later") && isBusy) ? 451 : false;
    },
  });
  await notifier.run();
  assert.deepEqual(recipientsOf(received), ["admin-1", "ann", "bob"]);
  isBusy = false;
  for (let hours = 0; hours < 50; hours++) {
    world.clock.now += hourMs;
    await notifier.run();
  }
  assert.deepEqual(recipientsOf(received), ["admin-1", "ann", "bob", "later"]);
  assert.equal(attempts.get("gone@example.com"), 1, "no loop");
  assert.equal(attempts.get("never@example.com"), 1 + 48, "every hour, until three days are over");
  const { text } = await admin.get("/settings/chat");
  const rowOf = (name: string) =>
    new RegExp(`<tr><th scope="row" class="text">${name}@example\\.com</th>.*?</tr>`, "s").exec(text)?.[0] ??
    "";
  assert.match(rowOf("gone"), /550 not now/);
  assert.match(rowOf("never"), /451 not now/);
  assert.doesNotMatch(text, /(ann|later)@example\.com<\/th>/);
});

test("drops the mail about a week whose campaigns are gone before it could be sent", async (t) => {
  const web = await makeNotifiedWorld(t);
  const { world, organization } = web;
  await addReaders(web, ["ann"]);
  const port = await freePort();
  const notifier = notifierOf(web, { mailer: createMailer(`smtp://127.0.0.1:${port}`, "a@example.com") });
  const pending = async () =>
    (await world.database.query((queries) => measureOutbox(queries, present))).pending;
  await notifier.run();
  assert.equal(await pending(), 1);
  const { now } = world.clock;
  const ids = await world.database.queryOf(organization.id, findCampaignIds);
  for (const id of ids)
    await world.database.transactionOf(organization.id, (scope) => removeCampaign(scope, id, now));
  const { received } = await startSmtp(t, { port });
  world.clock.now += hourMs;
  await notifier.run();
  assert.deepEqual([received.length, await pending()], [0, 0]);
});

test("mails no digest while a file is imported or undone in parts", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeNotifiedWorld(t);
  const { world, organization } = web;
  await addReaders(web, ["ann"]);
  const notifier = notifierOf(web, { mailer });
  const { now } = world.clock;
  const upload = { createdAt: now, expiresAt: now, createdBy: "ann", fileName: "f", bytes: 0 };
  const id = await world.database.transactionOf(organization.id, (scope) => addImport(scope, upload));
  for (const [state, mails] of [
    ["importing", 0],
    ["undoing", 0],
    ["undone", 1],
  ] as const) {
    await world.database.transactionOf(organization.id, (scope) => saveImport(scope, id, { state }));
    world.clock.now += 60_000;
    await notifier.run();
    assert.equal(received.length, mails, state);
  }
});

test("asks a mail server that is away once in a run, not for each mail, and posts to chats meanwhile", async (t) => {
  const web = await makeNotifiedWorld(t);
  const { world, organization } = web;
  // More mails than one query of the notifier finds.
  await addReaders(
    web,
    Array.from({ length: 60 }, (_, number) => `reader-${number}`),
  );
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const posted: string[] = [];
  const notifier = notifierOf(web, {
    mailer: createMailer(`smtp://127.0.0.1:${port}`, "a@example.com"),
    postToChat: async (service) => {
      posted.push(service);
    },
  });
  await notifier.run();
  assert.equal(connections, 1);
  const chat = { service: "slack", url: "https://hooks.slack.com/x", language: "en" } as const;
  await world.database.transactionOf(organization.id, (scope) =>
    saveChat(scope, { ...chat, notifications: ["digest"] }),
  );
  world.clock.now += 60_000;
  await notifier.run();
  assert.deepEqual(posted, ["slack"]);
});
