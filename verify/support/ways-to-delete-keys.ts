// The ways in which people delete keys and CSV links: the web application of each process, and the command.

import assert from "node:assert/strict";
import { run } from "../../test/support/world.ts";
import { type AdminSession, submitForm } from "./admin-session.ts";
import type { RunningService } from "./service.ts";

export function waysToDeleteKeys({
  databaseUrl,
  organizationId,
  services,
  session,
}: {
  databaseUrl: string;
  organizationId: number;
  services: readonly RunningService[];
  session: AdminSession;
}): ((id: number) => Promise<void>)[] {
  return [
    ...services.map(
      ({ url }) =>
        (id: number) =>
          submitForm(session, `${url}/settings/integrations/analytics-api/${id}`, "delete"),
    ),
    async (id) => {
      const argv = ["key", "delete", "--organization", String(organizationId), "--id", String(id)];
      const { exitCode, stderr } = await run(databaseUrl, argv);
      assert.equal(exitCode, 0, stderr);
    },
  ];
}
