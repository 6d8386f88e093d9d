// Processes that mail one outbox: two at the same time send each mail once, and after a kill in the middle the next one sends
// the rest, nothing twice, and tells of the mail that was on its way.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { listUndelivered } from "../../../src/storage/organizations/outbox.ts";
import { tamper } from "../../support/events.ts";
import { fillOutbox } from "../../support/outbox.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { type RunningService, startService, stopService } from "../../support/service-process.ts";
import { startSmtp } from "../../support/smtp.ts";
import { makeWorld } from "../../support/world.ts";

/** @param onMail runs before the mail server accepts each mail */
async function startMailing(
  t: TestContext,
  mails: number,
  onMail: (received: number, start: () => Promise<RunningService>) => unknown,
) {
  const world = await makeWorld(t);
  const outbox = await fillOutbox(world, mails);
  const services: RunningService[] = [];
  const { received, url } = await startSmtp(t, {
    async refuses() {
      await onMail(received.length, start);
      return false;
    },
  });
  /** As if the lease of the process before had expired. */
  const start = async () => {
    await tamper(world, "delete from leases");
    const environment = { SMTP_URL: url, MAIL_FROM: "analytics@example.com" };
    const service = await startService(world.databaseUrl, { environment });
    services.push(service);
    return service;
  };
  t.after(() => services.forEach(({ child }) => void child.kill("SIGKILL")));
  /** Each mail was sent once. */
  const finish = async () => {
    while (received.length < mails) await pause(20);
    await pause(200);
    for (const service of services) await stopService(service);
    const recipients = received.flatMap(({ to }) => to);
    assert.deepEqual([recipients.length, new Set(recipients).size], [mails, mails]);
  };
  return { world, ...outbox, received, start, finish };
}

test("two processes that mail one outbox at the same time send each mail once", async (t) => {
  const { promise: untilSecondSends, resolve: isSecondSending } = Promise.withResolvers<void>();
  let arrived = 0;
  const { start, finish } = await startMailing(t, 50, async (_received, startNext) => {
    arrived += 1;
    if (arrived > 1) return isSecondSending();
    // The first process waits for its first mail.
    await startNext();
    await untilSecondSends;
  });
  await start();
  await finish();
});

test("mails nothing twice after a kill in the middle, and all but the mail that was on its way", async (t) => {
  const mails = randomCases(12, 1_000);
  let killed: RunningService | undefined;
  const { world, organizationId, now, received, start, finish } = await startMailing(t, mails, (count) => {
    // The mail was received, and the process dies before it learns of it.
    if (count >= mails / 2) killed?.child.kill("SIGKILL");
  });
  killed = await start();
  await killed.ended;
  assert.equal(killed.child.signalCode, "SIGKILL", killed.stderr());
  const before = received.length;
  await start();
  await finish();
  const undelivered = await world.database.queryOf(organizationId, (scope) =>
    listUndelivered(scope, now + dayMs, mails),
  );
  const states = undelivered.map(({ state }) => state);
  assert.deepEqual(states, ["sending"], "the mail that was on its way");
  report(`${mails} mails, killed after ${before}: none twice, 1 shown as interrupted`);
});
