// How links to unsubscribe are worded, by language.

/**
 * Regular expressions for text without accents, in lower case and with single spaces. Most match within longer words,
 * too, because URLs join words.
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
