// `doctor` finds planted misconfigurations, each alone in a service that is otherwise in order.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dayMs, hourMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { addSource, changeSource } from "../../../src/storage/keys/sources.ts";
import { addToOutbox, settleMail } from "../../../src/storage/organizations/outbox.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { assertFindings, findingsOf } from "../../support/doctor.ts";
import { open, opens, tamper, tamperWithTally } from "../../support/events.ts";
import { campaign, makeAcme, present, run, serve, type World } from "../../support/world.ts";

/** Settings that override those of a service in order, and the clock. */
interface Planted {
  environment?: Record<string, string>;
  now?: number;
  options?: string[];
}

interface Misconfiguration {
  plant(world: World, t: TestContext): Promise<Planted> | Planted;
  /** Check, status and message of each finding. */
  found: RegExp[];
}

/** A service with a counted campaign and a backup, that answers at its PUBLIC_URL. */
async function inOrder(t: TestContext) {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, opens(3));
  const service = await serve(t, world);
  await run(world.databaseUrl, "backup --already");
  const environment = { DATABASE_URL: world.databaseUrl, REGION: "test", PUBLIC_URL: service.url };
  return { world, environment };
}

const unreachable =
  /^public_url problem: .*(answers? .*|does not answer \(\w+\)\. Start "serve", or correct PUBLIC_URL, DNS or proxy\.$)/;

const misconfigurations: Record<string, Misconfiguration> = {
  "a setting that is not accepted": {
    plant: () => ({ environment: { PORT: "http" } }),
    found: [/^settings problem: PORT: "http" is not a port from 0 to 65535\. Correct the setting\.$/],
  },
  "a database that does not exist": {
    plant: ({ folder }) => ({ environment: { DATABASE_URL: `sqlite:${folder}/none.db` } }),
    found: [
      /^database problem: there is no database at sqlite:.*none\.db; .* set DATABASE_URL, .*, or restore a backup\.$/,
    ],
  },
  "single sign-on with only a part of its settings": {
    plant: () => ({ environment: { OIDC_ISSUER: "https://login.example.com" } }),
    found: [/^settings problem: OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: not set; set OIDC_ISSUER, /],
  },
  "a file of scanner networks that does not exist": {
    plant: ({ folder }) => ({ environment: { SCANNER_NETWORKS: `${folder}/none.txt` } }),
    found: [/^settings problem: SCANNER_NETWORKS: cannot read ".*none\.txt"\. Until then, "serve" does/],
  },
  "a tracking URL without a secret": {
    plant: () => ({ environment: { TRACKING_URL: "https://links.example.com" } }),
    found: [/^settings warning: TRACKING_URL is set and .* Set TRACKING_SECRET to at least 32 random/],
  },
  "no public URL": {
    plant: () => ({ environment: { PUBLIC_URL: "" } }),
    found: [/^public_url warning: .*so links lead to http:\/\/127\.0\.0\.1:8080\. Set it to the URL that/],
  },
  "a public URL without TLS": {
    plant: () => ({ environment: { PUBLIC_URL: "http://analytics.invalid" } }),
    found: [
      /^public_url problem: .*keys and passwords travel unencrypted\. Put a proxy with TLS in front/,
      unreachable,
    ],
  },
  "a public URL at which no server listens": {
    plant: () => ({ environment: { PUBLIC_URL: "http://127.0.0.1:1" } }),
    found: [unreachable],
  },
  "a proxy that is not trusted": {
    plant: () => ({ environment: { PUBLIC_URL: "https://analytics.invalid" } }),
    found: [
      unreachable,
      /^proxy warning: .*all clients seem to have its address\. Set TRUSTED_PROXIES to that address\.$/,
    ],
  },
  "a clock that is behind": {
    plant: () => ({ now: present - hourMs }),
    found: [
      /^clock problem: .*says 2026-06-15T11:00:00\.000Z, before the last change .*\. Correct the clock/,
    ],
  },
  "a clock that is ahead": {
    plant: () => ({ now: present + 3 * dayMs }),
    found: [/^clock warning: .*2026-06-18.* the last change was at 2026-06-15.* correct it before anything/],
  },
  "no backup": {
    async plant(world) {
      await tamper(world, "delete from leases where name = 'backup'");
      return {};
    },
    found: [/^backup warning: No backup was made\. Run "email-analytics backup FILE" every day/],
  },
  "a backup that is older than a week": {
    async plant(world) {
      await tamper(world, `update leases set expires_at = ${present} where name = 'backup'`);
      return {};
    },
    found: [/^backup warning: The last backup is of 2026-06-08T12:00:00\.000Z\. Run/],
  },
  "a key that has expired and one that expires soon": {
    async plant(world) {
      for (const [id, ms] of [
        [1, -minuteMs],
        [2, 29 * dayMs],
      ] as const) {
        await tamper(
          world,
          `update api_keys set expires_at = ${present + ms} where organization_id = 1 and id = ${id}`,
        );
      }
      return {};
    },
    found: [
      /^keys warning: API key 1 \("test"\) expired at 2026-06-15T11:59:00\.000Z\. Replace it with/,
      /^keys warning: API key 2 \("sender"\) expires at 2026-07-14T12:00:00\.000Z\./,
    ],
  },
  "keys of another region": {
    plant: () => ({ environment: { REGION: "us" } }),
    found: [
      /^public_url problem: .*is of another service: its REGION is test, and here it is us\. Correct/,
      /^keys problem: API key 1 \("test"\), ea_test_1_\w{4}…, is of another region than REGION, which is us/,
      /^keys problem: API key 2 \("sender"\), /,
    ],
  },
  "events that could not be counted": {
    async plant(world) {
      const organization = (await world.addOrganization({ name: "Globex" })).organization;
      await world.ingest(organization, [open(1, { campaign_id: 9 })]);
      return {};
    },
    found: [/^quarantine warning: 1 event could not be counted\. See "email-analytics quarantine list"/],
  },
  "mail that did not arrive": {
    async plant(world) {
      const key = { organizationId: 1, kind: "digest", about: "2026-06-08", recipient: "user 1" } as const;
      const refused = { state: "failed", now: present, problem: "550 no such user" } as const;
      await world.database.transaction(async (queries) => {
        await addToOutbox(new Scope(queries, 1), [key, { ...key, recipient: "user 2" }], { now: present });
        await settleMail(new Scope(queries, 1), key, refused);
      });
      return {};
    },
    found: [
      /^mail warning: 1 notification did not arrive by mail or chat\. .* The last answer was: 550 no such user$/,
    ],
  },
  "a full quarantine": {
    async plant(world) {
      const organization = (await world.addOrganization({ name: "Globex" })).organization;
      await world.ingest(organization, [open(1, { campaign_id: 9 })]);
      return { environment: { QUARANTINE_BYTES: "1" } };
    },
    found: [
      /^quarantine problem: 1 event could not be counted\. .* register the campaigns or discard events/,
    ],
  },
  "a webhook that receives nothing": {
    async plant(world) {
      const source = { provider: "resend", secret: "x", campaignField: "campaign_id" };
      await world.write({ id: 1 }, (scope) => addSource(scope, { ...source, now: present - 2 * dayMs }));
      return {};
    },
    found: [/^events warning: No event has arrived from resend since .* Compare the webhook URL/],
  },
  "deliveries that got lost, are too many, or of a type that never arrives": {
    async plant(world) {
      const acme = { id: 1 } as Parameters<World["register"]>[0];
      const source = {
        provider: "resend",
        secret: "x",
        campaignField: "campaign_id",
        now: present - dayMs / 2,
      };
      const { id } = await world.write(acme, async (scope) => {
        const added = await addSource(scope, source);
        await changeSource(scope, added, { reports: { delivery: present, complaint: 0 } });
        return added;
      });
      for (const campaign of [2, 3, 4, 5, 6]) {
        const sent_at = new Date(present - 4 * dayMs).toISOString();
        await world.register(acme, campaign, { sent_at, recipient_count: campaign === 3 ? 94 : 100 });
        const delivered = Array.from({ length: campaign === 2 ? 94 : 95 }, (_, index) => ({
          ...{ id: `${index}`, campaign_id: campaign, recipient: `r${index}`, type: "delivery", at: sent_at },
        }));
        await world.ingest(acme, delivered);
      }
      await tamper(world, `update campaigns set source_id = '${id}' where id > 1`);
      return {};
    },
    found: [
      /^deliveries warning: No event "complaint" has arrived from resend in 5 campaigns, .* ignore this\.$/,
      /^deliveries warning: Less than 95 % of the recipients have an outcome after 72 hours, .* failed at the provider\.$/,
      /^deliveries warning: 95 messages were delivered to 94 recipients\. Correct "recipient_count"\.$/,
    ],
  },
  "with --full, a number that has drifted": {
    async plant(world) {
      await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7 });
      return { options: ["--full"] };
    },
    found: [
      /^damage problem: the record does not match its campaign\. .* restore a backup\.$/,
      /^numbers problem: totalOpens \(people\) was 7 instead of 3: run "email-analytics doctor --repair"/,
    ],
  },
};

for (const [name, { plant, found }] of Object.entries(misconfigurations)) {
  test(`doctor finds ${name}, and says what to do`, async (t) => {
    const { world, environment } = await inOrder(t);
    const planted = await plant(world, t);
    const given = {
      environment: { ...environment, ...planted.environment },
      now: () => planted.now ?? present,
    };
    const findings = await findingsOf(world.databaseUrl, planted.options, given);
    assertFindings(findings, found);
    const { exitCode } = await run(world.databaseUrl, ["doctor", ...(planted.options ?? [])], given);
    assert.equal(exitCode, findings.some(([, status]) => status === "problem") ? 1 : 0);
  });
}

test("doctor prints a line for each check, and exits 0 when nothing is wrong", async (t) => {
  const { world, environment } = await inOrder(t);
  await world.save((await world.addOrganization({ name: "Globex" })).organization, [campaign({ id: 1 })]);
  const { exitCode, stdout, stderr } = await run(world.databaseUrl, "doctor --full", { environment });
  assert.deepEqual([exitCode, stderr], [0, "0 problems, 0 warnings.\n"], stdout);
  const lines = stdout.split("\n").filter((line) => !/^✓ (disk|permissions)/.test(line));
  assert.match(lines[0] ?? "", /^✓ versions {4}email-analytics [\d.]+ on Node [\d.]+\.$/);
  assert.deepEqual(lines.slice(1, 5), [
    "✓ settings    In order.",
    `✓ public_url  ${environment.PUBLIC_URL} answers.`,
    "✓ proxy       There is none: requests reach the service directly.",
    "✓ memory      Not measured, because MONITORING is not set.",
  ]);
  assert.match(lines[5] ?? "", /^✓ database {4}(SQLite|PostgreSQL) [\d.]+[^,]*, 2 organizations\.$/);
  assert.deepEqual(lines.slice(6), [
    "✓ clock       The clock says 2026-06-15T12:00:00.000Z.",
    "✓ events      No event has arrived yet.",
    "✓ deliveries  In order.",
    "✓ quarantine  In order.",
    "✓ mail        In order.",
    "✓ keys        In order.",
    "✓ backup      The last backup is of 2026-06-15T12:00:00.000Z.",
    "✓ damage      Checked 2 records: no damage.",
    "✓ numbers     Recounted 1 campaign.",
    "",
  ]);
});

test("doctor --repair corrects numbers that have drifted", async (t) => {
  const { world, environment } = await inOrder(t);
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7 });
  const { rows } = await run(world.databaseUrl, "doctor --repair --json", { environment });
  const found = rows.filter(({ check }) => check === "numbers");
  const ok = { check: "numbers", status: "ok" };
  const repaired = "totalOpens (people) was 7 instead of 3: repaired.";
  assert.deepEqual(found, [
    { ...ok, message: repaired, organization: 1, campaign: 1 },
    { ...ok, message: "Recounted 1 campaign.", organization: null, campaign: null },
  ]);
  assert.deepEqual(await findingsOf(world.databaseUrl, ["--full"], { environment }), []);
});

test("doctor --vacuum rewrites the database", async (t) => {
  const { world, environment } = await inOrder(t);
  const { exitCode, stdout } = await run(world.databaseUrl, "doctor --vacuum", { environment });
  assert.deepEqual([exitCode, stdout.split("\n").at(-2)], [0, "✓ vacuum      Rewrote the database."]);
});
