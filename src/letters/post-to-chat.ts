// Posts to an incoming webhook of Slack or Teams.

import type { ChatService } from "../access/notification-kinds.ts";
import { MailError } from "./mail-error.ts";

export interface ChatMessage {
  title: string;
  text: string;
  link: { label: string; url: string };
}

/** @throws MailError if the service did not accept it; never with the URL */
export type PostToChat = (service: ChatService, url: string, message: ChatMessage) => Promise<void>;

/**
 * The hosts of the two services. Others would let an admin send requests into the network of this server, and an answer
 * would tell about it.
 */
const hosts: Record<ChatService, RegExp> = {
  slack: /^hooks\.slack(-gov)?\.com$/,
  teams: /^[\w.-]+\.(webhook\.office\.com|logic\.azure\.com|(api\.)?powerplatform\.com|powerautomate\.com)$/,
};

const maxUrlLength = 1_000;

/** Whether a URL may be an incoming webhook of the service. */
export function isChatUrl(service: ChatService, text: string): boolean {
  if (text.length > maxUrlLength || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  return protocol === "https:" && hosts[service].test(hostname) && port + username + password === "";
}

// An import of it would load WebSocket as well, which the start does not need.
const { request } = process.getBuiltinModule("node:https");

const timeoutMs = 10_000;

/**
 * Follows no redirect.
 *
 * @param options for tests: which URLs may be used, and what starts a request
 */
export function createPostToChat({ isAllowed = isChatUrl, start = request } = {}): PostToChat {
  return async (service, url, message) => {
    // Checks stored URLs, too: the list of hosts may be shorter than when they were saved.
    if (!isAllowed(service, url)) throw new MailError(`the URL is not one of ${service}`, "refused");
    await postJson(start, url, bodyOf[service](message));
  };
}

export const postToChat = createPostToChat();

function postJson(start: typeof request, url: string, body: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    const fail = (message: string, outcome: MailError["outcome"]) => reject(new MailError(message, outcome));
    const running = start(
      url,
      { method: "POST", headers: { "content-type": "application/json" }, timeout: timeoutMs },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.resume();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else fail(`HTTP ${statusCode}`, statusCode === 429 || statusCode >= 500 ? "later" : "refused");
      },
    );
    running.on("finish", () => {
      isSent = true;
    });
    running.on("timeout", () => running.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })));
    // The message of an error has the host, and may have more; its code says enough.
    running.on("error", ({ code = "no code" }: NodeJS.ErrnoException) =>
      fail(`connection: ${code}`, isSent ? "unknown" : "later"),
    );
    running.end(JSON.stringify(body));
  });
}

const bodyOf: Record<ChatService, (message: ChatMessage) => unknown> = {
  slack: ({ title, text, link }) => ({
    text: `*${escapeForSlack(title)}*\n${escapeForSlack(text)}\n<${link.url}|${escapeForSlack(link.label)}>`,
  }),
  // An Adaptive Card, which workflows of Teams post.
  teams: ({ title, text, link }) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            { type: "TextBlock", size: "medium", weight: "bolder", wrap: true, text: escapeForTeams(title) },
            ...text
              .split("\n")
              .filter((line) => line !== "")
              .map((line) => ({
                type: "TextBlock",
                wrap: true,
                spacing: "small",
                text: escapeForTeams(line),
              })),
          ],
          actions: [{ type: "Action.OpenUrl", title: link.label, url: link.url }],
        },
      },
    ],
  }),
};

/** Otherwise a subject could mention everyone in a channel. */
function escapeForSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Otherwise a subject could have links. */
function escapeForTeams(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, "\\$&");
}
