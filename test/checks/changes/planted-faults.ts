// Faults that a check of changes must find: each makes clients miss something.

import { sql } from "kysely";
import { decodeCursor, encodeCursor } from "../../../src/http/api/changes-cursor.ts";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";

export interface PlantedFault {
  /** Spoils the database after a change. */
  afterChange?(database: Database, organizationId: number): Promise<void>;
  /** Spoils what the client goes on from. */
  changeCursor?(cursor: string, organization: Organization): string;
}

function statement(text: (organizationId: number) => ReturnType<typeof sql>): PlantedFault {
  return {
    async afterChange(database, organizationId) {
      await database.transaction((queries) => text(organizationId).execute(queries));
    },
  };
}

export const faults: Record<string, PlantedFault> = {
  "no tombstones": statement(
    (id) => sql`delete from changes where organization_id = ${id} and sent_at is null`,
  ),
  "no revision of closed campaigns": statement(
    (id) => sql`
      update changes set revision = 1 where organization_id = ${id} and campaign_id in (
        select id from campaigns where organization_id = ${id} and closed_at is not null)`,
  ),
  "no revision of tagged campaigns": statement(
    (id) => sql`
      update changes set revision = 1 where organization_id = ${id} and campaign_id in (
        select campaign_id from campaign_tags where organization_id = ${id})`,
  ),
  "no bounds of a pass": {
    // As with one number as the cursor: the client goes on after the last change that it has.
    changeCursor(cursor, organization) {
      const { pass, ...position } = decodeCursor(cursor, organization);
      if (!pass) return cursor;
      return encodeCursor(organization, { ...position, revision: pass.after.revision });
    },
  },
};
