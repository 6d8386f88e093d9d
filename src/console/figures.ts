// Figures in the sentences of the web application.

/** `1 campaign`, `12,345 campaigns`. */
export function countedWords(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
