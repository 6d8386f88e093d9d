// Malicious forms and texts that would block the event loop.

import assert from "node:assert/strict";
import { request } from "node:http";
import test from "node:test";
import { normalizeEmail } from "../../../../src/access/email.ts";
import { foldCase } from "../../../../src/campaign/fields/fold-case.ts";
import { readField } from "../../../../src/http/web/ui/forms/form.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { makeWebWorld, requestPage } from "../../../support/web-world.ts";

/** Combining marks in the wrong order, which take seconds to normalize. */
const marks = (length: number) => `a${"\u0301\u0316".repeat(length / 2)}`;

test("rejects a form with too many fields before reading them", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const body = "a&".repeat(30_000);
  const headers = { "content-type": "application/x-www-form-urlencoded", connection: "close" };
  const refused = await fetch(`${service.url}/sign-in`, { method: "POST", headers, body });
  assert.ok([400, 413].includes(refused.status), String(refused.status));
  const ann = await signIn("admin");
  const signedIn = { ...headers, cookie: ann.cookie };
  const own = await fetch(`${service.url}/settings/tags`, { method: "POST", headers: signedIn, body });
  assert.equal(own.status, 400);
  assert.match(await own.text(), /The form has 30000 fields; up to 1100 are accepted\./);
});

test("removes NUL characters from every form field", async (t) => {
  const { service } = await makeWebWorld(t);
  const guest = await requestPage(`${service.url}/sign-in`);
  const [cookie = ""] = guest.headers.getSetCookie()[0]?.split(";") ?? [];
  const token = /name="form_token" value="([^"]+)"/.exec(guest.text)?.[1] ?? "";
  const body = `form_token=${token}&action=sign-in&email=a%00b%40example.com&email=c&password=x`;
  const headers = { "content-type": "application/x-www-form-urlencoded", cookie, connection: "close" };
  const answer = await fetch(`${service.url}/sign-in`, { method: "POST", headers, body });
  assert.equal(answer.status, 401);
});

test("truncates or rejects long texts before normalizing them", () => {
  const long = marks(200_000);
  const from = process.cpuUsage();
  const form = new URLSearchParams({ name: long });
  assert.throws(() => readField(locales.en, form, "name"), /name: has 200001 characters/);
  normalizeEmail(long);
  foldCase(long);
  const { user } = process.cpuUsage(from);
  // Normalizing the whole text would take about ten seconds each.
  assert.ok(user < 2_000_000, `${user} µs`);
});

test("rejects a form when its user is removed while the body arrives", async (t) => {
  const { service, signIn } = await makeWebWorld(t);
  const [ann, bob] = [await signIn("admin"), await signIn("admin")];
  const fields = { form_token: ann.csrfToken, action: "add", email: "mallory@example.com", role: "admin" };
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const answered = new Promise<{ status: number; location: string }>((resolve, reject) => {
    const sent = request(`${service.url}/settings/people`, {
      method: "POST",
      headers: {
        cookie: ann.cookie,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": body.length,
      },
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" });
    });
    sent.write(body.subarray(0, 10));
    const remove = async () => {
      while ((await bob.get("/settings/people")).status !== 200);
      const removed = await bob.post("/settings/people", "remove", { user: String(ann.user.id) });
      assert.equal(removed.status, 303, removed.text);
      sent.end(body.subarray(10));
    };
    remove().catch(reject);
  });
  const { status, location } = await answered;
  assert.deepEqual([status, location.split("?")[0]], [303, "/sign-in"]);
  assert.doesNotMatch((await bob.get("/settings/people")).text, /mallory/);
});
