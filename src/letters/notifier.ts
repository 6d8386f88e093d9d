// Sends notifications: adds those that are due to the outbox once, and delivers those that wait there, one after another.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { NotificationKind, RecipientKey } from "../access/notification-kinds.ts";
import { dayMs, minuteMs } from "../campaign/calendar/durations.ts";
import { publishAllDue } from "../counting/publish.ts";
import { isTrusted } from "../counting/upkeep/due-tasks.ts";
import { AppError } from "../errors.ts";
import { readReport } from "../listing/reports/period-report.ts";
import { weekReportOf } from "../listing/reports/report-period.ts";
import { html } from "../locale/html.ts";
import { type Locale, locales } from "../locale/locale.ts";
import { type Language, languages } from "../locale/preferred-language.ts";
import { webPaths } from "../paths.ts";
import { isInWork, listImports } from "../storage/imports/imports.ts";
import { type Chat, listChats } from "../storage/organizations/chats.ts";
import { acquireLease } from "../storage/organizations/leases.ts";
import {
  findOrganization,
  listOrganizations,
  type Organization,
} from "../storage/organizations/organizations.ts";
import {
  addToOutbox,
  claimMail,
  deleteOldMail,
  dropMail,
  findDueMail,
  findOrganizationsWithDueMail,
  type OutboxRow,
  settleMail,
} from "../storage/organizations/outbox.ts";
import type { Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";
import { findUser, listUsers, type User } from "../storage/users/users.ts";
import { readAlert } from "./alerts.ts";
import { findDueNotifications } from "./due.ts";
import { chatText, type Letter, letterHtml, letterText } from "./letter.ts";
import { MailError } from "./mail-error.ts";
import type { Mailer } from "./mailer.ts";
import type { PostToChat } from "./post-to-chat.ts";
import { reportLetter } from "./report-letter.ts";
import { type ResultAge, readResult } from "./result-letter.ts";
import { unsubscribeUrl } from "./unsubscribe-token.ts";

export interface NotifierOptions {
  database: Database;
  /** Undefined if the service sends no mail. */
  mailer: Mailer | undefined;
  postToChat: PostToChat;
  /** The URL of the service, without a trailing slash. */
  publicUrl: () => string;
  log: Pick<Logger, "warn" | "error">;
  /** Milliseconds since 1970. */
  now: () => number;
}

type LetterOf = (locale: Locale, publicUrl: string) => Letter;

/** Another process takes over after this time. */
const leaseMs = minuteMs / 2;
const rowsAtOnce = 50;
/** A mail that cannot be delivered is retried after this time, then after twice the time, and so on. */
const firstRetryMs = minuteMs;
const maxRetryMs = 30 * minuteMs;
/** A mail is given up after this time. */
const retriedMs = 3 * dayMs;

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #holder = randomUUID();
  #plannedAt = Number.NEGATIVE_INFINITY;
  /** The contents of one run, because many people get the same. */
  readonly #contents = new Map<string, Promise<LetterOf | undefined>>();
  #isMailAway = false;
  #isStopping = false;
  #running: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Runs now and then every `everyMs`. */
  start(everyMs = 10_000): void {
    if (this.#isStopping) return;
    this.#running = this.run()
      .catch((error: unknown) => {
        const isAway = error instanceof AppError && error.code === "unavailable";
        this.#options.log[isAway ? "warn" : "error"]({ err: error }, "cannot send notifications; will retry");
      })
      .then(() => {
        if (!this.#isStopping) this.#timer = setTimeout(() => this.start(everyMs), everyMs);
      });
  }

  /** Waits for the mail that is being sent. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Adds those that are due, and sends all that can be sent now. */
  async run(): Promise<void> {
    const { database, now } = this.#options;
    if (database.isShared && !(await this.#hasLease())) return;
    this.#contents.clear();
    this.#isMailAway = false;
    if (Math.abs(now() - this.#plannedAt) >= minuteMs) {
      this.#plannedAt = now();
      const organizations = await database.snapshot(listOrganizations);
      // Checks the clock before anything is published by it, because it may be ahead.
      const isClockTrusted = isTrusted(now(), organizations);
      // After an outage, upkeep may not have published yet what the notifications are about.
      while (await publishAllDue(database, now()));
      for (const organization of organizations) await this.#plan(organization, isClockTrusted);
    }
    const due = await database.query((queries) => findOrganizationsWithDueMail(queries, now()));
    for (const id of due) await this.#sendAllOf(id);
  }

  #hasLease(): Promise<boolean> {
    const lease = { name: "notifications", holder: this.#holder, ms: leaseMs } as const;
    return this.#options.database.transaction((queries) => acquireLease(queries, lease));
  }

  async #plan(organization: Organization, isClockTrusted: boolean): Promise<void> {
    const { database, mailer } = this.#options;
    const { id } = organization;
    const now = this.#options.now();
    const { users, chats, isInParts } = await database.queryOf(id, async (scope) => ({
      users: mailer ? (await listUsers(scope)).filter(isReader) : [],
      chats: await listChats(scope),
      isInParts: (await listImports(scope)).some(isInWork),
    }));
    // Numbers of a part of an import would be wrong, and no mail corrects them.
    if (isInParts) return;
    const recipients: { key: RecipientKey; notifications: readonly NotificationKind[] }[] = [
      ...users.map((user) => ({ key: `user ${user.id}` as const, ...user })),
      ...chats.map((chat) => ({ key: chat.service, ...chat })),
    ];
    const wanted = new Set(recipients.flatMap(({ notifications }) => notifications));
    if (wanted.size === 0) return;
    const due = await findDueNotifications(database, organization, wanted, now);
    for (const { kind, about, dueAt } of due) {
      const keys = recipients
        .filter(({ notifications }) => notifications.includes(kind))
        .map(({ key }) => ({ kind, about, recipient: key }));
      await database.transactionOf(id, (scope) => addToOutbox(scope, keys, { now, dueAt }));
    }
    // A clock that is ahead would delete rows without which mail is sent again.
    if (isClockTrusted) await database.transactionOf(id, (scope) => deleteOldMail(scope, now));
  }

  async #sendAllOf(organizationId: number): Promise<void> {
    const { database, now } = this.#options;
    for (;;) {
      const organization = await database.queryOf(organizationId, findOrganization);
      if (!organization) return;
      const options = { limit: rowsAtOnce, onlyChats: this.#isMailAway };
      const rows = await database.queryOf(organizationId, (scope) => findDueMail(scope, now(), options));
      if (rows.length === 0) return;
      for (const row of rows) {
        if (this.#isStopping) return;
        if (!this.#isMailAway || !isOfUser(row)) await this.#deliver(organization, row);
      }
    }
  }

  async #deliver(organization: Organization, row: OutboxRow): Promise<void> {
    const { database, now } = this.#options;
    let send: (() => Promise<void>) | undefined;
    try {
      send = await this.#prepare(organization, row);
    } catch (error) {
      // A row that cannot be rendered must not stop the others.
      this.#options.log.error(
        { err: error, organization: organization.id, kind: row.kind },
        "cannot render a notification; will retry",
      );
      return this.#postpone(organization, row, "it could not be rendered");
    }
    if (!send) return database.transactionOf(organization.id, (scope) => dropMail(scope, row));
    if (!(await database.transactionOf(organization.id, (scope) => claimMail(scope, row, now())))) return;
    try {
      await send();
    } catch (error) {
      return this.#settleFailure(
        organization,
        row,
        error instanceof MailError ? error : new MailError(String(error), "unknown"),
      );
    }
    await database.transactionOf(organization.id, (scope) =>
      settleMail(scope, row, { state: "sent", now: now() }),
    );
  }

  async #settleFailure(
    organization: Organization,
    row: OutboxRow,
    { outcome, message }: MailError,
  ): Promise<void> {
    const { database, log, now } = this.#options;
    log.warn({ organization: organization.id, kind: row.kind, outcome }, "a notification was not delivered");
    if (outcome === "away" && isOfUser(row)) this.#isMailAway = true;
    if (outcome === "away" || outcome === "later") return this.#postpone(organization, row, message);
    const problem = outcome === "unknown" ? `it may have arrived: ${message}` : message;
    await database.transactionOf(organization.id, (scope) =>
      settleMail(scope, row, { state: "failed", now: now(), problem: shorten(problem) }),
    );
  }

  async #postpone(organization: Organization, row: OutboxRow, problem: string): Promise<void> {
    const now = this.#options.now();
    const attempts = row.attempts + 1;
    const dueAt = now + Math.min(firstRetryMs * 2 ** row.attempts, maxRetryMs);
    const state = dueAt > row.createdAt + retriedMs ? "failed" : "pending";
    await this.#options.database.transactionOf(organization.id, (scope) =>
      settleMail(scope, row, { state, now, problem: shorten(problem), attempts, dueAt }),
    );
  }

  /** @returns what sends a row; undefined if there is nothing to say anymore, or no one who wants it */
  async #prepare(organization: Organization, row: OutboxRow): Promise<(() => Promise<void>) | undefined> {
    const { database, mailer, postToChat } = this.#options;
    const publicUrl = this.#options.publicUrl();
    const target = await database.queryOf(organization.id, (scope) => findTarget(scope, row));
    if (!target?.notifications.includes(row.kind)) return undefined;
    const key = `${organization.id} ${row.kind} ${row.about}`;
    const reading = this.#contents.get(key) ?? this.#read(organization, row);
    this.#contents.set(key, reading);
    const content = await reading;
    if (!content) return undefined;
    const locale = locales[languageOf(target.language)];
    const letter = content(locale, publicUrl);
    if ("service" in target) {
      const message = { title: letter.subject, text: chatText(letter), link: letter.link };
      return () => postToChat(target.service, target.url, message);
    }
    if (!mailer) return () => Promise.reject(new MailError("SMTP_URL is not set", "away"));
    const unsubscribe = unsubscribeUrl(publicUrl, organization, target, row.kind);
    return () => mailer.send(mailOf(locale, letter, { organization, user: target, publicUrl, unsubscribe }));
  }

  async #read(organization: Organization, { kind, about }: OutboxRow): Promise<LetterOf | undefined> {
    const { database, now } = this.#options;
    if (kind === "results") {
      const [id, age] = about.split(" ");
      return readResult(database, organization, { id: Number(id), age: age as ResultAge });
    }
    if (kind === "alerts") return readAlert(database, organization, about, now());
    const report = await readReport({ database, now }, organization, weekReportOf(about));
    return report && ((locale, publicUrl) => reportLetter(locale, report, publicUrl));
  }
}

const isOfUser = ({ recipient }: { recipient: RecipientKey }) => recipient.startsWith("user ");

/** People who were only invited have not agreed to anything yet. */
const isReader = ({ lastVisitAt }: User) => lastVisitAt !== undefined;

const languageOf = (tag: string | null): Language => languages.find((each) => each === tag) ?? "en";

/** An answer of a mail server may be long. */
const shorten = (problem: string) => problem.slice(0, 300).toWellFormed();

async function findTarget(scope: Scope, { recipient }: OutboxRow): Promise<User | Chat | undefined> {
  if (isOfUser({ recipient })) return findUser(scope, Number(recipient.slice("user ".length)));
  return (await listChats(scope)).find(({ service }) => service === recipient);
}

function mailOf(
  { t }: Locale,
  letter: Letter,
  {
    organization,
    user,
    publicUrl,
    unsubscribe,
  }: { organization: Organization; user: User; publicUrl: string; unsubscribe: string },
) {
  const why = t("notifications.why", { organization: organization.name });
  const account = `${publicUrl}${webPaths.account}`;
  const links = html`${why} <a href="${unsubscribe}">${t("notifications.unsubscribe")}</a> · <a href="${account}">${t("pages.account")}</a>`;
  return {
    to: user.email,
    subject: letter.subject,
    text: letterText(letter, [
      why,
      `${t("notifications.unsubscribe")}: ${unsubscribe}`,
      `${t("pages.account")}: ${account}`,
    ]),
    html: letterHtml(letter, links),
    unsubscribeUrl: unsubscribe,
  };
}
