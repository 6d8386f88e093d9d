// The tags of a campaign in one cell of a CSV file.

const escaped = /\\([\\;])/g;

/** `Name` or `Name #RRGGBB`, separated by `;`. In a name, `;` and `\` are escaped with a backslash. */
export function parseTagCell(cell: string): { name: string; color?: string }[] {
  const entries = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const match = /^(.*\S)\s+(#[0-9A-Fa-f]{6})$/s.exec(entry);
      const name = (match?.[1] ?? entry).replace(escaped, "$1");
      return match?.[2] ? { name, color: match[2] } : { name };
    });
}
