// Two server processes that mail the same outbox at the same time: each mail is sent once.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { tamper } from "../../support/events.ts";
import { fillOutbox } from "../../support/outbox.ts";
import { type RunningService, startService, stopService } from "../../support/service-process.ts";
import { startSmtp } from "../../support/smtp.ts";
import { makeWorld } from "../../support/world.ts";

const mails = 50;

test("two processes that mail one outbox at the same time send each mail once", async (t) => {
  const world = await makeWorld(t);
  await fillOutbox(world, mails);
  const services: RunningService[] = [];
  let isSecondSending = () => {};
  const untilSecondSends = new Promise<void>((resolve) => {
    isSecondSending = resolve;
  });
  let arrived = 0;
  const { received, url } = await startSmtp(t, {
    async refuses() {
      arrived += 1;
      if (arrived > 1) {
        isSecondSending();
        return false;
      }
      // The first process waits for its first mail. The second one sends as if the lease had expired.
      await tamper(world, "delete from leases");
      services.push(await startService(world.databaseUrl, { environment }));
      await untilSecondSends;
      return false;
    },
  });
  const environment = { SMTP_URL: url, MAIL_FROM: "analytics@example.com" };
  services.push(await startService(world.databaseUrl, { environment }));
  t.after(() => services.forEach(({ child }) => void child.kill("SIGKILL")));
  while (received.length < mails) await pause(20);
  for (const service of services) await stopService(service);
  const recipients = received.flatMap(({ to }) => to);
  assert.equal(recipients.length, mails);
  assert.equal(new Set(recipients).size, mails);
});
