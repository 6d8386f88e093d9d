// The tables of the people who use the web application, and of the messages to them.

import type { ChatService, NotificationKind, RecipientKey } from "../../access/notification-kinds.ts";
import type { Role } from "../../access/role.ts";
import { integer, integerOrNull, type Table, text, textOf, textOrNull } from "./columns.ts";

export const userTables = {
  /** The people who may sign in to the web application. */
  users: {
    key: ["id"],
    unique: { users_organization_email: ["email"] },
    columns: {
      id: integer,
      /** The email is trimmed, in lower case and Unicode NFC. */
      email: text,
      role: textOf<Role>(),
      /** Password hash with its parameters; null until the user chooses a password. */
      password: textOrNull,
      /** SHA-256, in hex, of the secret in the invite link; null without one. */
      invite_hash: textOrNull,
      invite_expires_at: integerOrNull,
      /** The same of the link for a forgotten password, which anyone can ask for. */
      reset_hash: textOrNull,
      reset_expires_at: integerOrNull,
      created_at: integer,
      last_visit_at: integerOrNull,
      /** BCP 47 tag of the language of pages; null for that of the browser. */
      language: textOrNull,
      /** Base32 secret of the authenticator app; null without a second factor, as the next two. Checking a code needs the plain text. */
      totp_secret: textOrNull,
      /** The last 30-second step whose code was accepted. */
      totp_step: integerOrNull,
      /** JSON list of SHA-256 in hex, of the recovery codes that were not used. */
      recovery_hashes: textOrNull,
      /** The kinds of mail that the user chose, separated by spaces. */
      notifications: text,
    },
  },

  /** Signed-in browsers and assistants. */
  sessions: {
    isTemporary: true,
    key: ["hash"],
    references: { user_id: "users" },
    indexes: ["create index sessions_user_id on sessions (organization_id, user_id)"],
    columns: {
      /** SHA-256 of the secret in the cookie, in hex. The secret itself is not stored. */
      hash: text,
      user_id: integer,
      created_at: integer,
      /** When the session was last used, to the hour. */
      last_seen_at: integer,
      expires_at: integer,
      /** A readable name of the browser or assistant. */
      client: text,
    },
  },

  /** What assistants hold while a user lets them read: authorization requests, codes and tokens. The grant is a session. */
  oauth_records: {
    isTemporary: true,
    key: ["hash"],
    references: { user_id: "users" },
    indexes: ["create index oauth_records_session on oauth_records (organization_id, session)"],
    columns: {
      /** SHA-256 of the kind and the id or token, in hex. Tokens are not stored. */
      hash: text,
      user_id: integer,
      /** The session to which it belongs; empty for a request that the user has not answered. */
      session: text,
      /** JSON object of the library, without the token. */
      payload: text,
      /** When a code or a refresh token was used: each works once. */
      consumed_at: integerOrNull,
      expires_at: integer,
    },
  },

  /** Where an organization posts to a chat. */
  chats: {
    key: ["service"],
    columns: {
      service: textOf<ChatService>(),
      /** A secret of the service: it needs the plain text. */
      url: text,
      language: text,
      /** The notifications that it gets, in the format of those of users. */
      notifications: text,
    },
  },

  /** Mails and messages to chats. */
  outbox: {
    key: ["kind", "about", "recipient"],
    indexes: ["create index outbox_due on outbox (due_at) where state = 'pending'"],
    columns: {
      kind: textOf<NotificationKind>(),
      /** What it is about, such as the Monday of a digest. */
      about: text,
      recipient: textOf<RecipientKey>(),
      /** `sending` for good if the process died: whether it arrived is not known. */
      state: textOf<"pending" | "sending" | "sent" | "failed">(),
      /** When it is sent, or retried. */
      due_at: integer,
      attempts: integer,
      created_at: integer,
      /** When its state changed. */
      changed_at: integer,
      /** What the mail server or the chat answered last; null if nothing was wrong. */
      problem: textOrNull,
    },
  },
} satisfies Record<string, Table>;
