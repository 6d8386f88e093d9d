// Texts of the people page and of the table of sessions.

import { formatCount } from "../ui/number-format.ts";

export const peopleStrings = {
  title: "People",
  plural: "people",
  caption: (organization: string, timeZone: string) =>
    `Users who can sign in to ${organization}. Times are in the time zone ${timeZone}.`,
  email: "Email",
  role: "Role",
  lastVisit: "Last visit",
  never: "Never",
  password: "Password",
  invitedUntil: (time: string) => `Invited until ${time}`,
  passwordSet: "Set",
  passwordNotSet: "Not set",
  actions: "Actions",
  you: "(you)",
  yourAccount: "Your account",
  roleOf: (email: string) => `Role of ${email}`,
  changeRole: "Change",
  changeRoleOf: (email: string) => `Change the role of ${email}`,
  roleChanged: (email: string, role: string) => `${email} is now ${role}.`,

  // Add
  addUser: "Add a user",
  add: "Add user",
  addHint:
    "Viewers see numbers, tags, and comments without names. Admins also manage API keys, tags, people and settings. You get an invite link next, with which the user chooses a password.",
  invalidEmail: (email: string) => `Email: ${email} is not an email address, such as ada@example.com.`,
  emailTakenHere: (email: string) =>
    `Email: a user with the email ${email} already exists. To send another invite link, use New invite link or Reset password in the table.`,
  emailTakenElsewhere: (email: string) =>
    `Email: a user of this service with the email ${email} already exists. An email can belong to one user only.`,
  tooManyTaken: (wait: string) => `Too many emails that are already in use. Try again ${wait}.`,

  // Invite link
  inviteTitle: (email: string) => `Send this invite link to ${email}`,
  inviteIntro:
    "Opening it lets the user choose a password. Do not send it to anyone else: it works once, for seven days, and is not shown again.",
  inviteLabel: "the invite link",
  backToPeople: "Back to people",

  // Reset and remove
  resetPassword: "Reset password",
  newInviteLink: "New invite link",
  resetSummary: (isReset: boolean, email: string) => (isReset ? `of ${email}` : `for ${email}`),
  resetButton: "Reset password",
  newInviteButton: "Create invite link",
  resetWarning: (email: string) => `The password of ${email} stops working, and all sessions end.`,
  sessionsWarning: (email: string) => `All sessions of ${email} end.`,
  oldLinkWarning: (email: string) => `The previous invite link of ${email} stops working.`,
  resetNext: "You get an invite link for choosing a new password.",
  resetOwn: "Change your own password on the page Your account.",
  remove: "Remove",
  removeWarning: (email: string) =>
    `${email} can no longer sign in and is signed out everywhere. API keys that they created keep working.`,
  removeUser: "Remove user",
  removed: (email: string) => `Removed ${email}.`,
  notFound: "The user does not exist. They may have been removed.",
};

export const sessionsStrings = {
  title: "Sessions",
  caption: "Active sessions. Last used is accurate to the hour.",
  user: "User",
  browser: "Browser",
  since: "Signed in",
  lastUsed: "Last used",
  actions: "Actions",
  current: "This session",
  end: "Sign out",
  endOf: (email: string, browser: string) => `Sign out ${email} in ${browser}`,
  more: (count: number) => `And ${formatCount(count)} more, used less recently.`,
  ended: "The session has ended.",
  notFound: "The session does not exist. It may have ended.",
};
