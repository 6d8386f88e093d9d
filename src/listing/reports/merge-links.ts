// The clicked links of a campaign by URL.

export interface LinkClicks {
  url: string;
  people: number;
  all: number;
}

/** One entry per URL, without links that have no clicks, most human clicks first. The entry with an empty URL has all other links and comes last. */
export function mergeLinks(links: readonly LinkClicks[]): LinkClicks[] {
  const sums = new Map<string, { people: number; all: number }>();
  for (const { url, people, all } of links) {
    const sum = sums.get(url) ?? { people: 0, all: 0 };
    sums.set(url, sum);
    sum.people += people;
    sum.all += all;
  }
  return [...sums]
    .map(([url, { people, all }]) => ({ url, people: Math.max(people, 0), all: Math.max(all, people, 0) }))
    .filter(({ all }) => all > 0)
    .sort(
      (a, b) =>
        Number(a.url === "") - Number(b.url === "") ||
        b.people - a.people ||
        b.all - a.all ||
        (a.url < b.url ? -1 : 1),
    );
}
