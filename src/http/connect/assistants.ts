// Assistants that ask the service questions over the Model Context Protocol.

import type { ToolEntry } from "./connect-tool.ts";
import { setKeyAnywhere } from "./set-key.ts";

const url = "{{address}}/mcp";
const ask = "Ask which newsletters did best last quarter, and whether that is more than chance.";
const usesMcp = true;
const refresh = "Each question reads the numbers of that moment.";
const limits =
  "It reads campaigns and comments without names, and changes nothing. It answers from the numbers of the pages and links to them; what it concludes is its own. Your questions and its answers go to the company that runs it.";
const tested =
  "Every test run connects with this URL and this header, with the official MCP client of two revisions and with one of our own.";

export const assistants = [
  {
    id: "claude",
    name: "Claude",
    minutes: 1,
    usesMcp,
    url,
    steps: [
      "On claude.ai, add a custom connector under Settings, Connectors, with the URL below. Sign in here, and press Allow: this needs no API key, but a service that claude.ai reaches over HTTPS.",
      {
        text: "Or, in a terminal with Claude Code, add the service with an API key:",
        commands: [
          `claude mcp add --scope user --transport http email-analytics ${url} --header "Authorization: Bearer {{key}}"`,
        ],
      },
      ask,
    ],
    refresh,
    limits,
    tested: `${tested} The official client also signs in through a browser. Claude was not run.`,
  },
  {
    id: "chatgpt",
    name: "ChatGPT (Codex)",
    minutes: 1,
    usesMcp,
    url,
    steps: [
      setKeyAnywhere,
      {
        text: "In the same terminal with Codex, which belongs to your ChatGPT plan, add the service:",
        commands: [`codex mcp add email-analytics --url ${url} --bearer-token-env-var EMAIL_ANALYTICS_KEY`],
      },
      ask,
    ],
    refresh,
    limits: `${limits} Connectors on chatgpt.com sign in with OAuth: give them the URL, and press Allow.`,
    tested: `${tested} Codex was not run.`,
  },
  {
    id: "copilot",
    name: "GitHub Copilot (VS Code)",
    minutes: 1,
    usesMcp,
    url,
    steps: [
      "Save `mcp.json` in the folder `.vscode` of your workspace.",
      "Choose Start above the server in that file, and paste your API key: VS Code stores it encrypted.",
      ask,
    ],
    files: ["vs-code/mcp.json"],
    refresh,
    limits,
    tested: `${tested} They come from the file. VS Code was not run.`,
  },
  {
    id: "cursor",
    name: "Cursor",
    minutes: 1,
    usesMcp,
    url,
    steps: [
      setKeyAnywhere,
      "Save `mcp.json` in the folder `.cursor` of your home directory, and start Cursor in that terminal.",
      ask,
    ],
    files: ["cursor/mcp.json"],
    refresh,
    limits,
    tested: `${tested} They come from the file. Cursor was not run.`,
  },
] as const satisfies readonly ToolEntry[];
