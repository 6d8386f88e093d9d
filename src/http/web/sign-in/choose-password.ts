// The address at which somebody chooses a password, once: for those who were added, and after a reset.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkPasswordStrength, hashPassword, passwordLength } from "../../../access/password.ts";
import { parseId } from "../../../campaign/parse-id.ts";
import { AppError, errors } from "../../../errors.ts";
import { findInvitedUser, setPassword } from "../../../storage/passwords.ts";
import { deleteSessions } from "../../../storage/sessions.ts";
import type { User } from "../../../storage/users.ts";
import { bodyLimits } from "../../body-limits.ts";
import { type Html, html } from "../../html.ts";
import { field } from "../ui/field.ts";
import { actionForm, checkCsrf, csrfTokenOf, readForm } from "../ui/form.ts";
import { sendPage } from "../ui/layout.ts";
import { beginSession, type Entrance } from "./begin-session.ts";

const path = "/sign-in/password";

/** The secret is 64 hex digits, such that the log takes it out of the address. */
export function invitationUrl(publicUrl: string, organizationId: number, secret: string): string {
  return `${publicUrl}${path}/${organizationId}.${secret}`;
}

export function addChoosePassword(scope: FastifyInstance, entrance: Entrance): void {
  scope.get(`${path}/:invitation`, async (request, reply) => {
    const invited = await find(request, entrance);
    return invited ? showChoice(request, reply, entrance, invited.user) : sendUnknown(reply);
  });
  scope.post(`${path}/:invitation`, { bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    const form = readForm(request);
    checkCsrf(request, form, {
      cookie: entrance.cookies.read(request, "guest"),
      publicUrl: entrance.door.publicUrl,
    });
    const invited = await find(request, entrance);
    if (!invited) return sendUnknown(reply);
    const { user, by } = invited;
    try {
      const hashed = await hashPassword(newPasswordIn(form, user.email));
      const isIn = await beginSession(request, reply, entrance, user, async (queries) => {
        // Two may use the address at the same moment: one of them does.
        if (!(await findInvitedUser(queries, by))) return false;
        await setPassword(queries, user, hashed);
        await deleteSessions(queries, user);
        return true;
      });
      if (!isIn) return sendUnknown(reply);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "unavailable") reply.header("retry-after", "5");
      return showChoice(request, reply, entrance, user, error);
    }
    entrance.cookies.write(reply, "notice", "Welcome. Your password is set, and you have signed in.");
    return reply.redirect("/", 303);
  });
}

const passwordsDiffer = "The two passwords differ. Type both again.";

/** A new password from a form in which it stands twice. @throws Refusal */
export function newPasswordIn(form: URLSearchParams, email: string): string {
  const password = form.get("new_password") ?? "";
  checkPasswordStrength(password, email);
  if (password === (form.get("again") ?? "")) return password;
  throw new AppError("bad_request", passwordsDiffer);
}

/** The two fields of a new password. @param problem why those that were sent could not be taken */
export function newPasswordFields(problem: string | undefined): Html[] {
  const { min } = passwordLength;
  const [first, second] = ["New password", "Once more"];
  const own = problem === passwordsDiffer ? `${second}: ${problem}` : problem;
  // Without a greatest length: browsers would cut what is pasted, and nobody would know.
  const bounds = html` minlength="${min}" autocomplete="new-password" required`;
  const hint = `At least ${min} characters. A few words in a row are easy to keep in mind.`;
  const control = (its: Html) => html`<input ${its} type="password"${bounds}>`;
  return [
    field({ name: "new_password", label: first, hint }, own, control),
    field({ name: "again", label: second }, own, control),
  ];
}

async function find({ params }: FastifyRequest, { door: { database, now } }: Entrance) {
  const { invitation } = params as { invitation: string };
  const [, digits = "", secret = ""] = /^(\d+)\.([0-9a-f]{64})$/.exec(invitation) ?? [];
  const organizationId = parseId(digits);
  if (organizationId === undefined) return undefined;
  const by = { organizationId, secret, now: now() };
  const user = await database.query((queries) => findInvitedUser(queries, by));
  return user && { user, by };
}

function showChoice(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookies }: Entrance,
  { email }: User,
  refused?: AppError,
): FastifyReply {
  const formToken = csrfTokenOf(cookies.guestSecret(request, reply));
  const form = actionForm(
    { formToken },
    { action: "choose-password" },
    html`<div class="field"><label for="email">Email</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly></div>
${newPasswordFields(refused?.message)}
<button>Set the password and sign in</button>`,
  );
  const status = refused && errors[refused.code].status;
  const framed = {
    title: "Choose a password",
    body: html`<div class="card">${form}</div>`,
    problem: refused?.message,
    status,
  };
  return sendPage(reply, framed, { path });
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = html`<p>It was used before, has been replaced by a newer one, or is too old. An admin of your organization can give you a new one.</p>
<p><a href="/sign-in">Sign in</a></p>`;
  return sendPage(
    reply,
    { title: "This address does not work any more", body, status: errors.not_found.status },
    { path },
  );
}
