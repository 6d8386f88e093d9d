// The pages that a pull has fetched, one file each. A pull that was interrupted continues after the last one.

import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dayMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import type { FileEntry } from "../files/file-entry.ts";
import { type HostedPage, PageSequence } from "./page-sequence.ts";

/** Numbers of older pages would be outdated. */
const maxAgeMs = dayMs;

/** The window of the pull, fixed by its first request so that pages do not shift when a campaign is sent. */
export type PullQuery = { sent_before: string; sent_after?: string };

/** What the check of the time zone has found. */
interface CheckedTimeZone {
  timeZone: string;
  /** Undefined if the service agrees. */
  warning?: string | undefined;
  /** The seasons of which a campaign was checked. */
  seasons: number[];
}

interface PullHeader {
  /** Differs for another organization, account, address or filter. */
  identity: string;
  startedAt: number;
  query: PullQuery;
  checked?: CheckedTimeZone;
}

const headerName = "pull.json";
const pageName = (number: number) => `page-${number}.json`;

export class PulledPages {
  readonly sequence = new PageSequence();
  /** Whether pages of an earlier run were found. */
  readonly isResumed: boolean;
  readonly #folder: string;
  #header: PullHeader;

  private constructor(folder: string, header: PullHeader, isResumed: boolean) {
    this.#folder = folder;
    this.#header = header;
    this.isResumed = isResumed;
  }

  get query(): PullQuery {
    return this.#header.query;
  }

  /** Of this run or an earlier one; undefined before the check. */
  get checked(): CheckedTimeZone | undefined {
    return this.#header.checked;
  }

  async saveChecked(checked: CheckedTimeZone): Promise<void> {
    this.#header = { ...this.#header, checked };
    await writeJson(join(this.#folder, headerName), this.#header);
  }

  /** The records of a page that was fetched. */
  async emails(number: number): Promise<unknown[]> {
    return (await this.#read(number)).emails;
  }

  /** Opens the pages of an earlier run if it was the same pull and is less than a day old, or starts with none. */
  static async open(folder: string, fresh: PullHeader): Promise<PulledPages> {
    const kept = (await readJson(join(folder, headerName))) as PullHeader | undefined;
    const age = fresh.startedAt - (kept?.startedAt ?? 0);
    if (kept?.identity === fresh.identity && age >= 0 && age < maxAgeMs) {
      const pages = new PulledPages(folder, kept, true);
      await pages.#readKept();
      return pages;
    }
    const pages = new PulledPages(folder, fresh, false);
    await pages.discard();
    await writeJson(join(folder, headerName), fresh);
    return pages;
  }

  async #readKept(): Promise<void> {
    for (;;) {
      const body = await readJson(this.#pathOf(this.sequence.pages + 1));
      if (body === undefined) return;
      try {
        this.sequence.add(body);
      } catch (error) {
        if (error instanceof AppError) return;
        throw error;
      }
    }
  }

  /**
   * Verifies and stores the next page.
   *
   * @throws AppError as {@link PageSequence.add}
   */
  async add(body: unknown): Promise<HostedPage> {
    const page = this.sequence.add(body);
    await writeJson(this.#pathOf(this.sequence.pages), page);
    return page;
  }

  async *entries(): AsyncGenerator<FileEntry> {
    for (let number = 1; number <= this.sequence.pages; number++) {
      const emails = await this.emails(number);
      yield* emails.map((record, index) => ({ where: `page ${number}, emails[${index}]`, record }));
    }
  }

  /** Deletes all pages: the next pull starts from the first one. */
  async discard(): Promise<void> {
    // First the header: pages without one are never used.
    await rm(join(this.#folder, headerName), { force: true });
    for (const name of await readdir(this.#folder)) {
      if (/^page-\d+\.json/.test(name)) await rm(join(this.#folder, name));
    }
  }

  async #read(number: number): Promise<HostedPage> {
    return JSON.parse(await readFile(this.#pathOf(number), "utf8")) as HostedPage;
  }

  #pathOf(number: number): string {
    return join(this.#folder, pageName(number));
  }
}

/** Undefined if there is no such file, or a power failure left it incomplete. */
async function readJson(path: string): Promise<unknown> {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}
