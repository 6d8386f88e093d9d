// Which links of a message are tracked and which stay as they are.

import assert from "node:assert/strict";
import test from "node:test";
import { parseTemplate } from "../../../../src/http/tracking/html/parse-template.ts";
import { unsubscribePhrases } from "../../../../src/http/tracking/html/unsubscribe-phrases.ts";

function targets(html: string): string[] {
  return parseTemplate(html).pieces.flatMap((piece) =>
    typeof piece === "object" && piece.kind === "link" ? [piece.target] : [],
  );
}

/** Whether a link with this `href` is tracked. */
function isTracked(href: string): boolean {
  const value = href.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return targets(`<a href="${value}">Read more</a>`).length === 1;
}

test("tracks links to web pages and no others", () => {
  for (const href of [
    "https://example.com",
    "http://example.com/a/b.html?c=d&e=f#g",
    "HTTPS://EXAMPLE.COM/",
    "https:example.com",
    "https://192.0.2.1:8080/",
    "https://[2001:db8::fade]/",
    "https://ann:secret@example.com/",
  ]) {
    assert.ok(isTracked(href), href);
  }
  for (const href of [
    ...["", " ", "#", "#top", " #top", "page.html", "/page", "?a=b", "//example.com/page", "www.example.com"],
    ...["mailto:ann@example.com", "MAILTO:ann@example.com", "tel:+49123", "sms:+49123"],
    ...["cid:logo@example.com"],
    ...["javascript:alert(1)", "data:text/html,x", "ftp://example.com/", "file:///a", "about:blank"],
    ...["https://"],
    ...["https://exa mple.com/", "https://example.com:99999/", "\u00a0https://example.com/"],
  ]) {
    assert.ok(!isTracked(href), href);
  }
});

test("tracks a target of up to 8,000 characters after encoding", () => {
  const start = "https://example.com/";
  assert.ok(isTracked(start + "a".repeat(8_000 - start.length)));
  assert.ok(!isTracked(start + "a".repeat(8_001 - start.length)));
  assert.ok(isTracked(`${start}${"é".repeat(1_330)}`));
  assert.ok(!isTracked(`${start}${"é".repeat(1_331)}`));
});

test("does not track URLs with placeholders of mail programs", () => {
  for (const href of [
    ...["https://example.com/{{name}}", "{{url}}", "https://example.com/{{ name | default: '' }}"],
    ...["{{{url}}}"],
    ...["https://example.com/?m={email}", "https://{domain}/", "https://example.com/{%if a%}b{%endif%}"],
    ["https://example.com/", "{name}"].join("$"),
    "https://example.com/?e=%7B%7Bemail%7D%7D",
    "https://example.com/{!Name}",
    ...["https://example.com/?e=*|EMAIL|*", "*|ARCHIVE|*", "https://example.com/*%7CDATE:d/m/y%7C*"],
    "https://example.com/<%= name %>",
    "https://example.com/?e=[email]",
    "https://example.com/[First Name]",
    "https://example.com/[[name]]",
    "https://example.com/[% member:email %]",
    "https://example.com/?a[b]=[c]",
    ...["https://example.com/?e=[Name,fallback=]&z=1", "https://example.com/?e=[firstname,fallback=you]"],
    ...["https://example.com/?e=[subscriber:email]"],
    ...["https://example.com/?e=[subscriber:firstname | default:reader]"],
    ...['https://example.com/?e=[[data:firstname:""]]', "https://example.com/[unique_id;default=0]/x"],
    ...["https://example.com/?e=%5BNAME%5D", "https://example.com/?e=%5bfirst%20name%5d&z=1"],
    ...["https://example.com/?e=%5B%5Bdata%3Aemail%3A%22%22%5D%5D"],
    "https://example.com/%%emailaddr%%",
    "https://example.com/%%=v(@url)=%%",
    "https://example.com/##name##",
    "https://example.com/%name%",
    "https://example.com/?e=%EMAIL%&f=1",
    "https://example.com/%recipient.id%",
    ...["https://example.com/%ADDRESS%", "https://example.com/%name%20", "https://example.com/%name%%20"],
  ]) {
    assert.ok(!isTracked(href), href);
  }
});

test("tracks URLs with characters that placeholders consist of", () => {
  for (const href of [
    ...["https://example.com/-name-", "https://example.com/a%20b%20c", "https://example.com/%CAFE%20"],
    "https://example.com/%C3%A9t%C3%A9",
    "https://example.com/%e9t%e9s",
    "https://example.com/?q=100%25%20sure",
    ...["https://example.com/50%off", "https://example.com/?a=5%&b=6%", "https://example.com/?a=%zz"],
    ...["https://example.com/?filter[colour]=red&a[b][c]=1&ids[]=2", "https://example.com/[1]"],
    ...["https://example.com/?f[0]=themes:2&f%5B0%5D=a%3A2&a%5Bb%5D%5Bc%5D=1&ids%5B%5D=1"],
    ...["https://example.com/?list=%5B%22a%22,%22b%22%5D", "https://[fd00::1]/"],
    ...["https://example.com/a*b|c"],
    "https://example.com/?list={3F2504E0-4F89-11D3-9A0C-0305E82C3301}",
    "https://example.com/?json=%7B%22a%22:1%7D",
    ...["https://example.com/#a##b", "https://example.com/a{b", "https://example.com/a}b"],
    ...["https://example.com/$a"],
  ]) {
    assert.ok(isTracked(href), href);
  }
});

test("does not track links that carry the opt-out attribute of a provider", () => {
  const link = (attributes: string) => `<a ${attributes} href="https://example.com/">x</a>`;
  for (const mark of [
    ...["data-pm-no-track", "data-pm-no-track=true", "clicktracking=off", 'CLICKTRACKING="OFF"'],
    ...['disable-tracking="true"', "mc:disable-tracking", "ses:no-track", "data-msys-clicktrack=0"],
    ...["data-track=off"],
  ]) {
    assert.deepEqual(targets(link(mark)), [], mark);
  }
  for (const other of [
    "clicktracking=on",
    "disable-tracking=false",
    "data-msys-clicktrack=1",
    "data-track=on",
    "data-track",
  ]) {
    assert.deepEqual(targets(link(other)), ["https://example.com/"], other);
  }
});

/** Texts of links to unsubscribe, by language. */
const unsubscribeTexts: Record<string, readonly string[]> = {
  English: [
    "Unsubscribe",
    "UNSUBSCRIBE here",
    "Opt out",
    "opt-out",
    "Opting out",
    "Unsub",
    "Please remove me",
  ],
  "English, in sentences": [
    "Stop receiving these e-mails",
    "Leave this mailing list",
    "Cancel my subscription",
  ],
  German: [
    "Abmelden",
    "Vom Newsletter abmelden",
    "Newsletter-Abmeldung",
    "abbestellen",
    "Hier austragen",
    "Abonnement kündigen",
  ],
  French: ["Se désabonner", "DÉSINSCRIPTION", "Me désinscrire", "Ne plus recevoir nos courriels"],
  Spanish: ["Darse de baja", "Date de baja", "Cancelar la suscripción", "Desuscribirse"],
  Portuguese: ["Cancelar a subscrição", "Cancelar inscrição", "Descadastrar", "Anular a assinatura"],
  Italian: ["Disiscriviti", "Annulla l'iscrizione", "Cancella la tua iscrizione"],
  Dutch: ["Afmelden", "Uitschrijven", "Schrijf je uit", "Meld u af"],
  Danish: ["Afmeld nyhedsbrev", "Framelding", "Frameld"],
  Norwegian: ["Avmelding", "Meld deg av", "Avslutt abonnement"],
  Swedish: ["Avregistrera dig", "Avprenumerera", "Avsluta prenumerationen", "Avanmälan"],
  Finnish: ["Peruuta tilaus", "Lopeta uutiskirjeen tilaus", "Poistu postituslistalta"],
  Estonian: ["Loobu uudiskirjast"],
  Latvian: ["Atrakstīties"],
  Lithuanian: ["Atsisakyti prenumeratos"],
  Polish: ["Wypisz się", "Zrezygnuj z subskrypcji", "Anuluj subskrypcję"],
  "Czech and Slovak": ["Odhlásit odběr", "Odhlásiť sa", "Zrušit odběr"],
  Hungarian: ["Leiratkozás"],
  Romanian: ["Dezabonare", "Dezabonați-vă"],
  "Croatian, Serbian and Slovenian": ["Odjavi se", "Odjava", "Одјави се"],
  "Bulgarian, Russian and Ukrainian": ["Отписване", "Отписаться", "Отпишитесь", "Відписатися"],
  Greek: ["Απεγγραφή", "Διαγραφή από τη λίστα"],
  Arabic: ["إلغاء الاشتراك"],
  Chinese: ["退订", "退訂", "取消订阅"],
  Hebrew: ["להסרה מרשימת התפוצה", "ביטול הרשמה"],
  Icelandic: ["Afskrá"],
  Indonesian: ["Berhenti berlangganan"],
  Japanese: ["配信停止はこちら", "登録解除"],
  Korean: ["수신거부", "구독 취소"],
  Vietnamese: ["Hủy đăng ký"],
  Turkish: ["Abonelikten çık", "ABONELİKTEN AYRIL"],
};

test("does not track links whose text offers to unsubscribe, in many languages", () => {
  assert.deepEqual(Object.keys(unsubscribeTexts), Object.keys(unsubscribePhrases));
  for (const text of Object.values(unsubscribeTexts).flat()) {
    assert.deepEqual(targets(`<a href="https://example.com/x">${text}</a>`), [], text);
    assert.deepEqual(targets(`<a href="https://example.com/x" title="${text}">x</a>`), [], text);
  }
});

test("does not track links to unsubscribe whose text is an image, a label, split or in an Outlook button", () => {
  for (const html of [
    '<a href="https://example.com/x"><img src="x.png" alt="Unsubscribe"></a>',
    '<a href="https://example.com/x"><img src="x.png" alt="Please remove me">now</a>',
    '<a href="https://example.com/x" aria-label="Unsubscribe">x</a>',
    '<a href="https://example.com/x"><b>A</b>bmel<wbr>den</a>',
    '<a href="https://example.com/x">Ab&shy;melden</a>',
    '<a href="https://example.com/x">Hier<br>remove<br>me</a>',
    '<p><a href="https://example.com/x">Un<p>subscribe</a>',
    '<a href="https://example.com/x">Un<div>subscribe</a></div>',
    '<!--[if mso]><v:rect href="https://example.com/x"><center>Unsubscribe</center></v:rect><![endif]-->',
  ]) {
    assert.deepEqual(targets(html), [], html);
  }
  // The inner one of two nested links receives the click.
  assert.deepEqual(
    targets(
      '<svg><a href="https://example.com/1">x<a href="https://example.com/2">Unsubscribe</a></a></svg>' +
        '<a href="https://example.com/3">x</a> Unsubscribe <a href="https://example.com/4">x</a>',
    ),
    ["https://example.com/1", "https://example.com/3", "https://example.com/4"],
  );
});

test("does not track links whose URL offers to unsubscribe", () => {
  for (const href of [
    "https://example.com/unsubscribe?u=1",
    "https://unsubscribe.example.com/",
    "https://example.com/a/UnSubscribe.aspx",
    "https://example.com/?action=list-unsubscribe",
    "https://example.com/unsub/12",
    "https://example.com/optout",
    "https://example.com/opt-out",
    "https://example.com/opt_out/1",
    "https://example.com/emailOptOut?id=1",
    "https://example.com/newsletterabmeldung",
    "https://example.com/newsletter/abmelden",
    "https://example.com/d%C3%A9sinscription",
    "https://example.com/se-desabonner",
    "https://example.com/darse-de-baja",
    "https://example.com/%ff/unsubscribe",
  ]) {
    assert.ok(!isTracked(href), href);
  }
});

test("tracks links whose text only resembles an offer to unsubscribe", () => {
  for (const text of [
    ...["Newsletter", "Subscribe", "Our subscribers", "Read the newsletter", "Options"],
    ...["Adopt outdoor cats", "Sign up"],
    ...["Anmelden", "Jetzt abonnieren", "Vorab melden", "Ausgetragene Spiele", "Wir tragen aus", "Abo"],
    ...["Ab Montag"],
    ...["S'abonner", "Inscription", "Suscripción", "Precios más bajos", "La más baja", "Iscriviti"],
    ...["Assinatura"],
    ...["Aanmelden", "Inschrijven", "Tilmeld", "Prenumerera", "Tilaa uutiskirje", "Zapisz się", "Přihlásit"],
    ...["Odhlasovat", "Feliratkozás"],
    ...["Abonare", "Prijava", "Подписаться", "Εγγραφή", "Abone ol", "Unser Subskript", "Sunsubs"],
    ...["Preferences"],
  ]) {
    assert.deepEqual(
      targets(`<a href="https://example.com/newsletter">${text}</a>`),
      ["https://example.com/newsletter"],
      text,
    );
  }
});
