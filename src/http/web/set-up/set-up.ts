// The set-up page of a service without an organization: adds the organization and its first admin, who is signed in.

import type { FastifyInstance, FastifyReply } from "fastify";
import { constantTimeEqual } from "../../../access/constant-time-equal.ts";
import { normalizeEmail } from "../../../access/email.ts";
import { hashPassword } from "../../../access/password.ts";
import { AppError } from "../../../errors.ts";
import { html } from "../../../locale/html.ts";
import { webPaths } from "../../../paths.ts";
import { recordAction } from "../../../storage/organizations/audit-log.ts";
import { listOrganizations } from "../../../storage/organizations/organizations.ts";
import { Scope } from "../../../storage/queries/scope.ts";
import { addFirstOrganization } from "../../../storage/users/manage-users.ts";
import { setPassword } from "../../../storage/users/passwords.ts";
import type { User } from "../../../storage/users/users.ts";
import { beginSession, type GuestRequest, type SignInContext } from "../frame/begin-session.ts";
import { readTimeZone, timeZoneField } from "../settings/organization/time-zone-field.ts";
import { newPasswordFields, readNewPassword } from "../sign-in/choose-password.ts";
import {
  addGuestForm,
  emailInput,
  type Rejected,
  readGuestForm,
  sendGuestForm,
  sendGuestMessage,
} from "../sign-in/guest-form.ts";
import { inputField } from "../ui/forms/field.ts";
import { readField, readName } from "../ui/forms/form.ts";

const path = webPaths.setUp;

/**
 * Adds the page if the process started without an organization. Its URL ends in a secret that `serve` prints: the first
 * admin is the person who can start the service, not the first visitor.
 */
export function addSetUp(scope: FastifyInstance, context: SignInContext): void {
  const { setUpSecret } = context;
  if (setUpSecret === undefined) return;
  const whenOpen = async (guest: GuestRequest, answer: () => FastifyReply | Promise<FastifyReply>) => {
    const { secret } = guest.request.params as { secret: string };
    if (!constantTimeEqual(secret, setUpSecret)) throw new AppError("not_found");
    const isOpen = (await context.database.query(listOrganizations)).length === 0;
    return isOpen ? answer() : sendUsedLink(guest);
  };
  addGuestForm(scope, context, `${path}/:secret`, {
    show: (guest, rejected) => whenOpen(guest, () => showForm(guest, rejected)),
    submit: (guest) => whenOpen(guest, () => setUp(guest)),
  });
}

function showForm(guest: GuestRequest, rejected?: Rejected): FastifyReply {
  const { t } = guest;
  const submitted = rejected ?? {};
  return sendGuestForm(
    guest,
    { action: "set-up", title: t("signIn.setUpTitle"), lead: t("signIn.setUpLead"), ...rejected },
    inputField(
      submitted,
      { name: "name", label: t("settingsGroups.organization"), value: "" },
      html` dir="auto" maxlength="200" autocomplete="organization" required`,
    ),
    html`<div data-local-zone>${timeZoneField(guest, submitted, { value: "UTC", now: guest.now() })}</div>`,
    inputField(submitted, { name: "email", label: t("signIn.email"), value: "" }, emailInput),
    ...newPasswordFields(guest, rejected?.problem),
    html`<button>${t("signIn.setUp")}</button>`,
  );
}

async function setUp(guest: GuestRequest): Promise<FastifyReply> {
  const user = await addFirstAdmin(guest, readGuestForm(guest));
  if (!user) return sendUsedLink(guest);
  await beginSession(guest, user, async () => true);
  return guest.reply.redirect("/", 303);
}

/**
 * @returns undefined if an organization was added meanwhile
 * @throws AppError `bad_request` about a field
 */
async function addFirstAdmin(guest: GuestRequest, form: URLSearchParams): Promise<User | undefined> {
  const { request, database, now, t } = guest;
  const name = readName(guest, form, t("settingsGroups.organization"));
  const timeZone = readTimeZone(guest, form);
  const email = readField(guest, form, "email");
  const password = readNewPassword(guest, form, normalizeEmail(email));
  const hashed = await hashPassword(password, { key: request.ip, isKnown: false });
  const invalid = (quoted: string) => t("people.invalidEmail", { email: quoted });
  // No user has an email yet, so that none can be taken.
  const messages = { invalid, taken: invalid, takenElsewhere: invalid };
  return database.transaction(async (queries) => {
    const added = await addFirstOrganization(queries, { name, timeZone, email, now: now(), messages });
    if (!added) return undefined;
    const { user } = added;
    const scope = new Scope(queries, user.organizationId);
    await setPassword(scope, user, hashed);
    await recordAction(scope, { at: now(), actor: user.email, action: "organization.add", target: name });
    return user;
  });
}

function sendUsedLink(guest: GuestRequest): FastifyReply {
  const { t } = guest;
  return sendGuestMessage(
    guest,
    { title: t("signIn.setUpTitle"), code: "not_found" },
    { text: t("signIn.alreadySetUp"), url: webPaths.signIn, label: t("signIn.title") },
  );
}
