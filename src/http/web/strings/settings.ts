// Texts of the settings pages: API keys, tags, people, sessions, organization and account.

import { type Html, html } from "../../html.ts";
import { formatCount, pluralize } from "../ui/number-format.ts";

/** Shared by fields that take a name. */
const name = "Name";
const nameRule = (accepted: string) => `accepted: a name has ${accepted}`;

export const keysStrings = {
  title: "Analytics API",
  baseUrl: "Base URL",
  baseUrlIntro: (emailsPath: string, region: string): Html =>
    html`Tools send their requests to this URL, with an API key from below. Records: <code>GET ${emailsPath}</code>. Region: <code>${region}</code>.`,
  baseUrlLabel: "the base URL",
  keys: "API keys",
  noKeys: "No API keys yet.",
  keysCaption: (count: number) =>
    `${pluralize(count, "key")}. Last used is accurate to the hour and may lag slightly.`,
  name,
  nameRule,
  scope: "Scope",
  startsWith: "Starts with",
  created: "Created",
  lastUsed: "Last used",
  notUsedYet: "not used yet",
  inHourFrom: "in the hour from",
  commandLine: "command line",
  delete: "Delete",
  deleteKeyNamed: (name: string) => `Delete ${name}`,
  createKey: "Create an API key",
  createKeyIntro:
    "The key is shown once, on the next page. The name says what it is for. Use a separate key for each report and each program, so that you can delete one without the others.",
  create: "Create key",
  scopes: {
    read: "read: reports and programs that read records",
    ingest: "ingest: programs that send campaigns and events",
  },
  justCreated: (name: string) =>
    `Name: the key ${name} was created a moment ago. Delete it if you did not copy it, or choose another name.`,

  // A new key
  newKeyTitle: "Your new API key",
  copyNow:
    "Copy the key now: it is never shown again. Anyone who has it can use it, so store it like a password.",
  keyWithScope: (scope: string) => `API key with the scope ${scope}`,
  keyLabel: "the key",
  codeLabel: (title: string) => `the code for ${title}`,
  doneCopying: "I copied the key, back to all keys",
  powerBiHint:
    "Get data, Blank query, Advanced editor. When Power BI asks for credentials, choose Basic, with any user name and the key as the password: this keeps the key out of the query. Do not choose Web API, which puts the key into the URL.",
  excelHint:
    "For one page: Data, From Web, this URL; then Basic, with any user name and the key as the password. For all pages: Data, Get Data, From Other Sources, Blank Query, Advanced Editor, and the code for Power BI.",
  ingestHint: "Sends no events yet. It only checks that the key is accepted.",

  // Delete
  deleteTitle: "Delete an API key",
  describe: (key: { name: string; scope: string; prefix: string; use: string }): Html =>
    html`The key <strong>${key.name}</strong> starts with <code>${key.prefix}…</code> and has the scope <strong>${key.scope}</strong>. ${key.use}`,
  neverUsed: "It has not been used yet.",
  lastUsedAt: (time: string) => `It was last used in the hour from ${time}.`,
  consequences: {
    read: "Reports, spreadsheets and programs that read records with it stop working: their next request fails with 401.",
    ingest:
      "Programs that send campaigns and events with it fail with 401 from the next request on. What they do not send again is not counted.",
  },
  cannotUndo: "You cannot undo this. To avoid a gap, create a new key and put it in place first.",
  deleteKey: "Delete key",
  cancel: "Cancel",
  deleted: (name: string) => `Deleted the key ${name}.`,
  notFound: "The key does not exist. It may have been deleted.",
};

export const tagsStrings = {
  title: "Tags",
  addTag: "Add a tag",
  add: "Add tag",
  noTags: "No tags yet. A tag is a label for campaigns.",
  intro: html`The filter <code>tag_ids</code> of the API takes these ids. Renaming a tag keeps its id.`,
  caption: (count: number) => pluralize(count, "tag"),
  plural: "tags",
  tag: "Tag",
  id: "ID",
  idOf: (name: string) => `the ID of ${name}`,
  campaigns: "Campaigns",
  edit: "Edit",
  editNamed: (name: string) => `Edit ${name}`,
  name,
  nameRule,
  color: "Color",
  colorRule: "a color of the form #RRGGBB",
  nameTaken: (name: string, id: number) =>
    `Name: the tag with the id ${id} already has the name ${name}. Choose another.`,
  added: (name: string) => `Added the tag ${name}.`,

  // One tag
  tagTitle: (name: string) => `Tag ${name}`,
  nameAndColor: "Name and color",
  idIsFixed: (id: number): Html =>
    html`The ID <code>${id}</code> never changes. The API returns changes immediately.`,
  save: "Save",
  saved: (name: string) => `Saved the tag ${name}. The API returns it immediately.`,
  delete: "Delete",
  deleteTag: "Delete this tag",
  deleteNamed: (name: string) => `Delete ${name}`,
  loss: (campaigns: number) =>
    campaigns === 0
      ? "No campaign has this tag."
      : `${pluralize(campaigns, "campaign")} ${campaigns === 1 ? "loses" : "lose"} this tag and ${campaigns === 1 ? "keeps" : "keep"} everything else.`,
  deleteWarning: (id: number): Html =>
    html`Reports that filter by <code>tag_ids=${id}</code> find nothing anymore. You cannot undo this: a new tag gets another ID.`,
  deleted: (name: string) => `Deleted the tag ${name}.`,
  allTags: "All tags",
  notFound: "The tag does not exist. It may have been deleted.",
};

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
    `Email: ${email} is already a user. To send another invite link, use New invite link or Reset password in the table.`,
  emailTakenElsewhere: (email: string) =>
    `Email: ${email} is already a user of this service. An email can belong to one user only.`,

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
  lastUser: "You are the last user. The operator of this service can remove you with a command.",
  lastAdmin: (email: string) => `${email} is the last admin; make another user an admin first`,
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

export const organizationStrings = {
  title: "Organization",
  general: "General",
  name,
  nameRule,
  timeZone: "Time zone",
  timeZoneHint: "Times are shown in this time zone, here and in the API.",
  timeZoneRule: "a time zone with an IANA name, such as Europe/Berlin or UTC",
  count: "Counted traffic",
  countedTraffic: { people: "Human activity only", all: "All traffic, including automated activity" },
  save: "Save",
  saved: "Saved. The API returns the change immediately.",

  // Auto-close
  autoClose: "Auto-close campaigns",
  autoCloseIntro:
    "The numbers of a closed campaign no longer change, and the data behind them is deleted: later events are not counted, and individual answers and comments are no longer shown.",
  closeAfterDays: "Close Individual campaigns … days after they were sent and registered",
  closeNamelessAfterDays: "Close Anonymous and Overall campaigns … days after they were sent and registered",
  fewerDaysHint: "If you choose fewer days, you are asked to confirm before anything is deleted.",
  saveDays: "Save days",
  daysSaved: "Saved when campaigns close.",
  daysRule: "a whole number from 1 to 100000",
  confirmTitle: "Close campaigns sooner?",
  closesNone: "No campaign closes right away. Others close sooner than they would now.",
  closesSome: (campaigns: number) =>
    `${pluralize(campaigns, "campaign")} ${campaigns === 1 ? "closes" : "close"} within a minute. The data behind ${campaigns === 1 ? "its" : "their"} numbers is deleted.`,
  cannotUndo: "You cannot undo this: more days later restore nothing.",
  individual: "Individual campaigns",
  nameless: "Anonymous and Overall campaigns",
  daysUnchanged: (days: number) => `${formatCount(days)} days, unchanged`,
  daysChanged: (days: number, before: number) =>
    `${formatCount(days)} days instead of ${formatCount(before)}`,
  understand: "I understand that this permanently deletes data",
  closeSooner: "Close campaigns sooner",
  keepDays: "Cancel",
};

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
