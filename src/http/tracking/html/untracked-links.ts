// Where a link leads, and which web links are left as they are: those that are no address yet, those that lead out of
// the list, and those whose author wants it so. A link that is left alone always works: in doubt it is.

/** Nothing but what addresses are trimmed of, up to the end or the beginning of an anchor. */
const emptyOrAnchor = /^[^!-\uffff]*(#|$)/;

/** The whole address of a web page that an `href` leads to; undefined for anything else. */
export function resolveTarget(href: string, base: string | undefined): string | undefined {
  if (emptyOrAnchor.test(href)) return undefined;
  const url = URL.parse(href, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

export interface Link {
  /** As it is written, after character references are resolved. */
  value: string;
  /** Where it leads. */
  target: string;
  /** What the reader sees of it. */
  text: string;
  attributes: ReadonlyMap<string, string>;
}

/** Longer addresses, once they are sealed and encoded, are too long for many programs that read mail. */
const targetLengthMax = 8_000;

/** Every reason to leave a link alone. The first ones are cheap, and keep long texts from the others. */
export const untrackedReasons: readonly { reason: string; applies(link: Link): boolean }[] = [
  {
    reason: `its target has more than ${targetLengthMax} characters`,
    applies: ({ target }) => target.length > targetLengthMax,
  },
  {
    reason: "its author marked it as untracked",
    applies: ({ attributes }) =>
      Object.entries(marks).some(([name, value]) => value.test(attributes.get(name) ?? notThere)),
  },
  {
    reason: "a mail program puts the address, or a part of it, in later",
    applies: ({ value }) => Object.values(placeholders).some((shape) => shape.test(value)),
  },
  {
    reason: "its address says that it leads out of the list",
    applies: ({ target }) => leavingTheList.test(plainWordsOf(decoded(target))),
  },
  {
    reason: "its text says that it leads out of the list",
    applies: ({ text, attributes }) =>
      [text, attributes.get("title"), attributes.get("aria-label")].some(
        (each) => each !== undefined && leavingTheList.test(plainWordsOf(each)),
      ),
  },
];

export function isUntracked(link: Link): boolean {
  return untrackedReasons.some(({ applies }) => applies(link));
}

/** No attribute can have this value: the parser replaces NUL. */
const notThere = "\0";
const anything = /^[^\0]*$/;

/** The attributes by which authors tell providers not to track a link, and their values. */
const marks: Record<string, RegExp> = {
  // Postmark, SendGrid, Mailgun, Mandrill, Amazon SES, SparkPost.
  "data-pm-no-track": anything,
  clicktracking: /^off$/i,
  "disable-tracking": /^true$/i,
  "mc:disable-tracking": anything,
  "ses:no-track": anything,
  "data-msys-clicktrack": /^0$/,
  // Nobody's in particular.
  "data-track": /^off$/i,
};

/**
 * What mail programs replace. None of the shapes may run over the beginning of the next one: a long row of beginnings
 * would take time with the square of its length.
 */
const placeholders: Record<string, RegExp> = {
  // A GUID in braces is a part of many links into SharePoint.
  "{…}, {{…}}, {%…%}, ${…}": /\{(?![\da-f]{8}-[\da-f]{4}-)[^{}]*\}/i,
  // Editors encode what they do not know; JSON that is encoded has no two braces at its beginning.
  "{{…}}, encoded": /%7b%7b/i,
  "*|…|*": /\*(\||%7c)[^|*]*?(\||%7c)\*/i,
  "<%…%>": /<%[^<]*%>/,
  // Not the names of lists in a query: ?filter[colour]=red, ?a[b][c]=1.
  "[…]": /(?<![\w\]])\[[a-z_][\w .-]*\]/i,
  "[%…%]": /\[%[^[]*%\]/,
  "%%…%%": /%%[^%]+%%/,
  // Unless each of its two signs begins a byte, as in %CAFE%20.
  "%…%": /%(?![\da-f]{2})[a-z_][\w.:-]*%|%[a-z_][\w.:-]*%(?![\da-f]{2})/i,
  "##…##": /##[^#]+##/,
};

/**
 * How links out of a list are named, in plain words: small letters without accents, one space between words. Most are
 * beginnings of words, and are found within longer ones, as addresses put words together.
 */
export const unsubscribePhrases: Record<string, readonly string[]> = {
  English: ["un ?subscri", "\\bunsub\\b", "opt(ed|ing)? ?outs?\\b", "\\bremove (me|from)\\b"],
  "English, in sentences": [
    "\\bstop (receiving|getting|these|sending)\\b",
    "\\b(leave|cancel) (this |the |my |your )?(mailing ?list|subscription)",
    "\\bno longer wish\\b",
  ],
  German: ["abmeld", "abbestell", "\\baustragen\\b", "aus dem verteiler", "\\babonnement (kundig|beend)"],
  French: ["desabonn", "desinscri", "\\bne (plus|pas) (souhaiter |vouloir )?recevoir"],
  Spanish: [
    "\\b(dar|darse|darme|darte|darnos|date|dese) de baja",
    "\\bbaja de la lista",
    "desuscri",
    "\\b(cancelar|anular) (la |mi |tu |su )?suscripcion",
  ],
  Portuguese: ["descadastr", "(cancelar|anular) (a |minha |sua )?(subscricao|inscricao|assinatura)"],
  Italian: ["disiscri", "\\b(annulla|cancella)\\w* (l |la |tua |mia )*(iscrizione|sottoscrizione)"],
  Dutch: ["afmeld", "uitschrij", "\\b(schrijf|meld) (me|je|mij|u) (uit|af)\\b"],
  Danish: ["afmeld", "frameld"],
  Norwegian: ["avmeld", "\\bmeld (meg|deg) av\\b", "\\bavslutt abonnement"],
  Swedish: ["avregistrer", "avprenumer", "avanmal", "\\bavsluta prenumeration"],
  Finnish: ["\\b(peru|peruuta|lopeta) (uutiskirje\\w* )?tilau", "\\bpoistu (\\w*)listalta"],
  Estonian: ["\\bloobu", "\\btuhista tellimus"],
  Latvian: ["atrakst"],
  Lithuanian: ["\\batsisakyti", "\\batsisakykite"],
  Polish: ["wypisz", "wypisac", "\\bzrezygnuj", "\\banuluj subskrypcj", "\\brezygnacja z"],
  "Czech and Slovak": ["odhlas(it|en|te\\b)", "\\bzrusit od(ber|oberanie)"],
  Hungarian: ["leiratkoz"],
  Romanian: ["dezabon"],
  "Croatian, Serbian and Slovenian": ["odjav", "одјав"],
  "Bulgarian, Russian and Ukrainian": ["отпис", "отпиш", "відпис", "відпиш"],
  Greek: ["απεγγραφ", "διαγραφη απο"],
  Arabic: ["الغاء الاشتراك"],
  Chinese: ["退订", "退訂", "取消订阅", "取消訂閱"],
  Hebrew: ["הסרה מרשימת", "להסרה", "ביטול הרשמה"],
  Icelandic: ["afskra"],
  Indonesian: ["berhenti berlangganan"],
  Japanese: ["配信停止", "配信解除", "登録解除", "購読解除"],
  Korean: ["수신 ?거부", "구독 ?취소"],
  Vietnamese: ["huy đang ky"],
  Turkish: ["\\b(abonelikten|listeden) (c[iı]k|ayr[iı]l)"],
};

const leavingTheList = new RegExp(Object.values(unsubscribePhrases).flat().join("|").normalize("NFD"), "u");

function plainWordsOf(text: string): string {
  // Without accents, and without what is in words to break them.
  const plain = text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}\p{Cf}]/gu, "");
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ");
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
