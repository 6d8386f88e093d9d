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

export class XmlParser {
  readonly #parser = new SaxesParser();
  #depth = 0;
  /** Characters of the chunks since the last event, and how many there may be. */
  #length = 0;
  #maxLength = largestRecordLength;

  /** @param handlers get names without the prefix of their namespace */
  constructor({ open, text, close }: XmlHandlers) {
    this.#parser.on("opentagstart", () => this.#restart(maxTagLength));
    this.#parser.on("opentag", ({ name, attributes }) => {
      this.#restart();
      this.#depth += 1;
      if (this.#depth > maxDepth) throw new Error(`elements are nested more than ${maxDepth} deep`);
      open(localName(name), attributes as Record<string, string>);
    });
    this.#parser.on("text", (content) => {
      this.#restart();
      text?.(content);
    });
    this.#parser.on("closetag", ({ name }) => {
      this.#restart();
      this.#depth -= 1;
      close?.(localName(name));
    });
  }

  /** @throws Error if the text is not XML, or exceeds a limit */
  write(chunk: string): void {
    this.#length += chunk.length;
    this.#parser.write(chunk);
    if (this.#length > this.#maxLength) {
      throw new Error(`a tag or text has more than ${this.#maxLength} characters`);
    }
  }

  /** @throws Error if an element is still open */
  end(): void {
    this.#parser.close();
  }

  #restart(maxLength = largestRecordLength): void {
    this.#length = 0;
    this.#maxLength = maxLength;
  }
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);
