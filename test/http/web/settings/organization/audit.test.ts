// The audit log: every action of every page writes one entry, and the page shows them to admins.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { TOTP } from "otpauth";
import { auditActions } from "../../../../../src/access/audit-actions.ts";
import { quoteName } from "../../../../../src/campaign/fields/names.ts";
import { addAttributes } from "../../../../../src/counting/audience/add-attributes.ts";
import { compressPiece } from "../../../../../src/counting/import/pieces.ts";
import { appendPiece, startUpload } from "../../../../../src/counting/import/upload.ts";
import { AttemptLimit } from "../../../../../src/http/web/frame/attempt-limit.ts";
import type { WebContext } from "../../../../../src/http/web/frame/web-context.ts";
import { allPages } from "../../../../../src/http/web/routes.ts";
import { shortId } from "../../../../../src/http/web/sources/source-url.ts";
import { listApiKeys } from "../../../../../src/storage/keys/api-keys.ts";
import { addSource } from "../../../../../src/storage/keys/sources.ts";
import { recordAction } from "../../../../../src/storage/organizations/audit-log.ts";
import { listRules } from "../../../../../src/storage/organizations/rules.ts";
import { addTag } from "../../../../../src/storage/organizations/tags.ts";
import { setPassword } from "../../../../../src/storage/users/passwords.ts";
import { addSession, listSessions } from "../../../../../src/storage/users/sessions.ts";
import { actionsOf } from "../../../../support/audit.ts";
import { open, tamper } from "../../../../support/events.ts";
import { hashCheaply, makeGuest } from "../../../../support/guest.ts";
import { sqliteTest } from "../../../../support/sqlite-test.ts";
import { makeWebWorld, type SignedInClient, type WebWorld } from "../../../../support/web-world.ts";
import { run } from "../../../../support/world.ts";

const password = "nine green ships sail";
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const path = "/settings/audit";
const keysPath = "/settings/integrations/analytics-api";

interface Given extends WebWorld {
  /** The last part of the URL of its page. */
  source: string;
  admin: SignedInClient;
  viewer: SignedInClient;
  tagId: number;
  /** Of the last file. */
  importId: number;
}

type Fields = Record<string, string | File>;

const campaignFile = "id,subject,sent_at\n50,Fifty,2024-01-01\n";

/** Adds a file of campaigns that waits, or of which nothing has arrived. */
async function addFile(given: Given, hasArrived = true): Promise<Fields> {
  const { world, organization } = given;
  const content = await compressPiece(Buffer.from(campaignFile));
  const length = campaignFile.length;
  given.importId = await world.database.transactionOf(organization.id, async (scope) => {
    const file = { now: world.clock.now, user: "ann@example.com", fileName: "a.csv", bytes: length };
    const id = await startUpload(scope, file);
    if (hasArrived) await appendPiece(scope, { id, position: 0, length, content });
    return id;
  });
  return {};
}

const userOf = ({ viewer }: Given): Fields => ({ user: `${viewer.user.id}` });
/** Campaign 1 alone. */
const selection = hash("sha256", "1");

/** What each action sends, and the end of its entry. The pieces of a file have that of the file. */
const actions: Record<
  string,
  [fields: Fields | ((given: Given) => Fields | Promise<Fields>), entry: string | undefined]
> = {
  "/campaigns/import upload": [{ file: new File([campaignFile], "b.csv") }, "file.upload, b.csv"],
  "/campaigns/import start": [{ name: "c.csv", bytes: "9" }, "file.upload, c.csv"],
  "/campaigns/import/:id piece": [
    async (given) => {
      await addFile(given, false);
      return { position: "0", file: new File([campaignFile], "blob") };
    },
    undefined,
  ],
  "/campaigns/import/:id discard": [addFile, "file.discard, a.csv"],
  "/campaigns/import/:id import": [addFile, "campaigns.import, a.csv: 1 added, 0 changed"],
  "/campaigns/import/:id undo": [{}, "campaigns.undo, a.csv: 1 removed, 0 restored, 0 kept"],
  "/campaigns/import/:id forget": [addFile, undefined],
  "/campaigns/edit tag": [
    { selection, tag: "News" },
    `campaigns.edit, tag ${quoteName("News")}: 1 changed, of campaigns 1`,
  ],
  "/campaigns/edit untag": [
    ({ tagId }) => ({ selection, tag_id: String(tagId) }),
    `campaigns.edit, without tag ${quoteName("News")}: 1 changed, of campaigns 1`,
  ],
  "/campaigns/edit team": [
    { selection, team: "HR" },
    `campaigns.edit, team ${quoteName("HR")}: 1 changed, of campaigns 1`,
  ],
  "/campaigns/:id correct": [{ subject: "One" }, "campaign.change, campaign 1: subject"],
  "/campaigns/:id reset": [{ field: "subject" }, "campaign.reset, campaign 1: subject"],
  "/campaigns/:id tags": [({ tagId }) => ({ tag_ids: String(tagId) }), "campaign.change, campaign 1: tags"],
  "/connect/:tool create_key": [{}, "key.add, Power BI"],
  [`${keysPath} add`]: [{ name: "Sheet", scope: "read" }, "key.add, Sheet"],
  [`${keysPath} allow_links`]: [{}, "csv-link.allow, Acme"],
  [`${keysPath} add_link`]: [{ link_name: "Board", days: "7" }, "csv-link.add, Board"],
  [`${keysPath} refuse_links`]: [{}, "csv-link.refuse, Acme"],
  "/settings/share-links allow_links": [{}, "share-link.allow, Acme"],
  "/settings/share-links add": [{ name: "Desk", days: "7", view: "/" }, "share-link.add, Desk"],
  "/settings/share-links revoke": [shareLinkOf, "share-link.revoke, Desk"],
  "/settings/share-links refuse_links": [{}, "share-link.refuse, Acme"],
  [`${keysPath}/:id roll`]: [{ days: "7" }, "key.roll, test"],
  [`${keysPath}/:id delete`]: [{}, "key.delete, test"],
  "/settings/tags add": [{ name: "New", color: "#112233" }, "tag.add, New"],
  "/settings/tags add_rule": [
    { field: "subject", text: "news", tag: "News" },
    `rule.add, subject: ${quoteName("news")}`,
  ],
  "/settings/tags delete_rule": [ruleOf, `rule.delete, subject: ${quoteName("news")}`],
  "/settings/tags/:id change": [
    { name: "Info", color: "#112233" },
    "tag.change, News, name: Info, color: #112233",
  ],
  "/settings/tags/:id delete": [{}, "tag.delete, Info"],
  "/sources replay": [{}, "quarantine.replay, all campaigns"],
  "/sources discard": [{ shown_at: "0" }, "quarantine.discard, all campaigns"],
  "/sources add": [{ provider: "brevo", campaign_field: "campaign_id" }, "source.add, brevo 1-SOURCE"],
  "/sources/:source field": [{ campaign_field: "other" }, "source.change, brevo 1-SOURCE, campaign field"],
  "/sources/:source reports": [
    { reports: "bounce" },
    "source.change, brevo 1-SOURCE, delivery events bounce",
  ],
  "/sources/:source secret": [{ secret: "a:secret" }, "source.change, brevo 1-SOURCE, secret"],
  "/sources/:source delete": [{}, "source.delete, brevo 1-SOURCE"],
  "/settings/people add": [{ email: "b@example.com", role: "viewer" }, "user.invite, b@example.com, viewer"],
  "/settings/people role": [
    (given) => ({ ...userOf(given), role: "admin" }),
    "user.change, viewer-2@example.com, admin",
  ],
  "/settings/people reset": [userOf, "user.reset, viewer-2@example.com"],
  "/settings/people reset-second-factor": [userOf, "second-factor.reset, viewer-2@example.com"],
  "/settings/people end-session": [
    (given) => addSessionOf(given, given.viewer),
    "session.end, viewer-2@example.com",
  ],
  "/settings/people remove": [userOf, "user.delete, viewer-2@example.com"],
  "/settings/organization organization": [
    { name: "Acme 2", time_zone: "UTC", count: "people", audit_days: "31" },
    "organization.change, name: Acme 2, audit days: 31",
  ],
  "/settings/privacy refuse": [{ name: "Acme 2" }, "organization.change, persons: refuse"],
  "/settings/privacy find": [{ recipient: "ann@example.com" }, "recipients.view, one person, to forget"],
  "/settings/privacy forget": [{ recipient: "ann@example.com" }, "recipient.forget, 0 campaigns"],
  "/ dismiss": [{}, "organization.change, Acme 2, set-up: dismissed"],
  "/campaigns/:id close": [{}, "campaign.close, campaign 1"],
  "/campaigns/:id delete": [{}, "campaign.delete, campaign 1"],
  "/campaigns/edit delete": [
    async ({ world, organization }) => {
      await world.register(organization, 1, { tracking_type: "Overall" });
      return { selection };
    },
    "campaigns.edit, deleted: 1 changed, of campaigns 1",
  ],
  "/campaigns/import sample": [{}, "campaigns.import, sample data: 76 added, 0 changed"],
  "/campaigns/register register": [
    { subject: "Two", sent_at: "2026-01-31T09:00", recipient_count: "9", id: "2", senders: "2" },
    "campaign.add, campaign 2",
  ],
  "/settings/privacy allow": [{}, "organization.change, persons: allow"],
  "/settings/audience add": [{ name: "Site" }, "attribute.add, Site"],
  "/settings/audience rename": [{ attribute: "1", name: "Unit" }, "attribute.change, Department, name: Unit"],
  "/settings/audience upload": [
    { file: new File(["recipient,Unit\na@example.com,IT\n"], "directory.csv") },
    "directory.replace, 1 recipient",
  ],
  "/settings/audience delete": [{ attribute: "1" }, "attribute.delete, Unit"],
  "/settings/audience min_group": [{ min_group: "12" }, "organization.change, min group: 12"],
  "/settings/chat slack": [
    { slack_url: "https://hooks.slack.com/services/T/B/x", kinds: "alerts" },
    "chat.change, slack, alerts",
  ],
  "/settings/chat remove-slack": [{}, "chat.delete, slack"],
  "/settings/chat teams": [
    { teams_url: "https://acme.webhook.office.com/x", kinds: "digest" },
    "chat.change, teams, digest",
  ],
  "/settings/chat remove-teams": [{}, "chat.delete, teams"],
  "/settings/account notifications": [{ kinds: "results" }, "notifications.change, results"],
  "/settings/account language": [{ language: "de" }, "language.change, de"],
  "/settings/account end-session": [
    (given) => addSessionOf(given, given.admin),
    "session.end, admin-1@example.com",
  ],
  "/settings/account/second-factor on": [
    ({ world: { clock } }) => ({
      ...{ secret, password, code: new TOTP({ secret }).generate({ timestamp: clock.now }) },
    }),
    "second-factor.add, admin-1@example.com",
  ],
  "/settings/account/second-factor codes": [{ password }, "second-factor.codes, admin-1@example.com"],
  "/settings/account/second-factor off": [
    { password_off: password },
    "second-factor.delete, admin-1@example.com",
  ],
  "/settings/account password": [
    { password, new_password: "ten red cars drive", again: "ten red cars drive" },
    "password.change, admin-1@example.com",
  ],
};

/** Pages and files that show data about people, or export. */
const views: Record<string, string> = {
  "/campaigns.csv": "data.export, campaigns-all-time-human.csv",
  "/audience.csv": "data.export, audience-all-time-human.csv",
  "/breakdown.csv": "data.export, breakdown-by-team-all-time-human.csv",
  "/audience/non-readers.csv": "recipients.export, non-readers of 0 campaigns",
  "/audience/non-readers": "recipients.view, non-readers of 0 campaigns",
  "/links.csv": "data.export, links-all-time-human.csv",
  "/comments.csv": "data.export, comments-all-time.csv",
  "/campaigns/:id/recipients.csv": "recipients.export, campaign 1",
  "/campaigns/:id/recipients": "recipients.view, campaign 1",
  "/settings/audit.csv": "data.export, audit-log.csv",
};

async function addSessionOf({ world, organization }: WebWorld, { user }: SignedInClient): Promise<Fields> {
  const { now } = world.clock;
  const list = () => world.database.queryOf(organization.id, (scope) => listSessions(scope, now));
  const known = await list();
  await world.database.transactionOf(organization.id, (scope) =>
    addSession(scope, user, { client: "x", now }),
  );
  const added = (await list()).find(({ hash }) => known.every((each) => each.hash !== hash));
  return { session: added?.hash ?? assert.fail("no session") };
}

async function ruleOf({ world, organization }: Given): Promise<Fields> {
  const [rule] = await world.database.queryOf(organization.id, listRules);
  return { id: String(rule?.id) };
}

async function shareLinkOf({ world, organization }: Given): Promise<Fields> {
  const keys = await world.database.queryOf(organization.id, listApiKeys);
  return { link: String(keys.find(({ scope }) => scope === "share-link")?.id) };
}

async function start(t: TestContext): Promise<Given> {
  const web = await makeWebWorld(t, {
    publicUrl: () => "http://localhost",
    postToChat: async () => undefined,
  });
  const { world, organization } = web;
  const [admin, viewer] = [await web.signIn("admin"), await web.signIn("viewer")];
  await world.register(organization, 1, { tracking_type: "Individual" });
  await world.ingest(organization, [open(1), open(2, { campaign_id: 77 })]);
  const { tagId, added } = await world.database.transactionOf(organization.id, async (scope) => {
    await setPassword(scope, admin.user, hashCheaply(password));
    await addAttributes(scope, ["Department"]);
    const tag = await addTag(scope, { name: "News", color: "#000000" });
    const source = { provider: "brevo", secret: undefined, campaignField: "campaign_id" };
    const by = { now: world.clock.now, createdBy: admin.user.email };
    return { tagId: tag.id, added: await addSource(scope, { ...source, ...by }) };
  });
  return { ...web, admin, viewer, tagId, source: shortId(added), importId: 0 };
}

/** A path of a page with values for its parameters. */
const filledIn = (page: string, { tagId, source, importId }: Given) =>
  page
    .replace(":tool", "power-bi")
    .replace(":source", source)
    .replace("/tags/:id", `/tags/${tagId}`)
    .replace("/import/:id", `/import/${importId}`)
    .replace("/campaigns/edit", "/campaigns/edit?ids=1")
    .replace(":id", "1");

/** The pages as the server registers them. */
function registeredPages({ world }: WebWorld) {
  const { database } = world;
  return allPages({ database } as unknown as WebContext, new AttemptLimit());
}

test("every action of every page writes one entry with the email of its user", async (t) => {
  const given = await start(t);
  const registered = registeredPages(given).flatMap((page) =>
    Object.keys(page.actions ?? {}).map((action) => `${page.path} ${action}`),
  );
  assert.deepEqual(Object.keys(actions).sort(), registered.sort());
  for (const [name, [fields, entry]] of Object.entries(actions)) {
    const [page = "", action = ""] = name.split(" ");
    const before = await actionsOf(given.world, given.organization.id);
    const sent = typeof fields === "function" ? await fields(given) : fields;
    const { status, text } = await given.admin.post(filledIn(page, given), action, sent);
    assert.ok(status === 200 || status === 303, `${name}: ${status} ${text}`);
    const after = await actionsOf(given.world, given.organization.id);
    const masked = after.map((each) => each.replace(/-[0-9a-f]{6}…/, "-SOURCE"));
    const added = entry === undefined ? [] : [`admin-1@example.com, ${entry}`];
    assert.deepEqual(masked.slice(0, added.length), added, name);
    assert.deepEqual(after.slice(added.length), before, name);
  }
});

/** The pages of viewers, and their own account, which they may change. */
const pagesOfViewers =
  /^\/($|campaigns(\.csv|\/compare|\/:id)?$|(breakdown|links|audience|comments)(\.csv)?$|surveys|series|search|connect(\/:tool)?$|help|settings\/(tags|account)|sources(\/traffic)?$)/;
const ownAccount = "/settings/account";

sqliteTest("every page and action needs its role, and every form the token of its session", async (t) => {
  const given = await start(t);
  const { admin, viewer, world, organization } = given;
  for (const page of registeredPages(given)) {
    const path = filledIn(page.path, given);
    const isOfViewers = pagesOfViewers.test(page.path) && page.path !== "/settings/tags/:id";
    assert.equal((await viewer.get(path)).status !== 403, isOfViewers, page.path);
    const file: Fields = page.hasUpload ? { file: new File(["x"], "x.csv") } : {};
    for (const action of Object.keys(page.actions ?? {})) {
      const name = `${page.path} ${action}`;
      if (!page.path.startsWith(ownAccount)) {
        assert.equal((await viewer.post(path, action, file)).status, 403, name);
      }
      for (const form_token of ["", viewer.csrfToken]) {
        const { status, text } = await admin.post(path, action, { ...file, form_token });
        assert.equal(status, 403, name);
        assert.match(text, /Your changes were not saved/, name);
      }
    }
  }
  const changes = (await actionsOf(world, organization.id)).filter((each) => !/, data\.export, /.test(each));
  assert.deepEqual(changes, []);
});

sqliteTest("every file of a page and every list of recipients writes one entry", async (t) => {
  const given = await start(t);
  const registered = registeredPages(given).map((page) => page.path);
  const logged = registered.filter((each) => /\.csv$|recipients|non-readers/.test(each));
  assert.deepEqual(Object.keys(views).sort(), logged.sort());
  for (const [page, entry] of Object.entries(views)) {
    const before = await actionsOf(given.world, given.organization.id);
    await given.admin.read(`${filledIn(page, given)}?q=person-1&period=all`);
    const after = await actionsOf(given.world, given.organization.id);
    assert.deepEqual(after, [`admin-1@example.com, ${entry}`, ...before], page);
  }
  const before = await actionsOf(given.world, given.organization.id);
  assert.equal((await given.viewer.get("/campaigns/1/recipients")).status, 403);
  assert.equal((await given.admin.get("/campaigns/1")).status, 200);
  assert.deepEqual(await actionsOf(given.world, given.organization.id), before);
});

sqliteTest("choosing a password, signing in and out write entries, a wrong password none", async (t) => {
  // What else receives forms.
  const folder = join(import.meta.dirname, "../../../../../src/http/web");
  const posting = globSync("**/*.ts", { cwd: folder }).filter((file) =>
    /scope\.post\(|addGuestForm\(scope,/.test(readFileSync(join(folder, file), "utf8")),
  );
  const ofSignIn = [
    "choose-password",
    "forgot-password",
    "guest-form",
    "second-factor",
    "sign-in",
    "sign-out",
  ];
  assert.deepEqual(posting.sort(), [
    ...["frame/add-page.ts", "set-up/set-up.ts", "settings/account/unsubscribe.ts"],
    ...ofSignIn.map((page) => `sign-in/${page}.ts`),
  ]);
  const { world, organization, service } = await start(t);
  const add = ["user", "add", "--organization", String(organization.id), "--email", "bob@example.com"];
  const added = await run(world.databaseUrl, add);
  const before = await actionsOf(world, organization.id);
  const bob = makeGuest(service.url);
  const invite = new URL(added.stdout.trim()).pathname;
  await bob.get(invite);
  assert.equal((await bob.post(invite, { new_password: password, again: password })).status, 303);
  await bob.signOut();
  assert.equal((await bob.signIn("bob@example.com", "wrong")).status, 401);
  assert.equal((await bob.signIn("bob@example.com", password)).status, 303);
  await bob.signOut();
  await bob.signOut();
  const entries = await actionsOf(world, organization.id);
  const fresh = entries.slice(0, -before.length).map((each) => each.split(", ").slice(0, 2).join(" "));
  const expected = ["session.end", "session.start", "session.end", "session.start", "password.change"];
  assert.deepEqual(fresh.join(), expected.map((action) => `bob@example.com ${action}`).join());
});

sqliteTest("a campaign that a program deletes has an entry of its key, a registered one none", async (t) => {
  const { world, organization, service, ingestKey: key } = await start(t);
  const url = "/ingest/v1/campaigns/1";
  assert.equal((await service.send(url, { key, method: "DELETE" })).status, 204);
  assert.equal((await service.send(url, { key, method: "DELETE" })).status, 404);
  assert.deepEqual(await actionsOf(world, organization.id), ["API key sender, campaign.delete, campaign 1"]);
});

test("a page changes and shows nothing if its entry cannot be saved", async (t) => {
  const given = await start(t);
  const { admin, world, tagId } = given;
  await tamper(world, "alter table audit_log rename to gone");
  const names = { name: "Info", color: "#112233" };
  // A job of the writer thread, and a transaction of the page.
  assert.equal((await admin.post(`/settings/tags/${tagId}`, "change", names)).status, 500);
  assert.equal((await admin.post("/settings/tags", "add", names)).status, 500);
  for (const page of ["/campaigns/1/recipients", "/campaigns/1/recipients.csv"]) {
    const { status, text } = await admin.get(page);
    assert.equal(status, 500);
    assert.doesNotMatch(text, /person-1/);
  }
  await tamper(world, "alter table gone rename to audit_log");
  const text = await admin.read("/settings/tags");
  assert.match(text, /News/);
  assert.doesNotMatch(text, /Info/);
});

sqliteTest("an action that is refused writes no entry", async (t) => {
  const given = await start(t);
  const { admin, viewer, world, organization } = given;
  assert.equal((await viewer.post("/settings/tags", "add", { name: "X", color: "#000000" })).status, 403);
  assert.equal((await admin.post("/settings/tags", "add", { name: "news", color: "#000000" })).status, 409);
  assert.equal((await admin.post("/settings/tags/99", "delete")).status, 404);
  const few = { name: "Acme", time_zone: "UTC", count: "people", audit_days: "29" };
  const refused = await admin.post("/settings/organization", "organization", few);
  assert.equal(refused.status, 400);
  const problem = /id="audit_days_problem">&quot;29&quot; is not a whole number from 30 to 100000/;
  assert.match(refused.text, problem);
  const same = { name: "Acme", time_zone: "UTC", count: "people", audit_days: "400" };
  assert.equal((await admin.post("/settings/organization", "organization", same)).status, 303);
  assert.deepEqual(await actionsOf(world, organization.id), []);
});

/** 150 entries of two users, one a minute. */
async function many({ world, organization }: WebWorld): Promise<void> {
  await world.database.transactionOf(organization.id, async (scope) => {
    for (let number = 1; number <= 150; number++) {
      await recordAction(scope, {
        at: world.clock.now - (150 - number) * 60_000,
        actor: number % 10 === 0 ? "eve_1@example.com" : "ann@example.com",
        action: number % 3 === 0 ? "tag.add" : "key.add",
        target: number === 150 ? "=1+1" : `<b>${number}</b>`,
      });
    }
  });
}

const targetsOn = (text: string) =>
  [...text.matchAll(/<td class="text" data-label="What"><bdi>(?:&lt;b&gt;)?([^&<]*)/g)].map(
    ([, target]) => target,
  );

test("shows entries newest first, page by page, filtered by action and actor", async (t) => {
  const given = await start(t);
  await many(given);
  const { admin } = given;
  const first = await admin.read(path);
  assert.match(first, /<h1>Audit log<\/h1>/);
  assert.match(first, /Entries are deleted after 400 days\./);
  assert.match(first, /Jun 15, 2026, 12:00 PM UTC<\/th>\s*<td[^>]*><bdi>eve_1@example\.com<\/bdi>/);
  assert.match(first, /<td data-label="Action">Added a tag<\/td>/);
  const [newest, ...others] = targetsOn(first);
  assert.deepEqual([newest, others.length, others[0], others.at(-1)], ["=1+1", 99, "149", "51"]);
  const next = /<a href="([^"]*)"[^>]*>Next page/.exec(first)?.[1] ?? "";
  const second = await admin.get(next.replaceAll("&amp;", "&"));
  assert.deepEqual([targetsOn(second.text).length, targetsOn(second.text)[0]], [50, "50"]);
  assert.doesNotMatch(second.text, /Next page/);
  assert.match(second.text, /<a href="\/settings\/audit"[^>]*>Back to the start/);

  const filtered = await admin.get(`${path}?action=tag.add&actor=EVE_1`);
  assert.deepEqual(targetsOn(filtered.text), ["=1+1", "120", "90", "60", "30"]);
  assert.match(filtered.text, /<option value="tag\.add" selected>Added a tag/);
  assert.match(filtered.text, /href="\/settings\/audit\.csv\?action=tag\.add&amp;actor=EVE_1" download/);
  for (const actor of ["eve%251", "%25", "\\", "%00none"]) {
    assert.match(await admin.read(`${path}?actor=${actor}`), /No actions match\./, actor);
  }
  for (const query of ["action=unknown", "before=x", "action=constructor"]) {
    assert.equal(targetsOn(await admin.read(`${path}?${query}`)).length, 100, query);
  }
});

sqliteTest("downloads all matching entries as CSV, with formulas escaped", async (t) => {
  const given = await start(t);
  await many(given);
  const { headers, text } = await given.admin.get(`${path}.csv?actor=eve_1&action=tag.add`);
  assert.match(headers.get("content-disposition") ?? "", /filename="audit-log\.csv"/);
  const rows = text.split("\r\n");
  assert.deepEqual(rows.slice(0, 3), [
    "Time (UTC),Who,Action,What",
    "2026-06-15 12:00:00,eve_1@example.com,Added a tag,'=1+1",
    "2026-06-15 11:30:00,eve_1@example.com,Added a tag,<b>120</b>",
  ]);
  const all = (await given.admin.read(`${path}.csv`)).trimEnd().split("\r\n");
  // The two downloads are entries as well.
  const newest = all[1]?.replace(/^[^,]*,/, "");
  assert.deepEqual([all.length, newest], [153, "admin-1@example.com,Exported data,audit-log.csv"]);
});

sqliteTest("shows admins of other organizations nothing", async (t) => {
  const given = await start(t);
  await many(given);
  const { organization: other } = await given.world.addOrganization({ name: "Globex" });
  const hank = await given.signIn("admin", { email: "hank@globex.example", organization: other });
  for (const each of [path, `${path}.csv`]) {
    assert.doesNotMatch(await hank.read(each), /ann@example|eve_1/);
  }
  assert.doesNotMatch(await given.viewer.read("/settings/tags"), /href="\/settings\/audit"/);
  assert.match(await given.admin.read("/settings/tags"), /<a href="\/settings\/audit">Audit log<\/a>/);
});

sqliteTest("shows secrets of no key, link and invite", async (t) => {
  const { admin } = await start(t);
  const shown = [
    await admin.post(keysPath, "add", { name: "Sheet", scope: "read" }),
    await admin.post(keysPath, "allow_links"),
    await admin.post(keysPath, "add_link", { link_name: "Board", days: "7" }),
    await admin.post("/settings/people", "add", { email: "new@example.com", role: "viewer" }),
  ].map(({ text }) => text);
  const secrets = shown.join().match(/ea_test_1_\w{38}|[0-9a-f]{64}/g) ?? [];
  assert.ok(secrets.length >= 3);
  const text = await admin.read(path);
  for (const secret of secrets) assert.equal(text.includes(secret), false);
});

sqliteTest("has each action in the filter", async (t) => {
  const { admin } = await start(t);
  const text = await admin.read(path);
  const options = [...text.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value);
  assert.deepEqual(options, Object.keys(auditActions));
});
