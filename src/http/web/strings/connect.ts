// Texts of the pages that connect tools.

import { type Html, html } from "../../html.ts";
import { formatCountOf } from "../ui/number-format.ts";

export const connectStrings = {
  title: "Connect",
  intro: (count: number) =>
    `Get your campaigns into the tool that you work with. There are instructions for ${formatCountOf(count, "tool")}.`,
  search: "Search tools",
  find: "Search",
  allTools: "All tools",
  noMatch: (text: string): Html =>
    html`No tool matches <strong>${text}</strong>. Any tool that can send an HTTP header or a user name and a password can read the API.`,
  minutes: (minutes: number) => formatCountOf(minutes, "minute"),
  toolTitle: (name: string) => `Connect ${name}`,
  notFound: "There are no instructions for this tool.",
  fileNotFound: "There is no such file for this tool.",
  steps: "Steps",
  time: "Time",
  timeNote: (minutes: number) => `About ${formatCountOf(minutes, "minute")}, if you know the tool.`,
  download: (file: string) => `Download ${file}`,
  filesHold: (one: boolean) =>
    one
      ? "The file contains the URL of this service, and no key."
      : "The files contain the URL of this service, and no key.",
  linesLabel: (name: string) => `the lines for ${name}`,
  baseUrl: "Base URL",
  baseUrlLabel: "the base URL",
  facts: "Good to know",
  refresh: "Refresh",
  limits: "Limits",
  tested: "Tested",
  key: "API key",
  keyIntro: (name: string) =>
    `Creates a key with the scope read and the name ${name}. It is shown once, and the next page shows when its first request arrives.`,
  createKey: (name: string) => `Create key for ${name}`,
  newKeyTitle: (name: string) => `Your API key for ${name}`,
  firstRequest: "First request",
  waiting: (name: string) => `Waiting for the first request from ${name}…`,
  waitingNote: "Follow the steps with the new key. This page updates automatically.",
  waitElsewhere: "I copied the key. Wait for the first request",
  received: "The first request has arrived.",
  receivedFrom: (time: string, client: string): Html =>
    html`It came on ${time} from <strong>${client}</strong>.`,
  unknownClient: "a program that does not name itself",
  rows: (campaigns: number) =>
    `Your organization has ${formatCountOf(campaigns, "campaign")}. Check that the tool shows as many rows.`,
  backToTool: (name: string) => `Back to ${name}`,
  keyForViewers: "You need an API key with the scope read. Ask an admin of your organization for one.",
};
