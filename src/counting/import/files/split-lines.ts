// Splits a text that arrives in chunks into lines.

/** The lines with their numbers, from 1. The last one is the first that is longer than `maxLength`, or a part of it. */
export async function* splitLines(
  text: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<{ line: number; content: string }> {
  let [line, rest] = [0, ""];
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() as string;
    for (const content of lines) yield { line: ++line, content };
    // A line that is too long must not fill the memory.
    if (rest.length > maxLength) break;
  }
  yield { line: line + 1, content: rest };
}
