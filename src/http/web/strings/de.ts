// Every text of the web application in German, in the formal form of address.

import { floodLimits } from "../../../campaign/events/traffic.ts";
import { html } from "../../html.ts";
import type { Formatter } from "../formatter.ts";
import type { Strings } from "./en.ts";

export const de = (format: Formatter): Strings => ({
  languageName: "Deutsch",

  fields: {
    id: "ID",
    subject: "Betreff",
    sent_at: "Gesendet am",
    sent_from: "Absender",
    organization_team: "Team",
    sending_type: "Versandart",
    tracking_type: "Tracking-Art",
    open_rate: "Öffnungsrate",
    click_rate: "Klickrate",
    unique_opens: "Eindeutige Öffnungen",
    multiple_opens: "Wiederholte Öffnungen",
    unopened: "Nicht geöffnet",
    total_opens: "Öffnungen gesamt",
    unique_clicks: "Eindeutige Klicks",
    multiple_clicks: "Wiederholte Klicks",
    total_clicks: "Klicks gesamt",
    click_per_unique_open_rate: "Click-to-Open-Rate",
    desktop_open_rate: "Öffnungen am Desktop",
    mobile_open_rate: "Öffnungen auf Mobilgeräten",
    tags: "Schlagwörter",
    recipient_count: "Empfänger",
    recipients: "Empfängergruppen",
    read_time_glanced: "Lesedauer: kurz angesehen (bis 3 Sekunden)",
    read_time_skimmed: "Lesedauer: überflogen (bis 9 Sekunden)",
    read_time_read: "Lesedauer: gelesen (über 9 Sekunden)",
    surveys_count: "Umfragen",
    enps_score_average: "eNPS: Durchschnittsbewertung",
    enps_reactions_count: "eNPS: Bewertungen",
    enps_comments_count: "eNPS: Bewertungen mit Kommentar",
    survey_reactions_count: "Andere Umfragen: Antworten",
    survey_reactions_comments_count: "Andere Umfragen: Antworten mit Kommentar",
    sent_on: "Versanddatum",
    sent_hour: "Stunde des Versands",
    tag_names: "Namen der Schlagwörter",
    kind: "Art der Zahlen",
    closed_at: "Abgeschlossen am",
    updated_at: "Aktualisiert am",
  },

  sendingTypes: { Timezone: "Ortszeit", Scheduled: "Geplant", Immediate: "Sofort" },
  trackingTypes: { Individual: "Individuell", Anonymous: "Anonym", Overall: "Aggregiert" },

  roles: { viewer: "Betrachter", admin: "Admin" },
  roleNouns: { viewer: "Betrachter", admin: "Admin" },
  verdicts: {
    person: { title: "Menschlich", meaning: "Kein Anzeichen von Automatisierung." },
    google_proxy: {
      title: "Menschlich, über den Bild-Proxy von Gmail",
      meaning:
        "Der Bild-Proxy von Gmail (`GoogleImageProxy`). Er lädt Bilder, wenn ein Empfänger die Nachricht öffnet.",
    },
    yahoo_proxy: {
      title: "Menschlich, über den Bild-Proxy von Yahoo",
      meaning:
        "Der Bild-Proxy von Yahoo (`YahooMailProxy`). Er lädt Bilder, wenn ein Empfänger die Nachricht öffnet.",
    },
    apple_prefetch: {
      title: "Vorabruf durch Apple Mail",
      meaning: "Mail-Datenschutz von Apple: Der User-Agent lautet nur `Mozilla/5.0`.",
    },
    google_prefetch: {
      title: "Vorabruf durch Gmail",
      meaning: "Vorabruf durch Gmail: Der User-Agent endet mit `Edge/12.246 Mozilla/5.0`.",
    },
    provider_prefetch: {
      title: "Vorabruf laut Anbieter",
      meaning: "Der Anbieter meldet ein automatisches Öffnen oder Lesen (`machine`).",
    },
    provider_scanner: {
      title: "Scanner laut Anbieter",
      meaning: "Der Anbieter meldet einen automatischen Klick (`machine`).",
    },
    hidden_link: {
      title: "Versteckter Link",
      meaning: "Ein Klick auf einen Link, den Menschen nicht sehen können (`hidden`).",
    },
    head_request: {
      title: "HEAD-Anfrage",
      meaning: "Eine HEAD-Anfrage (`head`). Sie prüft, wohin ein Link führt, ohne das Ziel zu laden.",
    },
    flood: {
      title: "Flut von Anfragen",
      meaning: `Mehr als ${floodLimits.perRecipient} Öffnungen oder Klicks pro Minute bei der Nachricht eines Empfängers, oder mehr als ${floodLimits.perNetwork} aus einem Netzwerk bei der Tracking-Art Aggregiert.`,
    },
    gateway: { title: "Sicherheits-Gateway", meaning: "Der User-Agent nennt ein Sicherheits-Gateway." },
    bot: { title: "Bot", meaning: "Der User-Agent gehört zu einem bekannten Bot oder Programm." },
    beside_hidden_link: {
      title: "Empfänger mit Klick auf einen versteckten Link",
      meaning:
        "Ein Scanner ist dem versteckten Link in der Nachricht dieses Empfängers gefolgt. Deshalb zählt keiner ihrer Klicks als menschlich.",
    },
    burst: {
      title: "Klicks in schneller Folge",
      meaning:
        "Einer von mehreren verschiedenen Links, die für denselben Empfänger innerhalb von Sekunden geklickt wurden.",
    },
  },
  problems: {
    unknown_campaign:
      "Diese Kampagnen-ID ist unbekannt. Das Ereignis wird gezählt, sobald die Kampagne registriert ist.",
    reported_campaign:
      "Die Zahlen der Kampagne wurden importiert. Zu importierten Zahlen kommen nie Ereignisse hinzu.",
    test_sending:
      "Das Ereignis liegt mehr als 10 Minuten vor dem sent_at der Kampagne und gehört deshalb zu einem Testversand.",
    unreadable: "Ein Feld fehlt oder ist ungültig.",
    closed: "Die Kampagne ist abgeschlossen. Ihre Zahlen ändern sich nicht mehr.",
    forgotten: "Die Daten des Empfängers wurden auf dessen Wunsch gelöscht. Das Ereignis wird ignoriert.",
    no_campaign:
      "Das Ereignis hat keine campaign_id und gehört deshalb zu keiner Kampagne. Es wird ignoriert.",
    time_ahead:
      "Die Zeit liegt mehr als 5 Minuten in der Zukunft. Das Ereignis wird mit der Zeit seiner Ankunft gezählt.",
  },

  pages: {
    overview: "Übersicht",
    campaigns: "Kampagnen",
    links: "Links",
    comments: "Kommentare",
    connect: "Verbinden",
    sources: "Quellen",
    analyticsApi: "Analytics-API",
    apiReference: "API-Referenz",
    help: "Hilfe",
    tags: "Schlagwörter",
    people: "Personen",
    organization: "Allgemein",
    account: "Ihr Konto",
    settings: "Einstellungen",
  },

  settingsGroups: { organization: "Organisation", integrations: "Integrationen", you: "Persönlich" },

  errors: {
    title: "Etwas ist schiefgelaufen",
    forbiddenForm: "Ihre Änderungen wurden nicht gespeichert",
    titles: {
      forbidden: "Sie benötigen die Rolle Admin",
      not_found: "Seite nicht gefunden",
      too_many_requests: "Zu viele Versuche",
    },
    messages: {
      bad_request: "Die Anfrage ist ungültig.",
      forbidden: "Sie haben keine Berechtigung dafür. Wenden Sie sich an einen Admin Ihrer Organisation.",
      not_found: "Die URL ist falsch, oder die Seite wurde entfernt.",
      payload_too_large: "Das Formular ist zu groß.",
      too_many_requests: "Zu viele Anfragen. Versuchen Sie es später erneut.",
      internal_error:
        "Ein unerwarteter Fehler ist aufgetreten. Der Betreiber dieses Dienstes findet die Ursache im Protokoll. Nennen Sie ihm die Anfrage-ID.",
      unavailable: "Der Dienst ist ausgelastet oder startet neu. Versuchen Sie es gleich noch einmal.",
    },
    requestId: (id) => `Anfrage-ID: ${id}`,
    goToOverview: "Zur Übersicht",
  },

  ui: {
    downloadCsv: "CSV herunterladen",
    // Layout
    skipLink: "Zum Hauptinhalt springen",
    skipToResults: "Zu den Ergebnissen springen",
    problemTitle: (title) => `Fehler: ${title}`,
    navigation: "Hauptnavigation",
    signOut: "Abmelden",
    openMenu: "Menü öffnen",
    closeMenu: "Menü schließen",
    region: "Region",
    breadcrumb: "Navigationspfad",
    noEvents: "Noch keine Ereignisse",
    lastEvent: (ago: string, isLive: boolean) => (isLive ? `Live · ${ago}` : `Letztes Ereignis ${ago}`),
    /** Why the sources need a look. */
    sourcesAlerts: { silent: "Eine Quelle sendet nicht mehr", quarantined: "Ereignisse sind in Quarantäne" },

    // Permissions and forms
    needsAdminRole:
      "Nur Admins Ihrer Organisation haben diese Berechtigung. Wenden Sie sich an einen Admin, oder lassen Sie sich die Rolle Admin geben.",
    sessionEnded: "Ihre Sitzung ist beendet. Es wurde nichts geändert.",
    sessionEndedSignIn:
      "Ihre Sitzung ist beendet. Es wurde nichts geändert. Melden Sie sich an und senden Sie das Formular erneut.",
    csrfFailed:
      "Das Formular wurde nicht von einer Seite dieser Anwendung gesendet, oder die Seite ist veraltet. Gehen Sie zurück, laden Sie die Seite neu und senden Sie das Formular erneut.",
    unknownAction: (name) => `action: ${name} ist keine Aktion dieser Seite.`,

    // Forms
    tooManyFields: (count, max) => `Das Formular hat ${count} Felder; zulässig sind bis zu ${max}.`,
    fieldTooLong: (name, length, max) => `${name}: ${length} Zeichen; zulässig sind bis zu ${max}.`,
    fieldProblem: (label, problem) => `${label}: ${problem}`,
    fieldRejected: (label, value, accepted) =>
      `${label}: ${value} ist nicht zulässig. Zulässig: ${accepted}.`,
    quoted: (text) => `„${text}“`,
    nameRule:
      "1 bis 200 Zeichen in einer Zeile, davon mindestens eines sichtbar, ohne unsichtbare Zeichen, die die Schreibrichtung ändern",
    oneOf: (values) => values.join(", "),
    copy: "Kopieren",
    copied: "Kopiert",
    copyByHand: "Markiert. Drücken Sie zum Kopieren Strg+C.",
    copyLabel: (what) => `${what} kopieren`,

    // Browsers and waits
    unknownBrowser: "Unbekannter Browser",

    inEnglish: "(auf Englisch)",

    // Numbers
    points: (difference) => `${difference}\u00a0%-Pkt.`,
    noValue: "kein Wert",
    notToldApart: "importierte Kampagnen weisen automatische Aktivität nicht getrennt aus",
    notCompared:
      "Öffnungen und Klicks werden nicht verglichen: Importierte Kampagnen weisen automatische Aktivität nicht getrennt aus",

    // Lists
    search: "Suchen",
    previousPage: "Vorherige Seite",
    nextPage: "Nächste Seite",
    noResultsFor: (search) => `Keine Treffer für ${search}`,
    clearSearch: "Suche löschen",
    paginationLabel: (what) => `Weitere ${what}`,
    itemRange: (first, last, total) =>
      `${format.count(first)}–${format.count(last)} von ${format.count(total)}`,

    ratingOf: (score: number) => `Bewertung ${format.count(score)} von 10`,

    // Charts
    noData: "Noch keine Daten.",
    chartKinds: { lines: "Liniendiagramm", columns: "Säulendiagramm", stacked: "Gestapeltes Säulendiagramm" },
    chartDescription: ({ title, kind, xTitle, span, ranges }) =>
      `${title}. ${kind} nach ${xTitle}, ${span}. ${ranges.join(" ")} Die Tabelle darunter enthält alle Zahlen.`,
    chartKeys: (title) => `${title}: Werte mit den Pfeiltasten lesen`,
    fromTo: (first, last) => `${first} bis ${last}`,
    seriesWithoutData: (name) => `${name}: keine Daten.`,
    seriesValue: (name, value) => `${name}: ${value}.`,
    seriesRange: (name, low, high) => `${name}: zwischen ${low} und ${high}.`,
    showTable: "Als Tabelle anzeigen",
    tableRegion: (title) => `${title}: Tabelle`,
  },

  signIn: {
    title: "Anmelden",
    email: "E-Mail-Adresse",
    password: "Passwort",
    submit: "Anmelden",
    or: "oder",
    withCompanyAccount: "Mit dem Firmenkonto anmelden",
    noOrganization: "Dieser Dienst hat noch keine Organisation. Wer ihn betreibt, führt zwei Befehle aus:",
    addOrganization: "Organisation hinzufügen.",
    addFirstAdmin:
      "Ersten Admin der Organisation hinzufügen. Der Befehl gibt den Link aus, mit dem diese Person ein Passwort wählt.",
    noPassword:
      "Kein Passwort oder Passwort vergessen? Bitten Sie einen Admin Ihrer Organisation um einen Einladungslink.",
    wrongCredentials: "E-Mail-Adresse oder Passwort ist falsch. Versuchen Sie es erneut.",
    tooManyAttempts: (wait) => `Zu viele fehlgeschlagene Versuche. Versuchen Sie es ${wait} erneut.`,
    signedOut: "Sie sind abgemeldet.",

    // Invite link
    choosePasswordTitle: "Passwort wählen",
    newPassword: "Neues Passwort",
    repeatPassword: "Passwort wiederholen",
    passwordHint: (min) => `Mindestens ${min} Zeichen. Mehrere Wörter hintereinander merkt man sich leicht.`,
    weakPassword: {
      short: (length, { min, max }) => `Es hat ${length} Zeichen; zulässig sind ${min} bis ${max}.`,
      long: (_length, { min, max }) => `Es hat mehr als ${max} Zeichen; zulässig sind ${min} bis ${max}.`,
      email: () => "Es ist Ihre E-Mail-Adresse. Wählen Sie ein anderes Passwort.",
      common: () => "Es ist zu leicht zu erraten. Wählen Sie ein anderes Passwort.",
    },
    passwordsDiffer: "Die Passwörter stimmen nicht überein. Geben Sie beide erneut ein.",
    setPassword: "Passwort festlegen und anmelden",
    welcome: "Willkommen! Ihr Passwort ist festgelegt, und Sie sind angemeldet.",
    inviteLinkInvalidTitle: "Dieser Einladungslink ist nicht mehr gültig",
    inviteLinkInvalid:
      "Er wurde schon verwendet, durch einen neueren ersetzt oder ist abgelaufen. Bitten Sie einen Admin Ihrer Organisation um einen neuen Einladungslink.",

    // OpenID Connect
    failedTitle: "Anmeldung fehlgeschlagen",
    backToSignIn: "Zurück zur Anmeldeseite",
    openIdExpired: "Die Anmeldung wurde in einem anderen Browser oder vor mehr als zehn Minuten begonnen.",
    openIdNoEmail: "Ihr Firmenkonto hat keine bestätigte E-Mail-Adresse.",
    openIdUnknownUser:
      "Sie sind kein Benutzer dieses Dienstes. Bitten Sie einen Admin Ihrer Organisation, die E-Mail-Adresse Ihres Firmenkontos hinzuzufügen.",
    openIdInvalid:
      "Die Anmeldung wurde abgebrochen, oder der Anmeldedienst Ihrer Firma hat eine ungültige Antwort gesendet.",
    openIdUnavailable:
      "Der Anmeldedienst Ihrer Firma antwortet nicht wie erwartet. Versuchen Sie es in Kürze erneut.",
  },

  filters: {
    period: "Zeitraum",
    periods: {
      "7d": "Letzte 7 Tage",
      "30d": "Letzte 30 Tage",
      "90d": "Letzte 90 Tage",
      month: "Dieser Monat",
      quarter: "Dieses Quartal",
      year: "Dieses Jahr",
      "12m": "Letzte 12 Kalendermonate",
      all: "Gesamter Zeitraum",
    },
    quarter: (quarter, year) => `Q${quarter} ${year}`,
    since: (date) => `Seit ${date}`,
    upTo: (date) => `Bis ${date}`,
    from: "Von",
    until: "Bis",
    apply: "Anwenden",
    allTeams: "Alle Teams",
    tags: "Schlagwörter",
    tagsSelected: (count) => format.countOf(count, { one: "# Schlagwort", other: "# Schlagwörter" }),
    withAnyTag: "Mit mindestens einem dieser Schlagwörter",
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# weiteres Schlagwort ist", other: "# weitere Schlagwörter sind" })} nicht aufgeführt. Um danach zu filtern, ergänzen Sie die IDs in der URL dieser Seite, durch Kommas getrennt: <code>tag_ids=</code>.`,
    more: "Weitere Filter",
    group: "Empfängergruppe",
    any: "Beliebig",
    surveyFilters: { rated: "Mit Bewertungen", some: "Mit Umfragen", none: "Ohne Umfragen" },
    searchSubjects: "In Betreffzeilen suchen",
    trafficLabel: "Aktivität",
    comparisons: { previous: "Vorzeitraum", year: "Vorjahr", none: "Kein Vergleich" },
    traffic: { people: "Nur Menschen", all: "Alle Aktivitäten" },
    datesReversed: (from, until) =>
      `Von: Der ${from} liegt nach dem ${until}. Tauschen Sie die Daten, oder lassen Sie eines leer.`,
    invalidTagId: (name, value) =>
      `${name}: ${value} ist keine ID eines Schlagworts; trennen Sie IDs durch Kommas, zum Beispiel tag_ids=1,2.`,
    tooManyTags: (name, max) => `${name}: Zulässig sind bis zu ${format.count(max)}.`,
    invalidDate: (name, value) =>
      `${name}: ${value} ist kein Datum. Schreiben Sie es als JJJJ-MM-TT, zum Beispiel 2026-01-31.`,
    invalidValue: (name, value, accepted) =>
      `${name}: Der Wert ${value} ist nicht zulässig. Wählen Sie einen von diesen: ${accepted}.`,
  },

  overview: {
    title: "Übersicht",
    viewCampaigns: "Kampagnen anzeigen",
    filters: "Filter",
    comparedWith: {
      previous: "ggü. Vorzeitraum",
      year: "ggü. Vorjahr",
      none: "Kein Vergleich",
    },
    noMatches: (allUrl) =>
      html`Keine Kampagne passt zu diesen Filtern. Wählen Sie einen anderen Zeitraum oder andere Filter, oder <a href="${allUrl}">zeigen Sie alle Kampagnen an</a>.`,

    // Key metrics
    campaigns: "Kampagnen",
    emailsSent: (emails) =>
      format.countOf(emails, { one: "# gesendete E-Mail", other: "# gesendete E-Mails" }),
    enps: "eNPS",
    rates: {
      openRate: "Öffnungsrate",
      clickRate: "Klickrate",
      clickToOpenRate: "Click-to-Open-Rate",
    },
    none: "Noch keine",
    tooFew: "Zu wenige",
    from: {
      campaigns: (from, of) =>
        `${format.count(from)} von ${format.countOf(of, { one: "# Kampagne", other: "# Kampagnen" })}`,
      recipients: (from, of) =>
        `${format.count(from)} von ${format.countOf(of, { one: "# Empfänger", other: "# Empfängern" })}`,
    },
    fromSurveyed: (from, of) =>
      `${format.count(from)} von ${format.countOf(of, { one: "# Kampagne mit Umfrage", other: "# Kampagnen mit Umfrage" })}`,
    knownOnly: (from) => `nur bei ${from} bekannt`,
    noSurveys: "Keine Kampagne hatte eine eNPS-Umfrage",
    unknown: "Unbekannt",
    surveysUnknown: (unknown, of) =>
      `Bei ${format.count(unknown)} von ${format.countOf(of, { one: "# Kampagne", other: "# Kampagnen" })} ist nicht bekannt, ob es eine Umfrage gab`,
    noAnswersYet: (surveyed) =>
      format.countOf(surveyed, {
        one: "# Kampagne mit Umfrage, noch keine Antworten",
        other: "# Kampagnen mit Umfrage, noch keine Antworten",
      }),
    averageRating: (mean, { ratings, from, of }) =>
      `Ø-Bewertung ${mean} von 10 (${format.countOf(ratings, { one: "# Bewertung", other: "# Bewertungen" })} aus ${format.count(from)} von ${format.countOf(of, { one: "# Kampagne", other: "# Kampagnen" })})`,
    withTraffic: {
      people: (rate) => `Nur menschliche Aktivitäten: ${rate}`,
      all: (rate) => `Alle Aktivitäten: ${rate}`,
    },
    before: (value) => `verglichen mit ${value} vorher`,
    vsPeriod: (dates, others) => `${dates} ggü. ${others}`,

    // Chart
    openAndClick: "Öffnungsrate und Klickrate",
    units: { day: "Tag", week: "Woche", month: "Monat", year: "Jahr" },
    unfinished: {
      day: "Laufender Tag",
      week: "Laufende Woche",
      month: "Laufender Monat",
      year: "Laufendes Jahr",
    },

    // Cards
    ranked: {
      rate: { best: "Beste Öffnungsraten", worst: "Schlechteste Öffnungsraten" },
      team: { best: "Beste Öffnungsraten ggü. Team", worst: "Schlechteste Öffnungsraten ggü. Team" },
    },
    rankBy: "Kampagnen ordnen nach",
    rankings: { rate: "Öffnungsrate", team: "Abstand zum Team" },
    breakDownBy: "Ergebnisse aufschlüsseln nach",
    breakdowns: {
      team: { tab: "Teams", title: "Ergebnisse nach Team", column: "Team" },
      group: { tab: "Gruppen", title: "Ergebnisse nach Empfängergruppe", column: "Empfängergruppe" },
      tag: { tab: "Schlagwörter", title: "Ergebnisse nach Schlagwort", column: "Schlagwort" },
      sending_type: { tab: "Versandarten", title: "Ergebnisse nach Versandart", column: "Versandart" },
    },
    byGroupNote: "Eine Kampagne an mehrere Gruppen zählt in jeder davon, mit allen ihren Empfängern.",
    noneSet: "Bei keiner dieser Kampagnen angegeben.",
    largest: (shown: number, of: number) =>
      `Die ${format.count(shown)} mit den meisten Empfängern, von ${format.count(of)}`,
    unchanged: "unverändert",
    notSet: "nicht angegeben",
    campaignCount: (count) => format.countOf(count, { one: "# Kampagne", other: "# Kampagnen" }),
    opensByHour: "Wann geöffnet wird",
    opens: (count) => format.countOf(count, { one: "# Öffnung", other: "# Öffnungen" }),
    fewOpens: "Weniger",
    manyOpens: "Mehr",
    topLinks: "Meistgeklickte Links",
    link: "Link",
    clicks: "Klicks",
    latestComments: "Neueste Kommentare",
    allComments: "Alle Kommentare",
    allLinks: "Alle Links",
    imported: (imported, of) =>
      `Importiert, mit Zahlen wie gemeldet: ${format.count(imported)} von ${format.countOf(of, { one: "# Kampagne", other: "# Kampagnen" })}.`,
    countedTraffic: {
      people: "Gezählt werden nur menschliche Öffnungen und Klicks.",
      all: "Gezählt werden alle Aktivitäten, auch automatische.",
    },
    scope: (timeZone) =>
      `Raten sind nach Empfängern gewichtet. Tage beziehen sich auf die Zeitzone ${timeZone}. Eine Rate aus weniger als der Hälfte der Kampagnen oder ihrer Empfänger wird nicht angezeigt.`,
  },

  campaigns: {
    title: "Kampagnen",
    id: "ID",

    // List
    columns: {
      subject: "Betreff",
      sent_at: "Gesendet",
      team: "Team",
      tags: "Schlagwörter",
      recipients: "Empfänger",
      open_rate: "Öffnungsrate",
      click_rate: "Klickrate",
      click_to_open_rate: "Click-to-Open-Rate",
      opens: "Eindeutige Öffnungen",
      clicks: "Eindeutige Klicks",
      read_time: "Über 9\u00a0s gelesen",
      enps: "eNPS",
      average_rating: "Ø-Bewertung",
      comments: "Kommentare",
      devices: "Öffnungen am Desktop",
      kind: "Datenquelle",
    },
    vsTeam: (column) => `${column} ggü. Team`,
    noTeam: "kein Team",
    noUsual: "zu wenige Kampagnen oder Empfänger des Teams mit dieser Rate im Jahr davor",
    noUsualEnps: "zu wenige Kampagnen des Teams mit selbst gezählten eNPS-Bewertungen im Jahr davor",
    vsUsual: (team, rate) => `ggü. ${team}: ${rate}`,
    kinds: { counted: "Selbst gezählt", closed: "Selbst gezählt, endgültig", reported: "Importiert" },
    sortText: { asc: "von A bis Z sortieren", desc: "von Z bis A sortieren" },
    sortNumber: { asc: "niedrigste zuerst", desc: "höchste zuerst" },
    sortTime: { asc: "älteste zuerst", desc: "neueste zuerst" },
    sort: "Sortierung",
    view: "Ansicht",
    views: "Ansichten",
    chooseColumns: "Spalten",
    campaigns: (count) => format.countOf(count, { one: "# Kampagne", other: "# Kampagnen" }),
    tableName: (caption) => `${caption}: Tabelle`,
    total: (count) =>
      format.countOf(count, { one: "Gesamt aus # Kampagne", other: "Gesamt aus # Kampagnen" }),
    emailsSent: "gesendete E-Mails",
    importedCount: (count) =>
      format.countOf(count, { one: "# importiert, wie gemeldet", other: "# importiert, wie gemeldet" }),
    tooFew: "zu wenige",
    notWeighted:
      "Eine Gesamtrate ist gewichtet. Sie lässt Raten aus, die ohne Zahlen zum Gewichten importiert wurden, etwa ohne Empfänger.",
    coverage: {
      campaigns: (from, of) => `${format.count(from)} von ${format.count(of)}`,
      recipients: (from, of) => `${format.count(from)} von ${format.count(of)} Empfängern`,
    },
    page: "Seite",
    ofPages: (pages) => `von ${format.count(pages)}`,
    goToPage: "Anzeigen",
    rowsPerPage: "Zeilen pro Seite",
    pagination: "Seiten der Liste",
    noMatches: "Keine passenden Kampagnen",
    tryOthers: "Versuchen Sie einen längeren Zeitraum, eine andere Suche oder weniger Filter.",
    allTime: "Gesamten Zeitraum anzeigen",
    resetFilters: "Filter zurücksetzen",

    // Comparison
    select: (subject) => `${subject} auswählen`,
    selectColumn: "Auswahl",
    compare: "Vergleichen",
    compareSelected: (count) => `${count} vergleichen`,
    compareHint: "Wählen Sie zwei bis fünf Kampagnen aus, um sie zu vergleichen.",
    tooManySelected: (selected, excess) => `${selected} ausgewählt: ${excess} abwählen`,

    // Getting started
    noCampaigns: "Noch keine Kampagnen",
    askAdmin: "Bitten Sie einen Admin Ihrer Organisation, Kampagnen hinzuzufügen.",
    gettingStarted:
      "Hier erscheinen Öffnungen, Klicks und Lesedauer Ihrer Kampagnen. Sie können auf drei Arten beginnen:",
    startWithProgram: (createKeyUrl) =>
      html`Senden Sie Kampagnen und Ereignisse mit Ihrem eigenen Programm: <a href="${createKeyUrl}">Erstellen Sie einen API-Schlüssel mit der Berechtigung ingest</a>.`,
    startWithProvider: html`Lassen Sie Ihren E-Mail-Anbieter seine Ereignisse senden: Der Betreiber dieses Dienstes fügt ihn mit <code>email-analytics source add</code> hinzu. Dann erscheint er unter <a href="/sources">Quellen</a>.`,
    startWithImport: html`Importieren Sie vorhandene Zahlen: Der Betreiber dieses Dienstes führt <code>email-analytics import</code> aus.`,
  },

  comparison: {
    title: "Kampagnen vergleichen",
    metric: "Kennzahl",
    caption: "Die Kampagnen nebeneinander",
    best: "Bestwert",
    bestNote:
      "„Bestwert“ kennzeichnet die höchste Rate. Anzahlen haben keine Kennzeichnung, weil sie mit der Zahl der Empfänger wachsen.",
    noOpens: (subjects) => `Ohne Öffnungen nach Stunde: ${subjects}.`,
    invalidId: (value) =>
      `${value} ist nicht die ID einer Kampagne; zulässig sind ganze Zahlen, zum Beispiel ids=1,2.`,
    wrongNumber: (count) =>
      format.countOf(count, {
        one: "Sie haben # Kampagne ausgewählt; wählen Sie zwei bis fünf aus.",
        other: "Sie haben # Kampagnen ausgewählt; wählen Sie zwei bis fünf aus.",
      }),
    backToList: "Zurück zu den Kampagnen",
  },

  campaign: {
    // One campaign
    untitled: "Kampagne ohne Betreff",
    scheduled: "Geplant",
    notFound: (id) => `Ihre Organisation hat keine Kampagne ${id}.`,
    sentAt: (time) => `Gesendet am ${time}`,
    scheduledFor: (time) => `Geplant für ${time}`,
    imported:
      "Die Zahlen dieser Kampagne wurden importiert. Es gibt keine Aktivität, die angezeigt werden kann.",
    closed: (time) =>
      `Aus Ereignissen bis ${time} gezählt, als die Kampagne abgeschlossen wurde. Ihre Zahlen ändern sich nicht mehr.`,
    countedLive: "Wird laufend aus eingehenden Ereignissen gezählt.",
    counted: {
      people: "Die Zahlen enthalten nur menschliche Aktivitäten.",
      all: "Die Zahlen enthalten alle Aktivitäten, menschliche und automatische.",
    },

    // Headline metrics

    // All metrics
    allMetrics: "Alle Kennzahlen",
    metricsCaption: "Die Felder der Analytics-API, wie die Seiten sie zeigen und wie die API sie zurückgibt",
    onPages: "Auf den Seiten",
    apiTraffic: {
      people: "Die Analytics-API zählt nur menschliche Aktivitäten.",
      all: "Die Analytics-API zählt alle Aktivitäten.",
    },
    missingMetrics: "Ein Strich bedeutet, dass die Zahl fehlt. Die Analytics-API gibt dafür 0 zurück.",

    // Campaign details
    details: "Kampagnendetails",
    team: "Team",
    tags: "Schlagwörter",
    sent: "Gesendet",
    detailsCaption: "Wie vom Absender gemeldet",
    notSet: "nicht angegeben",
    id: "ID",
    externalId: "Externe ID",
    sentFrom: "Absender",
    sendingType: "Versandart",
    trackingType: "Tracking-Art",
    recipientGroups: "Empfängergruppen",
    surveysCount: "Umfragen",

    // Activity
    activity: "Öffnungen und Klicks",
    noActivity: "Noch keine Öffnungen oder Klicks mit bekannter Zeit.",
    opensByHour: (hours) => `Öffnungen in den ersten ${hours} Stunden`,
    clicksByHour: (hours) => `Klicks in den ersten ${hours} Stunden`,
    hour: "Stunde",
    day: "Tag",
    human: "Menschlich",
    automated: "Automatisch",
    byDay: "Öffnungen und Klicks nach Tag; Tage ohne Aktivität sind nicht aufgeführt",
    byLastDays: (days) => `Öffnungen und Klicks an den letzten ${days} Tagen`,
    humanOpens: "Menschliche Öffnungen",
    automatedOpens: "Automatische Öffnungen",
    humanClicks: "Menschliche Klicks",
    automatedClicks: "Automatische Klicks",
    trafficTitle: "Menschliche und automatische Aktivität",
    trafficCaption: "Öffnungen und Klicks nach Art der Aktivität",
    traffic: "Aktivität",
    countedAs: "Gezählt als",
    reason: "Grund",
    opens: "Öffnungen",
    clicks: "Klicks",
    inferredOpens: "Abgeleitete Öffnungen",
    inferredMeaning:
      "Aus einem Klick, einem Lesevorgang oder einer Umfrageantwort eines Empfängers ohne Öffnung: Bilder können blockiert sein.",
    furtherClicks: "Weitere Klicks",
    furtherMeaning: (max: number) => `Nach den ersten ${format.count(max)} Klicks eines Empfängers.`,
    /** The sum of the table, by the traffic that the page shows. */
    trafficTotals: { people: "Summe, nur menschliche Aktivitäten", all: "Summe, alle Aktivitäten" },
    links: "Links",
    noClicks: "Noch keine Klicks.",
    linksCaption: "Links nach menschlichen Klicks",
    link: "Link, ohne personenbezogene Daten",
    allClicks: "Alle Klicks",
    linksNote: (max) =>
      `Die ersten ${format.count(max)} geklickten URLs werden einzeln gezählt, ohne Abfrageparameter. Alle anderen teilen sich eine Zeile.`,
    otherLinks: "Alle anderen Links",

    // Surveys
    surveys: "Umfragen",
    enpsIndex:
      "eNPS-Index: Prozentsatz der Bewertungen 9 und 10 minus Prozentsatz der Bewertungen von 0 bis 6",
    enpsComments: "eNPS-Bewertungen mit Kommentar",
    surveyAnswers: "Antworten auf andere Umfragen",
    surveyComments: "Antworten auf andere Umfragen mit Kommentar",
    indexUnknown:
      "Der eNPS-Index ist unbekannt: Von einer importierten Kampagne ist nur die Durchschnittsbewertung bekannt.",
    surveysClosed: "Die Kampagne ist abgeschlossen. Einzelne Antworten und Kommentare wurden gelöscht.",
    moreSurveys: (shown, others) =>
      `Die ${format.count(shown)} Umfragen mit den meisten Antworten. ${format.countOf(others, { one: "# weitere Umfrage wird nicht angezeigt.", other: "# weitere Umfragen werden nicht angezeigt." })}`,
    enps: "eNPS",
    survey: "Umfrage",
    answered: (recipients) =>
      format.countOf(recipients, {
        one: "# Empfänger hat geantwortet.",
        other: "# Empfänger haben geantwortet.",
      }),
    rating: "Bewertung",
    forgottenAnswer: "Auf Wunsch gelöscht",
    otherAnswers: (count) => `Andere Antworten: ${format.count(count)}.`,
    commentsWithheld: (min) => `Kommentare werden angezeigt, sobald ${min} Empfänger geantwortet haben.`,

    tabsLabel: "Kampagne",
    tabs: {
      summary: "Zusammenfassung",
      links: "Links",
      surveys: "Umfragen",
      recipients: "Empfänger",
      activity: "Menschlich und automatisch",
      details: "Details",
    },
    previous: (subject: string) => `Vorherige Kampagne: ${subject}`,
    next: (subject: string) => `Nächste Kampagne: ${subject}`,
    copyLink: "Link kopieren",
    lastActivity: (time: string) => `Letzte Aktivität ${time}`,
    activeNow: "Aktiv in den letzten 15 Minuten",

    // Key numbers
    keyNumbers: {
      openRate: "Öffnungsrate",
      clickRate: "Klickrate",
      clickToOpenRate: "Click-to-Open-Rate",
      desktopShare: "Desktop",
      readShare: "Über 9\u00a0s gelesen",
      enpsIndex: "eNPS",
      enpsMean: "Ø-Bewertung",
    },
    opened: (opened: number, recipients: number) =>
      `${format.count(opened)} von ${format.count(recipients)} geöffnet`,
    clicked: (clicked: number, recipients: number) =>
      `${format.count(clicked)} von ${format.count(recipients)} geklickt`,
    openedMore: (opened: number, recipients: number) =>
      `${format.count(opened)} haben geöffnet, ${format.countOf(recipients, { one: "mehr als der # vom Absender genannte Empfänger", other: "mehr als die # vom Absender genannten Empfänger" })}`,
    clickedMore: (clicked: number, recipients: number) =>
      `${format.count(clicked)} haben geklickt, ${format.countOf(recipients, { one: "mehr als der # vom Absender genannte Empfänger", other: "mehr als die # vom Absender genannten Empfänger" })}`,
    clickedOfOpened: (clicked: number, opened: number) =>
      `${format.count(clicked)} von ${format.count(opened)}, die geöffnet haben`,
    readFor: (seconds: number) => `länger als ${seconds} Sekunden`,
    readOf: (read: number, measured: number, seconds: number) =>
      `${format.count(read)} von ${format.count(measured)} gemessenen Lesevorgängen länger als ${seconds} Sekunden`,
    ratings: (ratings: number) => format.countOf(ratings, { one: "# Bewertung", other: "# Bewertungen" }),
    noRatings: "keine Bewertungen",
    teamAverage: (value: string) => `Teamschnitt: ${value}`,
    teamTooFew: "Team: zu wenige Vergleichskampagnen",
    tagAverage: (tag: string, value: string) => `${tag}: ${value}`,
    vsTeam: (team, campaigns) =>
      `ggü. ${team}, 12 Monate davor (${format.countOf(campaigns, { one: "# Kampagne", other: "# Kampagnen" })})`,
    tooFewOfTeam: (team) =>
      `${team} hat in den 12 Monaten davor weniger als drei Kampagnen versendet, daher gibt es keinen Vergleich`,
    comparedWithTeam: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "verglichen mit # Kampagne des Teams im Jahr davor",
        other: "verglichen mit dem Durchschnitt von # Kampagnen des Teams im Jahr davor",
      }),

    // Summary
    opensCurve: "Öffnungen pro 100 Empfänger",
    hoursAfter: "Stunden nach dem Versand",
    hourOf: (hour: number) => `${format.count(hour)}\u00a0Std.`,
    thisCampaign: "Diese Kampagne",
    opensCurveNote: "Auch wiederholte Öffnungen zählen, daher kann die Linie über der Öffnungsrate enden.",
    /** For a campaign with a team, or without one. */
    usualOpens: {
      team: (campaigns: number) =>
        `Üblich (Median von ${format.count(campaigns)} vorherigen Kampagnen des Teams)`,
      all: (campaigns: number) => `Üblich (Median von ${format.count(campaigns)} vorherigen Kampagnen)`,
    },
    deviceShares: "Anteil an den Öffnungen, deren Gerät bekannt ist",
    readShares: "Anteil an den menschlichen Lesevorgängen mit gemessener Dauer",
    partOf: (count: number, total: number) => `${format.count(count)} von ${format.count(total)}`,
    namesForAdmins: "Nur Admins sehen, wer einen Kommentar geschrieben hat.",
    noUsual: "Das Team hat keine drei früheren Kampagnen mit stündlichen Öffnungen zum Vergleich.",
    devices: "Geräte",
    desktop: "Desktop",
    mobile: "Mobil",
    noDevices: "Es ist kein Gerät bekannt.",
    readTime: "Lesedauer",
    glanced: (seconds: number) => `Kurz angesehen (≤\u00a0${seconds}\u00a0s)`,
    skimmed: (seconds: number) => `Überflogen (≤\u00a0${seconds}\u00a0s)`,
    read: (seconds: number) => `Gelesen (>\u00a0${seconds}\u00a0s)`,
    noReads: "Es wurde keine Lesedauer gemessen.",
    topLinks: "Meistgeklickte Links",
    allLinks: "Alle Links",
    comments: "Kommentare",
    allComments: "Alle Kommentare und Umfragen",
    importedActivity:
      "Die Zahlen dieser Kampagne wurden importiert, ohne Öffnungen und Klicks im Zeitverlauf.",
    importedLinks: "Die Zahlen dieser Kampagne wurden importiert, ohne ihre Links.",
    shareOfHumanClicks: "Anteil der menschlichen Klicks",

    // Ratings
    ratingsTitle: "Bewertungen",
    promoters: (count: string, share: string) => `Promotoren: ${count} (${share})`,
    passives: (count: string, share: string) => `Passiv Zufriedene: ${count} (${share})`,
    detractors: (count: string, share: string) => `Kritiker: ${count} (${share})`,
    kinds: { promoters: "Promotoren", passives: "Passiv Zufriedene", detractors: "Kritiker" },
    noSurvey: "Diese Kampagne hat keine Umfrage.",
    noAnswers: "Die Umfrage hat noch keine Antworten.",
    surveyUnknown: "Es ist nicht bekannt, ob diese Kampagne eine Umfrage hatte.",
    answersUnknown: "Es ist nicht bekannt, ob jemand die Umfrage beantwortet hat.",
    commentCount: (count: number) => format.countOf(count, { one: "# Kommentar", other: "# Kommentare" }),
    latestComments: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# Kommentar", other: "# Kommentare" })}, davon die neuesten ${format.count(shown)}`,
    commentsShown: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# Kommentar", other: "# Kommentare" })}, davon ${format.count(shown)} hier`,
  },

  recipients: {
    noList: "Keine Empfängerliste",
    reasons: {
      Anonymous:
        "Diese Kampagne hat die Tracking-Art Anonym, deshalb gibt es keine Empfängerliste: Jeder Empfänger wurde vor dem Speichern durch einen Hash ersetzt.",
      Overall:
        "Diese Kampagne hat die Tracking-Art Aggregiert, deshalb gibt es keine Empfängerliste: Sie zählt Geräte und kennt keine Empfänger.",
      imported:
        "Die Zahlen dieser Kampagne wurden importiert, deshalb gibt es keine Empfängerliste: Importierte Zahlen enthalten keine Empfänger.",
      closed:
        "Diese Kampagne ist abgeschlossen, deshalb gibt es keine Empfängerliste: Die Empfänger wurden gelöscht, nur die Zahlen blieben erhalten.",
    },
    opened: (opened, recipients) =>
      `${format.count(recipients)} Empfänger. Geöffnet: ${format.count(opened)}. Nicht geöffnet: ${format.count(Math.max(recipients - opened, 0))}.`,
    unknown: (unknown, listed) =>
      `Davon ${format.countOf(listed, { one: "kann # aufgeführt werden", other: "können # aufgeführt werden" })}; zu ${format.count(unknown)} liegt noch kein Ereignis vor.`,
    notOpenedNote:
      "Von diesen Empfängern ist nur automatische Aktivität bekannt, etwa ein Vorabruf oder ein Sicherheitsscanner.",
    filterLabel: "Empfänger",
    filters: { all: "Alle", opened: "Geöffnet", not_opened: "Nicht geöffnet", clicked: "Geklickt" },
    search: "E-Mail-Adresse oder ID beginnt mit",
    caption: "Empfänger nach E-Mail-Adresse oder ID",
    columns: {
      recipient: "Empfänger",
      opens: "Öffnungen",
      device: "Gerät",
      readTime: "Lesedauer",
      clicks: "Klicks",
      firstClick: "Erster Klick",
      lastClick: "Letzter Klick",
      answers: "Antworten",
    },
    devices: { desktop: "Desktop", mobile: "Mobil" },
    readTimes: { glanced: "Kurz angesehen", skimmed: "Überflogen", read: "Gelesen" },
    noMatches: "Keine passenden Empfänger.",
    noMatchesYet:
      "Unter den bisher durchsuchten Empfängern kein Treffer. Weiter geht es auf der nächsten Seite.",
    pages: "Weitere Empfänger",
    onPage: (count) =>
      format.countOf(count, {
        one: "# Empfänger einer längeren Liste. Die CSV-Datei enthält alle.",
        other: "# Empfänger einer längeren Liste. Die CSV-Datei enthält alle.",
      }),
    backToStart: "Zurück zum Anfang",
    note: "Jeder Aufruf und jeder Download dieser Liste wird mit Ihrer Benutzer-ID protokolliert. Öffnungen werden als Anzahl gespeichert, ohne ihre Zeiten. Empfänger, deren Daten auf Wunsch gelöscht wurden, stehen nicht in der Liste.",
  },

  connect: {
    title: "Verbinden",
    intro: (count) =>
      format.countOf(count, {
        one: "Holen Sie Ihre Kampagnen in das Tool, mit dem Sie arbeiten. Es gibt Anleitungen für # Tool.",
        other: "Holen Sie Ihre Kampagnen in das Tool, mit dem Sie arbeiten. Es gibt Anleitungen für # Tools.",
      }),
    groups: {
      reports: "Berichtstools und Tabellen",
      dashboards: "Dashboards",
      pipelines: "Datenpipelines und Automatisierung",
      programs: "Programmiersprachen und Terminals",
    },
    search: "Tools suchen",
    find: "Suchen",
    allTools: "Alle Tools",
    noMatch: (text) =>
      html`Kein Tool passt zu <strong>${text}</strong>. Jedes Tool, das einen HTTP-Header oder Benutzername und Passwort senden kann, kann die API lesen.`,
    minutes: (minutes) => format.countOf(minutes, { one: "# Minute", other: "# Minuten" }),
    toolTitle: (name) => `${name} verbinden`,
    notFound: "Für dieses Tool gibt es keine Anleitung.",
    fileNotFound: "Diese Datei gibt es für dieses Tool nicht.",
    steps: "Schritte",
    toolSteps: {
      "power-bi": [
        "Öffnen Sie die Datei `email-analytics.pbids`, oder wählen Sie Daten abrufen, OData-Feed, und geben Sie `{{address}}/odata/v1/` ein.",
        "Wenn Power BI nach Anmeldeinformationen fragt, wählen Sie Standard (Basic) und geben Sie einen beliebigen Benutzernamen und als Kennwort Ihren API-Schlüssel ein. Wählen Sie nicht Web-API.",
        "Wählen Sie `emails` aus, und für Schlagwörter auch `email_tags` und `tags`. Wählen Sie Laden.",
      ],
      excel: [
        "Öffnen Sie unter Windows die Datei `emails.odc`, oder wählen Sie Daten, Daten abrufen, Aus anderen Quellen, Aus OData-Datenfeed, und geben Sie `{{address}}/odata/v1/` ein.",
        "Wenn Excel nach Anmeldeinformationen fragt, wählen Sie Standard (Basic) und geben Sie einen beliebigen Benutzernamen und als Kennwort Ihren API-Schlüssel ein. Wählen Sie Verbinden.",
      ],
      tableau: [
        "Wählen Sie „Connect“, „To a Server“, „OData“, und geben Sie `{{address}}/odata/v1/emails` als Server ein.",
        "Wählen Sie „Username and Password“: einen beliebigen Benutzernamen, und als Passwort Ihren API-Schlüssel. Melden Sie sich an.",
      ],
      "google-sheets": [
        "Wählen Sie in der Tabelle Erweiterungen, Apps Script, und ersetzen Sie den Text dort durch die Datei.",
        "Fügen Sie in den Projekteinstellungen die Skripteigenschaft `EMAIL_ANALYTICS_KEY` mit Ihrem API-Schlüssel hinzu.",
        "Führen Sie die Funktion `refresh` aus. Wählen Sie später in der Tabelle email-analytics, Refresh.",
      ],
      "looker-studio": [
        "Erstellen Sie unter `script.google.com` ein Projekt, und ersetzen Sie `Code.gs`. Blenden Sie in den Projekteinstellungen `appsscript.json` ein, und ersetzen Sie auch diese Datei.",
        "Wählen Sie „Deploy“, „Test deployments“, und kopieren Sie die „Head Deployment ID“. Wählen Sie in Looker Studio „Create“, „Data source“, „Build your own“, und fügen Sie sie ein.",
        "Geben Sie Ihren API-Schlüssel ein, wenn Looker Studio danach fragt.",
      ],
      grafana: [
        "Installieren Sie das Plugin Infinity, und setzen Sie die Umgebungsvariable `EMAIL_ANALYTICS_KEY` von Grafana auf Ihren API-Schlüssel.",
        "Speichern Sie `datasource.yaml` in `/etc/grafana/provisioning/datasources`, und starten Sie Grafana neu.",
        "Wählen Sie „Dashboards“, „New“, „Import“, und laden Sie `dashboard.json` hoch.",
      ],
      pandas: [
        "Setzen Sie Ihren API-Schlüssel mit der ersten Zeile in einem Terminal unter Linux oder macOS, oder mit der zweiten in PowerShell:",
        "Speichern Sie diese Zeilen als `emails.py`, und führen Sie dort `python emails.py` aus. Sie benötigen pandas 1.2 oder neuer: `pip install pandas`.",
      ],
      curl: [
        "Setzen Sie in einem Terminal Ihren API-Schlüssel:",
        "Führen Sie diese Zeile dort aus. Andere Endungen: `emails.ndjson` und `emails.parquet`.",
      ],
    },
    time: "Zeit",
    timeNote: (minutes) =>
      format.countOf(minutes, {
        one: "Etwa # Minute, wenn Sie das Tool kennen.",
        other: "Etwa # Minuten, wenn Sie das Tool kennen.",
      }),
    download: (file) => `${file} herunterladen`,
    fileHolds: "Die Datei enthält die URL dieses Dienstes und keinen Schlüssel.",
    filesHold: "Die Dateien enthalten die URL dieses Dienstes und keinen Schlüssel.",
    replaceSchema: (given, own) =>
      html`Ersetzen Sie in den Dateien das Schema <code>${given}</code> durch Ihres, <code>${own}</code>.`,
    linesLabel: (name) => `Codezeilen für ${name}`,
    commandLabel: (step, command) => `Befehl ${command} von Schritt ${step}`,
    urlToEnter: "Einzugebende URL",
    urlLabel: "URL",
    facts: "Gut zu wissen",
    refresh: "Aktualisierung",
    limits: "Einschränkungen",
    tested: "Getestet",
    hasPostgres:
      "Dieser Dienst verwendet PostgreSQL, das dieses Tool benötigt. Der Betreiber des Dienstes gibt dem Tool Zugriff auf die SQL-Views.",
    needsPostgres:
      "Dieser Dienst verwendet SQLite, daher kann dieses Tool ihn nicht lesen: SQL-Views benötigen PostgreSQL. Wählen Sie ein Tool, das mit einem API-Schlüssel liest.",
    key: "API-Schlüssel",
    keyIntro: (name) =>
      `Erstellt einen Schlüssel mit der Berechtigung read, benannt nach ${name}. Er wird nur einmal angezeigt, und die nächste Seite zeigt, wann die erste Anfrage damit eintrifft.`,
    createKey: (name) => `Schlüssel für ${name} erstellen`,
    newKeyTitle: (name) => `Ihr API-Schlüssel für ${name}`,
    firstRequest: "Erste Anfrage",
    waiting: (name) => `Warten auf die erste Anfrage von ${name}\u00a0…`,
    waitingNote:
      "Führen Sie die Schritte mit dem neuen Schlüssel aus. Diese Seite aktualisiert sich automatisch.",
    stillWaiting: "Kommt keine Anfrage an? Siehe Fehlerbehebung zur ersten Anfrage",
    waitElsewhere: "Schlüssel kopiert. Auf die erste Anfrage warten",
    received: "Die erste Anfrage ist eingetroffen.",
    receivedFrom: (time, client) => html`Sie kam am ${time} von <strong>${client}</strong>.`,
    clients: {
      powerQuery: "Power Query (Power BI oder Excel)",
      browser: "einem Browser",
      unknown: "einem Programm, das sich nicht ausweist",
    },
    noRows: "Es hat noch keine Zeilen gelesen. Laden Sie die Daten im Tool.",
    firstRows: (rows) =>
      format.countOf(rows, {
        one: "Die erste Antwort hatte # Zeile.",
        other: "Die erste Antwort hatte # Zeilen.",
      }),
    campaigns: (count) =>
      format.countOf(count, {
        one: "Ihre Organisation hat # Kampagne.",
        other: "Ihre Organisation hat # Kampagnen.",
      }),
    units: "Vor dem Summieren oder Mitteln: Einheiten und fehlende Werte",
    troubleshooting: "Wenn etwas nicht funktioniert: Fehlerbehebung",
    backToTool: (name) => `Zurück zu ${name}`,
    keyForViewers:
      "Sie benötigen einen API-Schlüssel mit der Berechtigung read. Bitten Sie einen Admin Ihrer Organisation darum.",
  },

  help: {
    allTopics: "Alle Themen",
    groups: {
      tools: "Kampagnen in ein Tool holen",
      numbers: "Die Zahlen verstehen",
      programs: "Ein Programm schreiben",
    },
    topics: {
      tools: {
        title: "Welche Methode für welches Tool",
        summary: "Vergleicht, wie Tools Kampagnen lesen, und sagt, welche Methode zu Ihrem passt.",
      },
      troubleshooting: {
        title: "Problemlösung",
        summary: "Was zu tun ist, wenn ein Tool nicht zeigt, was Sie erwarten.",
      },
      refresh: {
        title: "Aktualisierung und inkrementelles Laden",
        summary: "Wie Sie die Daten eines Tools aktuell halten.",
      },
      downloads: { title: "Downloads", summary: "Alle Kampagnen in einer Datei: CSV, NDJSON oder Parquet." },
      odata: { title: "OData", summary: "Die Tabellen, die Power BI, Excel und Tableau lesen." },
      "sql-views": {
        title: "SQL-Views",
        summary: "Wie Tools, die SQL sprechen, die Kampagnen aus PostgreSQL lesen.",
      },
      units: {
        title: "Einheiten und fehlende Werte",
        summary: "Was Sie wissen sollten, bevor Sie ein Feld summieren oder mitteln.",
      },
      numbers: {
        title: "Die Zahlen",
        summary: "Wie aus Öffnungen, Klicks, Lesezeiten und Antworten die Zahlen einer Kampagne werden.",
      },
      glossary: { title: "Glossar", summary: "Die Begriffe des Dienstes und was sie bedeuten." },
      api: {
        title: "Die API",
        summary: "Wie Programme Kampagnen lesen: Schlüssel, Seiten, Filter, Änderungen und Fehler.",
      },
    },
    numbersLink: "Was diese Zahlen bedeuten",
    connect: "Schritte, Dateien und Codezeilen für jedes Tool, mit der URL dieses Dienstes.",
    fieldsTitle: "Alle Zahlen und Felder",
    fields: "Bedeutung, Einheit und Formel jedes Feldes, und sein Wert, wenn nichts bekannt ist.",
    apiReference:
      "Jede URL mit Parametern, Antworten und Feldern. Probieren Sie Anfragen mit Ihrem Schlüssel aus.",
    field: "Feld",
    meaning: "Bedeutung",
    unit: "Einheit",
    formula: "Formel",
    whenNull: "Null, wenn",
    fieldsCaption: (count) =>
      format.countOf(count, { one: "# Feld, wie in Downloads", other: "# Felder, wie in Downloads" }),
    fieldsIntro:
      "Diese Einheiten haben Downloads und die Analytics-API. Seiten zeigen alle Raten in Prozent mit einer Nachkommastelle: 0,2947 ist 29,5\u00a0%. In `/data_api/v1/emails` ist ein Feld 0 oder leer, wo Downloads null haben.",
    pageNumbers: [
      html`<strong>ggü. Team</strong>: wie weit eine Rate über oder unter der Rate der Kampagnen liegt, die das Team in den 365 Tagen davor gesendet hat, in Prozentpunkten.`,
      html`<strong>eNPS</strong>: der Index von −100 bis 100. Er ist der Prozentanteil der Bewertungen 9 und 10 minus den der Bewertungen von 0 bis 6. Importierte Kampagnen haben nur eine Durchschnittsbewertung.`,
      html`<strong>Öffnungen pro 100 Empfänger</strong>: Die Kurve summiert alle Öffnungen seit dem Versand. Auch wiederholte Öffnungen zählen, daher kann sie über der Öffnungsrate enden.`,
    ],
    countsCaption: "Zahlen in Formeln, die keine Felder sind",
    count: "Zahl",
    rounding: (rule) => `Rundung: ${rule}.`,
    notFound: "Diese Hilfeseite gibt es nicht.",
    meanings: {
      id: "Kennung der Kampagne, eindeutig innerhalb der Organisation.",
      subject: "Betreff der Kampagne.",
      sent_at: "Wann die Kampagne gesendet wurde.",
      sent_from: "Adresse des Absenders.",
      organization_team: "Name des Teams.",
      sending_type: "Wie sie gesendet wurde. Beobachtete Werte: Timezone, Scheduled, Immediate.",
      tracking_type: "Was erfasst wurde. Beobachtete Werte: Individual, Anonymous, Overall.",
      open_rate: "Anteil der Empfänger, die die Kampagne geöffnet haben.",
      click_rate: "Anteil der Empfänger, die auf einen Link geklickt haben.",
      unique_opens:
        "Empfänger mit mindestens einer gezählten Öffnung. Ein gezählter Klick, ein gezählter Lesevorgang oder eine Antwort auf eine Umfrage gilt auch als Öffnung, weil Bilder blockiert sein können.",
      multiple_opens: "Öffnungen nach der jeweils ersten eines Empfängers.",
      unopened: "Empfänger ohne Öffnung.",
      total_opens:
        "Gezählte Öffnungen aller Empfänger. Eine Öffnung, die nur aus einem Klick, einem Lesevorgang oder einer Antwort folgt, zählt 1, wenn der Empfänger keine andere hat.",
      unique_clicks: "Empfänger mit mindestens einem gezählten Klick auf irgendeinen Link.",
      multiple_clicks: "Klicks nach dem jeweils ersten eines Empfängers.",
      total_clicks: "Gezählte Klicks aller Empfänger auf alle Links.",
      click_per_unique_open_rate:
        "Click-to-Open-Rate: Anteil der Empfänger mit einer Öffnung, die auf einen Link geklickt haben.",
      desktop_open_rate: "Anteil der Öffnungen auf Desktop-Geräten.",
      mobile_open_rate: "Anteil der Öffnungen auf Mobilgeräten.",
      tags: "Schlagwörter der Kampagne, nach Namen. Kann leer sein.",
      recipient_count: "Anzahl der Empfänger.",
      recipients: "Namen der Empfängergruppen, durch Kommas getrennt.",
      read_time_glanced: "Anteil der Lesevorgänge bis 3 Sekunden.",
      read_time_skimmed: "Anteil der Lesevorgänge über 3 und bis 9 Sekunden.",
      read_time_read: "Anteil der Lesevorgänge über 9 Sekunden.",
      surveys_count: "Umfragen in der Kampagne.",
      enps_score_average: "Mittelwert der eNPS-Bewertungen. Das ist nicht der eNPS-Index von -100 bis 100.",
      enps_reactions_count:
        "eNPS-Bewertungen (employee Net Promoter Score, eine Antwort von 0 bis 10), eine pro Empfänger und Umfrage.",
      enps_comments_count: "eNPS-Bewertungen mit Kommentar.",
      survey_reactions_count:
        "Werte und Antworten zu anderen Umfragen (Pulse), eine pro Empfänger und Umfrage.",
      survey_reactions_comments_count: "Antworten auf andere Umfragen mit Kommentar.",
      sent_on: "Das Datum, an dem die Kampagne gesendet wurde, in der Zeitzone der Organisation.",
      sent_hour:
        "Die Stunde, in der die Kampagne gesendet wurde, von 0 bis 23, in der Zeitzone der Organisation.",
      tag_names: "Die Namen der Schlagwörter, durch Semikolons getrennt, für Tools ohne Listen.",
      kind: "Woher die Zahlen kommen: reported (ein Import) oder counted (Ereignisse).",
      closed_at: "Wann die Kampagne abgeschlossen wurde: Seitdem sind ihre Zahlen endgültig.",
      updated_at: "Wann sich der Datensatz zuletzt geändert hat.",
    },
    units: {
      count: "Anzahl",
      fraction: "Anteil von 0 bis 1",
      percent: "Prozent von 0 bis 100",
      points: "Punkte von 0 bis 10",
    },
    nullMeanings: {
      "The import has no value.": "Der Import hat keinen Wert.",
      "Not given, or empty.": "Nicht angegeben oder leer.",
      "No recipients, or the import has no value.": "Keine Empfänger, oder der Import hat keinen Wert.",
      "No open with a known device, or the import has no value.":
        "Keine Öffnung mit bekanntem Gerät, oder der Import hat keinen Wert.",
      "No measured read, or the import has no value.":
        "Kein gemessener Lesevorgang, oder der Import hat keinen Wert.",
      "No unique opens, or the import has no value.":
        "Keine eindeutigen Öffnungen, oder der Import hat keinen Wert.",
      "No eNPS ratings, or the import has no value.":
        "Keine eNPS-Bewertungen, oder der Import hat keinen Wert.",
      "Not closed. Reported campaigns never are.": "Nicht abgeschlossen. Importierte Kampagnen sind es nie.",
    },
    counts: {
      desktop_opens: "Gezählte Öffnungen auf Desktop-Geräten.",
      mobile_opens: "Gezählte Öffnungen auf Mobilgeräten, einschließlich Tablets.",
      reads_glanced: "Gemessene menschliche Lesevorgänge bis 3 Sekunden.",
      reads_skimmed: "Gemessene menschliche Lesevorgänge über 3 und bis 9 Sekunden.",
      reads_read: "Gemessene menschliche Lesevorgänge über 9 Sekunden.",
      enps_score_sum: "Summe der eNPS-Bewertungen.",
    },
    roundings: {
      "4 decimals": "4 Dezimalstellen, kaufmännisch gerundet",
      "2 decimals": "2 Dezimalstellen, kaufmännisch gerundet",
      "whole percent": "ganze Prozent, kaufmännisch gerundet",
      "whole percent, together 100": "ganze Prozent, zusammen 100, nach dem Verfahren der größten Reste",
    },
  },

  links: {
    title: "Links",
    lead: "Was Empfänger anklicken, in allen passenden Kampagnen. URLs werden ohne Abfrageparameter angezeigt.",
    none: "Keine Klicks in diesen Kampagnen",
    noneHint:
      "Links sind für Kampagnen bekannt, deren Ereignisse dieser Dienst zählt. Wählen Sie einen längeren Zeitraum oder andere Filter.",
    caption: (links: number) =>
      format.countOf(links, { one: "# Link, nach Klicks", other: "# Links, nach Klicks" }),
    link: "Link",
    clicks: "Klicks",
    share: "Anteil der Klicks",
    campaigns: "Kampagnen",
    othersNote: (others: number) =>
      format.countOf(others, {
        one: "# weiterer Link hat weniger Klicks.",
        other: "# weitere Links haben weniger Klicks.",
      }),
    scope: (read: number, of: number) =>
      read < of
        ? `Aus den neuesten ${format.count(read)} von ${format.count(of)} Kampagnen, deren Ereignisse dieser Dienst zählt.`
        : format.countOf(of, {
            one: "Aus der einen Kampagne, deren Ereignisse dieser Dienst zählt.",
            other: "Aus allen # Kampagnen, deren Ereignisse dieser Dienst zählt.",
          }),

    // The page of one link
    campaign: "Kampagne",
    shareOfLink: "Anteil an den Klicks des Links",
    clicksPer100: "Klicks pro 100 Empfänger",
    inCampaigns: (campaigns: number, counted: number) =>
      format.countOf(counted, {
        one: `Klicks in ${format.count(campaigns)} von # gezählten Kampagne`,
        other: `Klicks in ${format.count(campaigns)} von # gezählten Kampagnen`,
      }),
    open: "Link öffnen",
    notFound: "Keine Klicks auf diesen Link in diesen Kampagnen",
  },

  comments: {
    title: "Kommentare",
    lead: (answers: number) =>
      `Was Empfänger zu ihren Antworten geschrieben haben. Kommentare einer Kampagne erscheinen, sobald ${answers} Empfänger geantwortet haben.`,
    search: "In Kommentaren suchen",
    rating: "Bewertung",
    ratings: { any: "Alle", low: "0 bis 6", middle: "7 und 8", high: "9 und 10", none: "Ohne" },
    by: "Gruppieren",
    orders: {
      newest: "Neueste zuerst",
      lowest: "Niedrigste Bewertung zuerst",
      highest: "Höchste Bewertung zuerst",
      longest: "Längste zuerst",
    },
    groupings: { none: "Ohne Gruppen", question: "Nach Frage", campaign: "Nach Kampagne" },
    inGroups: {
      question: (comments: string, questions: number) =>
        `${comments} zu ${format.countOf(questions, { one: "# Frage", other: "# Fragen" })}`,
      campaign: (comments: string, campaigns: number) =>
        `${comments} zu ${format.countOf(campaigns, { one: "# Kampagne", other: "# Kampagnen" })}`,
    },
    partOfGroup: (shown, total, page) =>
      `${format.count(shown)} von ${format.count(total)} Kommentaren, mehr auf Seite ${format.count(page)}`,
    averageRating: {
      ofThese: (mean) => `Ø-Bewertung dieser Kommentare ${mean}`,
      ofAll: (mean, total) => `Ø-Bewertung aller ${format.count(total)} Kommentare ${mean}`,
    },
    file: {
      comment: "Kommentar",
      rating: "Bewertung",
      answer: "Antwort",
      question: "Frage",
      campaignId: "Kampagnen-ID",
      campaign: "Kampagne",
      campaignSent: "Kampagne gesendet",
    },
    none: "Keine Kommentare",
    noneHint:
      "Kommentare kommen mit Antworten auf Umfragen und werden gelöscht, wenn eine Kampagne abgeschlossen wird. Wählen Sie einen längeren Zeitraum oder andere Filter.",
    importedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# Kommentar zu einer importierten Kampagne fehlt hier: Importe enthalten nur die Anzahl der Kommentare.",
        other:
          "# Kommentare zu importierten Kampagnen fehlen hier: Importe enthalten nur die Anzahl der Kommentare.",
      }),
    closedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# Kommentar zu einer abgeschlossenen Kampagne fehlt hier: Sein Text wurde gelöscht.",
        other: "# Kommentare zu abgeschlossenen Kampagnen fehlen hier: Ihre Texte wurden gelöscht.",
      }),
    leftOut: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "# Kampagne fehlt hier, weil das Lesen zu lange dauern würde. Ihre Kommentare stehen auf ihrer eigenen Seite.",
        other:
          "# Kampagnen fehlen hier, weil das Lesen zu lange dauern würde. Ihre Kommentare stehen auf ihren eigenen Seiten.",
      }),
  },

  sources: {
    title: "Quellen",

    // Email providers
    providers: "E-Mail-Anbieter",
    noProviders: html`Noch sendet kein E-Mail-Anbieter Ereignisse. Der Betreiber dieses Dienstes fügt einen mit dem Befehl <code>email-analytics source add</code> hinzu.`,
    providersCaption: (sources, note) =>
      `${format.countOf(sources, { one: "# Quelle", other: "# Quellen" })}. ${note}`,
    urlsAreSecret: "Halten Sie die Webhook-URLs geheim: Wer eine kennt, kann Ereignisse senden.",
    urlsForAdmins: "Nur Admins sehen die Webhook-URLs.",
    provider: "Anbieter",
    lastEvent: "Letztes Ereignis",
    campaignField: "Feld mit der Kampagnen-ID",
    webhookUrl: "Webhook-URL",
    webhookUrlOf: (provider) => `Webhook-URL für ${provider}`,
    noEventYet: "noch keines",
    silent: "keine neuen Ereignisse",
    noSecretTitle: (provider) => `${provider} hat noch kein Secret.`,
    noSecret: html`Alle seine Ereignisse werden abgelehnt, bis Sie das Secret mit dem Befehl <code>email-analytics source change --secret</code> festlegen.`,
    silentTitle: (provider) => `${provider} sendet keine Ereignisse mehr.`,
    silentAfterCampaign: (time) =>
      `Das letzte Ereignis traf am ${time} ein, und danach wurde eine Kampagne gesendet.`,
    silentForDays: (time) => `Das letzte Ereignis traf am ${time} ein, vor mehr als sieben Tagen.`,
    silentChecklist: (provider) =>
      html`Prüfen Sie bei ${provider}, ob der Webhook aktiviert ist, ob er die URL dieser Quelle hat, ob er Öffnungen und Klicks sendet und ob sein Secret unverändert ist. Das Protokoll dieses Dienstes enthält jede abgelehnte Anfrage. Wenn Sie ${provider} nicht mehr nutzen, löschen Sie die Quelle mit dem Befehl <code>email-analytics source delete</code>.`,

    // Programs
    programs: "Programme",
    noPrograms:
      "Kein Programm sendet Kampagnen und Ereignisse: Es gibt keinen API-Schlüssel mit der Berechtigung ingest.",
    createKey: "API-Schlüssel erstellen",
    programsCaption:
      "Programme senden mit einem API-Schlüssel mit der Berechtigung ingest. Die letzte Nutzung ist auf die Stunde genau.",
    apiKey: "API-Schlüssel",
    lastUsed: "Zuletzt genutzt",
    notUsedYet: "noch nicht genutzt",
    programsForViewers: (programs) =>
      format.countOf(programs, { one: "# Programm kann senden.", other: "# Programme können senden." }),
    noDataYet: "Es wurden noch keine Daten gesendet.",
    lastUsedAt: (time) => `Zuletzt genutzt: ${time}.`,

    // Tracked messages
    trackedMessages: "Nachrichten mit Tracking",
    trackingOn:
      "Dieser Dienst kann das Tracking von Nachrichten selbst übernehmen: Die Einstellung TRACKING_SECRET ist festgelegt.",
    trackingOff:
      "Dieser Dienst übernimmt das Tracking von Nachrichten nicht selbst: Die Einstellung TRACKING_SECRET ist leer.",

    // Quarantine
    quarantine: "Ereignisse, die nicht gezählt werden konnten",
    noQuarantined: "Es sind keine Ereignisse in Quarantäne.",
    quarantined: (events) =>
      format.countOf(events, {
        one: "# Ereignis konnte nicht gezählt werden und ist in Quarantäne.",
        other: "# Ereignisse konnten nicht gezählt werden und sind in Quarantäne.",
      }),
    replayHelp:
      "Eine erneute Verarbeitung zählt die Ereignisse, die jetzt gezählt werden können, und behält die anderen.",
    nothingCounts:
      "Sie können jetzt nicht gezählt werden: Sie sind unlesbar, oder ihre Kampagne ist nicht registriert, ist abgeschlossen oder hat importierte Zahlen.",
    quarantineCaption: "Nach Kampagne und Grund",
    otherGroups: (events) =>
      format.countOf(events, {
        one: "Nach Kampagne und Grund. Kleinere Gruppen haben # weiteres Ereignis",
        other: "Nach Kampagne und Grund. Kleinere Gruppen haben # weitere Ereignisse",
      }),
    campaign: "Kampagne",
    reason: "Grund",
    events: "Ereignisse",
    firstReceived: "Zuerst empfangen",
    lastReceived: "Zuletzt empfangen",
    firstUnreadable: "Im ersten Ereignis falsch oder fehlend:",
    unknownCampaign: "unbekannt",
    replay: "Erneut verarbeiten",
    replayAll: "Alle erneut verarbeiten",
    replayCampaign: (name) => `Ereignisse der Kampagne ${name} erneut verarbeiten`,
    replayed: ({ accepted, repeated, ignored, quarantined }) =>
      `Erneut verarbeitet: ${format.count(accepted)} gezählt, ${format.count(repeated)} doppelt, ${format.count(ignored)} ignoriert (Kampagne abgeschlossen oder Empfänger auf Wunsch gelöscht), ${format.count(quarantined)} noch in Quarantäne.`,
    replayIncomplete: (left) =>
      format.countOf(left, {
        one: "Die Zeit reichte nicht: # Ereignis ist übrig. Starten Sie die Verarbeitung erneut, um fortzufahren.",
        other:
          "Die Zeit reichte nicht: # Ereignisse sind übrig. Starten Sie die Verarbeitung erneut, um fortzufahren.",
      }),
    nothingToReplay: (campaign) => `Kampagne: ${campaign} hat keine Ereignisse in Quarantäne.`,
    campaignRule: 'das JSON einer Kampagnen-ID (etwa 42) oder einer externen ID (etwa "spring-news")',
  },

  keys: {
    title: "Analytics-API",
    baseUrl: "Basis-URL",
    baseUrlIntro: (emailsPath, region) =>
      html`Tools senden ihre Anfragen an diese URL, mit einem der API-Schlüssel unten. Datensätze: <code>GET ${emailsPath}</code>. Region: <code>${region}</code>.`,
    baseUrlLabel: "Basis-URL",
    keys: "API-Schlüssel",
    noKeys: "Noch keine API-Schlüssel.",
    keysCaption: (count) =>
      `${format.count(count)} Schlüssel. Die letzte Nutzung ist auf die Stunde genau und erscheint mit etwas Verzögerung.`,
    name: "Name",
    scope: "Berechtigung",
    startsWith: "Beginnt mit",
    created: "Erstellt",
    lastUsed: "Zuletzt genutzt",
    notUsedYet: "noch nicht genutzt",
    commandLine: "Befehlszeile",
    until: (time) => `bis ${time}`,
    delete: "Löschen",
    deleteKeyNamed: (name) => `${name} löschen`,
    createKey: "API-Schlüssel erstellen",
    createKeyIntro:
      "Der Schlüssel wird nur einmal angezeigt, auf der nächsten Seite. Der Name sagt, wofür er ist. Verwenden Sie für jeden Bericht und jedes Programm einen eigenen Schlüssel, damit Sie einen ohne die anderen löschen können.",
    create: "Schlüssel erstellen",
    scopes: {
      read: "read: Berichte und Programme, die Datensätze lesen",
      ingest: "ingest: Programme, die Kampagnen und Ereignisse senden",
    },
    nameTaken: (name) =>
      `Den Schlüssel ${name} gibt es schon. Wählen Sie einen Namen, der sich nicht nur in Groß- und Kleinschreibung unterscheidet.`,
    justCreated: (name) =>
      `Name: Der Schlüssel ${name} wurde gerade erst erstellt. Löschen Sie ihn, wenn Sie ihn nicht kopiert haben, oder wählen Sie einen anderen Namen.`,

    // A new key
    newKeyTitle: "Ihr neuer API-Schlüssel",
    copyNow:
      "Kopieren Sie den Schlüssel jetzt: Er wird nie wieder angezeigt. Wer ihn hat, kann ihn nutzen. Bewahren Sie ihn deshalb wie ein Passwort auf.",
    keyWithScope: (scope) => `API-Schlüssel mit der Berechtigung ${scope}`,
    keyLabel: "Schlüssel",
    codeLabel: (title) => `Code für ${title}`,
    doneCopying: "Schlüssel kopiert. Zurück zu allen Schlüsseln",
    powerBiHint:
      "Wählen Sie in Power BI Daten abrufen, OData-Feed, und fügen Sie diese URL ein. Wenn Power BI nach Anmeldeinformationen fragt, wählen Sie Standard (Basic) und geben Sie einen beliebigen Benutzernamen und als Kennwort den Schlüssel ein. Wählen Sie nicht Web-API.",
    excelHint:
      "Wählen Sie Daten, Daten abrufen, Aus anderen Quellen, Aus OData-Datenfeed, und fügen Sie diese URL ein. Wenn Excel nach Anmeldeinformationen fragt, wählen Sie Standard (Basic) und geben Sie einen beliebigen Benutzernamen und als Kennwort den Schlüssel ein.",
    ingestHint: "Sendet noch keine Ereignisse. Prüft nur, ob der Schlüssel akzeptiert wird.",

    // Delete
    deleteTitle: "API-Schlüssel löschen",
    describe: ({ name, prefix, scope, use }) =>
      html`Der Schlüssel <strong>${name}</strong> beginnt mit <code>${prefix}…</code> und hat die Berechtigung <strong>${scope}</strong>. ${use}`,
    neverUsed: "Er wurde noch nicht genutzt.",
    lastUsedAt: (time) => `Zuletzt genutzt: ${time}.`,
    consequences: {
      read: "Berichte, Tabellen und Programme, die damit Datensätze lesen, funktionieren nicht mehr: Ihre nächste Anfrage schlägt mit 401 fehl.",
      "csv-link": "Tabellen, die den Link verwenden, erhalten ab der nächsten Aktualisierung einen Fehler.",
      ingest:
        "Programme, die damit Kampagnen und Ereignisse senden, erhalten ab der nächsten Anfrage den Fehler 401. Was sie nicht erneut senden, wird nicht gezählt.",
    },
    cannotUndo:
      "Das lässt sich nicht rückgängig machen. Um eine Lücke zu vermeiden, erstellen Sie zuerst einen neuen Schlüssel und setzen ihn ein.",
    deleteKey: "Schlüssel löschen",
    cancel: "Abbrechen",
    deleted: (name) => `Schlüssel ${name} gelöscht.`,
    notFound: "Den Schlüssel gibt es nicht. Vielleicht wurde er gelöscht.",
  },

  csvLinks: {
    title: "CSV-Links",
    intro:
      "Für Tabellen, die keinen Schlüssel senden können, wie IMPORTDATA in Google Sheets: Ein Link gibt Kampagnen als CSV an jeden zurück, der ihn hat. Links stehen in der Liste der Schlüssel, mit der Berechtigung csv-link, und funktionieren nicht mehr, wenn Sie sie dort löschen.",
    allow: "CSV-Links erlauben",
    refuse: "CSV-Links ausschalten",
    allowed: "CSV-Links funktionieren jetzt.",
    refused: "CSV-Links funktionieren nicht mehr.",
    notAllowed: "CSV-Links sind ausgeschaltet.",
    name: "Name des Links",
    days: "Tage bis zum Ablauf",
    daysRule: (max) => `eine ganze Zahl von 1 bis ${max}`,
    sentAfter: "Gesendet ab (optional)",
    sentBefore: "Gesendet bis (optional)",
    dateRule: "ein Datum wie 2025-01-31",
    endRule: (start) => `${start} oder später`,
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# weiteres Schlagwort ist", other: "# weitere Schlagwörter sind" })} nicht aufgeführt. Der Befehl <code>csv-link add</code> nimmt jedes Schlagwort an.`,
    create: "Link erstellen",
    newTitle: "Ihr neuer CSV-Link",
    copyNow:
      "Kopieren Sie den Link jetzt: Er wird nie wieder angezeigt. Jeder, der ihn hat, kann die Kampagnen lesen. Teilen Sie deshalb die Tabelle, nicht den Link.",
    label: "Link",
    importData: "Google Sheets",
    done: "Link kopiert. Zurück zu allen Schlüsseln",
  },

  tags: {
    title: "Schlagwörter",
    addTag: "Schlagwort hinzufügen",
    add: "Schlagwort hinzufügen",
    noTags: "Noch keine Schlagwörter. Ein Schlagwort ist eine Markierung für Kampagnen.",
    intro: html`Der Filter <code>tag_ids</code> der API nimmt diese IDs an. Beim Umbenennen behält ein Schlagwort seine ID.`,
    caption: (count) => format.countOf(count, { one: "# Schlagwort", other: "# Schlagwörter" }),
    plural: "Schlagwörter",
    tag: "Schlagwort",
    id: "ID",
    idOf: (name) => `ID von ${name}`,
    campaigns: "Kampagnen",
    edit: "Bearbeiten",
    editNamed: (name) => `${name} bearbeiten`,
    name: "Name",
    color: "Farbe",
    colorRule: "eine Farbe der Form #RRGGBB",
    nameTaken: (name, id) =>
      `Name: Das Schlagwort mit der ID ${id} hat schon den Namen ${name}. Wählen Sie einen, der sich nicht nur in Groß- und Kleinschreibung unterscheidet.`,
    added: (name) => `Schlagwort ${name} hinzugefügt.`,

    // One tag
    tagTitle: (name) => `Schlagwort ${name}`,
    nameAndColor: "Name und Farbe",
    idIsFixed: (id) =>
      html`Die ID <code>${id}</code> ändert sich nie. Die API gibt Änderungen sofort zurück.`,
    save: "Speichern",
    saved: (name) => `Schlagwort ${name} gespeichert. Die API gibt es sofort zurück.`,
    delete: "Löschen",
    deleteTag: "Dieses Schlagwort löschen",
    deleteNamed: (name) => `${name} löschen`,
    loss: (campaigns) =>
      campaigns === 0
        ? "Keine Kampagne hat dieses Schlagwort."
        : format.countOf(campaigns, {
            one: "# Kampagne verliert dieses Schlagwort und behält alles andere.",
            other: "# Kampagnen verlieren dieses Schlagwort und behalten alles andere.",
          }),
    deleteWarning: (id) =>
      html`Berichte, die nach <code>tag_ids=${id}</code> filtern, finden nichts mehr. Das lässt sich nicht rückgängig machen: Ein neues Schlagwort erhält eine andere ID.`,
    deleted: (name) => `Schlagwort ${name} gelöscht.`,
    notFound: "Das Schlagwort gibt es nicht. Vielleicht wurde es gelöscht.",
  },

  people: {
    title: "Personen",
    plural: "Personen",
    caption: (organization, timeZone) =>
      `Benutzer, die sich bei ${organization} anmelden können. Zeiten beziehen sich auf die Zeitzone ${timeZone}.`,
    email: "E-Mail-Adresse",
    role: "Rolle",
    lastVisit: "Letzter Besuch",
    never: "Nie",
    password: "Passwort",
    invitedUntil: (time) => `Eingeladen bis ${time}`,
    passwordSet: "Festgelegt",
    passwordNotSet: "Nicht festgelegt",
    actions: "Aktionen",
    you: "(Sie)",
    yourAccount: "Ihr Konto",
    roleOf: (email) => `Rolle von ${email}`,
    changeRole: "Ändern",
    changeRoleOf: (email) => `Rolle von ${email} ändern`,
    roleChanged: (email, role) => `${email} ist jetzt ${role}.`,

    // Add
    addUser: "Benutzer hinzufügen",
    add: "Benutzer hinzufügen",
    addHint:
      "Betrachter sehen Zahlen, Schlagwörter und Kommentare ohne Namen. Admins verwalten außerdem API-Schlüssel, Schlagwörter, Personen und Einstellungen. Sie erhalten danach einen Einladungslink, mit dem der Benutzer ein Passwort wählt.",
    invalidEmail: (email) => `E-Mail-Adresse: ${email} ist keine E-Mail-Adresse wie ada@example.com.`,
    emailTakenHere: (email) =>
      `E-Mail-Adresse: Einen Benutzer mit der E-Mail-Adresse ${email} gibt es schon. Um noch einen Einladungslink zu senden, verwenden Sie Neuer Einladungslink oder Passwort zurücksetzen in der Tabelle.`,
    emailTakenElsewhere: (email) =>
      `E-Mail-Adresse: Einen Benutzer dieses Dienstes mit der E-Mail-Adresse ${email} gibt es schon. Eine E-Mail-Adresse kann nur zu einem Benutzer gehören.`,
    tooManyTaken: (wait) =>
      `Zu viele E-Mail-Adressen, die schon verwendet werden. Versuchen Sie es ${wait} erneut.`,

    // Invite link
    inviteTitle: (email) => `Senden Sie diesen Einladungslink an ${email}`,
    inviteIntro:
      "Damit kann der Benutzer ein Passwort wählen. Senden Sie den Link an niemanden sonst: Er funktioniert einmal, sieben Tage lang, und wird nicht wieder angezeigt.",
    inviteLabel: "Einladungslink",
    backToPeople: "Zurück zu den Personen",

    // Reset and remove
    resetPassword: "Passwort zurücksetzen",
    newInviteLink: "Neuer Einladungslink",
    resetPasswordOf: (email) => `von ${email}`,
    newInviteLinkFor: (email) => `für ${email}`,
    resetButton: "Passwort zurücksetzen",
    newInviteButton: "Einladungslink erstellen",
    resetWarning: (email) => `Das Passwort von ${email} gilt nicht mehr, und alle Sitzungen enden.`,
    sessionsWarning: (email) => `Alle Sitzungen von ${email} enden.`,
    oldLinkWarning: (email) => `Der bisherige Einladungslink von ${email} gilt nicht mehr.`,
    resetNext: "Sie erhalten einen Einladungslink, um ein neues Passwort zu wählen.",
    resetOwn: "Ihr eigenes Passwort ändern Sie auf der Seite Ihr Konto.",
    remove: "Entfernen",
    removeWarning: (email) =>
      `${email} kann sich nicht mehr anmelden und wird überall abgemeldet. API-Schlüssel, die diese Person erstellt hat, funktionieren weiter.`,
    removeUser: "Benutzer entfernen",
    removed: (email) => `${email} entfernt.`,
    lastAdmin: (email) =>
      `${email} ist der letzte Admin. Machen Sie zuerst einen anderen Benutzer zum Admin.`,
    lastUser: (email) =>
      `${email} ist der letzte Benutzer. Nur der Befehl „email-analytics user delete“ kann den letzten Benutzer entfernen.`,
    notFound: "Den Benutzer gibt es nicht. Vielleicht wurde er entfernt.",
  },

  sessions: {
    title: "Sitzungen",
    caption: "Aktive Sitzungen. Die letzte Nutzung ist auf die Stunde genau.",
    user: "Benutzer",
    browser: "Browser",
    since: "Angemeldet",
    lastUsed: "Zuletzt genutzt",
    actions: "Aktionen",
    current: "Diese Sitzung",
    end: "Abmelden",
    endOf: (email, browser) => `${email} in ${browser} abmelden`,
    more: (count) => `Und ${format.count(count)} weitere, die länger nicht genutzt wurden.`,
    ended: "Die Sitzung ist beendet.",
    notFound: "Die Sitzung gibt es nicht. Vielleicht ist sie beendet.",
  },

  organization: {
    title: "Organisation",
    general: "Allgemein",
    name: "Name",
    timeZone: "Zeitzone",
    timeZoneHint:
      "Zeiten werden in dieser Zeitzone angezeigt, hier und in der API. Die Abweichungen von UTC gelten für heute.",
    timeZoneRule: "eine Zeitzone mit einem IANA-Namen wie Europe/Berlin oder UTC",
    count: "Gezählte Aktivität",
    countedTraffic: { people: "Nur menschliche Aktivitäten", all: "Alle Aktivitäten, auch automatische" },
    save: "Speichern",
    saved: "Gespeichert. Die API gibt die Änderung sofort zurück.",

    // Auto-close
    autoClose: "Kampagnen automatisch abschließen",
    autoCloseIntro:
      "Die Zahlen einer abgeschlossenen Kampagne ändern sich nicht mehr, und die Daten dahinter werden gelöscht: Spätere Ereignisse werden nicht gezählt, und einzelne Antworten und Kommentare werden nicht mehr angezeigt.",
    closeAfterDays: "Tage, bis Kampagnen mit namentlichen Empfängern (Individuell) abgeschlossen werden",
    closeNamelessAfterDays:
      "Tage, bis Kampagnen ohne namentliche Empfänger (Anonym, Aggregiert) abgeschlossen werden",
    closeDaysHint: "Ab dem Versand oder der Registrierung, je nachdem, was später ist.",
    fewerDaysHint:
      "Wenn Sie weniger Tage wählen, werden Sie um eine Bestätigung gebeten, bevor etwas gelöscht wird.",
    saveDays: "Tage speichern",
    daysSaved: "Die Einstellungen für das automatische Abschließen sind gespeichert.",
    daysRule: "eine ganze Zahl von 1 bis 100000",
    confirmTitle: "Kampagnen früher abschließen?",
    closesNone: "Keine Kampagne wird sofort abgeschlossen. Kampagnen werden früher abgeschlossen als bisher.",
    closesSome: (campaigns) =>
      format.countOf(campaigns, {
        one: "# Kampagne wird innerhalb einer Minute abgeschlossen. Die Daten hinter ihren Zahlen werden gelöscht.",
        other:
          "# Kampagnen werden innerhalb einer Minute abgeschlossen. Die Daten hinter ihren Zahlen werden gelöscht.",
      }),
    cannotUndo:
      "Das lässt sich nicht rückgängig machen. Eine höhere Zahl stellt gelöschte Daten später nicht wieder her.",
    individual: "Kampagnen mit namentlichen Empfängern (Individuell)",
    nameless: "Kampagnen ohne namentliche Empfänger (Anonym, Aggregiert)",
    daysUnchanged: (days) =>
      format.countOf(days, { one: "# Tag, unverändert", other: "# Tage, unverändert" }),
    daysChanged: (days, before) =>
      `${format.countOf(days, { one: "# Tag", other: "# Tage" })} statt ${format.count(before)}`,
    understand: "Mir ist bewusst, dass dies Daten endgültig löscht",
    closeSooner: "Kampagnen früher abschließen",
    keepDays: "Abbrechen",
  },

  account: {
    title: "Ihr Konto",
    signedInAs: (email, role, organization) =>
      html`Sie sind als <strong>${email}</strong> angemeldet, mit der Rolle ${role} in ${organization}.`,
    password: "Passwort",
    noPasswordCompany: "Sie haben kein Passwort: Sie melden sich mit Ihrem Firmenkonto an.",
    noPassword: "Sie haben noch kein Passwort.",
    askAdmin:
      "Kein Passwort oder Passwort vergessen? Ein Admin Ihrer Organisation kann einen Einladungslink für Sie erstellen.",
    askOtherAdmin: (peopleUrl, command) =>
      html`Kein Passwort oder Passwort vergessen? Ein anderer Admin kann unter <a href="${peopleUrl}">Personen</a> einen Einladungslink für Sie erstellen. Sind Sie der einzige Admin, führt der Betreiber dieses Dienstes <code>${command}</code> aus: Der Befehl beendet Ihre Sitzungen und gibt den Link aus.`,
    currentPassword: "Aktuelles Passwort",
    signsOutElsewhere: "Sie bleiben hier angemeldet und werden überall sonst abgemeldet.",
    changePassword: "Passwort ändern",
    passwordChanged: "Ihr Passwort wurde geändert. Sie sind überall sonst abgemeldet.",
    passwordChangedMeanwhile:
      "Ihr Passwort wurde in einer anderen Sitzung geändert. Melden Sie sich erneut an.",
    wrongPassword: "Aktuelles Passwort: Das Passwort ist falsch. Geben Sie es erneut ein.",
    sessions: "Ihre Sitzungen",
    language: "Sprache",
    browserLanguage: "Sprache des Browsers",
    saveLanguage: "Sprache speichern",
    languageSaved: "Sprache gespeichert.",
    languageRule: (languages) => `${languages.join(", ")} oder leer`,
  },
});
