// The URLs that the benchmark requests. The random ones are reproducible, repeat only after thousands, and always return full
// pages if there are enough campaigns.

import { Random } from "../../test/support/histories.ts";
import { tagsOf, type World } from "./world.ts";

export const perPage = 100;
const urlCount = 4_000;
const tagCombinations = 300;
const seed = 7;

export function pageUrl(page: number, size = perPage, filter = ""): string {
  return `/data_api/v1/emails?per_page=${size}&page=${page}${filter}`;
}

const pagesOf = ({ campaigns }: World) => Math.ceil(campaigns / perPage);

export function allPageUrls(world: World): string[] {
  return Array.from({ length: pagesOf(world) }, (_, index) => pageUrl(index + 1));
}

/** All pages in random order, again in another order if there are too few. */
export function randomPageUrls(world: World): string[] {
  const random = new Random(seed);
  const pages: string[] = [];
  while (pages.length < urlCount) pages.push(...random.shuffle(allPageUrls(world)));
  return pages.slice(0, urlCount);
}

/** Random pages of campaigns with any of three random tags. */
export function tagPageUrls({ campaigns, tagIds }: World): string[] {
  const masks = Uint32Array.from({ length: campaigns }, (_, position) =>
    tagsOf(position).reduce((mask, number) => mask | (1 << number), 0),
  );
  const random = new Random(seed);
  const filters = Array.from({ length: tagCombinations }, () => {
    const chosen = random.shuffle(tagIds.map((_, number) => number)).slice(0, 3);
    const mask = chosen.reduce((before, number) => before | (1 << number), 0);
    let size = 0;
    for (const each of masks) if ((each & mask) !== 0) size += 1;
    return { text: `&tag_ids=${chosen.map((number) => tagIds[number]).join(",")}`, size };
  });
  return Array.from({ length: urlCount }, () => {
    const { text, size } = random.pick(filters);
    return pageUrl(random.between(1, fullPages(size)), perPage, text);
  });
}

const fullPages = (size = 0) => Math.max(1, Math.floor(size / perPage));
