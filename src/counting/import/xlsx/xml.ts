// An XML parser with limits that hold before a token takes memory: a name, an attribute or a text may be as long as its part.

import { SaxesParser } from "saxes";
import { largestRecordLength } from "../mapping/file-entry.ts";

/** Elements of a workbook are nested some ten deep. */
const maxDepth = 32;
/** Characters of a tag, with its attributes. */
const maxTagLength = 64 * 1024;

interface XmlHandlers {
  open(name: string, attributes: Partial<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses a text, and yields after each chunk: the caller can then take what its handlers have collected.
 *
 * @param handlers get names without the prefix of their namespace
 * @throws Error if the text is not XML, exceeds a limit, or ends within an element
 */
export async function* parseXml(
  chunks: AsyncIterable<string>,
  { open, text, close }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  let depth = 0;
  /** Characters of the chunks since the last event, and how many there may be. */
  let [length, maxLength] = [0, largestRecordLength];
  const restart = (max = largestRecordLength) => {
    [length, maxLength] = [0, max];
  };
  parser.on("opentagstart", () => restart(maxTagLength));
  parser.on("opentag", ({ name, attributes }) => {
    restart();
    depth += 1;
    if (depth > maxDepth) throw new Error(`elements are nested more than ${maxDepth} deep`);
    open(localName(name), attributes as Record<string, string>);
  });
  parser.on("text", (content) => {
    restart();
    text?.(content);
  });
  parser.on("closetag", ({ name }) => {
    restart();
    depth -= 1;
    close?.(localName(name));
  });
  for await (const chunk of chunks) {
    length += chunk.length;
    parser.write(chunk);
    if (length > maxLength) throw new Error(`a tag or text has more than ${maxLength} characters`);
    yield;
  }
  parser.close();
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);
