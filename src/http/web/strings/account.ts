// Texts of the account page.

import { type Html, html } from "../../html.ts";

export const accountStrings = {
  title: "Your account",
  signedInAs: (email: string, role: string, organization: string): Html =>
    html`You are <strong>${email}</strong>, ${role} of ${organization}.`,
  password: "Password",
  noPasswordCompany:
    "You have no password: you sign in with your company account. To get one, ask an admin for an invite link.",
  noPassword: "You have no password yet. Ask an admin for an invite link.",
  currentPassword: "Current password",
  signsOutElsewhere: "You stay signed in here and are signed out everywhere else.",
  changePassword: "Change password",
  passwordChanged: "Your password was changed. You are signed out everywhere else.",
  passwordChangedMeanwhile: "Your password was changed in another session. Sign in again.",
  wrongPassword: "Current password: wrong password. Type it again.",
  sessions: "Your sessions",
};
