// Mails an invite link: to a new user, and to one who forgot the password.

import { mailBody, mailButton } from "../../../letters/mail-body.ts";
import type { Mail } from "../../../letters/mailer.ts";
import { html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { User } from "../../../storage/users/users.ts";
import { inviteLink } from "./choose-password.ts";

interface InviteMailOptions {
  kind: "invited" | "reset";
  organization: string;
  secret: string;
  publicUrl: string;
}

export function inviteMail(
  { language, t }: Locale,
  { organizationId, email }: User,
  { kind, organization, secret, publicUrl }: InviteMailOptions,
): Mail {
  const url = inviteLink(publicUrl, organizationId, secret);
  const subject = t(`mail.${kind}.subject`, { organization });
  const text = t(`mail.${kind}.text`, { organization });
  const note = t("mail.linkNote");
  return {
    to: email,
    subject,
    text: `${text}\n\n${url}\n\n${note}\n`,
    html: mailBody(
      language,
      html`<p>${text}</p>${mailButton(t("mail.choosePassword"), url)}<p style="color:#666663">${note}</p>`,
    ),
  };
}
