// An outbox full of mail that is due.

import { dateAt, isoDay } from "../../src/campaign/calendar/calendar-date.ts";
import { mondayOf, weekReportOf } from "../../src/listing/reports/report-period.ts";
import { addToOutbox } from "../../src/storage/organizations/outbox.ts";
import { addSession } from "../../src/storage/users/sessions.ts";
import { addUser } from "../../src/storage/users/users.ts";
import { campaign, type World } from "./world.ts";

const dayMs = 86_400_000;

/** Adds an organization and the digest of last week for as many users. The time is that of the computer: processes send it. */
export async function fillOutbox(
  world: World,
  mails: number,
): Promise<{ organizationId: number; now: number }> {
  const now = Date.now();
  world.clock.now = now;
  const { organization } = await world.addOrganization();
  const { id: organizationId } = organization;
  const monday = isoDay(mondayOf(dateAt(now - 7 * dayMs, "UTC")));
  const sentAt = Date.parse(isoDay(weekReportOf(monday).rated.first));
  await world.save(organization, [campaign({ id: 1, sentAt })]);
  await world.database.transactionOf(organizationId, async (scope) => {
    for (let number = 0; number < mails; number++) {
      const email = `reader-${number}@example.com`;
      const user = await addUser(scope, { email, role: "viewer", now });
      await addSession(scope, user, { client: "a test", now });
      const key = { organizationId, kind: "digest", about: monday, recipient: `user ${user.id}` } as const;
      await addToOutbox(scope, [key], { now });
    }
  });
  return { organizationId, now };
}
