// What a verdict on an open or click is called, and what it means.

import { type ActivityVerdict, verdictMeanings } from "../campaign/events/activity.ts";
import type { Locale } from "./locale.ts";

/** Another version of the program may have stored a verdict that this version lacks. */
export function textsOfVerdict({ translate }: Locale, name: string): { title: string; meaning: string } {
  if (!Object.hasOwn(verdictMeanings, name)) return { title: name, meaning: "" };
  const { title, meaning } = verdictMeanings[name as ActivityVerdict];
  return {
    title: translate(`verdicts.${name}.title`, title),
    meaning: translate(`verdicts.${name}.meaning`, meaning),
  };
}
