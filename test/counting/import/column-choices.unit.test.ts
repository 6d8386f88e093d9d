// The choices of the mapping form.

import assert from "node:assert/strict";
import test from "node:test";
import { readColumnChoices } from "../../../src/counting/import/mapping/column-choices.ts";

const header = ["Subject", "Send Date", "Successful Deliveries", "Unique Opens", "Total Recipients"];

/** The columns of recipients, delivered and sent, if the form chooses these fields. */
function columnsOf(...fields: string[]) {
  const chosen = fields.map((field, index) => `c${index}=${field}`).join("&");
  const query = new URLSearchParams(`mapped=1&${chosen}`);
  const { columns } = readColumnChoices(query, header, { timeZone: "UTC", saved: new Map() }).choice;
  return [columns?.get("recipient_count"), columns?.get("delivered"), columns?.get("sent")];
}

test("keeps a column for both fields of an export when another one is edited", () => {
  const [subject, date, opens] = ["subject", "sent_at", "unique_opens"];
  const both = ["Successful Deliveries", "Successful Deliveries"];
  assert.deepEqual(columnsOf(subject, date, "recipient_count", opens, "sent"), [...both, "Total Recipients"]);
  assert.deepEqual(columnsOf(subject, date, "delivered", opens, ""), [...both, ""]);
  assert.deepEqual(columnsOf(subject, date, "delivered", opens, "recipient_count"), [
    ...["Total Recipients", "Successful Deliveries", ""],
  ]);
  assert.deepEqual(columnsOf(subject, date, "", opens, "recipient_count"), ["Total Recipients", "", ""]);
  assert.deepEqual(columnsOf(subject, date, "total_opens", opens, ""), ["", "", ""]);
});
