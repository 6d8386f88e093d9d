// Signing in with email and password, and out.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { verifyPassword } from "../../../access/password.ts";
import { AppError, type ErrorCode, errors } from "../../../errors.ts";
import type { Queries } from "../../../storage/database.ts";
import { lockOrganization } from "../../../storage/organizations.ts";
import { findPasswordHash } from "../../../storage/passwords.ts";
import { deleteSession, findSession } from "../../../storage/sessions.ts";
import { findUsersByEmail, normalizeEmail } from "../../../storage/users.ts";
import { bodyLimits } from "../../body-limits.ts";
import { html } from "../../html.ts";
import { field } from "../ui/field.ts";
import { actionForm, checkCsrf, csrfTokenOf, fieldOf, readForm } from "../ui/form.ts";
import { sendPage } from "../ui/layout.ts";
import { waitText } from "../ui/wait-text.ts";
import { beginSession, type Entrance, ownAddress } from "./begin-session.ts";
import { addChoosePassword } from "./choose-password.ts";
import { addOpenId } from "./open-id.ts";

const path = "/sign-in";

export function addSignIn(scope: FastifyInstance, entrance: Entrance): void {
  scope.get(path, async (request, reply) => {
    const to = ownAddress(toOf(request));
    if (await isSignedIn(request, entrance)) return reply.redirect(to, 303);
    return showSignIn(request, reply, entrance, { to, email: "" });
  });
  scope.post(path, { bodyLimit: bodyLimits.webForm }, (request, reply) =>
    takeSignIn(request, reply, entrance),
  );
  scope.post("/sign-out", { bodyLimit: bodyLimits.webForm }, (request, reply) =>
    signOut(request, reply, entrance),
  );
  addChoosePassword(scope, entrance);
  if (entrance.door.openId) addOpenId(scope, entrance, entrance.door.openId);
}

/** What somebody wanted to see, and is to be led to. */
function toOf({ url }: FastifyRequest): string {
  return new URLSearchParams(url.split("?").slice(1).join("?")).get("to") ?? "/";
}

interface Filled {
  to: string;
  email: string;
  refused?: { code: ErrorCode; problem: string };
}

function showSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { door, cookies }: Entrance,
  { to, email, refused }: Filled,
): FastifyReply {
  const formToken = csrfTokenOf(cookies.guestSecret(request, reply));
  const query = to === "/" ? "" : `?to=${encodeURIComponent(to)}`;
  const form = actionForm(
    { formToken },
    { action: "sign-in", to: path },
    html`<input type="hidden" name="to" value="${to}">
${field(
  { name: "email", label: "Email" },
  refused?.problem,
  (its) =>
    html`<input ${its} type="email" value="${email}" maxlength="254" autocomplete="username" required>`,
)}
${field(
  { name: "password", label: "Password" },
  refused?.problem,
  (its) => html`<input ${its} type="password" autocomplete="current-password" required>`,
)}
<button>Sign in</button>`,
  );
  const withCompany = html`<p><a href="/sign-in/open-id${query}">Sign in with your company account</a></p>`;
  const body = html`<div class="card">${form}</div>
${door.openId && withCompany}
<p class="soft small">No password yet, or forgotten? An admin of your organization can give you a new address to choose one.</p>`;
  return sendPage(
    reply,
    {
      title: "Sign in",
      body,
      notice: cookies.takeNotice(request, reply),
      problem: refused?.problem,
      status: refused && errors[refused.code].status,
    },
    { path },
  );
}

async function takeSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  entrance: Entrance,
): Promise<FastifyReply> {
  const { throttle, cookies } = entrance;
  const form = readForm(request);
  const [email, to] = [normalizeEmail(fieldOf(form, "email")), ownAddress(form.get("to") ?? "/")];
  // Somebody did so in another tab meanwhile, after which no form of a guest counts any more.
  if (await isSignedIn(request, entrance)) return reply.redirect(to, 303);
  checkCsrf(request, form, {
    cookie: cookies.read(request, "guest"),
    publicUrl: entrance.door.publicUrl,
  });
  const refuse = (code: ErrorCode, problem: string) =>
    showSignIn(request, reply, entrance, { to, email, refused: { code, problem } });

  const tried = throttle.begin(email, request.ip);
  if (typeof tried === "number") {
    reply.header("retry-after", String(Math.ceil(tried / 1000)));
    return refuse("too_many_requests", `That went wrong too often. Try again ${waitText(tried)}.`);
  }
  try {
    const isIn = await admit(request, reply, entrance, email, form.get("password") ?? "");
    // Whether it is the email or the password is nobody's business.
    if (!isIn) return refuse("unauthorized", "Email and password do not go together. Try again.");
  } catch (error) {
    tried.undo();
    if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
    reply.header("retry-after", "5");
    return refuse(error.code, error.message);
  }
  tried.succeeded();
  return reply.redirect(to, 303);
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  entrance: Entrance,
  email: string,
  given: string,
): Promise<boolean> {
  const found = await entrance.door.database.query((queries) => findUsersByEmail(queries, email));
  const known = found.filter(({ password }) => password !== undefined);
  if (known.length === 0) await verifyPassword(given, undefined);
  for (const { user, password } of known) {
    if (!(await verifyPassword(given, password))) continue;
    // It may have been changed while it was compared.
    const isSame = async (queries: Queries) => (await findPasswordHash(queries, user)) === password;
    return beginSession(request, reply, entrance, user, isSame);
  }
  return false;
}

async function isSignedIn(request: FastifyRequest, { door, cookies }: Entrance): Promise<boolean> {
  const secret = cookies.read(request, "session");
  if (secret === "") return false;
  return (await door.database.query((queries) => findSession(queries, secret, door.now()))) !== undefined;
}

async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  { door: { database, now, publicUrl }, cookies }: Entrance,
): Promise<FastifyReply> {
  const secret = cookies.read(request, "session");
  const found =
    secret === "" ? undefined : await database.query((queries) => findSession(queries, secret, now()));
  if (found) {
    checkCsrf(request, readForm(request), { cookie: secret, publicUrl });
    const { organization, session } = found;
    await database.transaction(async (queries) => {
      await lockOrganization(queries, organization.id);
      await deleteSession(queries, organization.id, session.hash);
    });
  }
  cookies.clear(reply, "session");
  cookies.write(reply, "notice", "You have signed out.");
  return reply.redirect(path, 303);
}
