// Scripts that complete commands and options in a shell, made from the commands themselves.

import type { Command } from "commander";

export const completionShells = ["bash", "zsh", "fish"] as const;
export type CompletionShell = (typeof completionShells)[number];

const program = "email-analytics";

/** What may follow some words of a command line. */
interface CompletedPlace {
  /** The words so far, such as `key add`. */
  words: string;
  next: { text: string; description: string }[];
}

/** @param root with all of its commands */
export function completionScript(root: Command, shell: CompletionShell): string {
  const places = placesOf(root, []);
  return shell === "fish" ? fishScript(places) : bashScript(places, shell);
}

function placesOf(command: Command, words: readonly string[]): CompletedPlace[] {
  const commands = command.commands.map((each) => ({
    text: each.name(),
    description: each.description().split(". ", 1)[0] ?? "",
  }));
  const options = command.options.map(({ long, description }) => ({ text: long ?? "", description }));
  const own = { words: words.join(" "), next: commands.length > 0 ? commands : options };
  return [own, ...command.commands.flatMap((each) => placesOf(each, [...words, each.name()]))];
}

/** The longest words come first, because a pattern matches all that begin with it. */
function bashScript(places: readonly CompletedPlace[], shell: CompletionShell): string {
  const cases = places
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(({ words, next }) => {
      const pattern = words === "" ? '""' : `"${words}"|"${words} "*`;
      return `    ${pattern}) words="${next.map(({ text }) => text).join(" ")}" ;;`;
    });
  const zsh = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return `${zsh}_email_analytics() {
  local index line="" words=""
  for ((index = 1; index < COMP_CWORD; index++)); do line="$line\${line:+ }\${COMP_WORDS[index]}"; done
  case "$line" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _email_analytics ${program}
`;
}

function fishScript(places: readonly CompletedPlace[]): string {
  const lines = places.flatMap(({ words, next }) => {
    const given = words.split(" ").filter(Boolean);
    const seen = given.map((word) => `__fish_seen_subcommand_from ${word}`);
    return next.map(({ text, description }) => {
      const isOption = text.startsWith("--");
      const others = next.map((each) => each.text).join(" ");
      const tests = isOption ? seen : [...seen, `not __fish_seen_subcommand_from ${others}`];
      const what = isOption ? `-l ${text.slice(2)}` : `-f -a ${text}`;
      return `complete -c ${program} -n '${tests.join("; and ")}' ${what} -d '${description.replaceAll("'", "\\'")}'`;
    });
  });
  return `${lines.join("\n")}\n`;
}
