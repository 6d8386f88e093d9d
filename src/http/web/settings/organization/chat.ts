// The page of mail and chat at `/settings/chat`: incoming webhooks of Slack and Teams, and what did not arrive.

import { type ChatService, chatServices } from "../../../../access/notification-kinds.ts";
import { AppError } from "../../../../errors.ts";
import { MailError } from "../../../../letters/mail-error.ts";
import { isChatUrl } from "../../../../letters/post-to-chat.ts";
import { type Html, html } from "../../../../locale/html.ts";
import type { Locale } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { type Chat, deleteChat, listChats, saveChat } from "../../../../storage/organizations/chats.ts";
import { listUndelivered, type Undelivered } from "../../../../storage/organizations/outbox.ts";
import { listUsers } from "../../../../storage/users/users.ts";
import type { Action, Page, PageRequest, WebSession } from "../../frame/page.ts";
import type { WebContext } from "../../frame/web-context.ts";
import { inputField, submittedOf } from "../../ui/forms/field.ts";
import { actionForm, readField } from "../../ui/forms/form.ts";
import { dataTable } from "../../ui/lists/table.ts";
import { kindBoxes, readKinds } from "../account/notifications.ts";

const titles: Record<ChatService, string> = { slack: "Slack", teams: "Microsoft Teams" };
const undeliveredShown = 100;

export function chatPage(context: WebContext): Page {
  return {
    path: webPaths.chat,
    role: "admin",
    async show(session, request) {
      const { chats, undelivered, users } = await session.query(async (scope) => ({
        chats: await listChats(scope),
        undelivered: await listUndelivered(scope, session.now, undeliveredShown),
        users: await listUsers(scope),
      }));
      const emails = new Map<string, string>(users.map((user) => [`user ${user.id}`, user.email]));
      const cards = chatServices.map((service) => {
        const chat = chats.find((each) => each.service === service);
        return html`<section class="card"><h2>${titles[service]}</h2>${chatForms(session, service, chat, request)}</section>`;
      });
      const body = html`${cards}
<section class="card"><h2>${session.t("notifications.undelivered")}</h2>${undeliveredTable(session, undelivered, emails)}</section>`;
      return { title: session.t("pages.chat"), body };
    },
    actions: Object.fromEntries(
      chatServices.flatMap((service) => [
        [service, connectAction(context, service)],
        [`remove-${service}`, disconnectAction(service)],
      ]),
    ),
  };
}

function chatForms(
  session: WebSession,
  service: ChatService,
  chat: Chat | undefined,
  request: PageRequest,
): Html {
  const { t } = session;
  const submitted = submittedOf(request, service);
  const chosen = submitted.form ? readKinds(submitted.form) : (chat?.notifications ?? ["digest"]);
  const connected =
    chat &&
    html`<p>${t("chat.isConnected", { host: new URL(chat.url).host })}</p>
${actionForm(session, `remove-${service}`, html`<p><button class="second">${t("chat.disconnect")}</button></p>`)}`;
  return html`${connected}${actionForm(
    session,
    service,
    inputField(
      submitted,
      { name: `${service}_url`, label: labelOf(session, service), hint: t(`chat.hints.${service}`) },
      html` type="url" maxlength="1000" autocomplete="off" required`,
    ),
    kindBoxes(session, chosen, html`<legend>${t("chat.what")}</legend>`),
    html`<p><button>${t("chat.connect")}</button></p>`,
  )}`;
}

const labelOf = ({ t }: Locale, service: ChatService) => t("chat.url", { service: titles[service] });

/** Saves nothing that was not seen to work. */
function connectAction({ postToChat, publicUrl }: WebContext, service: ChatService): Action {
  return async (actor, form) => {
    const { organization, t, language } = actor;
    const url = readField(actor, form, `${service}_url`);
    // The value is a secret: the message must not repeat it.
    if (!isChatUrl(service, url)) {
      const rule = t("chat.urlRule", { service: titles[service] });
      throw new AppError("bad_request", `${labelOf(actor, service)}: ${rule}`);
    }
    try {
      await postToChat(service, url, {
        title: t("chat.testTitle"),
        text: t("chat.testText", { organization: organization.name }),
        link: { label: t("digest.openOverview"), url: publicUrl() },
      });
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      const { message: problem } = error;
      throw new AppError("bad_request", t("chat.failed", { service: titles[service], problem }));
    }
    const notifications = readKinds(form);
    await actor.transaction(
      (scope) => saveChat(scope, { service, url, language, notifications }),
      ["chat.change", `${service}, ${notifications.join(", ") || "none"}`],
    );
    return { notice: t("chat.connected", { service: titles[service] }) };
  };
}

const disconnectAction =
  (service: ChatService): Action =>
  async (actor) => {
    await actor.transaction((scope) => deleteChat(scope, service), ["chat.delete", service]);
    return { notice: actor.t("chat.disconnected", { service: titles[service] }) };
  };

function undeliveredTable(
  { t, timeText }: WebSession,
  undelivered: readonly Undelivered[],
  emails: ReadonlyMap<string, string>,
): Html {
  if (undelivered.length === 0) return html`<p>${t("notifications.allDelivered")}</p>`;
  const rows = undelivered.map(({ kind, recipient, state, problem, changedAt }) => {
    const to = recipient === "slack" || recipient === "teams" ? titles[recipient] : emails.get(recipient);
    const reason = state === "sending" ? t("notifications.interrupted") : problem;
    return [
      to ?? t("notifications.removedUser"),
      t(`notifications.kinds.${kind}`),
      timeText(changedAt),
      html`<bdi lang="">${reason}</bdi>`,
    ];
  });
  return dataTable(
    t("notifications.undelivered"),
    [
      t("notifications.recipient"),
      t("notifications.kind"),
      t("notifications.time"),
      t("notifications.problem"),
    ],
    rows,
    { classes: ["text", "", "", "text"], isStacked: true, hidesCaption: true },
  );
}
