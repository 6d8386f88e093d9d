// Mail over a real SMTP server: invitations and forgotten passwords.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createMailer } from "../../src/letters/mailer.ts";
import { html } from "../../src/locale/html.ts";
import { setPassword } from "../../src/storage/users/passwords.ts";
import { actionsOf } from "../support/audit.ts";
import { hashCheaply, makeGuest } from "../support/guest.ts";
import { startSmtp } from "../support/smtp.ts";
import { placesWith } from "../support/stored-bytes.ts";
import { makeWebWorld, type WebWorld } from "../support/web-world.ts";
import { serve } from "../support/world.ts";

const people = "/settings/people";
const password = "nine green ships sail";
const fields = { new_password: password, again: password };
const linkIn = (text: string) => /http:\S+\/sign-in\/password\/\d+\.[0-9a-f]{64}/.exec(text)?.[0] ?? "";

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(10);
}

async function withAda({ world, signIn }: WebWorld) {
  const ada = await signIn("admin", { email: "ada@example.com" });
  await world.database.transactionOf(ada.user.organizationId, (scope) =>
    setPassword(scope, ada.user, hashCheaply(password)),
  );
  return ada;
}

test("sends headers that cannot be injected", async (t) => {
  const { mailer, received } = await startSmtp(t);
  await mailer.send({
    to: "ann@example.com",
    subject: "Hello\r\nBcc: evil@example.com\r\n\r\nBody",
    text: "Text ü",
    html: html`<p>${"<b>"}</p>`,
  });
  const [mail] = received;
  assert.deepEqual([mail?.from, mail?.to], ["analytics@example.com", ["ann@example.com"]]);
  const [head = ""] = (mail?.raw ?? "").split("\r\n\r\n");
  assert.doesNotMatch(head, /^Bcc:/im);
  assert.match(head, /^Auto-Submitted: auto-generated\r?$/m);
  assert.match(mail?.raw ?? "", /&lt;b&gt;/);
});

test("refuses to send credentials without TLS to another machine", async (t) => {
  const { url } = await startSmtp(t);
  const mailer = createMailer(
    url.replace("smtp://127.0.0.1", "smtp://ann:secret@localhost.localdomain"),
    "a@example.com",
  );
  const mail = { to: "ann@example.com", subject: "x", text: "x", html: html`x` };
  await assert.rejects(mailer.send(mail));
});

test("mails an invite link, with which the new user chooses a password", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t, { mailer });
  const admin = await web.signIn("admin");
  const added = await admin.post(people, "add", { email: "bob@example.com", role: "viewer" });
  assert.deepEqual([added.status, added.notice], [303, "Mailed an invite link to bob@example.com."]);
  const [mail] = received;
  assert.deepEqual(mail?.to, ["bob@example.com"]);
  const link = linkIn(mail?.text ?? "");
  const secret = link.slice(-64);
  assert.ok(!added.text.includes(secret));
  assert.deepEqual(await placesWith(web.world, secret), [], "the secret is not stored");
  assert.ok(!JSON.stringify(web.service.logged).includes(secret));
  const bob = makeGuest(web.service.url);
  await bob.get(new URL(link).pathname);
  assert.equal((await bob.post(new URL(link).pathname, fields)).status, 303);
});

test("shows the link to the admin if the mail server refuses the mail", async (t) => {
  const { mailer, received } = await startSmtp(t, { refuses: () => true });
  const web = await makeWebWorld(t, { mailer });
  const admin = await web.signIn("admin");
  const added = await admin.post(people, "add", { email: "bob@example.com", role: "viewer" });
  assert.equal(added.status, 200);
  assert.match(added.text, /The mail server did not accept the mail/);
  assert.match(added.text, /id="invitation"/);
  assert.deepEqual(received, []);
});

test("mails a link to a user who forgot the password, also to the only admin", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t, { mailer, resetMailMs: 0 });
  const ada = await withAda(web);
  const guest = makeGuest(web.service.url);
  assert.match((await guest.get("/sign-in")).text, /<a href="\/sign-in\/forgot">Forgot your password\?<\/a>/);
  await guest.get("/sign-in/forgot");
  const sent = await guest.post("/sign-in/forgot", { action: "forgot", email: " ADA@example.com" });
  assert.match(sent.text, /If a user has this email/);
  await until(() => received.length > 0);
  assert.equal((await ada.get(people)).status, 200, "the session and the password stay until then");
  const link = new URL(linkIn(received[0]?.text ?? "")).pathname;
  await guest.get(link);
  assert.equal(
    (await guest.post(link, { new_password: "ten red cars drive", again: "ten red cars drive" })).status,
    303,
  );
  assert.equal((await ada.get(people)).status, 303, "signed out everywhere else");
  assert.equal((await makeGuest(web.service.url).signIn("ada@example.com", password)).status, 401);
});

test("answers alike whether a user has the email, limits attempts, and needs the token of the form", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t, { mailer, resetMailMs: 0 });
  await withAda(web);
  const guest = makeGuest(web.service.url);
  await guest.get("/sign-in/forgot");
  const ask = (email: string) => guest.post("/sign-in/forgot", { action: "forgot", email });
  const [known, unknown] = [await ask("ada@example.com"), await ask("nobody@example.com")];
  assert.equal(known.status, 200);
  assert.equal(known.text, unknown.text);
  const forged = await guest.post("/sign-in/forgot", { email: "ada@example.com", form_token: "x" });
  assert.equal(forged.status, 403);
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await ask("ada@example.com")).status),
  );
  assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 429, 429]);
  await until(() => received.length >= 5);
  assert.ok(received.every(({ to }) => to[0] === "ada@example.com"));
});

test("does nothing for a forgotten password until later, and leaves an invite link that an admin made", async (t) => {
  const { mailer, received } = await startSmtp(t);
  const web = await makeWebWorld(t, { mailer, resetMailMs: 2 ** 29 });
  const admin = await web.signIn("admin");
  await admin.post(people, "add", { email: "bob@example.com", role: "viewer" });
  await until(() => received.length === 1);
  const invite = new URL(linkIn(received[0]?.text ?? "")).pathname;
  const guest = makeGuest(web.service.url);
  await guest.get("/sign-in/forgot");
  const resets = async () =>
    (await actionsOf(web.world, web.organization.id)).filter((each) => each.includes("user.reset"));
  await guest.post("/sign-in/forgot", { action: "forgot", email: "bob@example.com" });
  await guest.get("/sign-in");
  assert.deepEqual([await resets(), received.length], [[], 1]);
  // What waits is mailed when the process stops.
  await web.service.stop();
  assert.deepEqual([(await resets()).length, received.length], [1, 2]);
  const service = await serve(t, web.world, { publicUrl: () => "http://127.0.0.1" });
  for (const link of [new URL(linkIn(received[1]?.text ?? "")).pathname, invite]) {
    const bob = makeGuest(service.url);
    assert.equal((await bob.get(link)).status, 200);
  }
});

test("has no page for forgotten passwords if the service sends no mail", async (t) => {
  const { service } = await makeWebWorld(t);
  const guest = makeGuest(service.url);
  assert.doesNotMatch((await guest.get("/sign-in")).text, /Forgot your password/);
  assert.equal((await guest.get("/sign-in/forgot")).status, 404);
});
