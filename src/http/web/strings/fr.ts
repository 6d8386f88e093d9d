// Every text of the web application in French, in the formal form of address, with the spaces of French punctuation.

import { floodLimits } from "../../../campaign/events/traffic.ts";
import { html } from "../../html.ts";
import type { Formatter } from "../formatter.ts";
import type { Strings } from "./en.ts";

export const fr = (format: Formatter): Strings => ({
  languageName: "Français",

  fields: {
    id: "ID",
    subject: "Objet",
    sent_at: "Envoyée le",
    sent_from: "Expéditeur",
    organization_team: "Équipe",
    sending_type: "Type d’envoi",
    tracking_type: "Type de suivi",
    open_rate: "Taux d’ouverture",
    click_rate: "Taux de clics",
    unique_opens: "Ouvertures uniques",
    multiple_opens: "Ouvertures répétées",
    unopened: "Non ouverts",
    total_opens: "Total des ouvertures",
    unique_clicks: "Clics uniques",
    multiple_clicks: "Clics répétés",
    total_clicks: "Total des clics",
    click_per_unique_open_rate: "Taux de réactivité",
    desktop_open_rate: "Ouvertures sur ordinateur",
    mobile_open_rate: "Ouvertures sur mobile",
    tags: "Étiquettes",
    recipient_count: "Destinataires",
    recipients: "Groupes de destinataires",
    read_time_glanced: "Temps de lecture\u00a0: aperçu (jusqu’à 3 secondes)",
    read_time_skimmed: "Temps de lecture\u00a0: survolé (jusqu’à 9 secondes)",
    read_time_read: "Temps de lecture\u00a0: lu (plus de 9 secondes)",
    surveys_count: "Enquêtes",
    enps_score_average: "eNPS\u00a0: note moyenne",
    enps_reactions_count: "eNPS\u00a0: notes",
    enps_comments_count: "eNPS\u00a0: notes avec commentaire",
    survey_reactions_count: "Autres enquêtes\u00a0: réponses",
    survey_reactions_comments_count: "Autres enquêtes\u00a0: réponses avec commentaire",
    sent_on: "Date d’envoi",
    sent_hour: "Heure d’envoi",
    tag_names: "Noms des étiquettes",
    kind: "Origine des chiffres",
    closed_at: "Clôturée le",
    updated_at: "Mise à jour le",
  },

  sendingTypes: { Timezone: "Heure locale", Scheduled: "Programmé", Immediate: "Immédiat" },
  trackingTypes: { Individual: "Individuel", Anonymous: "Anonyme", Overall: "Global" },

  roles: { viewer: "Lecteur", admin: "Administrateur" },
  roleNouns: { viewer: "lecteur", admin: "administrateur" },
  verdicts: {
    person: { title: "Humaine", meaning: "Aucun signe d’automatisation." },
    google_proxy: {
      title: "Humaine, via le proxy d’images de Gmail",
      meaning:
        "Le proxy d’images de Gmail (`GoogleImageProxy`), qui charge les images quand un destinataire ouvre le message.",
    },
    yahoo_proxy: {
      title: "Humaine, via le proxy d’images de Yahoo",
      meaning:
        "Le proxy d’images de Yahoo (`YahooMailProxy`), qui charge les images quand un destinataire ouvre le message.",
    },
    apple_prefetch: {
      title: "Préchargement par Apple Mail",
      meaning:
        "Protection de la confidentialité dans Mail d’Apple\u00a0: l’agent utilisateur est exactement `Mozilla/5.0`.",
    },
    google_prefetch: {
      title: "Préchargement par Gmail",
      meaning: "Préchargement par Gmail\u00a0: l’agent utilisateur se termine par `Edge/12.246 Mozilla/5.0`.",
    },
    provider_prefetch: {
      title: "Préchargement, signalé par le fournisseur",
      meaning: "Le fournisseur signale une ouverture ou une lecture automatique (`machine`).",
    },
    provider_scanner: {
      title: "Scanner, signalé par le fournisseur",
      meaning: "Le fournisseur signale un clic automatique (`machine`).",
    },
    hidden_link: {
      title: "Lien caché",
      meaning: "Un clic sur un lien que les personnes ne peuvent pas voir (`hidden`).",
    },
    head_request: {
      title: "Requête HEAD",
      meaning: "Une requête HEAD (`head`), qui vérifie où mène un lien sans le charger.",
    },
    flood: {
      title: "Afflux de requêtes",
      meaning: `Au-delà de ${floodLimits.perRecipient} ouvertures ou clics par minute pour le message d’un destinataire, ou de ${floodLimits.perNetwork} depuis un même réseau avec le suivi Global.`,
    },
    gateway: {
      title: "Passerelle de sécurité",
      meaning: "L’agent utilisateur indique une passerelle de sécurité.",
    },
    bot: { title: "Robot", meaning: "L’agent utilisateur est un robot ou un programme connu." },
    beside_hidden_link: {
      title: "Destinataire avec un clic sur un lien caché",
      meaning:
        "Un scanner a suivi le lien caché du message de ce destinataire\u00a0: aucun de ses clics ne compte comme humain.",
    },
    burst: {
      title: "Rafale de clics",
      meaning: "L’un de plusieurs liens différents cliqués en quelques secondes pour le même destinataire.",
    },
  },
  problems: {
    unknown_campaign:
      "Cet ID de campagne est inconnu. L’événement sera compté dès que la campagne sera enregistrée.",
    reported_campaign:
      "Les chiffres de la campagne ont été importés. Aucun événement ne s’ajoute à des chiffres importés.",
    test_sending:
      "L’événement précède de plus de 10 minutes le sent_at de la campagne\u00a0: il appartient à un envoi de test.",
    unreadable: "Un champ manque ou n’est pas valide.",
    closed: "La campagne est clôturée. Ses chiffres ne changent plus.",
    forgotten: "Les données du destinataire ont été supprimées à sa demande. L’événement est ignoré.",
    no_campaign: "L’événement n’a pas de campaign_id et n’appartient à aucune campagne. Il est ignoré.",
    time_ahead:
      "L’heure est à plus de 5 minutes dans le futur. L’événement est compté à l’heure de son arrivée.",
  },

  pages: {
    overview: "Vue d’ensemble",
    campaigns: "Campagnes",
    links: "Liens",
    comments: "Commentaires",
    connect: "Connecter",
    sources: "Sources",
    analyticsApi: "API Analytics",
    apiReference: "Référence de l’API",
    help: "Aide",
    tags: "Étiquettes",
    people: "Personnes",
    organization: "Général",
    account: "Votre compte",
    settings: "Paramètres",
  },

  settingsGroups: { organization: "Organisation", integrations: "Intégrations", you: "Mon compte" },

  errors: {
    title: "Une erreur s’est produite",
    forbiddenForm: "Vos modifications n’ont pas été enregistrées",
    titles: {
      forbidden: "Le rôle Administrateur est nécessaire",
      not_found: "Page introuvable",
      too_many_requests: "Trop de tentatives",
    },
    messages: {
      bad_request: "La requête n’est pas valide.",
      forbidden:
        "Vous n’avez pas l’autorisation de faire cela. Adressez-vous à un administrateur de votre organisation.",
      not_found: "L’URL est erronée ou la page a été supprimée.",
      payload_too_large: "Le formulaire est trop volumineux.",
      too_many_requests: "Trop de requêtes. Réessayez plus tard.",
      internal_error:
        "Une erreur inattendue s’est produite. L’exploitant de ce service peut en trouver la cause dans le journal. Indiquez-lui l’ID de la requête.",
      unavailable: "Le service est surchargé ou redémarre. Réessayez dans un instant.",
    },
    requestId: (id) => `ID de la requête\u00a0: ${id}`,
    goToOverview: "Aller à la vue d’ensemble",
  },

  ui: {
    downloadCsv: "Télécharger en CSV",
    // Layout
    skipLink: "Aller au contenu principal",
    skipToResults: "Aller aux résultats",
    problemTitle: (title) => `Erreur\u00a0: ${title}`,
    navigation: "Navigation principale",
    signOut: "Se déconnecter",
    openMenu: "Ouvrir le menu",
    closeMenu: "Fermer le menu",
    region: "Région",
    breadcrumb: "Fil d’Ariane",
    noEvents: "Aucun événement pour l’instant",
    lastEvent: (ago: string, isLive: boolean) => (isLive ? `En direct · ${ago}` : `Dernier événement ${ago}`),
    /** Why the sources need a look. */
    sourcesAlerts: {
      silent: "Une source n’envoie plus rien",
      quarantined: "Des événements sont en quarantaine",
    },

    // Permissions and forms
    needsAdminRole:
      "Seuls les administrateurs de votre organisation ont cette autorisation. Adressez-vous à l’un d’eux ou demandez le rôle Administrateur.",
    sessionEnded: "Votre session a pris fin. Rien n’a été modifié.",
    sessionEndedSignIn:
      "Votre session a pris fin. Rien n’a été modifié\u00a0: connectez-vous et envoyez à nouveau le formulaire.",
    csrfFailed:
      "Le formulaire n’a pas été envoyé depuis une page de cette application, ou la page n’est plus à jour. Revenez en arrière, rechargez la page et envoyez à nouveau le formulaire.",
    unknownAction: (name) => `action\u00a0: ${name} n’est pas une action de cette page.`,

    // Forms
    tooManyFields: (count, max) => `Le formulaire a ${count} champs\u202f; ${max} au plus sont acceptés.`,
    fieldTooLong: (name, length, max) =>
      `${name}\u00a0: ${length} caractères\u202f; ${max} au plus sont acceptés.`,
    fieldProblem: (label, problem) => `${label}\u00a0: ${problem}`,
    fieldRejected: (label, value, accepted) =>
      `${label}\u00a0: ${value} n’est pas accepté. Valeurs acceptées\u00a0: ${accepted}.`,
    quoted: (text) => `«\u00a0${text}\u00a0»`,
    nameRule:
      "de 1 à 200 caractères sur une ligne, dont au moins un visible, sans marque invisible qui change le sens de l’écriture",
    oneOf: (values) => values.join(", "),
    copy: "Copier",
    copied: "Copié",
    copyByHand: "Sélectionné. Appuyez sur Ctrl+C pour copier.",
    copyLabel: (what) => `Copier ${what}`,

    // Browsers and waits
    unknownBrowser: "Navigateur inconnu",

    inEnglish: "(en anglais)",

    // Numbers
    points: (difference) => `${difference}\u00a0pts`,
    noValue: "aucune valeur",
    notToldApart: "les campagnes importées ne distinguent pas l’activité automatique",
    notCompared:
      "Les ouvertures et les clics ne sont pas comparés\u00a0: les campagnes importées ne distinguent pas l’activité automatique",

    // Lists
    search: "Rechercher",
    previousPage: "Page précédente",
    nextPage: "Page suivante",
    noResultsFor: (search) => `Aucun résultat pour ${search}`,
    clearSearch: "Effacer la recherche",
    paginationLabel: (what) => `Suite\u00a0: ${what}`,
    itemRange: (first, last, total) =>
      `${format.count(first)}–${format.count(last)} sur ${format.count(total)}`,

    ratingOf: (score: number) => `Note de ${format.count(score)} sur 10`,

    // Charts
    noData: "Pas encore de données.",
    chartKinds: {
      lines: "Graphique en courbes",
      columns: "Graphique en colonnes",
      stacked: "Graphique en colonnes empilées",
    },
    chartDescription: ({ title, kind, xTitle, span, ranges }) =>
      `${title}. ${kind} par ${xTitle.toLowerCase()}, ${span}. ${ranges.join(" ")} Le tableau ci-dessous contient tous les chiffres.`,
    chartKeys: (title) => `${title}\u00a0: lire les valeurs avec les touches fléchées`,
    fromTo: (first, last) => `de ${first} à ${last}`,
    seriesWithoutData: (name) => `${name}\u00a0: pas de données.`,
    seriesValue: (name, value) => `${name}\u00a0: ${value}.`,
    seriesRange: (name, low, high) => `${name}\u00a0: entre ${low} et ${high}.`,
    showTable: "Afficher le tableau",
    tableRegion: (title) => `${title}\u00a0: tableau`,
  },

  signIn: {
    title: "Connexion",
    email: "E-mail",
    password: "Mot de passe",
    submit: "Se connecter",
    or: "ou",
    withCompanyAccount: "Se connecter avec le compte de l’entreprise",
    noOrganization:
      "Ce service n’a pas encore d’organisation. La personne qui l’exploite exécute deux commandes\u00a0:",
    addOrganization: "Ajouter une organisation.",
    addFirstAdmin:
      "Ajouter son premier administrateur. La commande affiche le lien avec lequel il choisit un mot de passe.",
    noPassword:
      "Pas de mot de passe, ou oublié\u202f? Demandez un lien d’invitation à un administrateur de votre organisation.",
    wrongCredentials: "E-mail ou mot de passe incorrect. Réessayez.",
    tooManyAttempts: (wait) => `Trop de tentatives infructueuses. Réessayez ${wait}.`,
    signedOut: "Vous avez fermé votre session.",

    // Invite link
    choosePasswordTitle: "Choisir un mot de passe",
    newPassword: "Nouveau mot de passe",
    repeatPassword: "Répéter le mot de passe",
    passwordHint: (min) => `Au moins ${min} caractères. Quelques mots à la suite sont faciles à retenir.`,
    weakPassword: {
      short: (length, { min, max }) => `il a ${length} caractères\u202f; utilisez-en de ${min} à ${max}.`,
      long: (_length, { min, max }) =>
        `il a plus de ${max} caractères\u202f; utilisez-en de ${min} à ${max}.`,
      email: () => "c’est votre adresse e-mail\u202f; choisissez un autre mot de passe.",
      common: () => "il est trop facile à deviner\u202f; choisissez un autre mot de passe.",
    },
    passwordsDiffer: "Les mots de passe ne sont pas identiques. Saisissez-les à nouveau.",
    setPassword: "Définir le mot de passe et se connecter",
    welcome: "Bienvenue\u202f! Votre mot de passe est défini et votre session est ouverte.",
    inviteLinkInvalidTitle: "Ce lien d’invitation n’est plus valide",
    inviteLinkInvalid:
      "Il a déjà été utilisé, a été remplacé par un plus récent ou a expiré. Demandez un nouveau lien d’invitation à un administrateur de votre organisation.",

    // OpenID Connect
    failedTitle: "Échec de la connexion",
    backToSignIn: "Retour à la page de connexion",
    openIdExpired: "La connexion a été commencée dans un autre navigateur, ou il y a plus de dix minutes.",
    openIdNoEmail: "Le compte de votre entreprise n’a pas d’adresse e-mail vérifiée.",
    openIdUnknownUser:
      "Vous n’êtes pas un utilisateur de ce service. Demandez à un administrateur de votre organisation d’ajouter l’adresse e-mail du compte de votre entreprise.",
    openIdInvalid:
      "La connexion a été annulée, ou le service de connexion de votre entreprise a envoyé une réponse non valide.",
    openIdUnavailable:
      "Le service de connexion de votre entreprise ne répond pas comme prévu. Réessayez dans un instant.",
  },

  filters: {
    period: "Période",
    periods: {
      "7d": "7 derniers jours",
      "30d": "30 derniers jours",
      "90d": "90 derniers jours",
      month: "Ce mois-ci",
      quarter: "Ce trimestre",
      year: "Cette année",
      "12m": "12 derniers mois civils",
      all: "Toute la période",
    },
    quarter: (quarter, year) => `T${quarter} ${year}`,
    since: (date) => `Depuis le ${date}`,
    upTo: (date) => `Jusqu’au ${date}`,
    from: "Du",
    until: "Au",
    apply: "Appliquer",
    allTeams: "Toutes les équipes",
    tags: "Étiquettes",
    tagsSelected: (count) => format.countOf(count, { one: "# étiquette", other: "# étiquettes" }),
    withAnyTag: "Avec au moins une de ces étiquettes",
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# autre étiquette n’est pas affichée", other: "# autres étiquettes ne sont pas affichées" })}. Pour filtrer par celles-ci, ajoutez leurs ID à l’URL de cette page, séparés par des virgules\u00a0: <code>tag_ids=</code>.`,
    more: "Plus de filtres",
    group: "Groupe de destinataires",
    any: "Tous",
    surveyFilters: { rated: "Avec des notes", some: "Avec des enquêtes", none: "Sans enquête" },
    searchSubjects: "Rechercher dans les objets",
    trafficLabel: "Activité",
    comparisons: { previous: "Période précédente", year: "Année précédente", none: "Sans comparaison" },
    traffic: { people: "Humaine seule", all: "Toute l’activité" },
    datesReversed: (from, until) =>
      `Du\u00a0: ${from} est après Au\u00a0: ${until}. Inversez ces dates ou laissez-en une vide.`,
    invalidTagId: (name, value) =>
      `${name}\u00a0: ${value} n’est pas l’ID d’une étiquette\u202f; séparez les ID par des virgules, par exemple tag_ids=1,2.`,
    tooManyTags: (name, max) => `${name}\u00a0: ${format.count(max)} au plus sont acceptées.`,
    invalidDate: (name, value) =>
      `${name}\u00a0: ${value} n’est pas une date\u202f; utilisez AAAA-MM-JJ, par exemple 2026-01-31.`,
    invalidValue: (name, value, accepted) =>
      `${name}\u00a0: ${value} n’est pas accepté. Valeurs acceptées\u00a0: ${accepted}.`,
  },

  overview: {
    title: "Vue d’ensemble",
    viewCampaigns: "Voir les campagnes",
    filters: "Filtres",
    comparedWith: {
      previous: "vs période précédente",
      year: "vs année précédente",
      none: "Sans comparaison",
    },
    noMatches: (allUrl) =>
      html`Aucune campagne ne correspond à ces filtres. Choisissez une autre période ou d’autres filtres, ou <a href="${allUrl}">affichez toutes les campagnes</a>.`,

    // Key metrics
    campaigns: "Campagnes",
    emailsSent: (emails) =>
      format.countOf(emails, {
        one: "# e-mail envoyé",
        many: "# d’e-mails envoyés",
        other: "# e-mails envoyés",
      }),
    enps: "eNPS",
    rates: {
      openRate: "Taux d’ouverture",
      clickRate: "Taux de clics",
      clickToOpenRate: "Taux de réactivité",
    },
    none: "Aucun pour l’instant",
    tooFew: "Trop peu",
    from: {
      campaigns: (from, of) =>
        `${format.count(from)} sur ${format.countOf(of, { one: "# campagne", other: "# campagnes" })}`,
      recipients: (from, of) =>
        `${format.count(from)} sur ${format.countOf(of, { one: "# destinataire", many: "# de destinataires", other: "# destinataires" })}`,
    },
    fromSurveyed: (from, of) =>
      `${format.count(from)} sur ${format.countOf(of, { one: "# campagne avec enquête", other: "# campagnes avec enquête" })}`,
    knownOnly: (from) => `connu seulement pour ${from}`,
    noSurveys: "Aucune campagne n’avait d’enquête eNPS",
    unknown: "Inconnu",
    surveysUnknown: (unknown, of) =>
      `On ne sait pas si ${format.count(unknown)} sur ${format.countOf(of, { one: "# campagne avait une enquête", other: "# campagnes avaient une enquête" })}`,
    noAnswersYet: (surveyed) =>
      format.countOf(surveyed, {
        one: "# campagne avec enquête, pas encore de réponse",
        other: "# campagnes avec enquête, pas encore de réponse",
      }),
    averageRating: (mean, { ratings, from, of }) =>
      `Note moyenne ${mean} sur 10 (${format.countOf(ratings, { one: "# note", other: "# notes" })} de ${format.count(from)} sur ${format.countOf(of, { one: "# campagne", other: "# campagnes" })})`,
    withTraffic: {
      people: (rate) => `Activité humaine seule\u00a0: ${rate}`,
      all: (rate) => `Toute l’activité\u00a0: ${rate}`,
    },
    before: (value) => `par rapport à ${value} avant`,
    vsPeriod: (dates, others) => `${dates} par rapport à ${others}`,

    // Chart
    openAndClick: "Taux d’ouverture et taux de clics",
    units: { day: "Jour", week: "Semaine", month: "Mois", year: "Année" },
    unfinished: {
      day: "Jour en cours",
      week: "Semaine en cours",
      month: "Mois en cours",
      year: "Année en cours",
    },

    // Cards
    ranked: {
      rate: { best: "Meilleurs taux d’ouverture", worst: "Taux d’ouverture les plus bas" },
      team: {
        best: "Meilleurs taux d’ouverture, écart à l’équipe",
        worst: "Taux d’ouverture les plus bas, écart à l’équipe",
      },
    },
    rankBy: "Classer les campagnes par",
    rankings: { rate: "Taux d’ouverture", team: "Écart à l’équipe" },
    breakDownBy: "Répartir les résultats par",
    breakdowns: {
      team: { tab: "Équipes", title: "Résultats par équipe", column: "Équipe" },
      group: {
        tab: "Groupes",
        title: "Résultats par groupe de destinataires",
        column: "Groupe de destinataires",
      },
      tag: { tab: "Étiquettes", title: "Résultats par étiquette", column: "Étiquette" },
      sending_type: { tab: "Types d’envoi", title: "Résultats par type d’envoi", column: "Type d’envoi" },
    },
    byGroupNote:
      "Une campagne envoyée à plusieurs groupes compte dans chacun d’eux, avec tous ses destinataires.",
    noneSet: "Non renseigné pour ces campagnes.",
    largest: (shown: number, of: number) =>
      `Les ${format.count(shown)} avec le plus de destinataires, sur ${format.count(of)}`,
    unchanged: "inchangé",
    notSet: "non renseigné",
    campaignCount: (count) =>
      format.countOf(count, { one: "# campagne", many: "# de campagnes", other: "# campagnes" }),
    opensByHour: "Quand les messages sont ouverts",
    opens: (count) => format.countOf(count, { one: "# ouverture", other: "# ouvertures" }),
    fewOpens: "Moins",
    manyOpens: "Plus",
    topLinks: "Liens les plus cliqués",
    link: "Lien",
    clicks: "Clics",
    latestComments: "Derniers commentaires",
    allComments: "Tous les commentaires",
    allLinks: "Tous les liens",
    imported: (imported, of) =>
      `Importées, avec les chiffres communiqués\u00a0: ${format.count(imported)} sur ${format.countOf(of, { one: "# campagne", other: "# campagnes" })}.`,
    countedTraffic: {
      people: "Seuls les ouvertures et les clics humains sont comptés.",
      all: "Toute l’activité est comptée, y compris automatique.",
    },
    scope: (timeZone) =>
      `Les taux sont pondérés par le nombre de destinataires. Les jours suivent le fuseau horaire ${timeZone}. Un taux qui porte sur moins de la moitié des campagnes ou de leurs destinataires n’est pas affiché.`,
  },

  campaigns: {
    title: "Campagnes",
    id: "Identifiant",

    // List
    columns: {
      subject: "Objet",
      sent_at: "Envoyée",
      team: "Équipe",
      tags: "Étiquettes",
      recipients: "Destinataires",
      open_rate: "Taux d’ouverture",
      click_rate: "Taux de clics",
      click_to_open_rate: "Taux de réactivité",
      opens: "Ouvertures uniques",
      clicks: "Clics uniques",
      read_time: "Lectures de plus de 9\u00a0s",
      enps: "eNPS",
      average_rating: "Note moyenne",
      comments: "Commentaires",
      devices: "Ouvertures sur ordinateur",
      kind: "Source des données",
    },
    vsTeam: (column) => `${column}, écart à l’équipe`,
    noTeam: "aucune équipe",
    noUsual: "trop peu de campagnes ou de destinataires de son équipe avec ce taux dans l’année précédente",
    noUsualEnps:
      "trop peu de campagnes de son équipe avec des notes eNPS comptées ici dans l’année précédente",
    vsUsual: (team, rate) => `par rapport à ${team}\u00a0: ${rate}`,
    kinds: { counted: "Comptées ici", closed: "Comptées ici, définitives", reported: "Importées" },
    sortText: { asc: "trier de A à Z", desc: "trier de Z à A" },
    sortNumber: { asc: "du plus bas au plus élevé", desc: "du plus élevé au plus bas" },
    sortTime: { asc: "les plus anciennes d’abord", desc: "les plus récentes d’abord" },
    sort: "Trier",
    view: "Affichage",
    views: "Vues",
    chooseColumns: "Colonnes",
    campaigns: (count) =>
      format.countOf(count, { one: "# campagne", many: "# de campagnes", other: "# campagnes" }),
    tableName: (caption) => `${caption}\u00a0: tableau`,
    total: (count) => format.countOf(count, { one: "Total de # campagne", other: "Total de # campagnes" }),
    emailsSent: "e-mails envoyés",
    importedCount: (count) =>
      format.countOf(count, {
        one: "# importée, chiffres communiqués",
        other: "# importées, chiffres communiqués",
      }),
    tooFew: "trop peu",
    notWeighted:
      "Les taux de la ligne de total sont pondérés. Ils laissent de côté les taux importés sans chiffres pour les pondérer, par exemple sans destinataires.",
    coverage: {
      campaigns: (from, of) => `${format.count(from)} sur ${format.count(of)}`,
      recipients: (from, of) => `${format.count(from)} sur ${format.count(of)} destinataires`,
    },
    page: "Page",
    ofPages: (pages) => `sur ${format.count(pages)}`,
    goToPage: "Afficher",
    rowsPerPage: "Lignes par page",
    pagination: "Pages de la liste",
    noMatches: "Aucune campagne ne correspond",
    tryOthers: "Essayez une période plus longue, une autre recherche ou moins de filtres.",
    allTime: "Afficher toute la période",
    resetFilters: "Réinitialiser les filtres",

    // Comparison
    select: (subject) => `Sélectionner ${subject}`,
    selectColumn: "Sélection",
    compare: "Comparer",
    compareSelected: (count) => `Comparer ${count}`,
    compareHint: "Sélectionnez de deux à cinq campagnes pour les comparer.",
    tooManySelected: (selected, excess) => `${selected} sélectionnées\u00a0: retirez-en ${excess}`,

    // Getting started
    noCampaigns: "Pas encore de campagnes",
    askAdmin: "Demandez à un administrateur de votre organisation d’en ajouter.",
    gettingStarted:
      "Les ouvertures, les clics et le temps de lecture de vos campagnes apparaîtront ici. Il y a trois façons de commencer\u00a0:",
    startWithProgram: (createKeyUrl) =>
      html`Envoyez les campagnes et les événements depuis votre propre programme\u00a0: <a href="${createKeyUrl}">créez une clé API avec l’autorisation ingest</a>.`,
    startWithProvider: html`Faites envoyer les événements par votre fournisseur d’e-mail\u00a0: l’exploitant de ce service l’ajoute avec <code>email-analytics source add</code>. Il apparaît ensuite dans <a href="/sources">Sources</a>.`,
    startWithImport: html`Importez des chiffres existants\u00a0: l’exploitant de ce service exécute <code>email-analytics import</code>.`,
  },

  comparison: {
    title: "Comparer des campagnes",
    metric: "Indicateur",
    caption: "Les campagnes côte à côte",
    best: "meilleur",
    bestNote:
      "«\u00a0Meilleur\u00a0» indique le taux le plus élevé. Les nombres n’ont pas d’indication, car ils augmentent avec le nombre de destinataires.",
    noOpens: (subjects) => `Sans ouvertures par heure\u00a0: ${subjects}.`,
    invalidId: (value) =>
      `${value} n’est pas l’ID d’une campagne\u202f; utilisez des nombres entiers, par exemple ids=1,2.`,
    wrongNumber: (count) =>
      format.countOf(count, {
        one: "Vous avez sélectionné # campagne\u202f; sélectionnez-en de deux à cinq.",
        other: "Vous avez sélectionné # campagnes\u202f; sélectionnez-en de deux à cinq.",
      }),
    backToList: "Retour aux campagnes",
  },

  campaign: {
    // One campaign
    untitled: "Campagne sans objet",
    scheduled: "Planifiée",
    notFound: (id) => `Votre organisation n’a pas de campagne ${id}.`,
    sentAt: (time) => `Envoyée le ${time}`,
    scheduledFor: (time) => `Planifiée pour le ${time}`,
    imported: "Les chiffres de cette campagne ont été importés. Il n’y a pas d’activité à afficher.",
    closed: (time) =>
      `Comptée à partir des événements jusqu’au ${time}, date de clôture de la campagne. Ses chiffres ne changent plus.`,
    countedLive: "Comptée à partir des événements, à mesure qu’ils arrivent.",
    counted: {
      people: "Les chiffres n’incluent que l’activité humaine.",
      all: "Les chiffres incluent toute l’activité, humaine et automatique.",
    },

    // Headline metrics

    // All metrics
    allMetrics: "Tous les indicateurs",
    metricsCaption:
      "Les champs de l’API Analytics, tels que les pages les affichent et tels que l’API les renvoie",
    onPages: "Dans les pages",
    apiTraffic: {
      people: "L’API Analytics compte seulement l’activité humaine.",
      all: "L’API Analytics compte toute l’activité.",
    },
    missingMetrics: "Un tiret signifie que le chiffre manque. L’API Analytics renvoie alors 0.",

    // Campaign details
    details: "Détails de la campagne",
    team: "Équipe",
    tags: "Étiquettes",
    sent: "Envoyée",
    detailsCaption: "Selon les indications de l’expéditeur",
    notSet: "non renseigné",
    id: "ID",
    externalId: "ID externe",
    sentFrom: "Expéditeur",
    sendingType: "Type d’envoi",
    trackingType: "Type de suivi",
    recipientGroups: "Groupes de destinataires",
    surveysCount: "Enquêtes",

    // Activity
    activity: "Ouvertures et clics",
    noActivity: "Pas encore d’ouvertures ni de clics dont l’heure est connue.",
    opensByHour: (hours) => `Ouvertures dans les ${hours} premières heures`,
    clicksByHour: (hours) => `Clics dans les ${hours} premières heures`,
    hour: "Heure",
    day: "Jour",
    human: "Humaine",
    automated: "Automatique",
    byDay: "Ouvertures et clics par jour\u202f; les jours sans activité ne figurent pas",
    byLastDays: (days) => `Ouvertures et clics des ${days} derniers jours`,
    humanOpens: "Ouvertures humaines",
    automatedOpens: "Ouvertures automatiques",
    humanClicks: "Clics humains",
    automatedClicks: "Clics automatiques",
    trafficTitle: "Activité humaine et automatique",
    trafficCaption: "Ouvertures et clics par type d’activité",
    traffic: "Activité",
    countedAs: "Comptée comme",
    reason: "Raison",
    opens: "Ouvertures",
    clicks: "Clics",
    inferredOpens: "Ouvertures déduites",
    inferredMeaning:
      "D’un clic, d’une lecture ou d’une réponse à une enquête d’un destinataire sans ouverture\u00a0: les images peuvent être bloquées.",
    furtherClicks: "Autres clics",
    furtherMeaning: (max: number) => `Après les ${format.count(max)} premiers clics d’un destinataire.`,
    /** The sum of the table, by the traffic that the page shows. */
    trafficTotals: { people: "Total, activité humaine", all: "Total, toute l’activité" },
    links: "Liens",
    noClicks: "Pas encore de clics.",
    linksCaption: "Liens par clics humains",
    link: "Lien, sans données personnelles",
    allClicks: "Tous les clics",
    linksNote: (max) =>
      `Les ${format.count(max)} premières URL cliquées sont comptées séparément, sans leurs paramètres. Toutes les autres partagent une ligne.`,
    otherLinks: "Tous les autres liens",

    // Surveys
    surveys: "Enquêtes",
    enpsIndex: "Indice eNPS\u00a0: pourcentage de notes 9 et 10, moins pourcentage de notes de 0 à 6",
    enpsComments: "Notes eNPS avec commentaire",
    surveyAnswers: "Réponses aux autres enquêtes",
    surveyComments: "Réponses aux autres enquêtes avec commentaire",
    indexUnknown: "L’indice eNPS est inconnu\u00a0: une campagne importée n’a que sa note moyenne.",
    surveysClosed:
      "La campagne est clôturée. Les réponses individuelles et les commentaires ont été supprimés.",
    moreSurveys: (shown, others) =>
      `Les ${format.count(shown)} enquêtes avec le plus de réponses. ${format.countOf(others, { one: "# autre enquête n’est pas affichée.", other: "# autres enquêtes ne sont pas affichées." })}`,
    enps: "eNPS",
    survey: "Enquête",
    answered: (recipients) =>
      format.countOf(recipients, { one: "# destinataire a répondu.", other: "# destinataires ont répondu." }),
    rating: "Note",
    forgottenAnswer: "Supprimée à la demande du destinataire",
    otherAnswers: (count) => `Autres réponses\u00a0: ${format.count(count)}.`,
    commentsWithheld: (min) => `Les commentaires sont affichés dès que ${min} destinataires ont répondu.`,

    tabsLabel: "Campagne",
    tabs: {
      summary: "Résumé",
      links: "Liens",
      surveys: "Enquêtes",
      recipients: "Destinataires",
      activity: "Humaine et automatique",
      details: "Détails",
    },
    previous: (subject: string) => `Campagne précédente\u00a0: ${subject}`,
    next: (subject: string) => `Campagne suivante\u00a0: ${subject}`,
    copyLink: "Copier le lien",
    lastActivity: (time: string) => `Dernière activité ${time}`,
    activeNow: "Active dans les 15 dernières minutes",

    // Key numbers
    keyNumbers: {
      openRate: "Taux d’ouverture",
      clickRate: "Taux de clics",
      clickToOpenRate: "Taux de réactivité",
      desktopShare: "Ordinateur",
      readShare: "Lectures de plus de 9\u00a0s",
      enpsIndex: "eNPS",
      enpsMean: "Note moyenne",
    },
    opened: (opened: number, recipients: number) =>
      `${format.count(opened)} sur ${format.count(recipients)} ont ouvert`,
    clicked: (clicked: number, recipients: number) =>
      `${format.count(clicked)} sur ${format.count(recipients)} ont cliqué`,
    openedMore: (opened: number, recipients: number) =>
      `${format.count(opened)} ont ouvert, ${format.countOf(recipients, { one: "plus que le # destinataire indiqué par l’expéditeur", other: "plus que les # destinataires indiqués par l’expéditeur" })}`,
    clickedMore: (clicked: number, recipients: number) =>
      `${format.count(clicked)} ont cliqué, ${format.countOf(recipients, { one: "plus que le # destinataire indiqué par l’expéditeur", other: "plus que les # destinataires indiqués par l’expéditeur" })}`,
    clickedOfOpened: (clicked: number, opened: number) =>
      `${format.count(clicked)} sur ${format.count(opened)} qui ont ouvert`,
    readFor: (seconds: number) => `plus de ${seconds} secondes`,
    readOf: (read: number, measured: number, seconds: number) =>
      `${format.count(read)} sur ${format.count(measured)} lectures mesurées ont duré plus de ${seconds} secondes`,
    ratings: (ratings: number) => format.countOf(ratings, { one: "# note", other: "# notes" }),
    noRatings: "aucune note",
    teamAverage: (value: string) => `Moyenne équipe\u00a0: ${value}`,
    teamTooFew: "Équipe\u00a0: trop peu de campagnes pour comparer",
    tagAverage: (tag: string, value: string) => `${tag}\u00a0: ${value}`,
    vsTeam: (team, campaigns) =>
      `Par rapport à ${team}, 12 mois précédents (${format.countOf(campaigns, { one: "# campagne", many: "# de campagnes", other: "# campagnes" })})`,
    tooFewOfTeam: (team) =>
      `${team} a envoyé moins de trois campagnes au cours des 12 mois précédents\u00a0: aucune comparaison possible`,
    comparedWithTeam: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "par rapport à # campagne de l’équipe au cours de l’année précédente",
        other: "par rapport à la moyenne de # campagnes de l’équipe au cours de l’année précédente",
      }),

    // Summary
    opensCurve: "Ouvertures pour 100 destinataires",
    hoursAfter: "Heures après l’envoi",
    hourOf: (hour: number) => `${format.count(hour)}\u00a0h`,
    thisCampaign: "Cette campagne",
    opensCurveNote:
      "Les ouvertures répétées comptent aussi, la ligne peut donc finir au-dessus du taux d’ouverture.",
    /** For a campaign with a team, or without one. */
    usualOpens: {
      team: (campaigns: number) =>
        `Habituel (médiane de ${format.count(campaigns)} campagnes précédentes de l’équipe)`,
      all: (campaigns: number) => `Habituel (médiane de ${format.count(campaigns)} campagnes précédentes)`,
    },
    deviceShares: "Part des ouvertures dont l’appareil est connu",
    readShares: "Part des lectures humaines dont la durée a été mesurée",
    partOf: (count: number, total: number) => `${format.count(count)} sur ${format.count(total)}`,
    namesForAdmins: "Seuls les administrateurs voient qui a écrit un commentaire.",
    noUsual: "L’équipe n’a pas trois campagnes antérieures avec des ouvertures par heure pour comparer.",
    devices: "Appareils",
    desktop: "Ordinateur",
    mobile: "Mobile",
    noDevices: "Aucun appareil n’est connu.",
    readTime: "Temps de lecture",
    glanced: (seconds: number) => `Aperçu (≤\u00a0${seconds}\u00a0s)`,
    skimmed: (seconds: number) => `Survolé (≤\u00a0${seconds}\u00a0s)`,
    read: (seconds: number) => `Lu (>\u00a0${seconds}\u00a0s)`,
    noReads: "Aucun temps de lecture n’a été mesuré.",
    topLinks: "Liens les plus cliqués",
    allLinks: "Tous les liens",
    comments: "Commentaires",
    allComments: "Tous les commentaires et enquêtes",
    importedActivity:
      "Les chiffres de cette campagne ont été importés, sans les ouvertures et les clics au fil du temps.",
    importedLinks: "Les chiffres de cette campagne ont été importés, sans ses liens.",
    shareOfHumanClicks: "Part des clics humains",

    // Ratings
    ratingsTitle: "Notes",
    promoters: (count: string, share: string) => `Promoteurs\u00a0: ${count} (${share})`,
    passives: (count: string, share: string) => `Passifs\u00a0: ${count} (${share})`,
    detractors: (count: string, share: string) => `Détracteurs\u00a0: ${count} (${share})`,
    kinds: { promoters: "Promoteurs", passives: "Passifs", detractors: "Détracteurs" },
    noSurvey: "Cette campagne n’a pas d’enquête.",
    noAnswers: "L’enquête n’a pas encore de réponses.",
    surveyUnknown: "On ne sait pas si cette campagne avait une enquête.",
    answersUnknown: "On ne sait pas si quelqu’un a répondu à l’enquête.",
    commentCount: (count: number) => format.countOf(count, { one: "# commentaire", other: "# commentaires" }),
    latestComments: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# commentaire", other: "# commentaires" })}, dont les ${format.count(shown)} derniers`,
    commentsShown: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# commentaire", other: "# commentaires" })}, dont ${format.count(shown)} ici`,
  },

  recipients: {
    noList: "Aucune liste de destinataires",
    reasons: {
      Anonymous:
        "Cette campagne utilise le suivi Anonyme, il n’y a donc pas de liste de destinataires\u00a0: chaque destinataire a été remplacé par une empreinte avant tout enregistrement.",
      Overall:
        "Cette campagne utilise le suivi Global, il n’y a donc pas de liste de destinataires\u00a0: elle compte des appareils et ne connaît pas les destinataires.",
      imported:
        "Les chiffres de cette campagne ont été importés, il n’y a donc pas de liste de destinataires\u00a0: les chiffres importés n’en ont pas.",
      closed:
        "Cette campagne est clôturée, il n’y a donc pas de liste de destinataires\u00a0: ils ont été supprimés et seuls les chiffres ont été conservés.",
    },
    opened: (opened, recipients) =>
      `${format.countOf(recipients, { one: "# destinataire.", other: "# destinataires." })} Ont ouvert\u00a0: ${format.count(opened)}. N’ont pas ouvert\u00a0: ${format.count(Math.max(recipients - opened, 0))}.`,
    unknown: (unknown, listed) =>
      `Parmi eux, ${format.countOf(listed, { one: "# peut être affiché", other: "# peuvent être affichés" })}\u202f; pour ${format.count(unknown)}, il n’y a pas encore d’événement.`,
    notOpenedNote:
      "Ces destinataires ne sont connus que par une activité automatique, comme un préchargement ou un scanner de sécurité.",
    filterLabel: "Destinataires",
    filters: { all: "Tous", opened: "Ont ouvert", not_opened: "N’ont pas ouvert", clicked: "Ont cliqué" },
    search: "L’e-mail ou l’ID commence par",
    caption: "Destinataires par e-mail ou ID",
    columns: {
      recipient: "Destinataire",
      opens: "Ouvertures",
      device: "Appareil",
      readTime: "Temps de lecture",
      clicks: "Clics",
      firstClick: "Premier clic",
      lastClick: "Dernier clic",
      answers: "Réponses aux enquêtes",
    },
    devices: { desktop: "Ordinateur", mobile: "Mobile" },
    readTimes: { glanced: "Aperçu", skimmed: "Survolé", read: "Lu" },
    noMatches: "Aucun destinataire ne correspond.",
    noMatchesYet: "Aucun résultat parmi les destinataires examinés jusqu’ici. Continuez à la page suivante.",
    pages: "Autres destinataires",
    onPage: (count) =>
      format.countOf(count, {
        one: "# destinataire d’une liste plus longue. Le fichier CSV les contient tous.",
        many: "# de destinataires d’une liste plus longue. Le fichier CSV les contient tous.",
        other: "# destinataires d’une liste plus longue. Le fichier CSV les contient tous.",
      }),
    backToStart: "Retour au début",
    note: "Chaque consultation et chaque téléchargement de cette liste est journalisé avec votre ID d’utilisateur. Les ouvertures sont conservées sous forme de nombre, sans leur heure. Les destinataires dont les données ont été supprimées à leur demande n’apparaissent pas.",
  },

  connect: {
    title: "Connecter",
    intro: (count) =>
      format.countOf(count, {
        one: "Retrouvez vos campagnes dans l’outil que vous utilisez. Il existe des instructions pour # outil.",
        other:
          "Retrouvez vos campagnes dans l’outil que vous utilisez. Il existe des instructions pour # outils.",
      }),
    groups: {
      reports: "Outils de rapport et tableurs",
      dashboards: "Tableaux de bord",
      pipelines: "Flux de données et automatisation",
      programs: "Langages de programmation et terminaux",
    },
    search: "Rechercher un outil",
    find: "Rechercher",
    allTools: "Tous les outils",
    noMatch: (text) =>
      html`Aucun outil ne correspond à <strong>${text}</strong>. Tout outil capable d’envoyer un en-tête HTTP, ou un nom d’utilisateur et un mot de passe, peut lire l’API.`,
    minutes: (minutes) => format.countOf(minutes, { one: "# minute", other: "# minutes" }),
    toolTitle: (name) => `Connecter ${name}`,
    notFound: "Il n’y a pas d’instructions pour cet outil.",
    fileNotFound: "Ce fichier n’existe pas pour cet outil.",
    steps: "Étapes",
    toolSteps: {
      "power-bi": [
        "Ouvrez le fichier `email-analytics.pbids`, ou choisissez Obtenir les données, Flux OData, et saisissez `{{address}}/odata/v1/`.",
        "Quand Power BI demande des informations d’identification, choisissez De base et saisissez un nom d’utilisateur quelconque, et votre clé API comme mot de passe. Ne choisissez pas API Web.",
        "Sélectionnez `emails`, et pour les étiquettes aussi `email_tags` et `tags`. Choisissez Charger.",
      ],
      excel: [
        "Sous Windows, ouvrez le fichier `emails.odc`, ou choisissez Données, Obtenir des données, À partir d’autres sources, À partir d’un flux OData, et saisissez `{{address}}/odata/v1/`.",
        "Quand Excel demande des informations d’identification, choisissez De base et saisissez un nom d’utilisateur quelconque, et votre clé API comme mot de passe. Connectez-vous.",
      ],
      tableau: [
        "Choisissez «\u00a0Connect\u00a0», «\u00a0To a Server\u00a0», «\u00a0OData\u00a0», et saisissez `{{address}}/odata/v1/emails` comme serveur.",
        "Choisissez «\u00a0Username and Password\u00a0»\u00a0: un nom d’utilisateur quelconque, et votre clé API comme mot de passe. Connectez-vous.",
      ],
      "google-sheets": [
        "Dans la feuille de calcul, choisissez Extensions, Apps Script, et remplacez-y le texte par le fichier.",
        "Dans les paramètres du projet, ajoutez la propriété de script `EMAIL_ANALYTICS_KEY` avec votre clé API.",
        "Exécutez la fonction `refresh`. Plus tard, choisissez email-analytics, Refresh dans la feuille de calcul.",
      ],
      "looker-studio": [
        "Sur `script.google.com`, créez un projet et remplacez `Code.gs`. Dans les paramètres du projet, affichez `appsscript.json` et remplacez-le aussi.",
        "Choisissez «\u00a0Deploy\u00a0», «\u00a0Test deployments\u00a0», et copiez l’identifiant «\u00a0Head Deployment ID\u00a0». Dans Looker Studio, choisissez «\u00a0Create\u00a0», «\u00a0Data source\u00a0», «\u00a0Build your own\u00a0», et collez-le.",
        "Saisissez votre clé API quand Looker Studio la demande.",
      ],
      grafana: [
        "Installez le plugin Infinity, et donnez votre clé API comme valeur à la variable d’environnement `EMAIL_ANALYTICS_KEY` de Grafana.",
        "Enregistrez `datasource.yaml` dans `/etc/grafana/provisioning/datasources`, et redémarrez Grafana.",
        "Choisissez «\u00a0Dashboards\u00a0», «\u00a0New\u00a0», «\u00a0Import\u00a0», et importez `dashboard.json`.",
      ],
      pandas: [
        "Définissez votre clé API avec la première ligne dans un terminal Linux ou macOS, ou avec la seconde dans PowerShell\u00a0:",
        "Enregistrez ces lignes sous le nom `emails.py`, et exécutez-y `python emails.py`. Elles nécessitent pandas 1.2 ou plus récent\u00a0: `pip install pandas`.",
      ],
      curl: [
        "Dans un terminal, définissez votre clé API\u00a0:",
        "Exécutez-y cette ligne. Autres terminaisons\u00a0: `emails.ndjson` et `emails.parquet`.",
      ],
    },
    time: "Durée",
    timeNote: (minutes) =>
      format.countOf(minutes, {
        one: "Environ # minute si vous connaissez l’outil.",
        other: "Environ # minutes si vous connaissez l’outil.",
      }),
    download: (file) => `Télécharger ${file}`,
    fileHolds: "Le fichier contient l’URL de ce service, et aucune clé.",
    filesHold: "Les fichiers contiennent l’URL de ce service, et aucune clé.",
    replaceSchema: (given, own) =>
      html`Dans les fichiers, remplacez le schéma <code>${given}</code> par le vôtre, <code>${own}</code>.`,
    linesLabel: (name) => `les lignes de code pour ${name}`,
    commandLabel: (step, command) => `la commande ${command} de l’étape ${step}`,
    urlToEnter: "URL à saisir",
    urlLabel: "l’URL",
    facts: "Bon à savoir",
    refresh: "Actualisation",
    limits: "Limites",
    tested: "Testé",
    hasPostgres:
      "Ce service utilise PostgreSQL, dont cet outil a besoin. L’exploitant du service donne à l’outil l’accès aux vues SQL.",
    needsPostgres:
      "Ce service utilise SQLite, donc cet outil ne peut pas le lire\u00a0: les vues SQL nécessitent PostgreSQL. Choisissez un outil qui lit avec une clé API.",
    key: "Clé API",
    keyIntro: (name) =>
      `Crée une clé avec l’autorisation read, nommée d’après ${name}. Elle est affichée une seule fois, et la page suivante indique quand sa première requête arrive.`,
    createKey: (name) => `Créer une clé pour ${name}`,
    newKeyTitle: (name) => `Votre clé API pour ${name}`,
    firstRequest: "Première requête",
    waiting: (name) => `En attente de la première requête de ${name}…`,
    waitingNote: "Suivez les étapes avec la nouvelle clé. Cette page s’actualise automatiquement.",
    stillWaiting: "Aucune requête n’arrive\u202f? Voir le dépannage de la première requête",
    waitElsewhere: "J’ai copié la clé. Attendre la première requête",
    received: "La première requête est arrivée.",
    receivedFrom: (time, client) => html`Elle est arrivée le ${time}, depuis <strong>${client}</strong>.`,
    clients: {
      powerQuery: "Power Query (Power BI ou Excel)",
      browser: "un navigateur",
      unknown: "un programme qui ne donne pas son nom",
    },
    noRows: "Il n’a pas encore lu de lignes. Chargez les données dans l’outil.",
    firstRows: (rows) =>
      format.countOf(rows, {
        one: "La première réponse contenait # ligne.",
        other: "La première réponse contenait # lignes.",
      }),
    campaigns: (count) =>
      format.countOf(count, {
        one: "Votre organisation a # campagne.",
        other: "Votre organisation a # campagnes.",
      }),
    units: "Avant d’additionner ou de faire une moyenne\u00a0: unités et valeurs manquantes",
    troubleshooting: "Si quelque chose ne fonctionne pas\u00a0: dépannage",
    backToTool: (name) => `Retour à ${name}`,
    keyForViewers:
      "Il vous faut une clé API avec l’autorisation read. Demandez-la à un administrateur de votre organisation.",
  },

  help: {
    allTopics: "Tous les sujets",
    groups: {
      tools: "Retrouver vos campagnes dans un outil",
      numbers: "Comprendre les chiffres",
      programs: "Écrire un programme",
    },
    topics: {
      tools: {
        title: "Quelle méthode pour quel outil",
        summary:
          "Compare les méthodes avec lesquelles les outils lisent les campagnes et indique celle qui convient au vôtre.",
      },
      troubleshooting: {
        title: "Dépannage",
        summary: "Que faire quand un outil n’affiche pas ce que vous attendez.",
      },
      refresh: {
        title: "Actualisation et chargement incrémentiel",
        summary: "Comment garder à jour les données d’un outil.",
      },
      downloads: {
        title: "Téléchargements",
        summary: "Toutes les campagnes dans un seul fichier\u00a0: CSV, NDJSON ou Parquet.",
      },
      odata: { title: "OData", summary: "Les tables que lisent Power BI, Excel et Tableau." },
      "sql-views": {
        title: "Vues SQL",
        summary: "Comment les outils qui parlent SQL lisent les campagnes dans PostgreSQL.",
      },
      units: {
        title: "Unités et valeurs manquantes",
        summary: "Ce qu’il faut savoir avant d’additionner un champ ou d’en faire la moyenne.",
      },
      numbers: {
        title: "Les chiffres",
        summary:
          "Comment les ouvertures, les clics, les lectures et les réponses deviennent les chiffres d’une campagne.",
      },
      glossary: { title: "Glossaire", summary: "Les termes du service et leur signification." },
      api: {
        title: "L’API",
        summary:
          "Comment les programmes lisent les campagnes\u00a0: clés, pages, filtres, modifications et erreurs.",
      },
    },
    numbersLink: "Ce que ces chiffres signifient",
    connect: "Étapes, fichiers et lignes de code pour chaque outil, avec l’URL de ce service.",
    fieldsTitle: "Tous les chiffres et champs",
    fields: "Signification, unité et formule de chaque champ, et sa valeur quand rien n’est connu.",
    apiReference:
      "Chaque URL avec ses paramètres, ses réponses et ses champs. Essayez des requêtes avec votre clé.",
    field: "Champ",
    meaning: "Signification",
    unit: "Unité",
    formula: "Formule",
    whenNull: "Null si",
    fieldsCaption: (count) =>
      format.countOf(count, {
        one: "# champ, tel que dans les téléchargements",
        other: "# champs, tels que dans les téléchargements",
      }),
    fieldsIntro:
      "Ces unités sont celles des téléchargements et de l’API Analytics. Les pages affichent tous les taux en pourcentage avec une décimale\u00a0: 0,2947 donne 29,5\u202f%. Dans `/data_api/v1/emails`, un champ vaut 0 ou est vide là où les téléchargements ont null.",
    pageNumbers: [
      html`<strong>Écart à l’équipe</strong>\u00a0: de combien un taux est au-dessus ou au-dessous de celui des campagnes que l’équipe a envoyées dans les 365 jours précédents, en points de pourcentage.`,
      html`<strong>eNPS</strong>\u00a0: l’indice de −100 à 100. C’est le pourcentage des notes 9 et 10, moins celui des notes de 0 à 6. Les campagnes importées n’ont qu’une note moyenne.`,
      html`<strong>Ouvertures pour 100 destinataires</strong>\u00a0: la courbe additionne toutes les ouvertures depuis l’envoi. Les ouvertures répétées comptent aussi, elle peut donc finir au-dessus du taux d’ouverture.`,
    ],
    countsCaption: "Nombres dans les formules qui ne sont pas des champs",
    count: "Nombre",
    rounding: (rule) => `Arrondi\u00a0: ${rule}.`,
    notFound: "Cette page d’aide n’existe pas.",
    meanings: {
      id: "Identifiant de la campagne, unique dans l’organisation.",
      subject: "Objet de la campagne.",
      sent_at: "Quand la campagne a été envoyée.",
      sent_from: "Adresse de l’expéditeur.",
      organization_team: "Nom de l’équipe.",
      sending_type: "Comment elle a été envoyée. Valeurs observées\u00a0: Timezone, Scheduled, Immediate.",
      tracking_type: "Ce qui a été suivi. Valeurs observées\u00a0: Individual, Anonymous, Overall.",
      open_rate: "Part des destinataires qui ont ouvert la campagne.",
      click_rate: "Part des destinataires qui ont cliqué sur un lien.",
      unique_opens:
        "Destinataires avec au moins une ouverture comptée. Un clic compté, une lecture comptée ou une réponse à une enquête vaut aussi ouverture, car les images peuvent être bloquées.",
      multiple_opens: "Ouvertures après la première de chaque destinataire.",
      unopened: "Destinataires sans ouverture.",
      total_opens:
        "Ouvertures comptées de tous les destinataires. Une ouverture déduite d’un clic, d’une lecture ou d’une réponse ajoute 1 si le destinataire n’en a pas d’autre.",
      unique_clicks: "Destinataires avec au moins un clic compté sur un lien quelconque.",
      multiple_clicks: "Clics après le premier de chaque destinataire.",
      total_clicks: "Clics comptés de tous les destinataires sur tous les liens.",
      click_per_unique_open_rate:
        "Taux de réactivité\u00a0: part des destinataires ayant ouvert qui ont cliqué sur un lien.",
      desktop_open_rate: "Part des ouvertures sur ordinateur.",
      mobile_open_rate: "Part des ouvertures sur mobile.",
      tags: "Étiquettes de la campagne, par nom. La liste peut être vide.",
      recipient_count: "Nombre de destinataires.",
      recipients: "Noms des groupes de destinataires, séparés par des virgules.",
      read_time_glanced: "Part des lectures jusqu’à 3 secondes.",
      read_time_skimmed: "Part des lectures de plus de 3 et jusqu’à 9 secondes.",
      read_time_read: "Part des lectures de plus de 9 secondes.",
      surveys_count: "Enquêtes dans la campagne.",
      enps_score_average: "Moyenne des notes eNPS. Ce n’est pas l’indice eNPS de -100 à 100.",
      enps_reactions_count:
        "Notes eNPS (employee Net Promoter Score, une réponse de 0 à 10), une par destinataire et par enquête.",
      enps_comments_count: "Notes eNPS avec un commentaire.",
      survey_reactions_count:
        "Notes et réponses aux autres enquêtes (pulse), une par destinataire et par enquête.",
      survey_reactions_comments_count: "Réponses aux autres enquêtes avec un commentaire.",
      sent_on: "La date à laquelle la campagne a été envoyée, dans le fuseau horaire de l’organisation.",
      sent_hour:
        "L’heure à laquelle la campagne a été envoyée, de 0 à 23, dans le fuseau horaire de l’organisation.",
      tag_names: "Les noms des étiquettes, séparés par des points-virgules, pour les outils sans listes.",
      kind: "D’où viennent les chiffres\u00a0: reported (un import) ou counted (des événements).",
      closed_at: "Quand la campagne a été clôturée\u00a0: depuis, ses chiffres sont définitifs.",
      updated_at: "Dernière modification de l’enregistrement.",
    },
    units: {
      count: "nombre",
      fraction: "fraction de 0 à 1",
      percent: "pourcentage de 0 à 100",
      points: "points de 0 à 10",
    },
    nullMeanings: {
      "The import has no value.": "L’import n’a pas de valeur.",
      "Not given, or empty.": "Non indiqué, ou vide.",
      "No recipients, or the import has no value.": "Aucun destinataire, ou l’import n’a pas de valeur.",
      "No open with a known device, or the import has no value.":
        "Aucune ouverture avec un appareil connu, ou l’import n’a pas de valeur.",
      "No measured read, or the import has no value.":
        "Aucune lecture mesurée, ou l’import n’a pas de valeur.",
      "No unique opens, or the import has no value.":
        "Aucune ouverture unique, ou l’import n’a pas de valeur.",
      "No eNPS ratings, or the import has no value.": "Aucune note eNPS, ou l’import n’a pas de valeur.",
      "Not closed. Reported campaigns never are.": "Non clôturée. Les campagnes importées ne le sont jamais.",
    },
    counts: {
      desktop_opens: "Ouvertures comptées sur ordinateur.",
      mobile_opens: "Ouvertures comptées sur mobile, tablettes comprises.",
      reads_glanced: "Lectures humaines mesurées jusqu’à 3 secondes.",
      reads_skimmed: "Lectures humaines mesurées de plus de 3 et jusqu’à 9 secondes.",
      reads_read: "Lectures humaines mesurées de plus de 9 secondes.",
      enps_score_sum: "Somme des notes eNPS.",
    },
    roundings: {
      "4 decimals": "4 décimales, arrondi au plus proche",
      "2 decimals": "2 décimales, arrondi au plus proche",
      "whole percent": "pourcentage entier, arrondi au plus proche",
      "whole percent, together 100":
        "pourcentages entiers, 100 au total, selon la méthode du plus fort reste",
    },
  },

  links: {
    title: "Liens",
    lead: "Ce sur quoi cliquent les destinataires, dans toutes les campagnes correspondantes. Les URL sont affichées sans leurs paramètres.",
    none: "Aucun clic dans ces campagnes",
    noneHint:
      "Les liens sont connus pour les campagnes dont ce service compte les événements. Choisissez une période plus longue ou d’autres filtres.",
    caption: (links: number) =>
      format.countOf(links, { one: "# lien, par clics", other: "# liens, par clics" }),
    link: "Lien",
    clicks: "Clics",
    share: "Part des clics",
    campaigns: "Campagnes",
    othersNote: (others: number) =>
      format.countOf(others, {
        one: "# autre lien a moins de clics.",
        other: "# autres liens ont moins de clics.",
      }),
    scope: (read: number, of: number) =>
      read < of
        ? `D’après les ${format.count(read)} campagnes les plus récentes sur ${format.count(of)} dont ce service compte les événements.`
        : format.countOf(of, {
            one: "D’après la seule campagne dont ce service compte les événements.",
            other: "D’après les # campagnes dont ce service compte les événements.",
          }),

    // The page of one link
    campaign: "Campagne",
    shareOfLink: "Part des clics du lien",
    clicksPer100: "Clics pour 100 destinataires",
    inCampaigns: (campaigns: number, counted: number) =>
      format.countOf(counted, {
        one: `Clics dans ${format.count(campaigns)} campagne sur # comptée`,
        other: `Clics dans ${format.countOf(campaigns, { one: "# campagne", other: "# campagnes" })} sur # comptées`,
      }),
    open: "Ouvrir le lien",
    notFound: "Aucun clic sur ce lien dans ces campagnes",
  },

  comments: {
    title: "Commentaires",
    lead: (answers: number) =>
      `Ce que les destinataires ont écrit avec leurs réponses. Les commentaires d’une campagne s’affichent dès que ${answers} destinataires ont répondu.`,
    search: "Rechercher dans les commentaires",
    rating: "Note",
    ratings: { any: "Toutes", low: "0 à 6", middle: "7 et 8", high: "9 et 10", none: "Sans" },
    by: "Regrouper",
    orders: {
      newest: "Les plus récents d’abord",
      lowest: "Note la plus basse d’abord",
      highest: "Note la plus haute d’abord",
      longest: "Les plus longs d’abord",
    },
    groupings: { none: "Sans groupes", question: "Par question", campaign: "Par campagne" },
    inGroups: {
      question: (comments: string, questions: number) =>
        `${comments} sur ${format.countOf(questions, { one: "# question", many: "# de questions", other: "# questions" })}`,
      campaign: (comments: string, campaigns: number) =>
        `${comments} sur ${format.countOf(campaigns, { one: "# campagne", many: "# de campagnes", other: "# campagnes" })}`,
    },
    partOfGroup: (shown, total, page) =>
      `${format.countOf(shown, { one: "# commentaire", other: "# commentaires" })} sur ${format.count(total)}, autres à la page ${format.count(page)}`,
    averageRating: {
      ofThese: (mean) => `note moyenne de ces commentaires\u00a0: ${mean}`,
      ofAll: (mean, total) => `note moyenne des ${format.count(total)} commentaires\u00a0: ${mean}`,
    },
    file: {
      comment: "Commentaire",
      rating: "Note",
      answer: "Réponse",
      question: "Question posée",
      campaignId: "ID de la campagne",
      campaign: "Campagne",
      campaignSent: "Campagne envoyée",
    },
    none: "Aucun commentaire",
    noneHint:
      "Les commentaires accompagnent les réponses aux enquêtes et sont supprimés à la clôture d’une campagne. Choisissez une période plus longue ou d’autres filtres.",
    importedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# commentaire sur une campagne importée manque ici\u00a0: les importations n’ont que le nombre de commentaires.",
        other:
          "# commentaires sur des campagnes importées manquent ici\u00a0: les importations n’ont que le nombre de commentaires.",
      }),
    closedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "# commentaire sur une campagne clôturée manque ici\u00a0: son texte a été supprimé.",
        other:
          "# commentaires sur des campagnes clôturées manquent ici\u00a0: leurs textes ont été supprimés.",
      }),
    leftOut: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "# campagne manque ici, car sa lecture prendrait trop de temps. Ses commentaires sont sur sa propre page.",
        other:
          "# campagnes manquent ici, car leur lecture prendrait trop de temps. Leurs commentaires sont sur leurs propres pages.",
      }),
  },

  sources: {
    title: "Sources",

    // Email providers
    providers: "Fournisseurs d’e-mail",
    noProviders: html`Aucun fournisseur d’e-mail n’envoie encore d’événements. L’exploitant de ce service en ajoute un avec la commande <code>email-analytics source add</code>.`,
    providersCaption: (sources, note) =>
      `${format.countOf(sources, { one: "# source", other: "# sources" })}. ${note}`,
    urlsAreSecret:
      "Gardez les URL de webhook secrètes\u00a0: toute personne qui en connaît une peut envoyer des événements.",
    urlsForAdmins: "Seuls les administrateurs voient les URL de webhook.",
    provider: "Fournisseur",
    lastEvent: "Dernier événement",
    campaignField: "Champ contenant l’ID de la campagne",
    webhookUrl: "URL de webhook",
    webhookUrlOf: (provider) => `l’URL de webhook pour ${provider}`,
    noEventYet: "aucun pour l’instant",
    silent: "pas d’événement récent",
    noSecretTitle: (provider) => `${provider} n’a pas encore de secret.`,
    noSecret: html`Tous ses événements sont refusés jusqu’à ce que vous définissiez le secret avec la commande <code>email-analytics source change --secret</code>.`,
    silentTitle: (provider) => `${provider} n’envoie plus d’événements.`,
    silentAfterCampaign: (time) =>
      `Le dernier événement est arrivé le ${time}, et une campagne a été envoyée depuis.`,
    silentForDays: (time) => `Le dernier événement est arrivé le ${time}, il y a plus de sept jours.`,
    silentChecklist: (provider) =>
      html`Vérifiez chez ${provider} que le webhook est activé, que son URL est celle de cette source, qu’il envoie les ouvertures et les clics, et que son secret n’a pas changé. Le journal de ce service contient chaque requête refusée. Si vous n’utilisez plus ${provider}, supprimez la source avec la commande <code>email-analytics source delete</code>.`,

    // Programs
    programs: "Programmes",
    noPrograms:
      "Aucun programme n’envoie de campagnes ni d’événements\u00a0: il n’y a pas de clé API avec l’autorisation ingest.",
    createKey: "Créer une clé API",
    programsCaption:
      "Les programmes envoient avec une clé API qui a l’autorisation ingest. La dernière utilisation est précise à l’heure près.",
    apiKey: "Clé API",
    lastUsed: "Dernière utilisation",
    notUsedYet: "pas encore utilisée",
    programsForViewers: (programs) =>
      format.countOf(programs, { one: "# programme peut envoyer.", other: "# programmes peuvent envoyer." }),
    noDataYet: "Aucune donnée n’a encore été envoyée.",
    lastUsedAt: (time) => `Dernière utilisation\u00a0: ${time}.`,

    // Tracked messages
    trackedMessages: "Messages suivis",
    trackingOn:
      "Ce service peut suivre lui-même les messages\u00a0: le paramètre TRACKING_SECRET est défini.",
    trackingOff: "Ce service ne suit pas lui-même les messages\u00a0: le paramètre TRACKING_SECRET est vide.",

    // Quarantine
    quarantine: "Événements qui n’ont pas pu être comptés",
    noQuarantined: "Aucun événement n’est en quarantaine.",
    quarantined: (events) =>
      format.countOf(events, {
        one: "# événement n’a pas pu être compté et est en quarantaine.",
        other: "# événements n’ont pas pu être comptés et sont en quarantaine.",
      }),
    replayHelp: "Un nouveau traitement compte ceux qui peuvent l’être maintenant et conserve les autres.",
    nothingCounts:
      "Ils ne peuvent pas être comptés maintenant\u00a0: ils sont illisibles, ou leur campagne n’est pas enregistrée, est clôturée ou a des chiffres importés.",
    quarantineCaption: "Par campagne et raison",
    otherGroups: (events) =>
      format.countOf(events, {
        one: "Par campagne et raison. Les groupes plus petits comptent encore # événement",
        other: "Par campagne et raison. Les groupes plus petits comptent encore # événements",
      }),
    campaign: "Campagne",
    reason: "Raison",
    events: "Événements",
    firstReceived: "Première réception",
    lastReceived: "Dernière réception",
    firstUnreadable: "Incorrect ou manquant dans le premier événement\u00a0:",
    unknownCampaign: "inconnue",
    replay: "Traiter à nouveau",
    replayAll: "Tout traiter à nouveau",
    replayCampaign: (name) => `Traiter à nouveau les événements de la campagne ${name}`,
    replayed: ({ accepted, repeated, ignored, quarantined }) =>
      `Nouveau traitement\u00a0: ${format.count(accepted)} comptés, ${format.count(repeated)} en double, ${format.count(ignored)} ignorés (campagne clôturée ou destinataire supprimé à sa demande), ${format.count(quarantined)} encore en quarantaine.`,
    replayIncomplete: (left) =>
      format.countOf(left, {
        one: "Le temps n’a pas suffi\u00a0: il reste # événement. Relancez le traitement pour continuer.",
        other: "Le temps n’a pas suffi\u00a0: il reste # événements. Relancez le traitement pour continuer.",
      }),
    nothingToReplay: (campaign) => `Campagne\u00a0: ${campaign} n’a pas d’événements en quarantaine.`,
    campaignRule:
      'le JSON d’un ID de campagne (par exemple 42) ou d’un ID externe (par exemple "spring-news")',
  },

  keys: {
    title: "API Analytics",
    baseUrl: "URL de base",
    baseUrlIntro: (emailsPath, region) =>
      html`Les outils envoient leurs requêtes à cette URL, avec l’une des clés API ci-dessous. Enregistrements\u00a0: <code>GET ${emailsPath}</code>. Région\u00a0: <code>${region}</code>.`,
    baseUrlLabel: "l’URL de base",
    keys: "Clés API",
    noKeys: "Pas encore de clés API.",
    keysCaption: (count) =>
      `${format.countOf(count, { one: "# clé", other: "# clés" })}. La dernière utilisation est précise à l’heure près et s’affiche avec un léger retard.`,
    name: "Nom",
    scope: "Autorisation",
    startsWith: "Commence par",
    created: "Créée",
    lastUsed: "Dernière utilisation",
    notUsedYet: "pas encore utilisée",
    commandLine: "ligne de commande",
    until: (time) => `jusqu’au ${time}`,
    delete: "Supprimer",
    deleteKeyNamed: (name) => `Supprimer ${name}`,
    createKey: "Créer une clé API",
    createKeyIntro:
      "La clé est affichée une seule fois, sur la page suivante. Le nom indique à quoi elle sert. Utilisez une clé distincte pour chaque rapport et chaque programme, afin de pouvoir en supprimer une sans les autres.",
    create: "Créer la clé",
    scopes: {
      read: "read\u00a0: rapports et programmes qui lisent des enregistrements",
      ingest: "ingest\u00a0: programmes qui envoient des campagnes et des événements",
    },
    nameTaken: (name) =>
      `la clé ${name} existe déjà. Choisissez un nom qui ne diffère pas seulement par les majuscules.`,
    justCreated: (name) =>
      `Nom\u00a0: la clé ${name} vient d’être créée. Supprimez-la si vous ne l’avez pas copiée, ou choisissez un autre nom.`,

    // A new key
    newKeyTitle: "Votre nouvelle clé API",
    copyNow:
      "Copiez la clé maintenant\u00a0: elle ne sera plus jamais affichée. Toute personne qui la possède peut l’utiliser\u00a0: conservez-la comme un mot de passe.",
    keyWithScope: (scope) => `Clé API avec l’autorisation ${scope}`,
    keyLabel: "la clé",
    codeLabel: (title) => `le code pour ${title}`,
    doneCopying: "J’ai copié la clé. Retour à toutes les clés",
    powerBiHint:
      "Dans Power BI, choisissez Obtenir les données, Flux OData, et collez cette URL. Quand Power BI demande des informations d’identification, choisissez De base et saisissez un nom d’utilisateur quelconque, et la clé comme mot de passe. Ne choisissez pas API Web.",
    excelHint:
      "Choisissez Données, Obtenir des données, À partir d’autres sources, À partir d’un flux OData, et collez cette URL. Quand Excel demande des informations d’identification, choisissez De base et saisissez un nom d’utilisateur quelconque, et la clé comme mot de passe.",
    ingestHint: "N’envoie encore aucun événement. Vérifie seulement que la clé est acceptée.",

    // Delete
    deleteTitle: "Supprimer une clé API",
    describe: ({ name, prefix, scope, use }) =>
      html`La clé <strong>${name}</strong> commence par <code>${prefix}…</code> et a l’autorisation <strong>${scope}</strong>. ${use}`,
    neverUsed: "Elle n’a pas encore été utilisée.",
    lastUsedAt: (time) => `Dernière utilisation\u00a0: ${time}.`,
    consequences: {
      read: "Les rapports, les feuilles de calcul et les programmes qui lisent des enregistrements avec cette clé ne fonctionneront plus\u00a0: leur prochaine requête échouera avec l’erreur 401.",
      "csv-link":
        "Les feuilles de calcul qui utilisent le lien recevront une erreur dès leur prochaine actualisation.",
      ingest:
        "Les programmes qui envoient des campagnes et des événements avec cette clé recevront l’erreur 401 dès leur prochaine requête. Ce qu’ils n’envoient pas à nouveau n’est pas compté.",
    },
    cannotUndo:
      "Cette action est irréversible. Pour éviter une interruption, créez d’abord une nouvelle clé et mettez-la en place.",
    deleteKey: "Supprimer la clé",
    cancel: "Annuler",
    deleted: (name) => `La clé ${name} a été supprimée.`,
    notFound: "La clé n’existe pas. Elle a peut-être été supprimée.",
  },

  csvLinks: {
    title: "Liens CSV",
    intro:
      "Pour les feuilles de calcul qui ne peuvent pas envoyer de clé, comme IMPORTDATA dans Google Sheets\u00a0: un lien renvoie les campagnes au format CSV à toute personne qui le possède. Les liens figurent dans la liste des clés, avec l’autorisation csv-link, et cessent de fonctionner quand vous les y supprimez.",
    allow: "Autoriser les liens CSV",
    refuse: "Désactiver les liens CSV",
    allowed: "Les liens CSV fonctionnent maintenant.",
    refused: "Les liens CSV ne fonctionnent plus.",
    notAllowed: "Les liens CSV sont désactivés.",
    name: "Nom du lien",
    days: "Jours avant l’expiration",
    daysRule: (max) => `un nombre entier de 1 à ${max}`,
    sentAfter: "Envoyée à partir du (facultatif)",
    sentBefore: "Envoyée jusqu’au (facultatif)",
    dateRule: "une date comme 2025-01-31",
    endRule: (start) => `${start} ou plus tard`,
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# autre étiquette n’est pas affichée", other: "# autres étiquettes ne sont pas affichées" })}. La commande <code>csv-link add</code> accepte toute étiquette.`,
    create: "Créer le lien",
    newTitle: "Votre nouveau lien CSV",
    copyNow:
      "Copiez le lien maintenant\u00a0: il ne sera plus jamais affiché. Toute personne qui le possède peut lire les campagnes\u00a0: partagez la feuille de calcul, pas le lien.",
    label: "le lien",
    importData: "Google Sheets",
    done: "J’ai copié le lien. Retour à toutes les clés",
  },

  tags: {
    title: "Étiquettes",
    addTag: "Ajouter une étiquette",
    add: "Ajouter l’étiquette",
    noTags: "Pas encore d’étiquettes. Une étiquette sert à classer les campagnes.",
    intro: html`Le filtre <code>tag_ids</code> de l’API accepte ces ID. Une étiquette renommée garde son ID.`,
    caption: (count) => format.countOf(count, { one: "# étiquette", other: "# étiquettes" }),
    plural: "étiquettes",
    tag: "Étiquette",
    id: "ID",
    idOf: (name) => `l’ID de ${name}`,
    campaigns: "Campagnes",
    edit: "Modifier",
    editNamed: (name) => `Modifier ${name}`,
    name: "Nom",
    color: "Couleur",
    colorRule: "une couleur de la forme #RRGGBB",
    nameTaken: (name, id) =>
      `Nom\u00a0: l’étiquette avec l’ID ${id} porte déjà le nom ${name}. Choisissez un nom qui ne diffère pas seulement par les majuscules.`,
    added: (name) => `L’étiquette ${name} a été ajoutée.`,

    // One tag
    tagTitle: (name) => `Étiquette ${name}`,
    nameAndColor: "Nom et couleur",
    idIsFixed: (id) =>
      html`L’ID <code>${id}</code> ne change jamais. L’API renvoie les modifications immédiatement.`,
    save: "Enregistrer",
    saved: (name) => `L’étiquette ${name} a été enregistrée. L’API la renvoie immédiatement.`,
    delete: "Supprimer",
    deleteTag: "Supprimer cette étiquette",
    deleteNamed: (name) => `Supprimer ${name}`,
    loss: (campaigns) =>
      campaigns === 0
        ? "Aucune campagne n’a cette étiquette."
        : format.countOf(campaigns, {
            one: "# campagne perd cette étiquette et garde tout le reste.",
            other: "# campagnes perdent cette étiquette et gardent tout le reste.",
          }),
    deleteWarning: (id) =>
      html`Les rapports qui filtrent par <code>tag_ids=${id}</code> ne trouveront plus rien. Cette action est irréversible\u00a0: une nouvelle étiquette reçoit un autre ID.`,
    deleted: (name) => `L’étiquette ${name} a été supprimée.`,
    notFound: "L’étiquette n’existe pas. Elle a peut-être été supprimée.",
  },

  people: {
    title: "Personnes",
    plural: "personnes",
    caption: (organization, timeZone) =>
      `Utilisateurs qui peuvent se connecter à ${organization}. Les heures suivent le fuseau horaire ${timeZone}.`,
    email: "E-mail",
    role: "Rôle",
    lastVisit: "Dernière visite",
    never: "Jamais",
    password: "Mot de passe",
    invitedUntil: (time) => `Invité jusqu’au ${time}`,
    passwordSet: "Défini",
    passwordNotSet: "Non défini",
    actions: "Actions",
    you: "(vous)",
    yourAccount: "Votre compte",
    roleOf: (email) => `Rôle de ${email}`,
    changeRole: "Modifier",
    changeRoleOf: (email) => `Modifier le rôle de ${email}`,
    roleChanged: (email, role) => `${email} est maintenant ${role}.`,

    // Add
    addUser: "Ajouter un utilisateur",
    add: "Ajouter l’utilisateur",
    addHint:
      "Les lecteurs voient les chiffres, les étiquettes et les commentaires sans les noms. Les administrateurs gèrent aussi les clés API, les étiquettes, les personnes et les paramètres. Vous recevez ensuite un lien d’invitation, avec lequel l’utilisateur choisit un mot de passe.",
    invalidEmail: (email) => `E-mail\u00a0: ${email} n’est pas une adresse e-mail comme ada@example.com.`,
    emailTakenHere: (email) =>
      `E-mail\u00a0: un utilisateur avec l’adresse ${email} existe déjà. Pour envoyer un autre lien d’invitation, utilisez Nouveau lien d’invitation ou Réinitialiser le mot de passe dans le tableau.`,
    emailTakenElsewhere: (email) =>
      `E-mail\u00a0: un utilisateur de ce service avec l’adresse ${email} existe déjà. Une adresse ne peut appartenir qu’à un seul utilisateur.`,
    tooManyTaken: (wait) => `Trop d’adresses déjà utilisées. Réessayez ${wait}.`,

    // Invite link
    inviteTitle: (email) => `Envoyez ce lien d’invitation à ${email}`,
    inviteIntro:
      "Il permet à l’utilisateur de choisir un mot de passe. Ne l’envoyez à personne d’autre\u00a0: il fonctionne une seule fois, pendant sept jours, et ne sera plus affiché.",
    inviteLabel: "le lien d’invitation",
    backToPeople: "Retour aux personnes",

    // Reset and remove
    resetPassword: "Réinitialiser le mot de passe",
    newInviteLink: "Nouveau lien d’invitation",
    resetPasswordOf: (email) => `de ${email}`,
    newInviteLinkFor: (email) => `pour ${email}`,
    resetButton: "Réinitialiser le mot de passe",
    newInviteButton: "Créer un lien d’invitation",
    resetWarning: (email) =>
      `Le mot de passe de ${email} ne fonctionnera plus, et toutes ses sessions prendront fin.`,
    sessionsWarning: (email) => `Toutes les sessions de ${email} prendront fin.`,
    oldLinkWarning: (email) => `Le lien d’invitation précédent de ${email} ne fonctionnera plus.`,
    resetNext: "Vous recevez un lien d’invitation pour choisir un nouveau mot de passe.",
    resetOwn: "Modifiez votre propre mot de passe sur la page Votre compte.",
    remove: "Supprimer",
    removeWarning: (email) =>
      `${email} ne pourra plus se connecter et sera déconnecté partout. Les clés API créées par cette personne continuent de fonctionner.`,
    removeUser: "Supprimer l’utilisateur",
    removed: (email) => `${email} a été supprimé.`,
    lastAdmin: (email) => `${email} est le dernier administrateur. Nommez d’abord un autre administrateur.`,
    lastUser: (email) =>
      `${email} est le dernier utilisateur. Seule la commande «\u00a0email-analytics user delete\u00a0» peut supprimer le dernier utilisateur.`,
    notFound: "L’utilisateur n’existe pas. Il a peut-être été supprimé.",
  },

  sessions: {
    title: "Sessions",
    caption: "Sessions actives. La dernière utilisation est précise à l’heure près.",
    user: "Utilisateur",
    browser: "Navigateur",
    since: "Connexion",
    lastUsed: "Dernière utilisation",
    actions: "Actions",
    current: "Cette session",
    end: "Déconnecter",
    endOf: (email, browser) => `Déconnecter ${email} dans ${browser}`,
    more: (count) =>
      format.countOf(count, {
        one: "Et # autre, utilisée moins récemment.",
        other: "Et # autres, utilisées moins récemment.",
      }),
    ended: "La session a pris fin.",
    notFound: "La session n’existe pas. Elle a peut-être pris fin.",
  },

  organization: {
    title: "Organisation",
    general: "Général",
    name: "Nom",
    timeZone: "Fuseau horaire",
    timeZoneHint:
      "Les heures sont affichées dans ce fuseau horaire, ici et dans l’API. Les décalages sont ceux d’aujourd’hui.",
    timeZoneRule: "un fuseau horaire avec un nom IANA, comme Europe/Paris ou UTC",
    count: "Activité comptée",
    countedTraffic: {
      people: "Activité humaine uniquement",
      all: "Toute l’activité, y compris automatique",
    },
    save: "Enregistrer",
    saved: "Enregistré. L’API renvoie la modification immédiatement.",

    // Auto-close
    autoClose: "Clôture automatique des campagnes",
    autoCloseIntro:
      "Les chiffres d’une campagne clôturée ne changent plus, et les données qui les fondent sont supprimées\u00a0: les événements suivants ne sont pas comptés, et les réponses individuelles et les commentaires ne sont plus affichés.",
    closeAfterDays: "Jours avant la clôture des campagnes à destinataires nommés (Individuel)",
    closeNamelessAfterDays:
      "Jours avant la clôture des campagnes sans destinataires nommés (Anonyme, Global)",
    closeDaysHint: "À compter de l’envoi ou de l’enregistrement, selon le plus tardif.",
    fewerDaysHint:
      "Si vous choisissez moins de jours, une confirmation vous est demandée avant toute suppression.",
    saveDays: "Enregistrer les jours",
    daysSaved: "Les paramètres de clôture automatique sont enregistrés.",
    daysRule: "un nombre entier de 1 à 100000",
    confirmTitle: "Clôturer les campagnes plus tôt\u202f?",
    closesNone:
      "Aucune campagne n’est clôturée immédiatement\u202f; les campagnes seront clôturées plus tôt qu’auparavant.",
    closesSome: (campaigns) =>
      format.countOf(campaigns, {
        one: "# campagne sera clôturée dans la minute. Les données qui fondent ses chiffres seront supprimées.",
        other:
          "# campagnes seront clôturées dans la minute. Les données qui fondent leurs chiffres seront supprimées.",
      }),
    cannotUndo:
      "Cette action est irréversible. Augmenter le nombre plus tard ne rétablit pas les données supprimées.",
    individual: "Campagnes à destinataires nommés (Individuel)",
    nameless: "Campagnes sans destinataires nommés (Anonyme, Global)",
    daysUnchanged: (days) => format.countOf(days, { one: "# jour, inchangé", other: "# jours, inchangé" }),
    daysChanged: (days, before) =>
      `${format.countOf(days, { one: "# jour", other: "# jours" })} au lieu de ${format.count(before)}`,
    understand: "Je comprends que cela supprime définitivement des données",
    closeSooner: "Clôturer les campagnes plus tôt",
    keepDays: "Annuler",
  },

  account: {
    title: "Votre compte",
    signedInAs: (email, role, organization) =>
      html`Vous utilisez le compte <strong>${email}</strong>, avec le rôle ${role} dans ${organization}.`,
    password: "Mot de passe",
    noPasswordCompany:
      "Vous n’avez pas de mot de passe\u00a0: vous vous connectez avec le compte de votre entreprise.",
    noPassword: "Vous n’avez pas encore de mot de passe.",
    askAdmin:
      "Pas de mot de passe, ou oublié\u202f? Un administrateur de votre organisation peut créer un lien d’invitation pour vous.",
    askOtherAdmin: (peopleUrl, command) =>
      html`Pas de mot de passe, ou oublié\u202f? Un autre administrateur peut créer un lien d’invitation pour vous sous <a href="${peopleUrl}">Personnes</a>. Si vous êtes le seul administrateur, l’exploitant de ce service exécute <code>${command}</code>\u00a0: la commande ferme vos sessions et affiche le lien.`,
    currentPassword: "Mot de passe actuel",
    signsOutElsewhere: "Cette session reste ouverte\u202f; toutes les autres sont fermées.",
    changePassword: "Modifier le mot de passe",
    passwordChanged: "Votre mot de passe a été modifié. Toutes vos autres sessions sont fermées.",
    passwordChangedMeanwhile:
      "Votre mot de passe a été modifié dans une autre session. Connectez-vous à nouveau.",
    wrongPassword: "Mot de passe actuel\u00a0: mot de passe incorrect. Saisissez-le à nouveau.",
    sessions: "Vos sessions",
    language: "Langue",
    browserLanguage: "Langue du navigateur",
    saveLanguage: "Enregistrer la langue",
    languageSaved: "Langue enregistrée.",
    languageRule: (languages) => `${languages.join(", ")}, ou vide`,
  },
});
