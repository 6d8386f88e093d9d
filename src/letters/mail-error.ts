// Says why a mail or a message was not delivered. Most processes load no mail library, so it has its own
// file.

export class MailError extends Error {
  /**
   * `refused` for good, `later`: it was not accepted, and may be if it is sent again, `away`: no mail can be sent now, or
   * `unknown`: the connection broke after the mail was sent, so it may have been accepted.
   */
  readonly outcome: "refused" | "later" | "away" | "unknown";

  constructor(message: string, outcome: MailError["outcome"], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcome = outcome;
  }
}
