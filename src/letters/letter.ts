// A letter: what a mail or a message says, before it is rendered as plain text or as HTML.

import { type Html, type HtmlValue, html } from "../locale/html.ts";
import type { Language } from "../locale/preferred-language.ts";
import { mailBody, mailButton } from "./mail-body.ts";

export interface Letter {
  language: Language;
  subject: string;
  /** The first sentence. */
  lead: string;
  sections: readonly LetterSection[];
  /** Where the reader finds more. */
  link: { label: string; url: string };
  /** Small print at the end. */
  notes: readonly string[];
}

export interface LetterSection {
  title: string;
  rows: readonly LetterRow[];
  notes?: readonly string[];
}

export interface LetterRow {
  name: string;
  value?: string | undefined;
  /** What the value is compared with, or what it is of. */
  note?: string | undefined;
  url?: string | undefined;
}

/** Plain text. @param footer paragraphs after the letter */
export function letterText(letter: Letter, footer: readonly string[] = []): string {
  const { lead, sections, link, notes } = letter;
  const parts = [
    lead,
    ...sections.map(sectionText),
    `${link.label}:\n${link.url}`,
    ...notes,
    ...(footer.length > 0 ? [footer.join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionText({ title, rows, notes = [] }: LetterSection): string {
  const lines = rows.flatMap(({ name, value, note, url }) => [
    `- ${oneLine(name)}${value === undefined ? "" : `: ${value}`}`,
    ...[note, url].flatMap((each) => (each === undefined ? [] : `  ${oneLine(each)}`)),
  ]);
  return [title.toLocaleUpperCase(), ...lines, ...notes].join("\n");
}

/** Returns the text for a chat, which shows title and link itself. */
export function chatText({ lead, sections, notes }: Letter): string {
  return [lead, ...sections.map(sectionText), ...notes].join("\n\n");
}

/** The lines of a comment would look like lines of the letter. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

/** An HTML document that is right without images and style sheets. @param footer paragraphs after the letter */
export function letterHtml({ language, lead, sections, link, notes }: Letter, ...footer: HtmlValue[]): Html {
  const small = [...notes, ...footer].map((note) => html`<p style="${soft}">${note}</p>\n`);
  return mailBody(
    language,
    html`<p>${lead}</p>
${sections.map(sectionHtml)}${mailButton(link.label, link.url)}
${small}`,
  );
}

const soft = "margin:4px 0;font-size:14px;color:#666663";
const border = "border-top:1px solid #e4e4e0;padding:8px 0;vertical-align:top";

function sectionHtml({ title, rows, notes = [] }: LetterSection): Html {
  const body = rows.map(
    ({ name, value, note, url }) =>
      html`<tr><td style="${border}">${nameHtml(name, url)}${note !== undefined && html`<div style="${soft}">${note}</div>`}</td><td align="right" style="${border};padding-left:16px;white-space:nowrap;font-weight:600">${value}</td></tr>
`,
  );
  const table =
    rows.length > 0 &&
    html`<table width="100%" cellspacing="0" cellpadding="0" style="border-collapse:collapse;font:inherit;color:inherit">
${body}</table>`;
  return html`<h2 style="font-size:18px;margin:28px 0 8px">${title}</h2>
${table}${notes.map((note) => html`<p style="${soft}">${note}</p>\n`)}`;
}

/** Neither the language nor the direction of a subject is known. */
function nameHtml(name: string, url: string | undefined): Html {
  const text = html`<bdi>${name}</bdi>`;
  return url === undefined ? text : html`<a href="${url}" style="color:#2f4dcc">${text}</a>`;
}
