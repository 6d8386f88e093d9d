// Renders the pages of `docs/connect/` from the table of tools.

import type { ConnectStep, ConnectTool } from "../../src/http/connect/connect-tool.ts";
import { connectorText, fillInText } from "../../src/http/connect/connector-text.ts";
import { tools } from "../../src/http/connect/tools.ts";
import { table } from "./markdown.ts";

const exampleAddress = "https://analytics.example.com";
const filledIn = (text: string) => fillInText(text, { address: exampleAddress, organization: 1 });

/** The pages, by path from the repository root. */
export function connectPages(): [path: string, content: string][] {
  return [
    ["docs/connect/README.md", connectIndex()],
    ...tools.map((tool): [string, string] => [`docs/connect/${tool.id}.md`, connectPage(tool)]),
  ];
}

function connectIndex(): string {
  const rows = tools.map(({ id, name, minutes }) => [`[${name}](${id}.md)`, `${minutes} min`]);
  return `# Connect a tool

The time is for somebody who knows the tool and has an API key.

${table(["Tool", "Time"], rows)}
`;
}

function connectPage(tool: ConnectTool): string {
  const { name, steps, files, lines, refresh, limits, tested, usesViews } = tool;
  const parts = [
    `# Connect ${name}`,
    requirements(tool),
    steps.map(numberedStep).join("\n").trimEnd(),
    ...(files.length > 0 ? [fileList(files, usesViews)] : []),
    ...(lines ? [codeBlock(lines)] : []),
    [`- **Refresh.** ${refresh}`, `- **Limits.** ${limits}`, `- **Tested.** ${tested}`].join("\n"),
    "See also [troubleshooting](../troubleshooting.md), and [units and missing values](../tools.md#units).",
  ];
  return `${parts.join("\n\n")}\n`;
}

function numberedStep({ text, commands = [] }: ConnectStep, index: number): string {
  const block = ["", "```", ...commands, "```", ""].map((line) => line && `   ${filledIn(line)}`).join("\n");
  return `${index + 1}. ${filledIn(text)}${commands.length > 0 ? `\n${block}` : ""}`;
}

function requirements({ usesViews, usesCsvLink, usesMcp }: ConnectTool): string {
  if (usesCsvLink)
    return "You need the right to create a [CSV link](../downloads.md#csv-links), or a colleague who has it.";
  const mcp = usesMcp ? "\n\nThe service must serve [MCP](../mcp.md): an operator sets `MCP=on`." : "";
  return usesViews
    ? "The service must use PostgreSQL, and you need the rights of the owner of its database: see [SQL views](../sql-views.md)."
    : `You need the URL of your service, here \`${exampleAddress}\`, and an [API key](../api.md#authentication).${mcp}`;
}

function fileList(files: ConnectTool["files"], usesViews: true | undefined): string {
  const links = files.map(({ path, name }) => `- [${name}](../../connectors/${path})`);
  const isFilledIn = files.some(({ path }) => /\{\{address\}\}/.test(connectorText(path, "{{address}}")));
  const noun = files.length > 1 ? "files" : "file";
  const fileHeading = isFilledIn ? `In the ${noun}, replace \`{{address}}\` with your URL:` : `The ${noun}:`;
  const heading = usesViews ? `In the ${noun}, replace \`analytics_1\` with your schema:` : fileHeading;
  return `${heading}\n\n${links.join("\n")}`;
}

function codeBlock({ language, path }: NonNullable<ConnectTool["lines"]>): string {
  return `\`\`\`${language}\n${connectorText(path, exampleAddress)}\`\`\``;
}
