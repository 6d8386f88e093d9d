// The metrics of the database, and those of a database that does not answer.

import assert from "node:assert/strict";
import test from "node:test";
import { createMetrics } from "../../../src/http/monitoring/metrics.ts";
import { measureStorage } from "../../../src/http/monitoring/storage.ts";
import { saveBackupTime } from "../../../src/storage/organizations/leases.ts";
import { addToOutbox, claimMail, settleMail } from "../../../src/storage/organizations/outbox.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { click, open } from "../../support/events.ts";
import { readPrometheus } from "../../support/prometheus-text.ts";
import { makeAcme, present } from "../../support/world.ts";

test("shows what waits the last backup and its last proof, and only that the database is down when it does not answer", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.ingest(organization, [open(1, { campaign_id: 9 }), click(2, { campaign_id: 9 })]);
  await world.database.transaction((queries) => saveBackupTime(queries, present - 5_000));
  await world.database.transaction((queries) => saveBackupTime(queries, present - 9_000, "restore_test"));
  const mail = (about: string) =>
    ({ organizationId: organization.id, kind: "results", about, recipient: "slack" }) as const;
  await world.database.transaction(async (queries) => {
    const [refused, sent, interrupted, ...waiting] = ["1", "2", "3", "4", "5"].map(mail);
    assert.ok(refused && sent && interrupted);
    await addToOutbox(new Scope(queries, organization.id), [refused, sent, interrupted, ...waiting], {
      now: present,
    });
    await settleMail(new Scope(queries, organization.id), refused, {
      state: "failed",
      now: present,
      problem: "550 no such user",
    });
    await settleMail(new Scope(queries, organization.id), sent, { state: "sent", now: present });
    await claimMail(new Scope(queries, organization.id), interrupted, 0);
  });
  const metrics = createMetrics();
  const values = async () => {
    const families = readPrometheus(await metrics.registry.metrics());
    const names = ["database_up", "quarantined_events", "quarantine_oldest_timestamp_seconds"];
    const times = ["last_backup_timestamp_seconds", "last_restore_test_timestamp_seconds"];
    return [...names, ...times, "mail_pending", "mail_undelivered"].map(
      (name) => families.get(`email_analytics_${name}`)?.samples[0]?.value,
    );
  };
  await measureStorage(world.database, metrics);
  assert.deepEqual(await values(), [1, 2, present / 1000, present / 1000 - 5, present / 1000 - 9, 2, 2]);
  const gone = () => Promise.reject(new Error("the database is gone"));
  await measureStorage({ ...world.database, query: gone }, metrics);
  assert.deepEqual(await values(), [0, ...Array(6)]);
});
