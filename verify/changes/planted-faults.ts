// Faults that a check of changes must find: each makes clients miss something.

import { sql } from "kysely";
import { decodeCursor, encodeCursor } from "../../src/http/api/changes-cursor.ts";
import type { Database } from "../../src/storage/database.ts";
import type { Organization } from "../../src/storage/organizations.ts";

export interface PlantedFault {
  /** Spoils the database after a change. */
  afterChange?(database: Database, organizationId: number): Promise<void>;
  /** Spoils what the client goes on from. */
  changeCursor?(cursor: string, organization: Organization): string;
  /** The service does not see that a send time came. */
  isClockStopped?: boolean;
}

function statement(text: (organizationId: number) => ReturnType<typeof sql>): PlantedFault {
  return {
    async afterChange(database, organizationId) {
      await database.transaction((queries) => text(organizationId).execute(queries));
    },
  };
}

export const faults = {
  "no render revision": statement((id) => sql`update organizations set render_revision = 0 where id = ${id}`),
  "no tombstones": statement(
    (id) => sql`delete from campaign_revisions where organization_id = ${id} and sent_at is null`,
  ),
  "no revision of closed campaigns": statement(
    (id) => sql`
      update campaign_revisions set revision = 1 where organization_id = ${id} and campaign_id in (
        select id from campaigns where organization_id = ${id} and closed_at is not null)`,
  ),
  "no send times": { isClockStopped: true },
  "no bounds of a pass": {
    // As with one number as the cursor: the client goes on after the last change that it has.
    changeCursor(cursor, organization) {
      const { pass, ...position } = decodeCursor(cursor, organization);
      if (!pass) return cursor;
      const { updatedAt } = pass.after;
      return encodeCursor(organization, { ...position, revision: updatedAt, time: updatedAt });
    },
  },
} satisfies Record<string, PlantedFault>;

export type Fault = keyof typeof faults;

/** @param name of the fault; undefined for none */
export function faultOf(name: Fault | undefined): PlantedFault {
  return name === undefined ? {} : faults[name];
}
