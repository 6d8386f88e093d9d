// The audience settings: attributes, the upload of a directory, and the size from which groups are shown.

import assert from "node:assert/strict";
import test from "node:test";
import { findOrganization } from "../../../../src/storage/organizations/organizations.ts";
import { actionsOf } from "../../../support/audit.ts";
import { assertPage } from "../../../support/pages.ts";
import { makeWebWorldOf, type SignedInClient } from "../../../support/web-world.ts";

const path = "/settings/audience";

const upload = (admin: SignedInClient, content: string | Uint8Array<ArrayBuffer>, fields = {}) =>
  admin.post(path, "upload", { file: new File([content], "people.csv"), ...fields });

const problemIn = (text: string) =>
  (/class="problem"[^>]*>(.*?)<\/p>/s.exec(text)?.[1] ?? "").replaceAll("&quot;", '"');

test("adds and renames attributes, whose names differ in more than letter case", async (t) => {
  const { admin } = await makeWebWorldOf("admin", t);
  assert.equal((await admin.post(path, "add", { name: "Department" })).status, 303);
  assertPage(await admin.post(path, "add", { name: "department" }), 409, /There is already an attribute/);
  await admin.post(path, "add", { name: "Site" });
  assert.equal((await admin.post(path, "rename", { attribute: "2", name: "DEPARTMENT" })).status, 409);
  assert.equal((await admin.post(path, "rename", { attribute: "2", name: "Office" })).status, 303);
  assert.equal((await admin.post(path, "rename", { attribute: "9", name: "Office 2" })).status, 404);
  const text = await admin.read(path);
  assert.match(text, /value="Department"/);
  assert.match(text, /value="Office"/);
});

test("reads a directory whose columns have the names of attributes, and adds others on request", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  await admin.post(path, "add", { name: "Department" });
  const list = "E-Mail;DEPARTMENT;Phone\nann@example.com;IT;1\nbob@example.com;Sales;2\n";
  const read = await upload(admin, list);
  const notice = "Read 2 recipients with 1 attribute. Columns that are no attribute were ignored: Phone.";
  assert.equal(read.notice, notice);
  const added = await upload(admin, list, { adds: "1", recipient: "e-mail" });
  assert.equal(added.notice, "Read 2 recipients with 2 attributes.");
  assert.match(await admin.read(path), /value="Phone".*The directory has 2 recipients\./s);
  assert.deepEqual((await actionsOf(world, organization.id)).slice(0, 2), [
    "admin-1@example.com, directory.replace, 2 recipients",
    "admin-1@example.com, attribute.add, Phone",
  ]);
});

test("reads a directory in UTF-16, as Excel writes Unicode text", async (t) => {
  const { admin } = await makeWebWorldOf("admin", t);
  await admin.post(path, "add", { name: "Büro" });
  const text = "\ufeffrecipient\tBüro\tPhone\nann@example.com\tKöln\t1\n";
  const { notice } = await upload(admin, Uint8Array.from(Buffer.from(text, "utf16le")));
  assert.equal(
    notice,
    "Read 1 recipient with 1 attribute. Columns that are no attribute were ignored: Phone.",
  );
});

test("a file with a mistake changes nothing, and the page says where it is", async (t) => {
  const { admin } = await makeWebWorldOf("admin", t);
  await admin.post(path, "add", { name: "Department" });
  await upload(admin, "recipient,Department\nann@example.com,IT\n");
  for (const [content, problem] of [
    ["", /Choose a CSV file that is not empty/],
    [
      "name,Department\nAnn,IT\n",
      /line 1: there is no column "recipient"; the columns are "name", "Department"/,
    ],
    ["recipient,Department\nann@example.com,IT\n,HR\n", /line 3: recipient: "" is not text/],
    ["recipient,Department\nann@example.com,IT\nann@example.com,HR\n", /line 3: .* is listed twice/],
    [Uint8Array.of(0xff, 0xfe, 0x41), /The list is not UTF-8 text in line 1; save it as UTF-8/],
    [
      Uint8Array.from(Buffer.from("recipient,Abteilung\nann@example.com,Büro\n", "latin1")),
      /The list is not UTF-8 text in line 2; save it as UTF-8/,
    ],
    [Uint8Array.of(0x50, 0x4b, 3, 4), /The list is an Excel workbook or a ZIP file; save it as CSV UTF-8/],
  ] as const) {
    const refused = await upload(admin, content);
    assert.equal(refused.status, 400, problemIn(refused.text));
    assert.match(problemIn(refused.text), problem);
  }
  assert.match(await admin.read(path), /The directory has 1 recipient\./);
});

test("refuses an upload whose parts cannot be read", async (t) => {
  const { service, admin } = await makeWebWorldOf("admin", t);
  const type = "multipart/form-data; boundary=a";
  const headers = { "content-type": type, cookie: admin.cookie, connection: "close" };
  const broken = await fetch(service.url + path, { method: "POST", headers, body: "not parts" });
  assert.equal(broken.status, 400);
  assert.match(await broken.text(), /The form could not be read/);
});

test("sets from how many recipients a group is shown", async (t) => {
  const { world, organization, admin } = await makeWebWorldOf("admin", t);
  // Only a command lowers it.
  for (const wrong of ["9", "51", "ten"]) {
    const refused = await admin.post(path, "min_group", { min_group: wrong });
    assertPage(refused, 400, /a whole number from 10 to 50/);
  }
  assert.equal((await admin.post(path, "min_group", { min_group: "20" })).status, 303);
  const after = await world.database.queryOf(organization.id, findOrganization);
  assert.equal(after?.minGroup, 20);
});
