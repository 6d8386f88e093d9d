// The HTML of a mail: paragraphs and a button, right without images and styles.

import { type Html, type HtmlValue, html } from "../locale/html.ts";

const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d1d1b";
const buttonStyle =
  "display:inline-block;padding:10px 16px;border-radius:8px;background:#2f4dcc;color:#ffffff;text-decoration:none;font-weight:600";

/** A whole document. @param language of its text */
export function mailBody(language: string, ...content: HtmlValue[]): Html {
  return html`<!doctype html>
<html lang="${language}"><body style="margin:0;padding:24px;background:#ffffff"><div style="max-width:560px;${font}">
${content}
</div></body></html>`;
}

export function mailButton(label: string, url: string): Html {
  return html`<p style="margin:24px 0"><a href="${url}" style="${buttonStyle}">${label}</a></p>`;
}
