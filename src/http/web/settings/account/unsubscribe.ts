// The page of the link in mails that ends them. A GET changes nothing, because mail scanners open links. A POST needs neither
// session nor form token: mail programs send it (RFC 8058), and the signed link says who and what.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { somebody } from "../../../../access/audit-actions.ts";
import { orNotFound } from "../../../../errors.ts";
import { findUnsubscribing } from "../../../../letters/unsubscribe-token.ts";
import { html } from "../../../../locale/html.ts";
import { localeOf } from "../../../../locale/locale.ts";
import { webPaths } from "../../../../paths.ts";
import { recordAction } from "../../../../storage/organizations/audit-log.ts";
import { lockOrganization } from "../../../../storage/organizations/organizations.ts";
import { Scope } from "../../../../storage/queries/scope.ts";
import { changeNotifications } from "../../../../storage/users/users.ts";
import { bodyLimits } from "../../../request/body-limits.ts";
import { sendPage } from "../../frame/layout.ts";
import type { WebContext } from "../../frame/web-context.ts";

const path = webPaths.unsubscribe;

export function addUnsubscribe(scope: FastifyInstance, context: WebContext): void {
  const tokenOf = ({ params }: FastifyRequest) => (params as { token: string }).token;
  const answer = async (request: FastifyRequest, reply: FastifyReply, isDone: boolean) => {
    const { user, kind } = orNotFound(
      await context.database.query((queries) => findUnsubscribing(queries, tokenOf(request))),
    );
    const { t } = localeOf(request, user.language);
    const about = { email: user.email, kind: t(`notifications.kinds.${kind}`) };
    const body = isDone
      ? html`<div class="card"><p>${t("notifications.unsubscribed", { ...about })}</p><p><a class="button second" href="${webPaths.account}">${t("pages.account")}</a></p></div>`
      : html`<div class="card"><p>${t("notifications.askUnsubscribe", { ...about })}</p><form method="post"><button>${t("notifications.unsubscribe")}</button></form></div>`;
    return sendPage(reply, { title: t("notifications.unsubscribe"), body }, { context });
  };
  scope.get(`${path}/:token`, (request, reply) => answer(request, reply, false));
  scope.post(`${path}/:token`, { bodyLimit: bodyLimits.webForm }, async (request, reply) => {
    await unsubscribe(context, tokenOf(request));
    return answer(request, reply, true);
  });
}

async function unsubscribe({ database, now }: WebContext, token: string): Promise<void> {
  await database.transaction(async (queries) => {
    const signed = await findUnsubscribing(queries, token);
    if (!signed) return;
    const scope = new Scope(queries, signed.organization.id);
    if (!(await lockOrganization(scope))) return;
    // The user may have changed the choice meanwhile.
    const { user, kind } = (await findUnsubscribing(queries, token)) ?? signed;
    if (!user.notifications.includes(kind)) return;
    const others = user.notifications.filter((each) => each !== kind);
    await changeNotifications(scope, user, others);
    // The link may have been passed on.
    const target = `${user.email}, not ${kind}`;
    await recordAction(scope, { at: now(), actor: somebody, action: "notifications.change", target });
  });
}
