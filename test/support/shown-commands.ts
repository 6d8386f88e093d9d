// The commands that the documentation shows, with what they print.

export interface ShownCommand {
  /** What follows `npx email-analytics`. */
  text: string;
  /** The output lines on the page. */
  lines: string[];
}

export function shownCommands(page: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const [, block = ""] of page.matchAll(/^ *```console\n([\s\S]*?)^ *```$/gm)) {
    for (const part of block.split(/^ *\$ /m).slice(1)) {
      const [command = "", ...lines] = part.split("\n").map((line) => line.trim());
      const [, text] = /^npx email-analytics (.*)$/.exec(command) ?? [];
      if (text !== undefined) commands.push({ text, lines: lines.filter((line) => line !== "") });
    }
  }
  return commands;
}

/** Removes what differs from run to run: URLs' hosts, keys, random ids, key numbers, and the demo's campaigns by now. */
export function normalize(line: string): string {
  return line
    .trim()
    .replace(/https?:\/\/[\w.:-]+\//g, "BASE/")
    .replace(/<(?:API|INGEST)_KEY>|ea_\w+/g, "KEY")
    .replace(/<SECRET>|[0-9a-f]{32,}/g, "SECRET")
    .replace(/\bkey \d+/g, "key N")
    .replace(/\b\d+(?= campaigns since | of the last nine months)/g, "N");
}
