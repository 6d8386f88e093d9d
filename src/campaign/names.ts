// Names that people give: to organizations, keys and tags.

/** What is accepted, in words. */
export const nameShape = "1 to 200 characters, all in one line";

/** The name in a text, without blanks around it; undefined where it is none. */
export function readName(text: string): string | undefined {
  const name = text.trim();
  const isName = name.length >= 1 && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isName ? name : undefined;
}
