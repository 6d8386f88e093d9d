// Names that people give: to organizations, keys and tags.

/** What is accepted, in words. */
export const acceptedName =
  "1 to 200 characters, all in one line, something to see among them, without invisible marks that turn the direction of writing";

/** They turn round what stands after the name, too, so that a name could make other words read as they do not stand there. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/** Something to see, and no sign for what could not be read. */
const isSeen = (name: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) && !name.includes("\ufffd");

/** The name in a text, without blanks around it; undefined where it is none. */
export function normalizeName(text: string): string | undefined {
  const name = text.trim();
  const isName = name.length >= 1 && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name);
  return isName && isSeen(name) && !directionMarks.test(name) ? name : undefined;
}

/** A name among other words, in quotes: whichever way its letters run, the words around it run as they did. */
export function quoteName(name: string): string {
  return `\u2068${JSON.stringify(name)}\u2069`;
}
