// Names of values of the API in the language of the reader.

/** The name of a value; the value itself if it has none, since an imported campaign may have any. */
export function valueName(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] as string) : value;
}
