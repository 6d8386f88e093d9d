// Faults that the crossings must find, each with a sequence that meets it: a client that reads changes misses something.

import { decodeCursor, encodeCursor } from "../../../src/http/api/changes-cursor.ts";
import { tamper } from "../../support/events.ts";
import type { Crossing } from "./crossing.ts";

export interface PlantedFault {
  steps: readonly string[];
  /** Runs after each step. */
  spoil(crossing: Crossing): Promise<void>;
}

/** @param statement in which $id is the organization */
const statement =
  (text: string): PlantedFault["spoil"] =>
  ({ stage, organization }) =>
    tamper(stage.world, text.replaceAll("$id", `${organization.id}`));

export const plantedFaults: Record<string, PlantedFault> = {
  "no tombstones": {
    steps: ["importNow:15936", "readChanges:1", "deleteOnPage:18095"],
    spoil: statement("delete from changes where organization_id = $id and sent_at is null"),
  },
  "no revision of closed campaigns": {
    steps: ["put:71211", "readChanges:1", "close:45289"],
    spoil: statement(`update changes set revision = 1 where organization_id = $id and campaign_id in (
      select id from campaigns where organization_id = $id and closed_at is not null)`),
  },
  "no revision of tagged campaigns": {
    steps: ["importNow:4235", "readChanges:1", "readChanges:1", "retag:3589"],
    spoil: statement(`update changes set revision = 1 where organization_id = $id and campaign_id in (
      select campaign_id from campaign_tags where organization_id = $id)`),
  },
  "no bounds of a pass": {
    steps: ["addSample:64759", "readChanges:1"],
    // As with one number as the cursor: the client goes on after the last change that it has.
    async spoil({ client, organization }) {
      if (client.cursor === undefined) return;
      const { pass, ...position } = decodeCursor(client.cursor, organization);
      if (pass) client.cursor = encodeCursor(organization, { ...position, revision: pass.after.revision });
    },
  },
};
