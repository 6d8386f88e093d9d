// Every text of the web application in Swedish.

import { floodLimits } from "../../../campaign/events/traffic.ts";
import { html } from "../../html.ts";
import type { Formatter } from "../formatter.ts";
import type { Strings } from "./en.ts";

export const sv = (format: Formatter): Strings => ({
  languageName: "Svenska",

  fields: {
    id: "ID",
    subject: "Ämnesrad",
    sent_at: "Skickad",
    sent_from: "Avsändare",
    organization_team: "Team",
    sending_type: "Utskickstyp",
    tracking_type: "Spårningstyp",
    open_rate: "Öppningsgrad",
    click_rate: "Klickgrad",
    unique_opens: "Unika öppningar",
    multiple_opens: "Upprepade öppningar",
    unopened: "Inte öppnade",
    total_opens: "Öppningar totalt",
    unique_clicks: "Unika klick",
    multiple_clicks: "Upprepade klick",
    total_clicks: "Klick totalt",
    click_per_unique_open_rate: "Klickgrad bland öppnare (CTOR)",
    desktop_open_rate: "Öppningar på dator",
    mobile_open_rate: "Öppningar på mobil",
    tags: "Taggar",
    recipient_count: "Mottagare",
    recipients: "Mottagargrupper",
    read_time_glanced: "Lästid: ögnat igenom (upp till 3 sekunder)",
    read_time_skimmed: "Lästid: skumläst (upp till 9 sekunder)",
    read_time_read: "Lästid: läst (över 9 sekunder)",
    surveys_count: "Enkäter",
    enps_score_average: "eNPS: medelbetyg",
    enps_reactions_count: "eNPS: betyg",
    enps_comments_count: "eNPS: betyg med kommentar",
    survey_reactions_count: "Andra enkäter: svar",
    survey_reactions_comments_count: "Andra enkäter: svar med kommentar",
    sent_on: "Skickad (datum)",
    sent_hour: "Timme för utskick",
    tag_names: "Taggarnas namn",
    kind: "Siffrornas ursprung",
    closed_at: "Avslutad",
    updated_at: "Uppdaterad",
  },

  sendingTypes: { Timezone: "Lokal tid", Scheduled: "Schemalagt", Immediate: "Direkt" },
  trackingTypes: { Individual: "Individuell", Anonymous: "Anonym", Overall: "Aggregerad" },

  roles: { viewer: "Läsare", admin: "Administratör" },
  roleNouns: { viewer: "läsare", admin: "administratör" },
  verdicts: {
    person: { title: "Mänsklig", meaning: "Inga tecken på automatisering." },
    google_proxy: {
      title: "Mänsklig, via Gmails bildproxy",
      meaning:
        "Gmails bildproxy (`GoogleImageProxy`), som hämtar bilder när en mottagare öppnar meddelandet.",
    },
    yahoo_proxy: {
      title: "Mänsklig, via Yahoos bildproxy",
      meaning: "Yahoos bildproxy (`YahooMailProxy`), som hämtar bilder när en mottagare öppnar meddelandet.",
    },
    apple_prefetch: {
      title: "Förhämtning av Apple Mail",
      meaning: "Apples integritetsskydd för Mail: hela användaragenten är `Mozilla/5.0`.",
    },
    google_prefetch: {
      title: "Förhämtning av Gmail",
      meaning: "Gmails förhämtning: användaragenten slutar med `Edge/12.246 Mozilla/5.0`.",
    },
    provider_prefetch: {
      title: "Förhämtning enligt leverantören",
      meaning: "Leverantören rapporterar en automatisk öppning eller läsning (`machine`).",
    },
    provider_scanner: {
      title: "Skanner enligt leverantören",
      meaning: "Leverantören rapporterar ett automatiskt klick (`machine`).",
    },
    hidden_link: {
      title: "Dold länk",
      meaning: "Ett klick på en länk som människor inte kan se (`hidden`).",
    },
    head_request: {
      title: "HEAD-anrop",
      meaning: "Ett HEAD-anrop (`head`), som kontrollerar vart en länk leder utan att hämta sidan.",
    },
    flood: {
      title: "Flod av anrop",
      meaning: `Fler än ${floodLimits.perRecipient} öppningar eller klick i minuten för en mottagares meddelande, eller fler än ${floodLimits.perNetwork} från ett nätverk med spårningstypen Aggregerad.`,
    },
    gateway: { title: "Säkerhetsgateway", meaning: "Användaragenten anger en säkerhetsgateway." },
    bot: { title: "Bot", meaning: "Användaragenten är en känd bot eller ett känt program." },
    beside_hidden_link: {
      title: "Mottagare med klick på en dold länk",
      meaning:
        "En skanner följde den dolda länken i mottagarens meddelande, så inget av dess klick räknas som mänskligt.",
    },
    burst: {
      title: "Skur av klick",
      meaning: "En av flera olika länkar som klickades för samma mottagare inom några sekunder.",
    },
  },
  problems: {
    unknown_campaign: "Kampanj-ID:t är okänt. Händelsen räknas så snart kampanjen är registrerad.",
    reported_campaign: "Kampanjens siffror har importerats. Händelser läggs aldrig till importerade siffror.",
    test_sending:
      "Händelsen är mer än 10 minuter äldre än kampanjens sent_at, så den hör till ett testutskick.",
    unreadable: "Ett fält saknas eller är ogiltigt.",
    closed: "Kampanjen är avslutad. Dess siffror ändras inte längre.",
    forgotten: "Mottagarens uppgifter har raderats på begäran. Händelsen ignoreras.",
    no_campaign: "Händelsen saknar campaign_id, så den hör inte till någon kampanj. Den ignoreras.",
    time_ahead: "Tiden ligger mer än 5 minuter i framtiden. Händelsen räknas med sin ankomsttid.",
  },

  pages: {
    overview: "Översikt",
    campaigns: "Kampanjer",
    links: "Länkar",
    comments: "Kommentarer",
    connect: "Anslut",
    sources: "Källor",
    analyticsApi: "Analytics-API",
    apiReference: "API-referens",
    help: "Hjälp",
    tags: "Taggar",
    people: "Personer",
    organization: "Allmänt",
    account: "Ditt konto",
    settings: "Inställningar",
  },

  settingsGroups: { organization: "Organisation", integrations: "Integrationer", you: "Du" },

  errors: {
    title: "Något gick fel",
    forbiddenForm: "Dina ändringar sparades inte",
    titles: {
      forbidden: "Du behöver rollen Administratör",
      not_found: "Sidan hittades inte",
      too_many_requests: "För många försök",
    },
    messages: {
      bad_request: "Anropet är ogiltigt.",
      forbidden: "Du har inte behörighet att göra det här. Kontakta en administratör i din organisation.",
      not_found: "Webbadressen är fel, eller så har sidan tagits bort.",
      payload_too_large: "Formuläret är för stort.",
      too_many_requests: "För många anrop. Försök igen senare.",
      internal_error:
        "Ett oväntat fel inträffade. Den som driver tjänsten kan hitta orsaken i loggen. Uppge anropets ID.",
      unavailable: "Tjänsten är upptagen eller startar om. Försök igen om en stund.",
    },
    requestId: (id) => `Anropets ID: ${id}`,
    goToOverview: "Gå till översikten",
  },

  ui: {
    downloadCsv: "Ladda ner CSV",
    // Layout
    skipLink: "Hoppa till huvudinnehållet",
    skipToResults: "Hoppa till resultaten",
    problemTitle: (title) => `Fel: ${title}`,
    navigation: "Huvudmeny",
    signOut: "Logga ut",
    openMenu: "Öppna menyn",
    closeMenu: "Stäng menyn",
    region: "Region",
    breadcrumb: "Länkstig",
    noEvents: "Inga händelser ännu",
    lastEvent: (ago: string, isLive: boolean) => (isLive ? `Live · ${ago}` : `Senaste händelsen ${ago}`),
    /** Why the sources need a look. */
    sourcesAlerts: { silent: "En källa har tystnat", quarantined: "Händelser finns i karantän" },

    // Permissions and forms
    needsAdminRole:
      "Bara administratörer i din organisation har den här behörigheten. Kontakta någon av dem, eller be om rollen Administratör.",
    sessionEnded: "Din session har avslutats. Inget ändrades.",
    sessionEndedSignIn: "Din session har avslutats. Inget ändrades: logga in och skicka formuläret igen.",
    csrfFailed:
      "Formuläret skickades inte från en sida i det här programmet, eller så är sidan inaktuell. Gå tillbaka, ladda om sidan och skicka formuläret igen.",
    unknownAction: (name) => `action: ${name} är inte en åtgärd på den här sidan.`,

    // Forms
    tooManyFields: (count, max) => `Formuläret har ${count} fält; högst ${max} godtas.`,
    fieldTooLong: (name, length, max) => `${name}: ${length} tecken; högst ${max} godtas.`,
    fieldProblem: (label, problem) => `${label}: ${problem}`,
    fieldRejected: (label, value, accepted) => `${label}: ${value} godtas inte. Ange ${accepted}.`,
    quoted: (text) => `”${text}”`,
    nameRule:
      "1 till 200 tecken på en rad, varav minst ett synligt, utan osynliga tecken som ändrar textriktningen",
    oneOf: (values) => `något av ${values.join(", ")}`,
    copy: "Kopiera",
    copied: "Kopierat",
    copyByHand: "Markerat. Tryck Ctrl+C för att kopiera.",
    copyLabel: (what) => `Kopiera ${what}`,

    // Browsers and waits
    unknownBrowser: "Okänd webbläsare",

    inEnglish: "(på engelska)",

    // Numbers
    points: (difference) => `${difference}\u00a0p.e.`,
    noValue: "inget värde",
    notToldApart: "importerade kampanjer skiljer inte ut automatisk aktivitet",
    notCompared:
      "Öppningar och klick jämförs inte: importerade kampanjer skiljer inte ut automatisk aktivitet",

    // Lists
    search: "Sök",
    previousPage: "Föregående sida",
    nextPage: "Nästa sida",
    noResultsFor: (search) => `Inga träffar på ${search}`,
    clearSearch: "Rensa sökningen",
    paginationLabel: (what) => `Fler ${what}`,
    itemRange: (first, last, total) =>
      `${format.count(first)}–${format.count(last)} av ${format.count(total)}`,

    ratingOf: (score: number) => `Betyg ${format.count(score)} av 10`,

    // Charts
    noData: "Inga data ännu.",
    chartKinds: { lines: "Linjediagram", columns: "Stapeldiagram", stacked: "Staplat stapeldiagram" },
    chartDescription: ({ title, kind, xTitle, span, ranges }) =>
      `${title}. ${kind} per ${xTitle.toLowerCase()}, ${span}. ${ranges.join(" ")} Tabellen nedanför har alla siffror.`,
    chartKeys: (title) => `${title}: läs värdena med piltangenterna`,
    fromTo: (first, last) => `från ${first} till ${last}`,
    seriesWithoutData: (name) => `${name}: inga data.`,
    seriesValue: (name, value) => `${name}: ${value}.`,
    seriesRange: (name, low, high) => `${name}: mellan ${low} och ${high}.`,
    showTable: "Visa som tabell",
    tableRegion: (title) => `${title}: tabell`,
  },

  signIn: {
    title: "Logga in",
    email: "E-postadress",
    password: "Lösenord",
    submit: "Logga in",
    or: "eller",
    withCompanyAccount: "Logga in med ditt företagskonto",
    noOrganization:
      "Den här tjänsten har ingen organisation ännu. Den som driver tjänsten kör två kommandon:",
    addOrganization: "Lägg till en organisation.",
    addFirstAdmin:
      "Lägg till organisationens första administratör. Kommandot skriver ut länken som personen väljer lösenord med.",
    noPassword:
      "Inget lösenord, eller har du glömt det? Be en administratör i din organisation om en inbjudningslänk.",
    wrongCredentials: "Fel e-postadress eller lösenord. Försök igen.",
    tooManyAttempts: (wait) => `För många misslyckade försök. Försök igen ${wait}.`,
    signedOut: "Du är utloggad.",

    // Invite link
    choosePasswordTitle: "Välj ett lösenord",
    newPassword: "Nytt lösenord",
    repeatPassword: "Upprepa lösenordet",
    passwordHint: (min) => `Minst ${min} tecken. Några ord i rad är lätta att komma ihåg.`,
    weakPassword: {
      short: (length, { min, max }) => `det har ${length} tecken; använd ${min} till ${max}.`,
      long: (_length, { min, max }) => `det har fler än ${max} tecken; använd ${min} till ${max}.`,
      email: () => "det är din e-postadress; välj ett annat lösenord.",
      common: () => "det är för lätt att gissa; välj ett annat lösenord.",
    },
    passwordsDiffer: "Lösenorden är inte lika. Skriv båda igen.",
    setPassword: "Spara lösenordet och logga in",
    welcome: "Välkommen! Ditt lösenord är sparat och du är inloggad.",
    inviteLinkInvalidTitle: "Den här inbjudningslänken gäller inte längre",
    inviteLinkInvalid:
      "Den har redan använts, ersatts av en nyare eller gått ut. Be en administratör i din organisation om en ny inbjudningslänk.",

    // OpenID Connect
    failedTitle: "Inloggningen misslyckades",
    backToSignIn: "Tillbaka till inloggningssidan",
    openIdExpired: "Inloggningen påbörjades i en annan webbläsare, eller för mer än tio minuter sedan.",
    openIdNoEmail: "Ditt företagskonto har ingen verifierad e-postadress.",
    openIdUnknownUser:
      "Du är inte användare i den här tjänsten. Be en administratör i din organisation att lägga till ditt företagskontos e-postadress.",
    openIdInvalid: "Inloggningen avbröts, eller så skickade företagets inloggningstjänst ett ogiltigt svar.",
    openIdUnavailable: "Företagets inloggningstjänst svarar inte som väntat. Försök igen om en stund.",
  },

  filters: {
    period: "Period",
    periods: {
      "7d": "Senaste 7 dagarna",
      "30d": "Senaste 30 dagarna",
      "90d": "Senaste 90 dagarna",
      month: "Den här månaden",
      quarter: "Det här kvartalet",
      year: "Det här året",
      "12m": "Senaste 12 kalendermånaderna",
      all: "Hela perioden",
    },
    quarter: (quarter, year) => `Kv ${quarter} ${year}`,
    since: (date) => `Sedan ${date}`,
    upTo: (date) => `Till ${date}`,
    from: "Från",
    until: "Till",
    apply: "Använd",
    allTeams: "Alla team",
    tags: "Taggar",
    tagsSelected: (count) => format.countOf(count, { one: "# tagg", other: "# taggar" }),
    withAnyTag: "Med någon av dessa taggar",
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# tagg till", other: "# taggar till" })} visas inte. Lägg till deras ID:n i sidans webbadress för att filtrera på dem, åtskilda med kommatecken: <code>tag_ids=</code>.`,
    more: "Fler filter",
    group: "Mottagargrupp",
    any: "Alla",
    surveyFilters: { rated: "Med betyg", some: "Med enkäter", none: "Utan enkäter" },
    searchSubjects: "Sök i ämnesrader",
    trafficLabel: "Aktivitet",
    comparisons: { previous: "Föregående period", year: "Föregående år", none: "Ingen jämförelse" },
    traffic: { people: "Bara mänsklig", all: "All aktivitet" },
    datesReversed: (from, until) =>
      `Från: ${from} är senare än Till: ${until}. Byt plats på dem, eller lämna ett fält tomt.`,
    invalidTagId: (name, value) =>
      `${name}: ${value} är inget ID för en tagg; skilj ID:n åt med kommatecken, till exempel tag_ids=1,2.`,
    tooManyTags: (name, max) => `${name}: högst ${format.count(max)} godtas.`,
    invalidDate: (name, value) =>
      `${name}: ${value} är inget datum; använd ÅÅÅÅ-MM-DD, till exempel 2026-01-31.`,
    invalidValue: (name, value, accepted) => `${name}: ${value} godtas inte; använd något av ${accepted}.`,
  },

  overview: {
    title: "Översikt",
    viewCampaigns: "Visa kampanjer",
    filters: "Filter",
    comparedWith: {
      previous: "Mot föregående period",
      year: "Mot föregående år",
      none: "Ingen jämförelse",
    },
    noMatches: (allUrl) =>
      html`Inga kampanjer matchar filtren. Välj en annan period eller andra filter, eller <a href="${allUrl}">visa alla kampanjer</a>.`,

    // Key metrics
    campaigns: "Kampanjer",
    emailsSent: (emails) => format.countOf(emails, { one: "# skickat mejl", other: "# skickade mejl" }),
    enps: "eNPS",
    rates: {
      openRate: "Öppningsgrad",
      clickRate: "Klickgrad",
      clickToOpenRate: "Klickgrad bland öppnare (CTOR)",
    },
    none: "Inget ännu",
    tooFew: "För få",
    from: {
      campaigns: (from, of) =>
        `${format.count(from)} av ${format.countOf(of, { one: "# kampanj", other: "# kampanjer" })}`,
      recipients: (from, of) =>
        `${format.count(from)} av ${format.countOf(of, { one: "# mottagare", other: "# mottagare" })}`,
    },
    fromSurveyed: (from, of) =>
      `${format.count(from)} av ${format.countOf(of, { one: "# kampanj med enkät", other: "# kampanjer med enkät" })}`,
    knownOnly: (from) => `finns bara för ${from}`,
    noSurveys: "Ingen kampanj hade någon eNPS-enkät",
    unknown: "Okänt",
    surveysUnknown: (unknown, of) =>
      `Det är inte känt om ${format.count(unknown)} av ${format.countOf(of, { one: "# kampanj", other: "# kampanjer" })} hade någon enkät`,
    noAnswersYet: (surveyed) =>
      format.countOf(surveyed, {
        one: "# kampanj med enkät, inga svar ännu",
        other: "# kampanjer med enkät, inga svar ännu",
      }),
    averageRating: (mean, { ratings, from, of }) =>
      `Medelbetyg ${mean} av 10 (${format.count(ratings)} betyg från ${format.count(from)} av ${format.countOf(of, { one: "# kampanj", other: "# kampanjer" })})`,
    withTraffic: {
      people: (rate) => `Bara mänsklig aktivitet: ${rate}`,
      all: (rate) => `All aktivitet: ${rate}`,
    },
    before: (value) => `jämfört med ${value} tidigare`,
    vsPeriod: (dates, others) => `${dates} mot ${others}`,

    // Chart
    openAndClick: "Öppningsgrad och klickgrad",
    units: { day: "Dag", week: "Vecka", month: "Månad", year: "År" },
    unfinished: {
      day: "Pågående dag",
      week: "Pågående vecka",
      month: "Pågående månad",
      year: "Pågående år",
    },

    // Cards
    ranked: {
      rate: { best: "Högst öppningsgrad", worst: "Lägst öppningsgrad" },
      team: { best: "Högst öppningsgrad mot teamet", worst: "Lägst öppningsgrad mot teamet" },
    },
    rankBy: "Rangordna kampanjer efter",
    rankings: { rate: "Öppningsgrad", team: "Skillnad mot teamet" },
    breakDownBy: "Dela upp resultaten efter",
    breakdowns: {
      team: { tab: "Team", title: "Resultat per team", column: "Team" },
      group: { tab: "Grupper", title: "Resultat per mottagargrupp", column: "Mottagargrupp" },
      tag: { tab: "Taggar", title: "Resultat per tagg", column: "Tagg" },
      sending_type: { tab: "Utskickstyper", title: "Resultat per utskickstyp", column: "Utskickstyp" },
    },
    byGroupNote:
      "En kampanj som skickats till flera grupper räknas i var och en av dem, med alla sina mottagare.",
    noneSet: "Inte angivet för någon av de här kampanjerna.",
    largest: (shown: number, of: number) =>
      `De ${format.count(shown)} med flest mottagare, av ${format.count(of)}`,
    unchanged: "oförändrat",
    notSet: "inte angivet",
    campaignCount: (count) => format.countOf(count, { one: "# kampanj", other: "# kampanjer" }),
    opensByHour: "När mottagarna öppnar",
    opens: (count) => format.countOf(count, { one: "# öppning", other: "# öppningar" }),
    fewOpens: "Färre",
    manyOpens: "Fler",
    topLinks: "Mest klickade länkar",
    link: "Länk",
    clicks: "Klick",
    latestComments: "Senaste kommentarerna",
    allComments: "Alla kommentarer",
    allLinks: "Alla länkar",
    imported: (imported, of) =>
      `Importerade, med siffrorna som de rapporterades: ${format.count(imported)} av ${format.countOf(of, { one: "# kampanj", other: "# kampanjer" })}.`,
    countedTraffic: {
      people: "Bara mänskliga öppningar och klick räknas.",
      all: "All aktivitet räknas, även automatisk.",
    },
    scope: (timeZone) =>
      `Andelarna viktas efter antalet mottagare. Dagar följer tidszonen ${timeZone}. En andel från färre än hälften av kampanjerna eller deras mottagare visas inte.`,
  },

  campaigns: {
    title: "Kampanjer",
    id: "ID",

    // List
    columns: {
      subject: "Ämnesrad",
      sent_at: "Skickad",
      team: "Team",
      tags: "Taggar",
      recipients: "Mottagare",
      open_rate: "Öppningsgrad",
      click_rate: "Klickgrad",
      click_to_open_rate: "CTOR",
      opens: "Unika öppningar",
      clicks: "Unika klick",
      read_time: "Läst i över 9\u00a0s",
      enps: "eNPS",
      average_rating: "Medelbetyg",
      comments: "Kommentarer",
      devices: "Öppningar på dator",
      kind: "Datakälla",
    },
    vsTeam: (column) => `${column} mot teamet`,
    noTeam: "inget team",
    noUsual: "för få kampanjer eller mottagare från teamet med det här värdet under året före",
    noUsualEnps: "för få kampanjer från teamet med eNPS-betyg räknade här under året före",
    vsUsual: (team, rate) => `mot ${team}: ${rate}`,
    kinds: { counted: "Räknade här", closed: "Räknade här, slutgiltiga", reported: "Importerade" },
    sortText: { asc: "sortera A till Ö", desc: "sortera Ö till A" },
    sortNumber: { asc: "lägsta först", desc: "högsta först" },
    sortTime: { asc: "äldsta först", desc: "nyaste först" },
    sort: "Sortera",
    view: "Vy",
    views: "Vyer",
    chooseColumns: "Kolumner",
    campaigns: (count) => format.countOf(count, { one: "# kampanj", other: "# kampanjer" }),
    tableName: (caption) => `${caption}: tabell`,
    total: (count) => format.countOf(count, { one: "Totalt för # kampanj", other: "Totalt för # kampanjer" }),
    emailsSent: "skickade mejl",
    importedCount: (count) =>
      format.countOf(count, {
        one: "# importerad, som rapporterad",
        other: "# importerade, som rapporterade",
      }),
    tooFew: "för få",
    notWeighted:
      "Andelarna i totalraden är viktade. Raden utelämnar andelar som importerades utan antal att vikta dem med, till exempel utan mottagare.",
    coverage: {
      campaigns: (from, of) => `${format.count(from)} av ${format.count(of)}`,
      recipients: (from, of) => `${format.count(from)} av ${format.count(of)} mottagare`,
    },
    page: "Sida",
    ofPages: (pages) => `av ${format.count(pages)}`,
    goToPage: "Visa",
    rowsPerPage: "Rader per sida",
    pagination: "Listans sidor",
    noMatches: "Inga kampanjer matchar",
    tryOthers: "Prova en längre period, en annan sökning eller färre filter.",
    allTime: "Visa hela perioden",
    resetFilters: "Återställ filtren",

    // Comparison
    select: (subject) => `Välj ${subject}`,
    selectColumn: "Val",
    compare: "Jämför",
    compareSelected: (count) => `Jämför ${count}`,
    compareHint: "Välj två till fem kampanjer för att jämföra dem.",
    tooManySelected: (selected, excess) => `${selected} valda: ta bort ${excess}`,

    // Getting started
    noCampaigns: "Inga kampanjer ännu",
    askAdmin: "Be en administratör i din organisation att lägga till några.",
    gettingStarted: "Här visas öppningar, klick och lästid för dina kampanjer. Du kan börja på tre sätt:",
    startWithProgram: (createKeyUrl) =>
      html`Skicka kampanjer och händelser från ditt eget program: <a href="${createKeyUrl}">skapa en API-nyckel med behörigheten ingest</a>.`,
    startWithProvider: html`Låt din e-postleverantör skicka sina händelser: den som driver tjänsten lägger till leverantören med <code>email-analytics source add</code>. Den visas sedan under <a href="/sources">Källor</a>.`,
    startWithImport: html`Importera befintliga siffror: den som driver tjänsten kör <code>email-analytics import</code>.`,
  },

  comparison: {
    title: "Jämför kampanjer",
    metric: "Mätvärde",
    caption: "Kampanjerna sida vid sida",
    best: "bäst",
    bestNote:
      "”Bäst” markerar den högsta andelen. Antal markeras inte, eftersom de växer med antalet mottagare.",
    noOpens: (subjects) => `Utan öppningar per timme: ${subjects}.`,
    invalidId: (value) => `${value} är inget kampanj-ID; använd heltal, till exempel ids=1,2.`,
    wrongNumber: (count) =>
      format.countOf(count, {
        one: "Du har valt # kampanj; välj två till fem.",
        other: "Du har valt # kampanjer; välj två till fem.",
      }),
    backToList: "Tillbaka till kampanjerna",
  },

  campaign: {
    // One campaign
    untitled: "Kampanj utan ämnesrad",
    scheduled: "Schemalagd",
    notFound: (id) => `Din organisation har ingen kampanj ${id}.`,
    sentAt: (time) => `Skickad ${time}`,
    scheduledFor: (time) => `Schemalagd till ${time}`,
    imported: "Kampanjens siffror har importerats. Det finns ingen aktivitet att visa.",
    closed: (time) =>
      `Räknad från händelser till och med ${time}, då kampanjen avslutades. Dess siffror ändras inte längre.`,
    countedLive: "Räknas från händelser allteftersom de kommer in.",
    counted: {
      people: "Siffrorna omfattar bara mänsklig aktivitet.",
      all: "Siffrorna omfattar all aktivitet, mänsklig och automatisk.",
    },

    // Headline metrics

    // All metrics
    allMetrics: "Alla mätvärden",
    metricsCaption: "Fälten i Analytics-API:et, så som sidorna visar dem och så som API:et returnerar dem",
    onPages: "På sidorna",
    apiTraffic: {
      people: "Analytics-API:et räknar bara mänsklig aktivitet.",
      all: "Analytics-API:et räknar all aktivitet.",
    },
    missingMetrics: "Ett streck betyder att siffran saknas. Analytics-API:et returnerar då 0.",

    // Campaign details
    details: "Kampanjinformation",
    team: "Team",
    tags: "Taggar",
    sent: "Skickad",
    detailsCaption: "Enligt avsändaren",
    notSet: "inte angivet",
    id: "ID",
    externalId: "Externt ID",
    sentFrom: "Avsändare",
    sendingType: "Utskickstyp",
    trackingType: "Spårningstyp",
    recipientGroups: "Mottagargrupper",
    surveysCount: "Enkäter",

    // Activity
    activity: "Öppningar och klick",
    noActivity: "Inga öppningar eller klick med känd tid ännu.",
    opensByHour: (hours) => `Öppningar under de första ${hours} timmarna`,
    clicksByHour: (hours) => `Klick under de första ${hours} timmarna`,
    hour: "Timme",
    day: "Dag",
    human: "Mänsklig",
    automated: "Automatisk",
    byDay: "Öppningar och klick per dag; dagar utan aktivitet visas inte",
    byLastDays: (days) => `Öppningar och klick under de senaste ${days} dagarna`,
    humanOpens: "Mänskliga öppningar",
    automatedOpens: "Automatiska öppningar",
    humanClicks: "Mänskliga klick",
    automatedClicks: "Automatiska klick",
    trafficTitle: "Mänsklig och automatisk aktivitet",
    trafficCaption: "Öppningar och klick per typ av aktivitet",
    traffic: "Aktivitet",
    countedAs: "Räknas som",
    reason: "Orsak",
    opens: "Öppningar",
    clicks: "Klick",
    inferredOpens: "Härledda öppningar",
    inferredMeaning:
      "Från ett klick, en läsning eller ett enkätsvar av en mottagare utan öppning: bilder kan vara blockerade.",
    furtherClicks: "Fler klick",
    furtherMeaning: (max: number) => `Efter en mottagares första ${format.count(max)} klick.`,
    /** The sum of the table, by the traffic that the page shows. */
    trafficTotals: { people: "Totalt, bara mänsklig aktivitet", all: "Totalt, all aktivitet" },
    links: "Länkar",
    noClicks: "Inga klick ännu.",
    linksCaption: "Länkar efter mänskliga klick",
    link: "Länk, utan personuppgifter",
    allClicks: "Alla klick",
    linksNote: (max) =>
      `De första ${format.count(max)} klickade webbadresserna räknas var för sig, utan parametrar. Alla andra delar på en rad.`,
    otherLinks: "Alla andra länkar",

    // Surveys
    surveys: "Enkäter",
    enpsIndex: "eNPS-index: andelen betyg 9 och 10 i procent, minus andelen betyg från 0 till 6",
    enpsComments: "eNPS-betyg med kommentar",
    surveyAnswers: "Svar på andra enkäter",
    surveyComments: "Svar på andra enkäter med kommentar",
    indexUnknown: "eNPS-indexet är okänt: en importerad kampanj har bara ett medelbetyg.",
    surveysClosed: "Kampanjen är avslutad. Enskilda svar och kommentarer har raderats.",
    moreSurveys: (shown, others) =>
      `De ${format.count(shown)} enkäterna med flest svar. ${format.countOf(others, { one: "# enkät till visas inte.", other: "# enkäter till visas inte." })}`,
    enps: "eNPS",
    survey: "Enkät",
    answered: (recipients) =>
      format.countOf(recipients, { one: "# mottagare har svarat.", other: "# mottagare har svarat." }),
    rating: "Betyg",
    forgottenAnswer: "Raderat på begäran",
    otherAnswers: (count) => `Övriga svar: ${format.count(count)}.`,
    commentsWithheld: (min) => `Kommentarer visas när ${min} mottagare har svarat.`,

    tabsLabel: "Kampanj",
    tabs: {
      summary: "Sammanfattning",
      links: "Länkar",
      surveys: "Enkäter",
      recipients: "Mottagare",
      activity: "Mänsklig och automatisk",
      details: "Detaljer",
    },
    previous: (subject: string) => `Föregående kampanj: ${subject}`,
    next: (subject: string) => `Nästa kampanj: ${subject}`,
    copyLink: "Kopiera länk",
    lastActivity: (time: string) => `Senaste aktivitet ${time}`,
    activeNow: "Aktiv de senaste 15 minuterna",

    // Key numbers
    keyNumbers: {
      openRate: "Öppningsgrad",
      clickRate: "Klickgrad",
      clickToOpenRate: "Klickgrad bland öppnare (CTOR)",
      desktopShare: "Dator",
      readShare: "Läst i över 9\u00a0s",
      enpsIndex: "eNPS",
      enpsMean: "Medelbetyg",
    },
    opened: (opened: number, recipients: number) =>
      `${format.count(opened)} av ${format.count(recipients)} öppnade`,
    clicked: (clicked: number, recipients: number) =>
      `${format.count(clicked)} av ${format.count(recipients)} klickade`,
    openedMore: (opened: number, recipients: number) =>
      `${format.count(opened)} öppnade, ${format.countOf(recipients, { one: "fler än den # mottagare som avsändaren angav", other: "fler än de # mottagare som avsändaren angav" })}`,
    clickedMore: (clicked: number, recipients: number) =>
      `${format.count(clicked)} klickade, ${format.countOf(recipients, { one: "fler än den # mottagare som avsändaren angav", other: "fler än de # mottagare som avsändaren angav" })}`,
    clickedOfOpened: (clicked: number, opened: number) =>
      `${format.count(clicked)} av ${format.count(opened)} som öppnade`,
    readFor: (seconds: number) => `längre än ${seconds} sekunder`,
    readOf: (read: number, measured: number, seconds: number) =>
      `${format.count(read)} av ${format.count(measured)} uppmätta läsningar varade längre än ${seconds} sekunder`,
    ratings: (ratings: number) => format.countOf(ratings, { one: "# betyg", other: "# betyg" }),
    noRatings: "inga betyg",
    teamAverage: (value: string) => `Teamets snitt: ${value}`,
    teamTooFew: "Teamet: för få kampanjer att jämföra med",
    tagAverage: (tag: string, value: string) => `${tag}: ${value}`,
    vsTeam: (team, campaigns) =>
      `Mot ${team}, 12 månader före (${format.countOf(campaigns, { one: "# kampanj", other: "# kampanjer" })})`,
    tooFewOfTeam: (team) =>
      `${team} skickade färre än tre kampanjer under de 12 månaderna före, så det finns inget att jämföra med`,
    comparedWithTeam: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "jämfört med # kampanj från teamet under året före",
        other: "jämfört med genomsnittet av # kampanjer från teamet under året före",
      }),

    // Summary
    opensCurve: "Öppningar per 100 mottagare",
    hoursAfter: "Timmar efter utskicket",
    hourOf: (hour: number) => `${format.count(hour)}\u00a0h`,
    thisCampaign: "Den här kampanjen",
    opensCurveNote: "Även upprepade öppningar räknas, så linjen kan sluta över öppningsgraden.",
    /** For a campaign with a team, or without one. */
    usualOpens: {
      team: (campaigns: number) =>
        `Normalt (median av ${format.count(campaigns)} tidigare kampanjer från teamet)`,
      all: (campaigns: number) => `Normalt (median av ${format.count(campaigns)} tidigare kampanjer)`,
    },
    deviceShares: "Andel av de öppningar vars enhet är känd",
    readShares: "Andel av de mänskliga läsningar vars tid har mätts",
    partOf: (count: number, total: number) => `${format.count(count)} av ${format.count(total)}`,
    namesForAdmins: "Bara administratörer ser vem som har skrivit en kommentar.",
    noUsual: "Teamet har inte tre tidigare kampanjer med öppningar per timme att jämföra med.",
    devices: "Enheter",
    desktop: "Dator",
    mobile: "Mobil",
    noDevices: "Ingen enhet är känd.",
    readTime: "Lästid",
    glanced: (seconds: number) => `Ögnat igenom (≤\u00a0${seconds}\u00a0s)`,
    skimmed: (seconds: number) => `Skumläst (≤\u00a0${seconds}\u00a0s)`,
    read: (seconds: number) => `Läst (>\u00a0${seconds}\u00a0s)`,
    noReads: "Ingen lästid har mätts.",
    topLinks: "Mest klickade länkar",
    allLinks: "Alla länkar",
    comments: "Kommentarer",
    allComments: "Alla kommentarer och enkäter",
    importedActivity: "Kampanjens siffror importerades, utan öppningar och klick över tid.",
    importedLinks: "Kampanjens siffror importerades, utan länkar.",
    shareOfHumanClicks: "Andel av mänskliga klick",

    // Ratings
    ratingsTitle: "Betyg",
    promoters: (count: string, share: string) => `Ambassadörer: ${count} (${share})`,
    passives: (count: string, share: string) => `Passiva: ${count} (${share})`,
    detractors: (count: string, share: string) => `Kritiker: ${count} (${share})`,
    kinds: { promoters: "Ambassadörer", passives: "Passiva", detractors: "Kritiker" },
    noSurvey: "Kampanjen har ingen enkät.",
    noAnswers: "Enkäten har inga svar än.",
    surveyUnknown: "Det är inte känt om den här kampanjen hade någon enkät.",
    answersUnknown: "Det är inte känt om någon har svarat på enkäten.",
    commentCount: (count: number) => format.countOf(count, { one: "# kommentar", other: "# kommentarer" }),
    latestComments: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# kommentar", other: "# kommentarer" })}, varav de ${format.count(shown)} senaste`,
    commentsShown: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# kommentar", other: "# kommentarer" })}, varav ${format.count(shown)} här`,
  },

  recipients: {
    noList: "Ingen lista över mottagare",
    reasons: {
      Anonymous:
        "Kampanjen har spårningstypen Anonym, så det finns ingen lista över mottagare: varje mottagare ersattes av ett hashvärde innan något sparades.",
      Overall:
        "Kampanjen har spårningstypen Aggregerad, så det finns ingen lista över mottagare: den räknar enheter och känner inte till mottagarna.",
      imported:
        "Kampanjens siffror har importerats, så det finns ingen lista över mottagare: importerade siffror har inga.",
      closed:
        "Kampanjen är avslutad, så det finns ingen lista över mottagare: de har raderats och bara siffrorna finns kvar.",
    },
    opened: (opened, recipients) =>
      `${format.count(recipients)} mottagare. Öppnade: ${format.count(opened)}. Öppnade inte: ${format.count(Math.max(recipients - opened, 0))}.`,
    unknown: (unknown, listed) =>
      `Av dem kan ${format.count(listed)} visas i listan; för ${format.count(unknown)} finns det ännu ingen händelse.`,
    notOpenedNote:
      "De här mottagarna är bara kända från automatisk aktivitet, till exempel förhämtning eller en säkerhetsskanner.",
    filterLabel: "Mottagare",
    filters: { all: "Alla", opened: "Öppnade", not_opened: "Öppnade inte", clicked: "Klickade" },
    search: "E-postadress eller ID börjar med",
    caption: "Mottagare efter e-postadress eller ID",
    columns: {
      recipient: "Mottagare",
      opens: "Öppningar",
      device: "Enhet",
      readTime: "Lästid",
      clicks: "Klick",
      firstClick: "Första klick",
      lastClick: "Senaste klick",
      answers: "Enkätsvar",
    },
    devices: { desktop: "Dator", mobile: "Mobil" },
    readTimes: { glanced: "Ögnat igenom", skimmed: "Skumläst", read: "Läst" },
    noMatches: "Inga mottagare matchar.",
    noMatchesYet: "Inga träffar bland de mottagare som hittills har genomsökts. Fortsätt på nästa sida.",
    pages: "Fler mottagare",
    onPage: (count) =>
      format.countOf(count, {
        one: "# mottagare från en längre lista. CSV-filen innehåller alla.",
        other: "# mottagare från en längre lista. CSV-filen innehåller alla.",
      }),
    backToStart: "Tillbaka till början",
    note: "Varje visning och nedladdning av listan loggas med ditt användar-ID. Öppningar sparas som antal, utan tider. Mottagare vars uppgifter har raderats på begäran visas inte.",
  },

  connect: {
    title: "Anslut",
    intro: (count) =>
      format.countOf(count, {
        one: "Få in dina kampanjer i verktyget som du arbetar med. Det finns anvisningar för # verktyg.",
        other: "Få in dina kampanjer i verktyget som du arbetar med. Det finns anvisningar för # verktyg.",
      }),
    groups: {
      reports: "Rapportverktyg och kalkylark",
      dashboards: "Instrumentpaneler",
      pipelines: "Dataflöden och automatisering",
      programs: "Programspråk och terminaler",
    },
    search: "Sök verktyg",
    find: "Sök",
    allTools: "Alla verktyg",
    noMatch: (text) =>
      html`Inget verktyg matchar <strong>${text}</strong>. Alla verktyg som kan skicka en HTTP-header, eller användarnamn och lösenord, kan läsa API:et.`,
    minutes: (minutes) => format.countOf(minutes, { one: "# minut", other: "# minuter" }),
    toolTitle: (name) => `Anslut ${name}`,
    notFound: "Det finns inga anvisningar för det här verktyget.",
    fileNotFound: "Den filen finns inte för det här verktyget.",
    steps: "Steg",
    toolSteps: {
      "power-bi": [
        "Öppna filen `email-analytics.pbids`, eller välj Hämta data, OData-feed och ange `{{address}}/odata/v1/`.",
        "När Power BI ber om autentiseringsuppgifter väljer du Grundläggande och anger valfritt användarnamn, och din API-nyckel som lösenord. Välj inte Webb-API.",
        "Markera `emails`, och för taggar även `email_tags` och `tags`. Välj Läs in.",
      ],
      excel: [
        "Öppna filen `emails.odc` i Windows, eller välj Data, Hämta data, Från andra källor, Från OData-feed och ange `{{address}}/odata/v1/`.",
        "När Excel ber om autentiseringsuppgifter väljer du Grundläggande och anger valfritt användarnamn, och din API-nyckel som lösenord. Välj Anslut.",
      ],
      tableau: [
        "Välj ”Connect”, ”To a Server”, ”OData” och ange `{{address}}/odata/v1/emails` som server.",
        "Välj ”Username and Password”: valfritt användarnamn, och din API-nyckel som lösenord. Logga in.",
      ],
      "google-sheets": [
        "Välj Tillägg, Apps Script i kalkylarket och byt ut texten där mot filen.",
        "Lägg till skriptegenskapen `EMAIL_ANALYTICS_KEY` med din API-nyckel i projektinställningarna.",
        "Kör funktionen `refresh`. Välj senare email-analytics, Refresh i kalkylarket.",
      ],
      "looker-studio": [
        "Skapa ett projekt på `script.google.com` och byt ut `Code.gs`. Visa `appsscript.json` i projektinställningarna och byt ut även den filen.",
        "Välj ”Deploy”, ”Test deployments” och kopiera ”Head Deployment ID”. Välj ”Create”, ”Data source”, ”Build your own” i Looker Studio och klistra in det.",
        "Ange din API-nyckel när Looker Studio ber om den.",
      ],
      grafana: [
        "Installera insticksprogrammet Infinity, och ange din API-nyckel i Grafanas miljövariabel `EMAIL_ANALYTICS_KEY`.",
        "Spara `datasource.yaml` i `/etc/grafana/provisioning/datasources` och starta om Grafana.",
        "Välj ”Dashboards”, ”New”, ”Import” och ladda upp `dashboard.json`.",
      ],
      pandas: [
        "Ange din API-nyckel med den första raden i en terminal i Linux eller macOS, eller med den andra i PowerShell:",
        "Spara raderna som `emails.py` och kör `python emails.py` där. De kräver pandas 1.2 eller senare: `pip install pandas`.",
      ],
      curl: [
        "Ange din API-nyckel i en terminal:",
        "Kör raden där. Andra ändelser: `emails.ndjson` och `emails.parquet`.",
      ],
    },
    time: "Tid",
    timeNote: (minutes) =>
      format.countOf(minutes, {
        one: "Ungefär # minut, om du känner till verktyget.",
        other: "Ungefär # minuter, om du känner till verktyget.",
      }),
    download: (file) => `Ladda ner ${file}`,
    fileHolds: "Filen innehåller tjänstens URL, men ingen nyckel.",
    filesHold: "Filerna innehåller tjänstens URL, men ingen nyckel.",
    replaceSchema: (given, own) =>
      html`Byt ut schemat <code>${given}</code> i filerna mot ditt, <code>${own}</code>.`,
    linesLabel: (name) => `kodraderna för ${name}`,
    commandLabel: (step, command) => `kommando ${command} i steg ${step}`,
    urlToEnter: "URL att ange",
    urlLabel: "URL:en",
    facts: "Bra att veta",
    refresh: "Uppdatering",
    limits: "Begränsningar",
    tested: "Testat",
    hasPostgres:
      "Den här tjänsten använder PostgreSQL, som verktyget behöver. Den som driver tjänsten ger verktyget åtkomst till SQL-vyerna.",
    needsPostgres:
      "Den här tjänsten använder SQLite, så verktyget kan inte läsa den: SQL-vyer kräver PostgreSQL. Välj ett verktyg som läser med en API-nyckel.",
    key: "API-nyckel",
    keyIntro: (name) =>
      `Skapar en nyckel med behörigheten read, uppkallad efter ${name}. Den visas en gång, och nästa sida visar när det första anropet kommer in.`,
    createKey: (name) => `Skapa nyckel för ${name}`,
    newKeyTitle: (name) => `Din API-nyckel för ${name}`,
    firstRequest: "Första anropet",
    waiting: (name) => `Väntar på det första anropet från ${name}\u00a0…`,
    waitingNote: "Följ stegen med den nya nyckeln. Sidan uppdateras automatiskt.",
    stillWaiting: "Kommer inget anrop in? Se felsökning av det första anropet",
    waitElsewhere: "Jag har kopierat nyckeln. Vänta på det första anropet",
    received: "Det första anropet har kommit in.",
    receivedFrom: (time, client) => html`Det kom ${time} från <strong>${client}</strong>.`,
    clients: {
      powerQuery: "Power Query (Power BI eller Excel)",
      browser: "en webbläsare",
      unknown: "ett program som inte anger sitt namn",
    },
    noRows: "Det har inte läst några rader ännu. Läs in data i verktyget.",
    firstRows: (rows) =>
      format.countOf(rows, {
        one: "Det första svaret hade # rad.",
        other: "Det första svaret hade # rader.",
      }),
    campaigns: (count) =>
      format.countOf(count, {
        one: "Din organisation har # kampanj.",
        other: "Din organisation har # kampanjer.",
      }),
    units: "Innan du summerar eller beräknar medelvärden: enheter och saknade värden",
    troubleshooting: "Om något inte fungerar: felsökning",
    backToTool: (name) => `Tillbaka till ${name}`,
    keyForViewers:
      "Du behöver en API-nyckel med behörigheten read. Be en administratör i din organisation om en.",
  },

  help: {
    allTopics: "Alla ämnen",
    groups: {
      tools: "Få in dina kampanjer i ett verktyg",
      numbers: "Förstå siffrorna",
      programs: "Skriv ett program",
    },
    topics: {
      tools: {
        title: "Vilken metod passar vilket verktyg",
        summary: "Jämför hur verktyg läser kampanjer och visar vilken metod som passar ditt.",
      },
      troubleshooting: {
        title: "Felsökning",
        summary: "Vad du gör när ett verktyg inte visar det du väntar dig.",
      },
      refresh: {
        title: "Uppdatering och inkrementell laddning",
        summary: "Hur du håller ett verktygs data aktuella.",
      },
      downloads: { title: "Nedladdningar", summary: "Alla kampanjer i en fil: CSV, NDJSON eller Parquet." },
      odata: { title: "OData", summary: "Tabellerna som Power BI, Excel och Tableau läser." },
      "sql-views": {
        title: "SQL-vyer",
        summary: "Hur verktyg som talar SQL läser kampanjerna från PostgreSQL.",
      },
      units: {
        title: "Enheter och saknade värden",
        summary: "Vad du behöver veta innan du summerar ett fält eller beräknar dess medelvärde.",
      },
      numbers: {
        title: "Siffrorna",
        summary: "Hur öppningar, klick, läsningar och svar blir en kampanjs siffror.",
      },
      glossary: { title: "Ordlista", summary: "Tjänstens termer och vad de betyder." },
      api: {
        title: "API:et",
        summary: "Hur program läser kampanjer: nycklar, sidor, filter, ändringar och fel.",
      },
    },
    numbersLink: "Vad siffrorna betyder",
    connect: "Steg, filer och kodrader för varje verktyg, med tjänstens URL.",
    fieldsTitle: "Alla siffror och fält",
    fields: "Varje fälts betydelse, enhet och formel, och dess värde när inget är känt.",
    apiReference: "Varje URL med parametrar, svar och fält. Testa anrop med din nyckel.",
    field: "Fält",
    meaning: "Betydelse",
    unit: "Enhet",
    formula: "Formel",
    whenNull: "Null om",
    fieldsCaption: (count) =>
      format.countOf(count, { one: "# fält, som i nedladdningar", other: "# fält, som i nedladdningar" }),
    fieldsIntro:
      "Nedladdningar och Analytics-API har de här enheterna. Sidorna visar alla andelar i procent med en decimal: 0,2947 är 29,5\u00a0%. I `/data_api/v1/emails` är ett fält 0 eller tomt där nedladdningar har null.",
    pageNumbers: [
      html`<strong>Mot teamet</strong>: hur långt ett värde ligger över eller under värdet för de kampanjer som teamet skickade under de 365 dagarna före, i procentenheter.`,
      html`<strong>eNPS</strong>: indexet från −100 till 100. Det är procentandelen betyg 9 och 10, minus procentandelen betyg från 0 till 6. Importerade kampanjer har bara ett medelbetyg.`,
      html`<strong>Öppningar per 100 mottagare</strong>: kurvan summerar alla öppningar sedan utskicket. Även upprepade öppningar räknas, så den kan sluta över öppningsgraden.`,
    ],
    countsCaption: "Antal i formler som inte är fält",
    count: "Antal",
    rounding: (rule) => `Avrundning: ${rule}.`,
    notFound: "Den hjälpsidan finns inte.",
    meanings: {
      id: "Kampanjens ID, unikt inom organisationen.",
      subject: "Kampanjens ämnesrad.",
      sent_at: "När kampanjen skickades.",
      sent_from: "Avsändarens adress.",
      organization_team: "Teamets namn.",
      sending_type: "Hur den skickades. Observerade värden: Timezone, Scheduled, Immediate.",
      tracking_type: "Vad som spårades. Observerade värden: Individual, Anonymous, Overall.",
      open_rate: "Andel av mottagarna som har öppnat kampanjen.",
      click_rate: "Andel av mottagarna som har klickat på en länk.",
      unique_opens:
        "Mottagare med minst en räknad öppning. Ett räknat klick, en räknad läsning eller ett enkätsvar räknas också som öppning, eftersom bilder kan vara blockerade.",
      multiple_opens: "Öppningar utöver varje mottagares första.",
      unopened: "Mottagare utan öppning.",
      total_opens:
        "Räknade öppningar av alla mottagare. En öppning som bara följer av ett klick, en läsning eller ett svar räknas som 1 om mottagaren inte har någon annan.",
      unique_clicks: "Mottagare med minst ett räknat klick på någon länk.",
      multiple_clicks: "Klick utöver varje mottagares första.",
      total_clicks: "Räknade klick av alla mottagare på alla länkar.",
      click_per_unique_open_rate:
        "Klickgrad bland öppnare (CTOR): andel av mottagarna med en öppning som har klickat på en länk.",
      desktop_open_rate: "Andel av öppningarna på dator.",
      mobile_open_rate: "Andel av öppningarna på mobil.",
      tags: "Kampanjens taggar, efter namn. Kan vara tom.",
      recipient_count: "Antal mottagare.",
      recipients: "Mottagargruppernas namn, åtskilda med kommatecken.",
      read_time_glanced: "Andel läsningar på upp till 3 sekunder.",
      read_time_skimmed: "Andel läsningar på över 3 och upp till 9 sekunder.",
      read_time_read: "Andel läsningar på över 9 sekunder.",
      surveys_count: "Enkäter i kampanjen.",
      enps_score_average: "Medelvärde av eNPS-betygen. Det är inte eNPS-indexet från -100 till 100.",
      enps_reactions_count:
        "eNPS-betyg (employee Net Promoter Score, ett svar från 0 till 10), ett per mottagare och enkät.",
      enps_comments_count: "eNPS-betyg med kommentar.",
      survey_reactions_count: "Betyg och svar på andra enkäter (puls), ett per mottagare och enkät.",
      survey_reactions_comments_count: "Svar på andra enkäter med kommentar.",
      sent_on: "Datumet då kampanjen skickades, i organisationens tidszon.",
      sent_hour: "Timmen då kampanjen skickades, 0 till 23, i organisationens tidszon.",
      tag_names: "Taggarnas namn, åtskilda med semikolon, för verktyg utan listor.",
      kind: "Var siffrorna kommer ifrån: reported (en import) eller counted (händelser).",
      closed_at: "När kampanjen avslutades: sedan dess är dess siffror slutgiltiga.",
      updated_at: "När posten senast ändrades.",
    },
    units: {
      count: "antal",
      fraction: "andel från 0 till 1",
      percent: "procent från 0 till 100",
      points: "poäng från 0 till 10",
    },
    nullMeanings: {
      "The import has no value.": "Importen saknar värde.",
      "Not given, or empty.": "Inte angivet, eller tomt.",
      "No recipients, or the import has no value.": "Inga mottagare, eller importen saknar värde.",
      "No open with a known device, or the import has no value.":
        "Ingen öppning med känd enhet, eller importen saknar värde.",
      "No measured read, or the import has no value.": "Ingen uppmätt läsning, eller importen saknar värde.",
      "No unique opens, or the import has no value.": "Inga unika öppningar, eller importen saknar värde.",
      "No eNPS ratings, or the import has no value.": "Inga eNPS-betyg, eller importen saknar värde.",
      "Not closed. Reported campaigns never are.": "Inte avslutad. Importerade kampanjer avslutas aldrig.",
    },
    counts: {
      desktop_opens: "Räknade öppningar på dator.",
      mobile_opens: "Räknade öppningar på mobil, inklusive surfplattor.",
      reads_glanced: "Uppmätta mänskliga läsningar på upp till 3 sekunder.",
      reads_skimmed: "Uppmätta mänskliga läsningar på över 3 och upp till 9 sekunder.",
      reads_read: "Uppmätta mänskliga läsningar på över 9 sekunder.",
      enps_score_sum: "Summan av eNPS-betygen.",
    },
    roundings: {
      "4 decimals": "4 decimaler, avrundat till närmaste",
      "2 decimals": "2 decimaler, avrundat till närmaste",
      "whole percent": "hel procent, avrundat till närmaste",
      "whole percent, together 100": "hela procent, tillsammans 100, enligt metoden med största resten",
    },
  },

  links: {
    title: "Länkar",
    lead: "Vad mottagare klickar på, i alla kampanjer som matchar. Webbadresser visas utan parametrar.",
    none: "Inga klick i de här kampanjerna",
    noneHint:
      "Länkar är kända för kampanjer vars händelser tjänsten räknar. Välj en längre period eller andra filter.",
    caption: (links: number) =>
      format.countOf(links, { one: "# länk, efter klick", other: "# länkar, efter klick" }),
    link: "Länk",
    clicks: "Klick",
    share: "Andel av klicken",
    campaigns: "Kampanjer",
    othersNote: (others: number) =>
      format.countOf(others, {
        one: "# länk till har färre klick.",
        other: "# länkar till har färre klick.",
      }),
    scope: (read: number, of: number) =>
      read < of
        ? `Från de ${format.count(read)} senaste av ${format.count(of)} kampanjer vars händelser tjänsten räknar.`
        : format.countOf(of, {
            one: "Från den enda kampanj vars händelser tjänsten räknar.",
            other: "Från alla # kampanjer vars händelser tjänsten räknar.",
          }),

    // The page of one link
    campaign: "Kampanj",
    shareOfLink: "Andel av länkens klick",
    clicksPer100: "Klick per 100 mottagare",
    inCampaigns: (campaigns: number, counted: number) =>
      format.countOf(counted, {
        one: `Klick i ${format.count(campaigns)} av # räknad kampanj`,
        other: `Klick i ${format.count(campaigns)} av # räknade kampanjer`,
      }),
    open: "Öppna länken",
    notFound: "Inga klick på den här länken i de här kampanjerna",
  },

  comments: {
    title: "Kommentarer",
    lead: (answers: number) =>
      `Vad mottagare har skrivit till sina svar. En kampanjs kommentarer visas när ${answers} mottagare har svarat.`,
    search: "Sök i kommentarer",
    rating: "Betyg",
    ratings: { any: "Alla", low: "0 till 6", middle: "7 och 8", high: "9 och 10", none: "Utan" },
    by: "Gruppera",
    orders: {
      newest: "Senaste först",
      lowest: "Lägsta betyget först",
      highest: "Högsta betyget först",
      longest: "Längsta först",
    },
    groupings: { none: "Utan grupper", question: "Efter fråga", campaign: "Efter kampanj" },
    inGroups: {
      question: (comments: string, questions: number) =>
        `${comments} på ${format.countOf(questions, { one: "# fråga", other: "# frågor" })}`,
      campaign: (comments: string, campaigns: number) =>
        `${comments} på ${format.countOf(campaigns, { one: "# kampanj", other: "# kampanjer" })}`,
    },
    partOfGroup: (shown, total, page) =>
      `${format.count(shown)} av ${format.count(total)} kommentarer, fler på sidan ${format.count(page)}`,
    averageRating: {
      ofThese: (mean) => `medelbetyg för dessa kommentarer: ${mean}`,
      ofAll: (mean, total) => `medelbetyg för alla ${format.count(total)} kommentarer: ${mean}`,
    },
    file: {
      comment: "Kommentar",
      rating: "Betyg",
      answer: "Svar",
      question: "Fråga",
      campaignId: "Kampanj-ID",
      campaign: "Kampanj",
      campaignSent: "Kampanj skickad",
    },
    none: "Inga kommentarer att visa",
    noneHint:
      "Kommentarer kommer med svar på enkäter och raderas när en kampanj avslutas. Välj en längre period eller andra filter.",
    importedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# kommentar till en importerad kampanj saknas här: importer har bara antalet kommentarer.",
        other: "# kommentarer till importerade kampanjer saknas här: importer har bara antalet kommentarer.",
      }),
    closedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# kommentar till en avslutad kampanj saknas här: dess text har raderats.",
        other: "# kommentarer till avslutade kampanjer saknas här: deras texter har raderats.",
      }),
    leftOut: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "# kampanj saknas här eftersom den skulle ta för lång tid att läsa. Dess kommentarer finns på dess egen sida.",
        other:
          "# kampanjer saknas här eftersom de skulle ta för lång tid att läsa. Deras kommentarer finns på deras egna sidor.",
      }),
  },

  sources: {
    title: "Källor",

    // Email providers
    providers: "E-postleverantörer",
    noProviders: html`Ingen e-postleverantör skickar händelser ännu. Den som driver tjänsten lägger till en med kommandot <code>email-analytics source add</code>.`,
    providersCaption: (sources, note) =>
      `${format.countOf(sources, { one: "# källa", other: "# källor" })}. ${note}`,
    urlsAreSecret: "Håll webhook-URL:erna hemliga: alla som känner till en URL kan skicka händelser.",
    urlsForAdmins: "Bara administratörer kan se webhook-URL:erna.",
    provider: "Leverantör",
    lastEvent: "Senaste händelse",
    campaignField: "Fält med kampanj-ID",
    webhookUrl: "Webhook-URL",
    webhookUrlOf: (provider) => `webhook-URL:en för ${provider}`,
    noEventYet: "ingen ännu",
    silent: "inga nya händelser",
    noSecretTitle: (provider) => `${provider} har ingen hemlighet ännu.`,
    noSecret: html`Alla dess händelser avvisas tills du anger hemligheten med kommandot <code>email-analytics source change --secret</code>.`,
    silentTitle: (provider) => `${provider} har slutat skicka händelser.`,
    silentAfterCampaign: (time) =>
      `Den senaste händelsen kom ${time}, och en kampanj har skickats efter det.`,
    silentForDays: (time) => `Den senaste händelsen kom ${time}, för mer än sju dagar sedan.`,
    silentChecklist: (provider) =>
      html`Kontrollera hos ${provider} att webhooken är aktiverad, att den har den här källans URL, att den skickar öppningar och klick och att hemligheten är oförändrad. Tjänstens logg innehåller alla avvisade anrop. Om du inte längre använder ${provider}, ta bort källan med kommandot <code>email-analytics source delete</code>.`,

    // Programs
    programs: "Program",
    noPrograms:
      "Inget program skickar kampanjer och händelser: det finns ingen API-nyckel med behörigheten ingest.",
    createKey: "Skapa en API-nyckel",
    programsCaption:
      "Program skickar med en API-nyckel som har behörigheten ingest. Senast använd anges på timmen när.",
    apiKey: "API-nyckel",
    lastUsed: "Senast använd",
    notUsedYet: "inte använd ännu",
    programsForViewers: (programs) =>
      format.countOf(programs, { one: "# program kan skicka.", other: "# program kan skicka." }),
    noDataYet: "Inga data har skickats ännu.",
    lastUsedAt: (time) => `Senast använd ${time}.`,

    // Tracked messages
    trackedMessages: "Spårade meddelanden",
    trackingOn: "Tjänsten kan själv spåra meddelanden: inställningen TRACKING_SECRET är angiven.",
    trackingOff: "Tjänsten spårar inte själv meddelanden: inställningen TRACKING_SECRET är tom.",

    // Quarantine
    quarantine: "Händelser som inte kunde räknas",
    noQuarantined: "Inga händelser är i karantän.",
    quarantined: (events) =>
      format.countOf(events, {
        one: "# händelse kunde inte räknas och är i karantän.",
        other: "# händelser kunde inte räknas och är i karantän.",
      }),
    replayHelp: "En ny bearbetning räknar de händelser som nu kan räknas och behåller resten.",
    nothingCounts:
      "De kan inte räknas nu: de är oläsbara, eller så är deras kampanj inte registrerad, avslutad eller har importerade siffror.",
    quarantineCaption: "Per kampanj och orsak",
    otherGroups: (events) =>
      format.countOf(events, {
        one: "Per kampanj och orsak. Mindre grupper har # händelse till",
        other: "Per kampanj och orsak. Mindre grupper har # händelser till",
      }),
    campaign: "Kampanj",
    reason: "Orsak",
    events: "Händelser",
    firstReceived: "Först mottagen",
    lastReceived: "Senast mottagen",
    firstUnreadable: "Fel eller saknas i den första händelsen:",
    unknownCampaign: "okänd",
    replay: "Bearbeta igen",
    replayAll: "Bearbeta alla igen",
    replayCampaign: (name) => `Bearbeta händelserna för kampanjen ${name} igen`,
    replayed: ({ accepted, repeated, ignored, quarantined }) =>
      `Bearbetat igen: ${format.count(accepted)} räknade, ${format.count(repeated)} dubbletter, ${format.count(ignored)} ignorerade (kampanjen avslutad eller mottagaren raderad på begäran), ${format.count(quarantined)} fortfarande i karantän.`,
    replayIncomplete: (left) =>
      format.countOf(left, {
        one: "Tiden räckte inte: # händelse är kvar. Bearbeta igen för att fortsätta.",
        other: "Tiden räckte inte: # händelser är kvar. Bearbeta igen för att fortsätta.",
      }),
    nothingToReplay: (campaign) => `Kampanj: ${campaign} har inga händelser i karantän.`,
    campaignRule:
      'JSON för ett kampanj-ID (till exempel 42) eller ett externt ID (till exempel "spring-news")',
  },

  keys: {
    title: "Analytics-API",
    baseUrl: "Bas-URL",
    baseUrlIntro: (emailsPath, region) =>
      html`Verktyg skickar sina anrop till den här URL:en, med en av API-nycklarna nedan. Poster: <code>GET ${emailsPath}</code>. Region: <code>${region}</code>.`,
    baseUrlLabel: "bas-URL:en",
    keys: "API-nycklar",
    noKeys: "Inga API-nycklar ännu.",
    keysCaption: (count) =>
      `${format.countOf(count, { one: "# nyckel", other: "# nycklar" })}. Senast använd anges på timmen när och kan släpa efter något.`,
    name: "Namn",
    scope: "Behörighet",
    startsWith: "Börjar med",
    created: "Skapad",
    lastUsed: "Senast använd",
    notUsedYet: "inte använd ännu",
    commandLine: "kommandoraden",
    until: (time) => `till ${time}`,
    delete: "Ta bort",
    deleteKeyNamed: (name) => `Ta bort ${name}`,
    createKey: "Skapa en API-nyckel",
    createKeyIntro:
      "Nyckeln visas en gång, på nästa sida. Namnet talar om vad den är till för. Använd en egen nyckel för varje rapport och varje program, så att du kan ta bort en utan de andra.",
    create: "Skapa nyckel",
    scopes: {
      read: "read: rapporter och program som läser poster",
      ingest: "ingest: program som skickar kampanjer och händelser",
    },
    nameTaken: (name) =>
      `nyckeln ${name} finns redan. Välj ett namn som skiljer sig i mer än stora och små bokstäver.`,
    justCreated: (name) =>
      `Namn: nyckeln ${name} skapades alldeles nyss. Ta bort den om du inte har kopierat den, eller välj ett annat namn.`,

    // A new key
    newKeyTitle: "Din nya API-nyckel",
    copyNow:
      "Kopiera nyckeln nu: den visas aldrig igen. Alla som har den kan använda den, så förvara den som ett lösenord.",
    keyWithScope: (scope) => `API-nyckel med behörigheten ${scope}`,
    keyLabel: "nyckeln",
    codeLabel: (title) => `koden för ${title}`,
    doneCopying: "Jag har kopierat nyckeln. Tillbaka till alla nycklar",
    powerBiHint:
      "Välj Hämta data, OData-feed i Power BI och klistra in den här URL:en. När Power BI ber om autentiseringsuppgifter väljer du Grundläggande och anger valfritt användarnamn, och nyckeln som lösenord. Välj inte Webb-API.",
    excelHint:
      "Välj Data, Hämta data, Från andra källor, Från OData-feed och klistra in den här URL:en. När Excel ber om autentiseringsuppgifter väljer du Grundläggande och anger valfritt användarnamn, och nyckeln som lösenord.",
    ingestHint: "Skickar inga händelser ännu. Kontrollerar bara att nyckeln godtas.",

    // Delete
    deleteTitle: "Ta bort en API-nyckel",
    describe: ({ name, prefix, scope, use }) =>
      html`Nyckeln <strong>${name}</strong> börjar med <code>${prefix}…</code> och har behörigheten <strong>${scope}</strong>. ${use}`,
    neverUsed: "Den har inte använts ännu.",
    lastUsedAt: (time) => `Den användes senast ${time}.`,
    consequences: {
      read: "Rapporter, kalkylark och program som läser poster med nyckeln slutar fungera: deras nästa anrop misslyckas med 401.",
      "csv-link": "Kalkylark som använder länken får ett fel från och med nästa uppdatering.",
      ingest:
        "Program som skickar kampanjer och händelser med nyckeln får felet 401 från och med nästa anrop. Det som de inte skickar igen räknas inte.",
    },
    cannotUndo:
      "Det går inte att ångra. Skapa en ny nyckel och ta den i bruk först, så undviker du ett avbrott.",
    deleteKey: "Ta bort nyckeln",
    cancel: "Avbryt",
    deleted: (name) => `Nyckeln ${name} har tagits bort.`,
    notFound: "Nyckeln finns inte. Den kan ha tagits bort.",
  },

  csvLinks: {
    title: "CSV-länkar",
    intro:
      "För kalkylark som inte kan skicka en nyckel, till exempel IMPORTDATA i Google Sheets: en länk returnerar kampanjer som CSV till alla som har den. Länkar finns i listan över nycklar, med behörigheten csv-link, och slutar fungera när du tar bort dem där.",
    allow: "Tillåt CSV-länkar",
    refuse: "Stäng av CSV-länkar",
    allowed: "CSV-länkar fungerar nu.",
    refused: "CSV-länkar fungerar inte längre.",
    notAllowed: "CSV-länkar är avstängda.",
    name: "Länkens namn",
    days: "Dagar tills den går ut",
    daysRule: (max) => `ett heltal från 1 till ${max}`,
    sentAfter: "Skickad från och med (valfritt)",
    sentBefore: "Skickad till och med (valfritt)",
    dateRule: "ett datum som 2025-01-31",
    endRule: (start) => `${start} eller senare`,
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# tagg till", other: "# taggar till" })} visas inte. Kommandot <code>csv-link add</code> tar alla taggar.`,
    create: "Skapa länk",
    newTitle: "Din nya CSV-länk",
    copyNow:
      "Kopiera länken nu: den visas aldrig igen. Alla som har den kan läsa kampanjerna, så dela kalkylarket, inte länken.",
    label: "länken",
    importData: "Google Sheets",
    done: "Jag har kopierat länken. Tillbaka till alla nycklar",
  },

  tags: {
    title: "Taggar",
    addTag: "Lägg till en tagg",
    add: "Lägg till tagg",
    noTags: "Inga taggar ännu. En tagg är en etikett för kampanjer.",
    intro: html`API:ets filter <code>tag_ids</code> tar de här ID:na. En tagg behåller sitt ID när den byter namn.`,
    caption: (count) => format.countOf(count, { one: "# tagg", other: "# taggar" }),
    plural: "taggar",
    tag: "Tagg",
    id: "ID",
    idOf: (name) => `ID för ${name}`,
    campaigns: "Kampanjer",
    edit: "Redigera",
    editNamed: (name) => `Redigera ${name}`,
    name: "Namn",
    color: "Färg",
    colorRule: "en färg på formen #RRGGBB",
    nameTaken: (name, id) =>
      `Namn: taggen med ID ${id} heter redan ${name}. Välj ett namn som skiljer sig i mer än stora och små bokstäver.`,
    added: (name) => `Taggen ${name} har lagts till.`,

    // One tag
    tagTitle: (name) => `Taggen ${name}`,
    nameAndColor: "Namn och färg",
    idIsFixed: (id) => html`ID <code>${id}</code> ändras aldrig. API:et returnerar ändringar direkt.`,
    save: "Spara",
    saved: (name) => `Taggen ${name} har sparats. API:et returnerar den direkt.`,
    delete: "Ta bort",
    deleteTag: "Ta bort den här taggen",
    deleteNamed: (name) => `Ta bort ${name}`,
    loss: (campaigns) =>
      campaigns === 0
        ? "Ingen kampanj har den här taggen."
        : format.countOf(campaigns, {
            one: "# kampanj förlorar den här taggen och behåller allt annat.",
            other: "# kampanjer förlorar den här taggen och behåller allt annat.",
          }),
    deleteWarning: (id) =>
      html`Rapporter som filtrerar på <code>tag_ids=${id}</code> hittar inget längre. Det går inte att ångra: en ny tagg får ett annat ID.`,
    deleted: (name) => `Taggen ${name} har tagits bort.`,
    notFound: "Taggen finns inte. Den kan ha tagits bort.",
  },

  people: {
    title: "Personer",
    plural: "personer",
    caption: (organization, timeZone) =>
      `Användare som kan logga in i ${organization}. Tider följer tidszonen ${timeZone}.`,
    email: "E-postadress",
    role: "Roll",
    lastVisit: "Senaste besök",
    never: "Aldrig",
    password: "Lösenord",
    invitedUntil: (time) => `Inbjuden till ${time}`,
    passwordSet: "Valt",
    passwordNotSet: "Inte valt",
    actions: "Åtgärder",
    you: "(du)",
    yourAccount: "Ditt konto",
    roleOf: (email) => `Roll för ${email}`,
    changeRole: "Ändra",
    changeRoleOf: (email) => `Ändra roll för ${email}`,
    roleChanged: (email, role) => `${email} är nu ${role}.`,

    // Add
    addUser: "Lägg till en användare",
    add: "Lägg till användare",
    addHint:
      "Läsare ser siffror, taggar och kommentarer utan namn. Administratörer hanterar också API-nycklar, taggar, personer och inställningar. Du får sedan en inbjudningslänk, som användaren väljer ett lösenord med.",
    invalidEmail: (email) => `E-postadress: ${email} är ingen e-postadress, som ada@example.com.`,
    emailTakenHere: (email) =>
      `E-postadress: det finns redan en användare med adressen ${email}. Använd Ny inbjudningslänk eller Återställ lösenord i tabellen för att skicka en ny inbjudningslänk.`,
    emailTakenElsewhere: (email) =>
      `E-postadress: det finns redan en användare i tjänsten med adressen ${email}. En e-postadress kan bara höra till en användare.`,
    tooManyTaken: (wait) => `För många e-postadresser som redan används. Försök igen ${wait}.`,

    // Invite link
    inviteTitle: (email) => `Skicka den här inbjudningslänken till ${email}`,
    inviteIntro:
      "Med den kan användaren välja ett lösenord. Skicka den inte till någon annan: den fungerar en gång, i sju dagar, och visas inte igen.",
    inviteLabel: "inbjudningslänken",
    backToPeople: "Tillbaka till personer",

    // Reset and remove
    resetPassword: "Återställ lösenord",
    newInviteLink: "Ny inbjudningslänk",
    resetPasswordOf: (email) => `för ${email}`,
    newInviteLinkFor: (email) => `för ${email}`,
    resetButton: "Återställ lösenord",
    newInviteButton: "Skapa inbjudningslänk",
    resetWarning: (email) => `Lösenordet för ${email} slutar gälla, och alla sessioner avslutas.`,
    sessionsWarning: (email) => `Alla sessioner för ${email} avslutas.`,
    oldLinkWarning: (email) => `Den tidigare inbjudningslänken för ${email} slutar gälla.`,
    resetNext: "Du får en inbjudningslänk för att välja ett nytt lösenord.",
    resetOwn: "Ändra ditt eget lösenord på sidan Ditt konto.",
    remove: "Ta bort",
    removeWarning: (email) =>
      `${email} kan inte längre logga in och loggas ut överallt. API-nycklar som personen har skapat fortsätter att fungera.`,
    removeUser: "Ta bort användaren",
    removed: (email) => `${email} har tagits bort.`,
    lastAdmin: (email) =>
      `${email} är den sista administratören. Gör först en annan användare till administratör.`,
    lastUser: (email) =>
      `${email} är den sista användaren. Bara kommandot ”email-analytics user delete” kan ta bort den sista användaren.`,
    notFound: "Användaren finns inte. Kontot kan ha tagits bort.",
  },

  sessions: {
    title: "Sessioner",
    caption: "Aktiva sessioner. Senast använd anges på timmen när.",
    user: "Användare",
    browser: "Webbläsare",
    since: "Inloggad",
    lastUsed: "Senast använd",
    actions: "Åtgärder",
    current: "Den här sessionen",
    end: "Logga ut",
    endOf: (email, browser) => `Logga ut ${email} i ${browser}`,
    more: (count) => `Och ${format.count(count)} till, som använts längre tillbaka.`,
    ended: "Sessionen har avslutats.",
    notFound: "Sessionen finns inte. Den kan ha avslutats.",
  },

  organization: {
    title: "Organisation",
    general: "Allmänt",
    name: "Namn",
    timeZone: "Tidszon",
    timeZoneHint: "Tider visas i den här tidszonen, här och i API:et. Skillnaderna mot UTC gäller i dag.",
    timeZoneRule: "en tidszon med ett IANA-namn, som Europe/Stockholm eller UTC",
    count: "Aktivitet som räknas",
    countedTraffic: { people: "Bara mänsklig aktivitet", all: "All aktivitet, även automatisk" },
    save: "Spara",
    saved: "Sparat. API:et returnerar ändringen direkt.",

    // Auto-close
    autoClose: "Avsluta kampanjer automatiskt",
    autoCloseIntro:
      "Siffrorna för en avslutad kampanj ändras inte längre, och de data som ligger till grund för dem raderas: senare händelser räknas inte, och enskilda svar och kommentarer visas inte längre.",
    closeAfterDays: "Dagar tills kampanjer med namngivna mottagare (Individuell) avslutas",
    closeNamelessAfterDays: "Dagar tills kampanjer utan namngivna mottagare (Anonym, Aggregerad) avslutas",
    closeDaysHint: "Räknas från utskicket eller registreringen, beroende på vilket som är senast.",
    fewerDaysHint: "Om du väljer färre dagar måste du bekräfta innan något raderas.",
    saveDays: "Spara dagar",
    daysSaved: "Inställningarna för automatiskt avslut har sparats.",
    daysRule: "ett heltal från 1 till 100000",
    confirmTitle: "Avsluta kampanjer tidigare?",
    closesNone: "Ingen kampanj avslutas direkt; kampanjer avslutas tidigare än förut.",
    closesSome: (campaigns) =>
      format.countOf(campaigns, {
        one: "# kampanj avslutas inom en minut. De data som ligger till grund för siffrorna raderas.",
        other: "# kampanjer avslutas inom en minut. De data som ligger till grund för siffrorna raderas.",
      }),
    cannotUndo: "Det går inte att ångra. Raderade data återställs inte om du höjer antalet senare.",
    individual: "Kampanjer med namngivna mottagare (Individuell)",
    nameless: "Kampanjer utan namngivna mottagare (Anonym, Aggregerad)",
    daysUnchanged: (days) => format.countOf(days, { one: "# dag, oförändrat", other: "# dagar, oförändrat" }),
    daysChanged: (days, before) =>
      `${format.countOf(days, { one: "# dag", other: "# dagar" })} i stället för ${format.count(before)}`,
    understand: "Jag förstår att detta raderar data för gott",
    closeSooner: "Avsluta kampanjer tidigare",
    keepDays: "Avbryt",
  },

  account: {
    title: "Ditt konto",
    signedInAs: (email, role, organization) =>
      html`Du är <strong>${email}</strong>, ${role} i ${organization}.`,
    password: "Lösenord",
    noPasswordCompany: "Du har inget lösenord: du loggar in med ditt företagskonto.",
    noPassword: "Du har inget lösenord ännu.",
    askAdmin:
      "Inget lösenord, eller har du glömt det? En administratör i din organisation kan skapa en inbjudningslänk åt dig.",
    askOtherAdmin: (peopleUrl, command) =>
      html`Inget lösenord, eller har du glömt det? En annan administratör kan skapa en inbjudningslänk åt dig under <a href="${peopleUrl}">Personer</a>. Är du den enda administratören kör den som driver tjänsten <code>${command}</code>: kommandot avslutar dina sessioner och skriver ut länken.`,
    currentPassword: "Nuvarande lösenord",
    signsOutElsewhere: "Du förblir inloggad här och loggas ut överallt annars.",
    changePassword: "Ändra lösenord",
    passwordChanged: "Ditt lösenord har ändrats. Du är utloggad överallt annars.",
    passwordChangedMeanwhile: "Ditt lösenord ändrades i en annan session. Logga in igen.",
    wrongPassword: "Nuvarande lösenord: fel lösenord. Skriv det igen.",
    sessions: "Dina sessioner",
    language: "Språk",
    browserLanguage: "Webbläsarens språk",
    saveLanguage: "Spara språk",
    languageSaved: "Språket har sparats.",
    languageRule: (languages) => `något av ${languages.join(", ")}, eller inget`,
  },
});
