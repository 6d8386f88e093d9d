// Kills a serving process while it mails: the next one sends the rest, nothing twice, and tells of the mail that was on its
// way.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { listUndelivered } from "../../../src/storage/organizations/outbox.ts";
import { tamper } from "../../support/events.ts";
import { fillOutbox } from "../../support/outbox.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { startService } from "../../support/service-process.ts";
import { startSmtp } from "../../support/smtp.ts";
import { makeWorld } from "../../support/world.ts";

const mails = randomCases(12, 1_000);
const dayMs = 86_400_000;

test("mails nothing twice after a kill in the middle, and all but the mail that was on its way", async (t) => {
  const world = await makeWorld(t);
  const { organizationId, now } = await fillOutbox(world, mails);
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  let isKilled = false;
  const { received, url } = await startSmtp(t, {
    refuses() {
      // The mail was received, and the process dies before it learns of it.
      if (isKilled || received.length < mails / 2) return false;
      isKilled = true;
      service?.child.kill("SIGKILL");
      return false;
    },
  });
  const environment = { SMTP_URL: url, MAIL_FROM: "analytics@example.com" };
  service = await startService(world.databaseUrl, { environment });
  await service.ended;
  assert.ok(isKilled, service.stderr());
  const before = received.length;
  // As if the lease of the dead process had expired.
  await tamper(world, "delete from leases");
  const next = await startService(world.databaseUrl, { environment });
  t.after(() => next.child.kill("SIGKILL"));
  while (received.length < mails) await pause(50);
  await pause(200);
  next.child.kill("SIGTERM");
  await next.ended;
  const recipients = received.flatMap(({ to }) => to);
  assert.equal(recipients.length, mails);
  assert.equal(new Set(recipients).size, mails, "none twice");
  const later = now + dayMs;
  const undelivered = await world.database.queryOf(organizationId, (scope) =>
    listUndelivered(scope, later, mails),
  );
  assert.deepEqual(
    undelivered.map(({ state }) => state),
    ["sending"],
    "the mail that was on its way",
  );
  report(`${mails} mails, killed after ${before}: none twice, 1 shown as interrupted`);
});
