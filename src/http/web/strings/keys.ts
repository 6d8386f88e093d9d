// Texts of the pages of API keys.

import { type Html, html } from "../../html.ts";
import { formatCountOf } from "../ui/number-format.ts";

export const keysStrings = {
  title: "Analytics API",
  baseUrl: "Base URL",
  baseUrlIntro: (emailsPath: string, region: string): Html =>
    html`Tools send their requests to this URL, with an API key from below. Records: <code>GET ${emailsPath}</code>. Region: <code>${region}</code>.`,
  baseUrlLabel: "the base URL",
  keys: "API keys",
  noKeys: "No API keys yet.",
  keysCaption: (count: number) =>
    `${formatCountOf(count, "key")}. Last used is accurate to the hour and may lag slightly.`,
  name: "Name",
  scope: "Scope",
  startsWith: "Starts with",
  created: "Created",
  lastUsed: "Last used",
  notUsedYet: "not used yet",
  commandLine: "command line",
  until: (time: string) => `until ${time}`,
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
  doneCopying: "I copied the key. Back to all keys",
  powerBiHint:
    "In Power BI, choose Get data, OData feed, and paste this URL. When Power BI asks for credentials, choose Basic and enter any user name, and the key as the password. Do not choose Web API.",
  excelHint:
    "Choose Data, Get Data, From Other Sources, From OData Feed, and paste this URL. When Excel asks for credentials, choose Basic and enter any user name, and the key as the password.",
  ingestHint: "Sends no events yet. It only checks that the key is accepted.",

  // Delete
  deleteTitle: "Delete an API key",
  describe: (key: { name: string; scope: string; prefix: string; use: string }): Html =>
    html`The key <strong>${key.name}</strong> starts with <code>${key.prefix}…</code> and has the scope <strong>${key.scope}</strong>. ${key.use}`,
  neverUsed: "It has not been used yet.",
  lastUsedAt: (time: string) => `It was last used ${time}.`,
  consequences: {
    read: "Reports, spreadsheets and programs that read records with it stop working: their next request fails with 401.",
    "csv-link": "Spreadsheets that use the link get an error from their next refresh on.",
    ingest:
      "Programs that send campaigns and events with it fail with 401 from the next request on. What they do not send again is not counted.",
  },
  cannotUndo: "You cannot undo this. To avoid a gap, create a new key and put it in place first.",
  deleteKey: "Delete key",
  cancel: "Cancel",
  deleted: (name: string) => `Deleted the key ${name}.`,
  notFound: "The key does not exist. It may have been deleted.",
};
