// Every text of the web application in Spanish, in the formal form of address.

import { floodLimits } from "../../../campaign/events/traffic.ts";
import { html } from "../../html.ts";
import type { Formatter } from "../formatter.ts";
import type { Strings } from "./en.ts";

export const es = (format: Formatter): Strings => ({
  languageName: "Español",

  fields: {
    id: "ID",
    subject: "Asunto",
    sent_at: "Enviada el",
    sent_from: "Remitente",
    organization_team: "Equipo",
    sending_type: "Tipo de envío",
    tracking_type: "Tipo de seguimiento",
    open_rate: "Tasa de apertura",
    click_rate: "Tasa de clics",
    unique_opens: "Aperturas únicas",
    multiple_opens: "Aperturas repetidas",
    unopened: "Sin abrir",
    total_opens: "Total de aperturas",
    unique_clicks: "Clics únicos",
    multiple_clicks: "Clics repetidos",
    total_clicks: "Total de clics",
    click_per_unique_open_rate: "Tasa de clics sobre aperturas (CTOR)",
    desktop_open_rate: "Aperturas en ordenador",
    mobile_open_rate: "Aperturas en móvil",
    tags: "Etiquetas",
    recipient_count: "Destinatarios",
    recipients: "Grupos de destinatarios",
    read_time_glanced: "Tiempo de lectura: vistazo (hasta 3 segundos)",
    read_time_skimmed: "Tiempo de lectura: lectura rápida (hasta 9 segundos)",
    read_time_read: "Tiempo de lectura: lectura prolongada (más de 9 segundos)",
    surveys_count: "Encuestas",
    enps_score_average: "eNPS: puntuación media",
    enps_reactions_count: "eNPS: puntuaciones",
    enps_comments_count: "eNPS: puntuaciones con comentario",
    survey_reactions_count: "Otras encuestas: respuestas",
    survey_reactions_comments_count: "Otras encuestas: respuestas con comentario",
    sent_on: "Fecha de envío",
    sent_hour: "Hora de envío",
    tag_names: "Nombres de las etiquetas",
    kind: "Origen de las cifras",
    closed_at: "Cerrada el",
    updated_at: "Actualizada el",
  },

  sendingTypes: { Timezone: "Hora local", Scheduled: "Programado", Immediate: "Inmediato" },
  trackingTypes: { Individual: "Individual", Anonymous: "Anónimo", Overall: "Global" },

  roles: { viewer: "Lector", admin: "Administrador" },
  roleNouns: { viewer: "lector", admin: "administrador" },
  verdicts: {
    person: { title: "Humana", meaning: "Sin indicios de automatización." },
    google_proxy: {
      title: "Humana, a través del proxy de imágenes de Gmail",
      meaning:
        "El proxy de imágenes de Gmail (`GoogleImageProxy`), que carga las imágenes cuando un destinatario abre el mensaje.",
    },
    yahoo_proxy: {
      title: "Humana, a través del proxy de imágenes de Yahoo",
      meaning:
        "El proxy de imágenes de Yahoo (`YahooMailProxy`), que carga las imágenes cuando un destinatario abre el mensaje.",
    },
    apple_prefetch: {
      title: "Precarga de Apple Mail",
      meaning:
        "Protección de la privacidad en Mail de Apple: el agente de usuario es exactamente `Mozilla/5.0`.",
    },
    google_prefetch: {
      title: "Precarga de Gmail",
      meaning: "Precarga de Gmail: el agente de usuario termina en `Edge/12.246 Mozilla/5.0`.",
    },
    provider_prefetch: {
      title: "Precarga, según el proveedor",
      meaning: "El proveedor comunica una apertura o lectura automática (`machine`).",
    },
    provider_scanner: {
      title: "Escáner, según el proveedor",
      meaning: "El proveedor comunica un clic automático (`machine`).",
    },
    hidden_link: {
      title: "Enlace oculto",
      meaning: "Un clic en un enlace que las personas no pueden ver (`hidden`).",
    },
    head_request: {
      title: "Solicitud HEAD",
      meaning: "Una solicitud HEAD (`head`), que comprueba adónde lleva un enlace sin cargarlo.",
    },
    flood: {
      title: "Avalancha de solicitudes",
      meaning: `Más de ${floodLimits.perRecipient} aperturas o clics por minuto del mensaje de un destinatario, o más de ${floodLimits.perNetwork} desde una red con el seguimiento Global.`,
    },
    gateway: {
      title: "Pasarela de seguridad",
      meaning: "El agente de usuario indica una pasarela de seguridad.",
    },
    bot: { title: "Bot", meaning: "El agente de usuario es un bot o programa conocido." },
    beside_hidden_link: {
      title: "Destinatario con un clic en un enlace oculto",
      meaning:
        "Un escáner siguió el enlace oculto del mensaje de este destinatario, así que ninguno de sus clics cuenta como humano.",
    },
    burst: {
      title: "Ráfaga de clics",
      meaning:
        "Uno de varios enlaces distintos en los que se hizo clic para el mismo destinatario en pocos segundos.",
    },
  },
  problems: {
    unknown_campaign:
      "Este ID de campaña es desconocido. El evento se contará en cuanto se registre la campaña.",
    reported_campaign: "Las cifras de la campaña se importaron. Nunca se añaden eventos a cifras importadas.",
    test_sending:
      "El evento es más de 10 minutos anterior al sent_at de la campaña, así que pertenece a un envío de prueba.",
    unreadable: "Falta un campo o no es válido.",
    closed: "La campaña está cerrada. Sus cifras ya no cambian.",
    forgotten: "Los datos del destinatario se eliminaron a petición suya. El evento se ignora.",
    no_campaign: "El evento no tiene campaign_id, así que no pertenece a ninguna campaña. Se ignora.",
    time_ahead: "La hora está más de 5 minutos en el futuro. El evento se cuenta con la hora de su llegada.",
  },

  pages: {
    overview: "Resumen",
    campaigns: "Campañas",
    links: "Enlaces",
    comments: "Comentarios",
    connect: "Conectar",
    sources: "Fuentes",
    analyticsApi: "API de Analytics",
    apiReference: "Referencia de la API",
    help: "Ayuda",
    tags: "Etiquetas",
    people: "Personas",
    organization: "General",
    account: "Su cuenta",
    settings: "Configuración",
  },

  settingsGroups: { organization: "Organización", integrations: "Integraciones", you: "Personal" },

  errors: {
    title: "Se ha producido un error",
    forbiddenForm: "No se han guardado los cambios",
    titles: {
      forbidden: "Se necesita el rol de administrador",
      not_found: "Página no encontrada",
      too_many_requests: "Demasiados intentos",
    },
    messages: {
      bad_request: "La solicitud no es válida.",
      forbidden: "No tiene permiso para hacer esto. Diríjase a un administrador de su organización.",
      not_found: "La URL es incorrecta o la página se ha eliminado.",
      payload_too_large: "El formulario es demasiado grande.",
      too_many_requests: "Demasiadas solicitudes. Inténtelo más tarde.",
      internal_error:
        "Se ha producido un error inesperado. El operador de este servicio puede encontrar la causa en el registro. Indíquele el ID de la solicitud.",
      unavailable: "El servicio está ocupado o se está reiniciando. Inténtelo de nuevo en un momento.",
    },
    requestId: (id) => `ID de la solicitud: ${id}`,
    goToOverview: "Ir al resumen",
  },

  ui: {
    downloadCsv: "Descargar CSV",
    // Layout
    skipLink: "Ir al contenido principal",
    skipToResults: "Ir a los resultados",
    problemTitle: (title) => `Error: ${title}`,
    navigation: "Navegación principal",
    signOut: "Cerrar sesión",
    openMenu: "Abrir el menú",
    closeMenu: "Cerrar el menú",
    region: "Región",
    breadcrumb: "Ruta de navegación",
    noEvents: "Todavía no hay eventos",
    lastEvent: (ago: string, isLive: boolean) => (isLive ? `En directo · ${ago}` : `Último evento ${ago}`),
    /** Why the sources need a look. */
    sourcesAlerts: { silent: "Una fuente ha dejado de enviar", quarantined: "Hay eventos en cuarentena" },

    // Permissions and forms
    needsAdminRole:
      "Solo los administradores de su organización tienen este permiso. Diríjase a uno de ellos o solicite el rol de administrador.",
    sessionEnded: "Su sesión ha terminado. No se ha cambiado nada.",
    sessionEndedSignIn:
      "Su sesión ha terminado. No se ha cambiado nada: inicie sesión y envíe de nuevo el formulario.",
    csrfFailed:
      "El formulario no se envió desde una página de esta aplicación, o la página no está actualizada. Vuelva atrás, recargue la página y envíe de nuevo el formulario.",
    unknownAction: (name) => `action: ${name} no es una acción de esta página.`,

    // Forms
    tooManyFields: (count, max) => `El formulario tiene ${count} campos; se aceptan hasta ${max}.`,
    fieldTooLong: (name, length, max) => `${name}: tiene ${length} caracteres; se aceptan hasta ${max}.`,
    fieldProblem: (label, problem) => `${label}: ${problem}`,
    fieldRejected: (label, value, accepted) => `${label}: ${value} no se acepta. Se aceptan: ${accepted}.`,
    quoted: (text) => `«${text}»`,
    nameRule:
      "de 1 a 200 caracteres en una línea, al menos uno de ellos visible, sin marcas invisibles que cambien la dirección del texto",
    oneOf: (values) => values.join(", "),
    copy: "Copiar",
    copied: "Copiado",
    copyByHand: "Seleccionado. Pulse Ctrl+C para copiar.",
    copyLabel: (what) => `Copiar ${what}`,

    // Browsers and waits
    unknownBrowser: "Navegador desconocido",

    inEnglish: "(en inglés)",

    // Numbers
    points: (difference) => `${difference}\u00a0p.\u00a0p.`,
    noValue: "sin valor",
    notToldApart: "las campañas importadas no distinguen la actividad automática",
    notCompared:
      "Las aperturas y los clics no se comparan: las campañas importadas no distinguen la actividad automática",

    // Lists
    search: "Buscar",
    previousPage: "Página anterior",
    nextPage: "Página siguiente",
    noResultsFor: (search) => `Ningún resultado para ${search}`,
    clearSearch: "Borrar la búsqueda",
    paginationLabel: (what) => `Más ${what}`,
    itemRange: (first, last, total) =>
      `${format.count(first)}–${format.count(last)} de ${format.count(total)}`,

    ratingOf: (score: number) => `Puntuación de ${format.count(score)} sobre 10`,

    // Charts
    noData: "Todavía no hay datos.",
    chartKinds: {
      lines: "Gráfico de líneas",
      columns: "Gráfico de columnas",
      stacked: "Gráfico de columnas apiladas",
    },
    chartDescription: ({ title, kind, xTitle, span, ranges }) =>
      `${title}. ${kind} por ${xTitle.toLowerCase()}, ${span}. ${ranges.join(" ")} La tabla siguiente contiene todas las cifras.`,
    chartKeys: (title) => `${title}: leer los valores con las teclas de flecha`,
    fromTo: (first, last) => `de ${first} a ${last}`,
    seriesWithoutData: (name) => `${name}: sin datos.`,
    seriesValue: (name, value) => `${name}: ${value}.`,
    seriesRange: (name, low, high) => `${name}: entre ${low} y ${high}.`,
    showTable: "Ver como tabla",
    tableRegion: (title) => `${title}: tabla`,
  },

  signIn: {
    title: "Iniciar sesión",
    email: "Correo electrónico",
    password: "Contraseña",
    submit: "Iniciar sesión",
    or: "o",
    withCompanyAccount: "Iniciar sesión con la cuenta de la empresa",
    noOrganization:
      "Este servicio todavía no tiene ninguna organización. Quien lo opera ejecuta dos comandos:",
    addOrganization: "Añadir una organización.",
    addFirstAdmin:
      "Añadir su primer administrador. El comando muestra el enlace con el que elige una contraseña.",
    noPassword:
      "¿No tiene contraseña o la ha olvidado? Pida un enlace de invitación a un administrador de su organización.",
    wrongCredentials: "Correo electrónico o contraseña incorrectos. Inténtelo de nuevo.",
    tooManyAttempts: (wait) => `Demasiados intentos fallidos. Inténtelo de nuevo ${wait}.`,
    signedOut: "Ha cerrado la sesión.",

    // Invite link
    choosePasswordTitle: "Elegir una contraseña",
    newPassword: "Nueva contraseña",
    repeatPassword: "Repetir la contraseña",
    passwordHint: (min) =>
      `Al menos ${min} caracteres. Unas cuantas palabras seguidas son fáciles de recordar.`,
    weakPassword: {
      short: (length, { min, max }) => `tiene ${length} caracteres; use de ${min} a ${max}.`,
      long: (_length, { min, max }) => `tiene más de ${max} caracteres; use de ${min} a ${max}.`,
      email: () => "es su dirección de correo; elija otra contraseña.",
      common: () => "es demasiado fácil de adivinar; elija otra contraseña.",
    },
    passwordsDiffer: "Las contraseñas no coinciden. Escriba las dos de nuevo.",
    setPassword: "Guardar la contraseña e iniciar sesión",
    welcome: "¡Le damos la bienvenida! Su contraseña se ha guardado y la sesión está iniciada.",
    inviteLinkInvalidTitle: "Este enlace de invitación ya no es válido",
    inviteLinkInvalid:
      "Ya se ha usado, se ha sustituido por uno más reciente o ha caducado. Pida un nuevo enlace de invitación a un administrador de su organización.",

    // OpenID Connect
    failedTitle: "No se ha podido iniciar sesión",
    backToSignIn: "Volver a la página de inicio de sesión",
    openIdExpired: "El inicio de sesión comenzó en otro navegador o hace más de diez minutos.",
    openIdNoEmail: "La cuenta de su empresa no tiene una dirección de correo verificada.",
    openIdUnknownUser:
      "Usted no es usuario de este servicio. Pida a un administrador de su organización que añada la dirección de correo de la cuenta de su empresa.",
    openIdInvalid:
      "El inicio de sesión se canceló, o el servicio de inicio de sesión de su empresa envió una respuesta no válida.",
    openIdUnavailable:
      "El servicio de inicio de sesión de su empresa no responde como se esperaba. Inténtelo de nuevo en un momento.",
  },

  filters: {
    period: "Periodo",
    periods: {
      "7d": "Últimos 7 días",
      "30d": "Últimos 30 días",
      "90d": "Últimos 90 días",
      month: "Este mes",
      quarter: "Este trimestre",
      year: "Este año",
      "12m": "Últimos 12 meses naturales",
      all: "Todo el periodo",
    },
    quarter: (quarter, year) => `T${quarter} ${year}`,
    since: (date) => `Desde el ${date}`,
    upTo: (date) => `Hasta el ${date}`,
    from: "Desde",
    until: "Hasta",
    apply: "Aplicar",
    allTeams: "Todos los equipos",
    tags: "Etiquetas",
    tagsSelected: (count) => format.countOf(count, { one: "# etiqueta", other: "# etiquetas" }),
    withAnyTag: "Con alguna de estas etiquetas",
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# etiqueta más no aparece", other: "# etiquetas más no aparecen" })} en la lista. Para filtrar por ellas, añada sus ID a la URL de esta página, separados por comas: <code>tag_ids=</code>.`,
    more: "Más filtros",
    group: "Grupo de destinatarios",
    any: "Cualquiera",
    surveyFilters: { rated: "Con puntuaciones", some: "Con encuestas", none: "Sin encuestas" },
    searchSubjects: "Buscar en los asuntos",
    trafficLabel: "Actividad",
    comparisons: { previous: "Periodo anterior", year: "Año anterior", none: "Sin comparación" },
    traffic: { people: "Solo humana", all: "Toda la actividad" },
    datesReversed: (from, until) =>
      `Desde: ${from} es posterior a Hasta: ${until}. Intercambie las fechas o deje una vacía.`,
    invalidTagId: (name, value) =>
      `${name}: ${value} no es el ID de una etiqueta; separe los ID por comas, por ejemplo tag_ids=1,2.`,
    tooManyTags: (name, max) => `${name}: se aceptan hasta ${format.count(max)}.`,
    invalidDate: (name, value) =>
      `${name}: ${value} no es una fecha; use AAAA-MM-DD, por ejemplo 2026-01-31.`,
    invalidValue: (name, value, accepted) => `${name}: ${value} no se acepta. Se aceptan: ${accepted}.`,
  },

  overview: {
    title: "Resumen",
    viewCampaigns: "Ver campañas",
    filters: "Filtros",
    comparedWith: {
      previous: "Frente al periodo anterior",
      year: "Frente al año anterior",
      none: "Sin comparación",
    },
    noMatches: (allUrl) =>
      html`Ninguna campaña coincide con estos filtros. Elija otro periodo u otros filtros, o <a href="${allUrl}">vea todas las campañas</a>.`,

    // Key metrics
    campaigns: "Campañas",
    emailsSent: (emails) =>
      format.countOf(emails, {
        one: "# correo enviado",
        many: "# de correos enviados",
        other: "# correos enviados",
      }),
    enps: "eNPS",
    rates: {
      openRate: "Tasa de apertura",
      clickRate: "Tasa de clics",
      clickToOpenRate: "Tasa de clics sobre aperturas (CTOR)",
    },
    none: "Aún no hay",
    tooFew: "Muy pocas",
    from: {
      campaigns: (from, of) =>
        `${format.count(from)} de ${format.countOf(of, { one: "# campaña", other: "# campañas" })}`,
      recipients: (from, of) =>
        `${format.count(from)} de ${format.countOf(of, { one: "# destinatario", many: "# de destinatarios", other: "# destinatarios" })}`,
    },
    fromSurveyed: (from, of) =>
      `${format.count(from)} de ${format.countOf(of, { one: "# campaña con encuesta", other: "# campañas con encuesta" })}`,
    knownOnly: (from) => `solo se conoce de ${from}`,
    noSurveys: "Ninguna campaña tenía encuesta eNPS",
    unknown: "No se sabe",
    surveysUnknown: (unknown, of) =>
      `No se sabe si ${format.count(unknown)} de ${format.countOf(of, { one: "# campaña tenía encuesta", other: "# campañas tenían encuesta" })}`,
    noAnswersYet: (surveyed) =>
      format.countOf(surveyed, {
        one: "# campaña con encuesta, sin respuestas todavía",
        other: "# campañas con encuesta, sin respuestas todavía",
      }),
    averageRating: (mean, { ratings, from, of }) =>
      `Puntuación media ${mean} sobre 10 (${format.countOf(ratings, { one: "# puntuación", other: "# puntuaciones" })} de ${format.count(from)} de ${format.countOf(of, { one: "# campaña", other: "# campañas" })})`,
    withTraffic: {
      people: (rate) => `Solo actividad humana: ${rate}`,
      all: (rate) => `Toda la actividad: ${rate}`,
    },
    before: (value) => `en comparación con ${value} antes`,
    vsPeriod: (dates, others) => `${dates} frente a ${others}`,

    // Chart
    openAndClick: "Tasa de apertura y tasa de clics",
    units: { day: "Día", week: "Semana", month: "Mes", year: "Año" },
    unfinished: {
      day: "Día en curso",
      week: "Semana en curso",
      month: "Mes en curso",
      year: "Año en curso",
    },

    // Cards
    ranked: {
      rate: { best: "Mejores tasas de apertura", worst: "Peores tasas de apertura" },
      team: {
        best: "Mejores tasas de apertura frente al equipo",
        worst: "Peores tasas de apertura frente al equipo",
      },
    },
    rankBy: "Ordenar campañas por",
    rankings: { rate: "Tasa de apertura", team: "Diferencia con el equipo" },
    breakDownBy: "Desglosar los resultados por",
    breakdowns: {
      team: { tab: "Equipos", title: "Resultados por equipo", column: "Equipo" },
      group: {
        tab: "Grupos",
        title: "Resultados por grupo de destinatarios",
        column: "Grupo de destinatarios",
      },
      tag: { tab: "Etiquetas", title: "Resultados por etiqueta", column: "Etiqueta" },
      sending_type: { tab: "Tipos de envío", title: "Resultados por tipo de envío", column: "Tipo de envío" },
    },
    byGroupNote:
      "Una campaña enviada a varios grupos cuenta en cada uno de ellos, con todos sus destinatarios.",
    noneSet: "Sin indicar en estas campañas.",
    largest: (shown: number, of: number) =>
      `Los ${format.count(shown)} con más destinatarios, de ${format.count(of)}`,
    unchanged: "sin cambios",
    notSet: "sin indicar",
    campaignCount: (count) =>
      format.countOf(count, { one: "# campaña", many: "# de campañas", other: "# campañas" }),
    opensByHour: "Cuándo se abren los mensajes",
    opens: (count) => format.countOf(count, { one: "# apertura", other: "# aperturas" }),
    fewOpens: "Menos",
    manyOpens: "Más",
    topLinks: "Enlaces con más clics",
    link: "Enlace",
    clicks: "Clics",
    latestComments: "Últimos comentarios",
    allComments: "Todos los comentarios",
    allLinks: "Todos los enlaces",
    imported: (imported, of) =>
      `Importadas, con las cifras tal como se comunicaron: ${format.count(imported)} de ${format.countOf(of, { one: "# campaña", other: "# campañas" })}.`,
    countedTraffic: {
      people: "Solo se cuentan las aperturas y los clics humanos.",
      all: "Se cuenta toda la actividad, incluida la automática.",
    },
    scope: (timeZone) =>
      `Las tasas se ponderan por número de destinatarios. Los días siguen la zona horaria ${timeZone}. Una tasa de menos de la mitad de las campañas o de sus destinatarios no se muestra.`,
  },

  campaigns: {
    title: "Campañas",
    id: "ID",

    // List
    columns: {
      subject: "Asunto",
      sent_at: "Enviada",
      team: "Equipo",
      tags: "Etiquetas",
      recipients: "Destinatarios",
      open_rate: "Tasa de apertura",
      click_rate: "Tasa de clics",
      click_to_open_rate: "CTOR",
      opens: "Aperturas únicas",
      clicks: "Clics únicos",
      read_time: "Lecturas de más de 9\u00a0s",
      enps: "eNPS",
      average_rating: "Puntuación media",
      comments: "Comentarios",
      devices: "Aperturas en ordenador",
      kind: "Origen de los datos",
    },
    vsTeam: (column) => `${column} frente al equipo`,
    noTeam: "sin equipo",
    noUsual: "muy pocas campañas o destinatarios de su equipo con esta tasa en el año anterior",
    noUsualEnps: "muy pocas campañas de su equipo con puntuaciones eNPS contadas aquí en el año anterior",
    vsUsual: (team, rate) => `frente a ${team}: ${rate}`,
    kinds: { counted: "Contados aquí", closed: "Contados aquí, definitivos", reported: "Importados" },
    sortText: { asc: "ordenar de la A a la Z", desc: "ordenar de la Z a la A" },
    sortNumber: { asc: "de menor a mayor", desc: "de mayor a menor" },
    sortTime: { asc: "las más antiguas primero", desc: "las más recientes primero" },
    sort: "Ordenar",
    view: "Vista",
    views: "Vistas",
    chooseColumns: "Columnas",
    campaigns: (count) =>
      format.countOf(count, { one: "# campaña", many: "# de campañas", other: "# campañas" }),
    tableName: (caption) => `${caption}: tabla`,
    total: (count) => format.countOf(count, { one: "Total de # campaña", other: "Total de # campañas" }),
    emailsSent: "correos enviados",
    importedCount: (count) =>
      format.countOf(count, {
        one: "# importada, tal como se comunicó",
        other: "# importadas, tal como se comunicaron",
      }),
    tooFew: "muy pocas",
    notWeighted:
      "Una tasa total es ponderada. Deja fuera las tasas importadas sin cifras con las que ponderarlas, por ejemplo sin destinatarios.",
    coverage: {
      campaigns: (from, of) => `${format.count(from)} de ${format.count(of)}`,
      recipients: (from, of) => `${format.count(from)} de ${format.count(of)} destinatarios`,
    },
    page: "Página",
    ofPages: (pages) => `de ${format.count(pages)}`,
    goToPage: "Ir",
    rowsPerPage: "Filas por página",
    pagination: "Páginas de la lista",
    noMatches: "Ninguna campaña coincide",
    tryOthers: "Pruebe con un periodo más largo, otra búsqueda o menos filtros.",
    allTime: "Mostrar todo el periodo",
    resetFilters: "Quitar los filtros",

    // Comparison
    select: (subject) => `Seleccionar ${subject}`,
    selectColumn: "Selección",
    compare: "Comparar",
    compareSelected: (count) => `Comparar ${count}`,
    compareHint: "Seleccione de dos a cinco campañas para compararlas.",
    tooManySelected: (selected, excess) => `${selected} seleccionadas: quite ${excess}`,

    // Getting started
    noCampaigns: "Todavía no hay campañas",
    askAdmin: "Pida a un administrador de su organización que añada alguna.",
    gettingStarted:
      "Aquí aparecerán las aperturas, los clics y el tiempo de lectura de sus campañas. Hay tres formas de empezar:",
    startWithProgram: (createKeyUrl) =>
      html`Envíe campañas y eventos desde su propio programa: <a href="${createKeyUrl}">cree una clave de API con el permiso ingest</a>.`,
    startWithProvider: html`Haga que su proveedor de correo envíe sus eventos: el operador de este servicio lo añade con <code>email-analytics source add</code>. Después aparece en <a href="/sources">Fuentes</a>.`,
    startWithImport: html`Importe cifras existentes: el operador de este servicio ejecuta <code>email-analytics import</code>.`,
  },

  comparison: {
    title: "Comparar campañas",
    metric: "Métrica",
    caption: "Las campañas una junto a otra",
    best: "mejor",
    bestNote:
      "«Mejor» señala la tasa más alta. Los recuentos no llevan señal, porque crecen con el número de destinatarios.",
    noOpens: (subjects) => `Sin aperturas por hora: ${subjects}.`,
    invalidId: (value) => `${value} no es el ID de una campaña; use números enteros, por ejemplo ids=1,2.`,
    wrongNumber: (count) =>
      format.countOf(count, {
        one: "Ha seleccionado # campaña; seleccione de dos a cinco.",
        other: "Ha seleccionado # campañas; seleccione de dos a cinco.",
      }),
    backToList: "Volver a las campañas",
  },

  campaign: {
    // One campaign
    untitled: "Campaña sin asunto",
    scheduled: "Programada",
    notFound: (id) => `Su organización no tiene la campaña ${id}.`,
    sentAt: (time) => `Enviada el ${time}`,
    scheduledFor: (time) => `Programada para el ${time}`,
    imported: "Las cifras de esta campaña se importaron. No hay actividad que mostrar.",
    closed: (time) =>
      `Contada a partir de los eventos hasta el ${time}, cuando se cerró la campaña. Sus cifras ya no cambian.`,
    countedLive: "Se cuenta a partir de los eventos a medida que llegan.",
    counted: {
      people: "Las cifras solo incluyen la actividad humana.",
      all: "Las cifras incluyen toda la actividad, humana y automática.",
    },

    // Headline metrics

    // All metrics
    allMetrics: "Todas las métricas",
    metricsCaption:
      "Los campos de la API de Analytics, tal como los muestran las páginas y tal como los devuelve la API",
    onPages: "En las páginas",
    apiTraffic: {
      people: "La API de Analytics cuenta solo la actividad humana.",
      all: "La API de Analytics cuenta toda la actividad.",
    },
    missingMetrics: "Un guion significa que falta la cifra. La API de Analytics devuelve 0 en ese caso.",

    // Campaign details
    details: "Detalles de la campaña",
    team: "Equipo",
    tags: "Etiquetas",
    sent: "Enviada",
    detailsCaption: "Según los datos del remitente",
    notSet: "sin indicar",
    id: "ID",
    externalId: "ID externo",
    sentFrom: "Remitente",
    sendingType: "Tipo de envío",
    trackingType: "Tipo de seguimiento",
    recipientGroups: "Grupos de destinatarios",
    surveysCount: "Encuestas",

    // Activity
    activity: "Aperturas y clics",
    noActivity: "Todavía no hay aperturas ni clics con hora conocida.",
    opensByHour: (hours) => `Aperturas en las primeras ${hours} horas`,
    clicksByHour: (hours) => `Clics en las primeras ${hours} horas`,
    hour: "Hora",
    day: "Día",
    human: "Humana",
    automated: "Automática",
    byDay: "Aperturas y clics por día; los días sin actividad no aparecen",
    byLastDays: (days) => `Aperturas y clics de los últimos ${days} días`,
    humanOpens: "Aperturas humanas",
    automatedOpens: "Aperturas automáticas",
    humanClicks: "Clics humanos",
    automatedClicks: "Clics automáticos",
    trafficTitle: "Actividad humana y automática",
    trafficCaption: "Aperturas y clics por tipo de actividad",
    traffic: "Actividad",
    countedAs: "Se cuenta como",
    reason: "Motivo",
    opens: "Aperturas",
    clicks: "Clics",
    inferredOpens: "Aperturas deducidas",
    inferredMeaning:
      "De un clic, una lectura o una respuesta a una encuesta de un destinatario sin apertura: las imágenes pueden estar bloqueadas.",
    furtherClicks: "Más clics",
    furtherMeaning: (max: number) => `Después de los primeros ${format.count(max)} clics de un destinatario.`,
    /** The sum of the table, by the traffic that the page shows. */
    trafficTotals: { people: "Total, solo actividad humana", all: "Total, toda la actividad" },
    links: "Enlaces",
    noClicks: "Todavía no hay clics.",
    linksCaption: "Enlaces por clics humanos",
    link: "Enlace, sin datos personales",
    allClicks: "Todos los clics",
    linksNote: (max) =>
      `Las primeras ${format.count(max)} URL con clics se cuentan por separado, sin sus parámetros. Todas las demás comparten una fila.`,
    otherLinks: "Todos los demás enlaces",

    // Surveys
    surveys: "Encuestas",
    enpsIndex: "Índice eNPS: porcentaje de puntuaciones de 9 y 10, menos porcentaje de puntuaciones de 0 a 6",
    enpsComments: "Puntuaciones eNPS con comentario",
    surveyAnswers: "Respuestas a otras encuestas",
    surveyComments: "Respuestas a otras encuestas con comentario",
    indexUnknown: "El índice eNPS es desconocido: una campaña importada solo tiene su puntuación media.",
    surveysClosed: "La campaña está cerrada. Las respuestas individuales y los comentarios se han eliminado.",
    moreSurveys: (shown, others) =>
      `Las ${format.count(shown)} encuestas con más respuestas. ${format.countOf(others, { one: "# encuesta más no se muestra.", other: "# encuestas más no se muestran." })}`,
    enps: "eNPS",
    survey: "Encuesta",
    answered: (recipients) =>
      format.countOf(recipients, {
        one: "# destinatario ha respondido.",
        other: "# destinatarios han respondido.",
      }),
    rating: "Puntuación",
    forgottenAnswer: "Eliminada a petición del destinatario",
    otherAnswers: (count) => `Otras respuestas: ${format.count(count)}.`,
    commentsWithheld: (min) => `Los comentarios se muestran cuando han respondido ${min} destinatarios.`,

    tabsLabel: "Campaña",
    tabs: {
      summary: "Resumen",
      links: "Enlaces",
      surveys: "Encuestas",
      recipients: "Destinatarios",
      activity: "Humana y automática",
      details: "Detalles",
    },
    previous: (subject: string) => `Campaña anterior: ${subject}`,
    next: (subject: string) => `Campaña siguiente: ${subject}`,
    copyLink: "Copiar enlace",
    lastActivity: (time: string) => `Última actividad ${time}`,
    activeNow: "Activa en los últimos 15 minutos",

    // Key numbers
    keyNumbers: {
      openRate: "Tasa de apertura",
      clickRate: "Tasa de clics",
      clickToOpenRate: "Tasa de clics sobre aperturas (CTOR)",
      desktopShare: "Ordenador",
      readShare: "Lecturas de más de 9\u00a0s",
      enpsIndex: "eNPS",
      enpsMean: "Puntuación media",
    },
    opened: (opened: number, recipients: number) =>
      `${format.count(opened)} de ${format.count(recipients)} abrieron`,
    clicked: (clicked: number, recipients: number) =>
      `${format.count(clicked)} de ${format.count(recipients)} hicieron clic`,
    openedMore: (opened: number, recipients: number) =>
      `${format.count(opened)} abrieron, ${format.countOf(recipients, { one: "más que el # destinatario que indicó el remitente", other: "más que los # destinatarios que indicó el remitente" })}`,
    clickedMore: (clicked: number, recipients: number) =>
      `${format.count(clicked)} hicieron clic, ${format.countOf(recipients, { one: "más que el # destinatario que indicó el remitente", other: "más que los # destinatarios que indicó el remitente" })}`,
    clickedOfOpened: (clicked: number, opened: number) =>
      `${format.count(clicked)} de ${format.count(opened)} que abrieron`,
    readFor: (seconds: number) => `más de ${seconds} segundos`,
    readOf: (read: number, measured: number, seconds: number) =>
      `${format.count(read)} de ${format.count(measured)} lecturas medidas duraron más de ${seconds} segundos`,
    ratings: (ratings: number) => format.countOf(ratings, { one: "# puntuación", other: "# puntuaciones" }),
    noRatings: "sin puntuaciones",
    teamAverage: (value: string) => `Media del equipo: ${value}`,
    teamTooFew: "Equipo: muy pocas campañas para comparar",
    tagAverage: (tag: string, value: string) => `${tag}: ${value}`,
    vsTeam: (team, campaigns) =>
      `Frente a ${team}, 12 meses anteriores (${format.countOf(campaigns, { one: "# campaña", many: "# de campañas", other: "# campañas" })})`,
    tooFewOfTeam: (team) =>
      `${team} envió menos de tres campañas en los 12 meses anteriores, así que no hay con qué comparar`,
    comparedWithTeam: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "en comparación con # campaña del equipo en el año anterior",
        other: "en comparación con la media de # campañas del equipo en el año anterior",
      }),

    // Summary
    opensCurve: "Aperturas por cada 100 destinatarios",
    hoursAfter: "Horas desde el envío",
    hourOf: (hour: number) => `${format.count(hour)}\u00a0h`,
    thisCampaign: "Esta campaña",
    opensCurveNote:
      "Las aperturas repetidas también cuentan, así que la línea puede acabar por encima de la tasa de apertura.",
    /** For a campaign with a team, or without one. */
    usualOpens: {
      team: (campaigns: number) =>
        `Habitual (mediana de ${format.count(campaigns)} campañas anteriores del equipo)`,
      all: (campaigns: number) => `Habitual (mediana de ${format.count(campaigns)} campañas anteriores)`,
    },
    deviceShares: "Proporción de las aperturas cuyo dispositivo se conoce",
    readShares: "Proporción de las lecturas humanas cuyo tiempo se midió",
    partOf: (count: number, total: number) => `${format.count(count)} de ${format.count(total)}`,
    namesForAdmins: "Solo los administradores ven quién escribió un comentario.",
    noUsual: "El equipo no tiene tres campañas anteriores con aperturas por hora con las que comparar.",
    devices: "Dispositivos",
    desktop: "Ordenador",
    mobile: "Móvil",
    noDevices: "No se conoce ningún dispositivo.",
    readTime: "Tiempo de lectura",
    glanced: (seconds: number) => `Vistazo (≤\u00a0${seconds}\u00a0s)`,
    skimmed: (seconds: number) => `Lectura rápida (≤\u00a0${seconds}\u00a0s)`,
    read: (seconds: number) => `Lectura prolongada (>\u00a0${seconds}\u00a0s)`,
    noReads: "No se ha medido ningún tiempo de lectura.",
    topLinks: "Enlaces con más clics",
    allLinks: "Todos los enlaces",
    comments: "Comentarios",
    allComments: "Todos los comentarios y encuestas",
    importedActivity:
      "Las cifras de esta campaña se importaron, sin las aperturas y los clics a lo largo del tiempo.",
    importedLinks: "Las cifras de esta campaña se importaron, sin sus enlaces.",
    shareOfHumanClicks: "Proporción de clics humanos",

    // Ratings
    ratingsTitle: "Puntuaciones",
    promoters: (count: string, share: string) => `Promotores: ${count} (${share})`,
    passives: (count: string, share: string) => `Pasivos: ${count} (${share})`,
    detractors: (count: string, share: string) => `Detractores: ${count} (${share})`,
    kinds: { promoters: "Promotores", passives: "Pasivos", detractors: "Detractores" },
    noSurvey: "Esta campaña no tiene ninguna encuesta.",
    noAnswers: "La encuesta aún no tiene respuestas.",
    surveyUnknown: "No se sabe si esta campaña tenía encuesta.",
    answersUnknown: "No se sabe si alguien respondió a la encuesta.",
    commentCount: (count: number) => format.countOf(count, { one: "# comentario", other: "# comentarios" }),
    latestComments: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# comentario", other: "# comentarios" })}, los ${format.count(shown)} más recientes`,
    commentsShown: (total: number, shown: number) =>
      `${format.countOf(total, { one: "# comentario", other: "# comentarios" })}, ${format.count(shown)} aquí`,
  },

  recipients: {
    noList: "Sin lista de destinatarios",
    reasons: {
      Anonymous:
        "Esta campaña tiene el seguimiento Anónimo, así que no hay lista de destinatarios: cada destinatario se sustituyó por un hash antes de guardar nada.",
      Overall:
        "Esta campaña tiene el seguimiento Global, así que no hay lista de destinatarios: cuenta dispositivos y no conoce a los destinatarios.",
      imported:
        "Las cifras de esta campaña se importaron, así que no hay lista de destinatarios: las cifras importadas no los incluyen.",
      closed:
        "Esta campaña está cerrada, así que no hay lista de destinatarios: se eliminaron y solo se conservaron las cifras.",
    },
    opened: (opened, recipients) =>
      `${format.countOf(recipients, { one: "# destinatario.", other: "# destinatarios." })} Abrieron: ${format.count(opened)}. No abrieron: ${format.count(Math.max(recipients - opened, 0))}.`,
    unknown: (unknown, listed) =>
      `De ellos, ${format.countOf(listed, { one: "se puede mostrar #", other: "se pueden mostrar #" })}; de ${format.count(unknown)} todavía no hay ningún evento.`,
    notOpenedNote:
      "Estos destinatarios solo se conocen por actividad automática, como una precarga o un escáner de seguridad.",
    filterLabel: "Destinatarios",
    filters: { all: "Todos", opened: "Abrieron", not_opened: "No abrieron", clicked: "Hicieron clic" },
    search: "El correo o el ID empieza por",
    caption: "Destinatarios por correo o ID",
    columns: {
      recipient: "Destinatario",
      opens: "Aperturas",
      device: "Dispositivo",
      readTime: "Tiempo de lectura",
      clicks: "Clics",
      firstClick: "Primer clic",
      lastClick: "Último clic",
      answers: "Respuestas a encuestas",
    },
    devices: { desktop: "Ordenador", mobile: "Móvil" },
    readTimes: { glanced: "Vistazo", skimmed: "Lectura rápida", read: "Lectura prolongada" },
    noMatches: "Ningún destinatario coincide.",
    noMatchesYet:
      "No hay resultados entre los destinatarios examinados hasta ahora. Continúe en la página siguiente.",
    pages: "Más destinatarios",
    onPage: (count) =>
      format.countOf(count, {
        one: "# destinatario de una lista más larga. El archivo CSV los contiene todos.",
        many: "# de destinatarios de una lista más larga. El archivo CSV los contiene todos.",
        other: "# destinatarios de una lista más larga. El archivo CSV los contiene todos.",
      }),
    backToStart: "Volver al principio",
    note: "Cada consulta y cada descarga de esta lista se registra con su ID de usuario. Las aperturas se guardan como número, sin sus horas. Los destinatarios cuyos datos se eliminaron a petición suya no aparecen.",
  },

  connect: {
    title: "Conectar",
    intro: (count) =>
      format.countOf(count, {
        one: "Lleve sus campañas a la herramienta con la que trabaja. Hay instrucciones para # herramienta.",
        other:
          "Lleve sus campañas a la herramienta con la que trabaja. Hay instrucciones para # herramientas.",
      }),
    groups: {
      reports: "Herramientas de informes y hojas de cálculo",
      dashboards: "Paneles",
      pipelines: "Flujos de datos y automatización",
      programs: "Lenguajes de programación y terminales",
    },
    search: "Buscar herramientas",
    find: "Buscar",
    allTools: "Todas las herramientas",
    noMatch: (text) =>
      html`Ninguna herramienta coincide con <strong>${text}</strong>. Cualquier herramienta que pueda enviar un encabezado HTTP, o un nombre de usuario y una contraseña, puede leer la API.`,
    minutes: (minutes) => format.countOf(minutes, { one: "# minuto", other: "# minutos" }),
    toolTitle: (name) => `Conectar ${name}`,
    notFound: "No hay instrucciones para esta herramienta.",
    fileNotFound: "No existe ese archivo para esta herramienta.",
    steps: "Pasos",
    toolSteps: {
      "power-bi": [
        "Abra el archivo `email-analytics.pbids`, o elija Obtener datos, Fuente de OData, e introduzca `{{address}}/odata/v1/`.",
        "Cuando Power BI pida las credenciales, elija Básico e introduzca cualquier nombre de usuario, y su clave de API como contraseña. No elija API web.",
        "Seleccione `emails`, y para las etiquetas también `email_tags` y `tags`. Elija Cargar.",
      ],
      excel: [
        "En Windows, abra el archivo `emails.odc`, o elija Datos, Obtener datos, De otras fuentes, De fuente de OData, e introduzca `{{address}}/odata/v1/`.",
        "Cuando Excel pida las credenciales, elija Básico e introduzca cualquier nombre de usuario, y su clave de API como contraseña. Elija Conectar.",
      ],
      tableau: [
        "Elija «Connect», «To a Server», «OData» e introduzca `{{address}}/odata/v1/emails` como servidor.",
        "Elija «Username and Password»: cualquier nombre de usuario, y su clave de API como contraseña. Inicie sesión.",
      ],
      "google-sheets": [
        "En la hoja de cálculo, elija Extensiones, Apps Script, y sustituya el texto que hay allí por el archivo.",
        "En la configuración del proyecto, añada la propiedad del script `EMAIL_ANALYTICS_KEY` con su clave de API.",
        "Ejecute la función `refresh`. Más adelante, elija email-analytics, Refresh en la hoja de cálculo.",
      ],
      "looker-studio": [
        "En `script.google.com`, cree un proyecto y sustituya `Code.gs`. En la configuración del proyecto, muestre `appsscript.json` y sustitúyalo también.",
        "Elija «Deploy», «Test deployments» y copie el «Head Deployment ID». En Looker Studio, elija «Create», «Data source», «Build your own» y péguelo.",
        "Introduzca su clave de API cuando Looker Studio la pida.",
      ],
      grafana: [
        "Instale el plugin Infinity y asigne su clave de API a la variable de entorno `EMAIL_ANALYTICS_KEY` de Grafana.",
        "Guarde `datasource.yaml` en `/etc/grafana/provisioning/datasources` y reinicie Grafana.",
        "Elija «Dashboards», «New», «Import» y suba `dashboard.json`.",
      ],
      pandas: [
        "Defina su clave de API con la primera línea en un terminal de Linux o macOS, o con la segunda en PowerShell:",
        "Guarde estas líneas como `emails.py` y ejecute allí `python emails.py`. Necesitan pandas 1.2 o posterior: `pip install pandas`.",
      ],
      curl: [
        "En un terminal, defina su clave de API:",
        "Ejecute allí esta línea. Otras terminaciones: `emails.ndjson` y `emails.parquet`.",
      ],
    },
    time: "Tiempo",
    timeNote: (minutes) =>
      format.countOf(minutes, {
        one: "Alrededor de # minuto, si conoce la herramienta.",
        other: "Alrededor de # minutos, si conoce la herramienta.",
      }),
    download: (file) => `Descargar ${file}`,
    fileHolds: "El archivo contiene la URL de este servicio y ninguna clave.",
    filesHold: "Los archivos contienen la URL de este servicio y ninguna clave.",
    replaceSchema: (given, own) =>
      html`En los archivos, sustituya el esquema <code>${given}</code> por el suyo, <code>${own}</code>.`,
    linesLabel: (name) => `las líneas de código para ${name}`,
    commandLabel: (step, command) => `el comando ${command} del paso ${step}`,
    urlToEnter: "URL que debe introducir",
    urlLabel: "la URL",
    facts: "Conviene saber",
    refresh: "Actualización",
    limits: "Limitaciones",
    tested: "Probado",
    hasPostgres:
      "Este servicio usa PostgreSQL, que esta herramienta necesita. El operador del servicio da a la herramienta acceso a las vistas SQL.",
    needsPostgres:
      "Este servicio usa SQLite, por lo que esta herramienta no puede leerlo: las vistas SQL requieren PostgreSQL. Elija una herramienta que lea con una clave de API.",
    key: "Clave de API",
    keyIntro: (name) =>
      `Crea una clave con el permiso read y un nombre basado en ${name}. Se muestra una sola vez, y la página siguiente indica cuándo llega su primera solicitud.`,
    createKey: (name) => `Crear clave para ${name}`,
    newKeyTitle: (name) => `Su clave de API para ${name}`,
    firstRequest: "Primera solicitud",
    waiting: (name) => `Esperando la primera solicitud de ${name}…`,
    waitingNote: "Siga los pasos con la nueva clave. Esta página se actualiza automáticamente.",
    stillWaiting: "¿No llega ninguna solicitud? Consulte la solución de problemas de la primera solicitud",
    waitElsewhere: "He copiado la clave. Esperar la primera solicitud",
    received: "Ha llegado la primera solicitud.",
    receivedFrom: (time, client) => html`Llegó el ${time} desde <strong>${client}</strong>.`,
    clients: {
      powerQuery: "Power Query (Power BI o Excel)",
      browser: "un navegador",
      unknown: "un programa que no indica su nombre",
    },
    noRows: "Todavía no ha leído ninguna fila. Cargue los datos en la herramienta.",
    firstRows: (rows) =>
      format.countOf(rows, {
        one: "La primera respuesta tenía # fila.",
        other: "La primera respuesta tenía # filas.",
      }),
    campaigns: (count) =>
      format.countOf(count, {
        one: "Su organización tiene # campaña.",
        other: "Su organización tiene # campañas.",
      }),
    units: "Antes de sumar o promediar: unidades y valores que faltan",
    troubleshooting: "Si algo no funciona: solución de problemas",
    backToTool: (name) => `Volver a ${name}`,
    keyForViewers:
      "Necesita una clave de API con el permiso read. Pídala a un administrador de su organización.",
  },

  help: {
    allTopics: "Todos los temas",
    groups: {
      tools: "Llevar las campañas a una herramienta",
      numbers: "Entender las cifras",
      programs: "Escribir un programa",
    },
    topics: {
      tools: {
        title: "Qué método usar con cada herramienta",
        summary:
          "Compara los métodos con los que las herramientas leen las campañas e indica el que conviene a la suya.",
      },
      troubleshooting: {
        title: "Solución de problemas",
        summary: "Qué hacer cuando una herramienta no muestra lo que espera.",
      },
      refresh: {
        title: "Actualización y carga incremental",
        summary: "Cómo mantener al día los datos de una herramienta.",
      },
      downloads: {
        title: "Descargas",
        summary: "Todas las campañas en un solo archivo: CSV, NDJSON o Parquet.",
      },
      odata: { title: "OData", summary: "Las tablas que leen Power BI, Excel y Tableau." },
      "sql-views": {
        title: "Vistas SQL",
        summary: "Cómo leen las campañas de PostgreSQL las herramientas que hablan SQL.",
      },
      units: {
        title: "Unidades y valores que faltan",
        summary: "Lo que conviene saber antes de sumar o promediar un campo.",
      },
      numbers: {
        title: "Las cifras",
        summary:
          "Cómo las aperturas, los clics, las lecturas y las respuestas se convierten en las cifras de una campaña.",
      },
      glossary: { title: "Glosario", summary: "Los términos del servicio y lo que significan." },
      api: {
        title: "La API",
        summary: "Cómo leen las campañas los programas: claves, páginas, filtros, cambios y errores.",
      },
    },
    numbersLink: "Qué significan estas cifras",
    connect: "Pasos, archivos y líneas de código para cada herramienta, con la URL de este servicio.",
    fieldsTitle: "Todas las cifras y campos",
    fields: "Significado, unidad y fórmula de cada campo, y su valor cuando no se conoce nada.",
    apiReference: "Cada URL con sus parámetros, respuestas y campos. Pruebe solicitudes con su clave.",
    field: "Campo",
    meaning: "Significado",
    unit: "Unidad",
    formula: "Fórmula",
    whenNull: "Null si",
    fieldsCaption: (count) =>
      format.countOf(count, {
        one: "# campo, como en las descargas",
        other: "# campos, como en las descargas",
      }),
    fieldsIntro:
      "Las descargas y la API de Analytics tienen estas unidades. Las páginas muestran todas las tasas en porcentaje con un decimal: 0,2947 es 29,5\u00a0%. En `/data_api/v1/emails`, un campo es 0 o está vacío donde las descargas tienen null.",
    pageNumbers: [
      html`<strong>Frente al equipo</strong>: cuánto está una tasa por encima o por debajo de la de las campañas que el equipo envió en los 365 días anteriores, en puntos porcentuales.`,
      html`<strong>eNPS</strong>: el índice de −100 a 100. Es el porcentaje de puntuaciones de 9 y 10, menos el de puntuaciones de 0 a 6. Las campañas importadas solo tienen una puntuación media.`,
      html`<strong>Aperturas por cada 100 destinatarios</strong>: la curva suma todas las aperturas desde el envío. Las aperturas repetidas también cuentan, así que puede acabar por encima de la tasa de apertura.`,
    ],
    countsCaption: "Números en las fórmulas que no son campos",
    count: "Número",
    rounding: (rule) => `Redondeo: ${rule}.`,
    notFound: "Esa página de ayuda no existe.",
    meanings: {
      id: "Identificador de la campaña, único en la organización.",
      subject: "Asunto de la campaña.",
      sent_at: "Cuándo se envió la campaña.",
      sent_from: "Dirección del remitente.",
      organization_team: "Nombre del equipo.",
      sending_type: "Cómo se envió. Valores observados: Timezone, Scheduled, Immediate.",
      tracking_type: "Qué se registró. Valores observados: Individual, Anonymous, Overall.",
      open_rate: "Proporción de destinatarios que abrieron la campaña.",
      click_rate: "Proporción de destinatarios que hicieron clic en un enlace.",
      unique_opens:
        "Destinatarios con al menos una apertura contada. Un clic contado, una lectura contada o una respuesta a una encuesta también cuenta como apertura, porque las imágenes pueden estar bloqueadas.",
      multiple_opens: "Aperturas después de la primera de cada destinatario.",
      unopened: "Destinatarios sin apertura.",
      total_opens:
        "Aperturas contadas de todos los destinatarios. Una apertura que solo se deduce de un clic, una lectura o una respuesta suma 1 si el destinatario no tiene otra.",
      unique_clicks: "Destinatarios con al menos un clic contado en cualquier enlace.",
      multiple_clicks: "Clics después del primero de cada destinatario.",
      total_clicks: "Clics contados de todos los destinatarios en todos los enlaces.",
      click_per_unique_open_rate:
        "Tasa de clics sobre aperturas (CTOR): proporción de destinatarios con una apertura que hicieron clic en un enlace.",
      desktop_open_rate: "Proporción de aperturas en ordenador.",
      mobile_open_rate: "Proporción de aperturas en móvil.",
      tags: "Etiquetas de la campaña, por nombre. Puede estar vacío.",
      recipient_count: "Número de destinatarios.",
      recipients: "Nombres de los grupos de destinatarios, separados por comas.",
      read_time_glanced: "Proporción de lecturas de hasta 3 segundos.",
      read_time_skimmed: "Proporción de lecturas de más de 3 y hasta 9 segundos.",
      read_time_read: "Proporción de lecturas de más de 9 segundos.",
      surveys_count: "Encuestas en la campaña.",
      enps_score_average: "Media de las puntuaciones eNPS. No es el índice eNPS de -100 a 100.",
      enps_reactions_count:
        "Puntuaciones eNPS (employee Net Promoter Score, una respuesta de 0 a 10), una por destinatario y encuesta.",
      enps_comments_count: "Puntuaciones eNPS con un comentario.",
      survey_reactions_count:
        "Puntuaciones y respuestas a otras encuestas (pulso), una por destinatario y encuesta.",
      survey_reactions_comments_count: "Respuestas a otras encuestas con un comentario.",
      sent_on: "La fecha en que se envió la campaña, en la zona horaria de la organización.",
      sent_hour: "La hora en que se envió la campaña, de 0 a 23, en la zona horaria de la organización.",
      tag_names: "Los nombres de las etiquetas, separados por punto y coma, para herramientas sin listas.",
      kind: "De dónde vienen las cifras: reported (una importación) o counted (eventos).",
      closed_at: "Cuándo se cerró la campaña: desde entonces, sus cifras son definitivas.",
      updated_at: "Cuándo cambió el registro por última vez.",
    },
    units: {
      count: "número",
      fraction: "fracción de 0 a 1",
      percent: "porcentaje de 0 a 100",
      points: "puntos de 0 a 10",
    },
    nullMeanings: {
      "The import has no value.": "La importación no tiene valor.",
      "Not given, or empty.": "Sin indicar, o vacío.",
      "No recipients, or the import has no value.": "Sin destinatarios, o la importación no tiene valor.",
      "No open with a known device, or the import has no value.":
        "Ninguna apertura con dispositivo conocido, o la importación no tiene valor.",
      "No measured read, or the import has no value.":
        "Ninguna lectura medida, o la importación no tiene valor.",
      "No unique opens, or the import has no value.":
        "Sin aperturas únicas, o la importación no tiene valor.",
      "No eNPS ratings, or the import has no value.":
        "Sin puntuaciones eNPS, o la importación no tiene valor.",
      "Not closed. Reported campaigns never are.": "Sin cerrar. Las campañas importadas no se cierran nunca.",
    },
    counts: {
      desktop_opens: "Aperturas contadas en ordenador.",
      mobile_opens: "Aperturas contadas en móvil, tabletas incluidas.",
      reads_glanced: "Lecturas humanas medidas de hasta 3 segundos.",
      reads_skimmed: "Lecturas humanas medidas de más de 3 y hasta 9 segundos.",
      reads_read: "Lecturas humanas medidas de más de 9 segundos.",
      enps_score_sum: "Suma de las puntuaciones eNPS.",
    },
    roundings: {
      "4 decimals": "4 decimales, redondeo al más próximo",
      "2 decimals": "2 decimales, redondeo al más próximo",
      "whole percent": "porcentaje entero, redondeo al más próximo",
      "whole percent, together 100": "porcentajes enteros, 100 en total, por el método de los restos mayores",
    },
  },

  links: {
    title: "Enlaces",
    lead: "En qué hacen clic los destinatarios, en todas las campañas que coinciden. Las URL se muestran sin sus parámetros.",
    none: "No hay clics en estas campañas",
    noneHint:
      "Los enlaces se conocen para las campañas con eventos contados por este servicio. Elija un periodo más largo u otros filtros.",
    caption: (links: number) =>
      format.countOf(links, { one: "# enlace, por clics", other: "# enlaces, por clics" }),
    link: "Enlace",
    clicks: "Clics",
    share: "Proporción de clics",
    campaigns: "Campañas",
    othersNote: (others: number) =>
      format.countOf(others, {
        one: "# enlace más tiene menos clics.",
        other: "# enlaces más tienen menos clics.",
      }),
    scope: (read: number, of: number) =>
      read < of
        ? `De las ${format.count(read)} campañas más recientes de ${format.count(of)} con eventos contados por este servicio.`
        : format.countOf(of, {
            one: "De la única campaña con eventos contados por este servicio.",
            other: "De las # campañas con eventos contados por este servicio.",
          }),

    // The page of one link
    campaign: "Campaña",
    shareOfLink: "Proporción de los clics del enlace",
    clicksPer100: "Clics por cada 100 destinatarios",
    inCampaigns: (campaigns: number, counted: number) =>
      format.countOf(counted, {
        one: `Clics en ${format.count(campaigns)} de # campaña contada`,
        other: `Clics en ${format.count(campaigns)} de # campañas contadas`,
      }),
    open: "Abrir el enlace",
    notFound: "Este enlace no tiene clics en estas campañas",
  },

  comments: {
    title: "Comentarios",
    lead: (answers: number) =>
      `Lo que los destinatarios escribieron con sus respuestas. Los comentarios de una campaña se muestran cuando han respondido ${answers} destinatarios.`,
    search: "Buscar en los comentarios",
    rating: "Puntuación",
    ratings: { any: "Todas", low: "0 a 6", middle: "7 y 8", high: "9 y 10", none: "Sin" },
    by: "Agrupar",
    orders: {
      newest: "Primero los más recientes",
      lowest: "Primero la puntuación más baja",
      highest: "Primero la puntuación más alta",
      longest: "Primero los más largos",
    },
    groupings: { none: "Sin grupos", question: "Por pregunta", campaign: "Por campaña" },
    inGroups: {
      question: (comments: string, questions: number) =>
        `${comments} sobre ${format.countOf(questions, { one: "# pregunta", many: "# de preguntas", other: "# preguntas" })}`,
      campaign: (comments: string, campaigns: number) =>
        `${comments} sobre ${format.countOf(campaigns, { one: "# campaña", many: "# de campañas", other: "# campañas" })}`,
    },
    partOfGroup: (shown, total, page) =>
      `${format.count(shown)} de ${format.count(total)} comentarios, más en la página ${format.count(page)}`,
    averageRating: {
      ofThese: (mean) => `puntuación media de estos comentarios: ${mean}`,
      ofAll: (mean, total) => `puntuación media de los ${format.count(total)} comentarios: ${mean}`,
    },
    file: {
      comment: "Comentario",
      rating: "Puntuación",
      answer: "Respuesta",
      question: "Pregunta",
      campaignId: "ID de la campaña",
      campaign: "Campaña",
      campaignSent: "Campaña enviada",
    },
    none: "No hay comentarios",
    noneHint:
      "Los comentarios llegan con las respuestas a encuestas y se eliminan al cerrar una campaña. Elija un periodo más largo u otros filtros.",
    importedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "Falta # comentario sobre una campaña importada: las importaciones solo tienen el número de comentarios.",
        other:
          "Faltan # comentarios sobre campañas importadas: las importaciones solo tienen el número de comentarios.",
      }),
    closedOnly: (comments: number) =>
      format.countOf(comments, {
        one: "Falta # comentario sobre una campaña cerrada: su texto se eliminó.",
        other: "Faltan # comentarios sobre campañas cerradas: sus textos se eliminaron.",
      }),
    leftOut: (campaigns: number) =>
      format.countOf(campaigns, {
        one: "Falta # campaña, porque leerla llevaría demasiado tiempo. Sus comentarios están en su propia página.",
        other:
          "Faltan # campañas, porque leerlas llevaría demasiado tiempo. Sus comentarios están en sus propias páginas.",
      }),
  },

  sources: {
    title: "Fuentes",

    // Email providers
    providers: "Proveedores de correo",
    noProviders: html`Ningún proveedor de correo envía eventos todavía. El operador de este servicio añade uno con el comando <code>email-analytics source add</code>.`,
    providersCaption: (sources, note) =>
      `${format.countOf(sources, { one: "# fuente", other: "# fuentes" })}. ${note}`,
    urlsAreSecret: "Mantenga en secreto las URL de webhook: quien conozca una puede enviar eventos.",
    urlsForAdmins: "Solo los administradores pueden ver las URL de webhook.",
    provider: "Proveedor",
    lastEvent: "Último evento",
    campaignField: "Campo con el ID de la campaña",
    webhookUrl: "URL de webhook",
    webhookUrlOf: (provider) => `la URL de webhook para ${provider}`,
    noEventYet: "ninguno todavía",
    silent: "sin eventos recientes",
    noSecretTitle: (provider) => `${provider} todavía no tiene secreto.`,
    noSecret: html`Todos sus eventos se rechazan hasta que defina el secreto con el comando <code>email-analytics source change --secret</code>.`,
    silentTitle: (provider) => `${provider} ha dejado de enviar eventos.`,
    silentAfterCampaign: (time) => `El último evento llegó el ${time}, y después se envió una campaña.`,
    silentForDays: (time) => `El último evento llegó el ${time}, hace más de siete días.`,
    silentChecklist: (provider) =>
      html`Compruebe en ${provider} que el webhook está activado, que su URL es la de esta fuente, que envía aperturas y clics, y que su secreto no ha cambiado. El registro de este servicio contiene cada solicitud rechazada. Si ya no usa ${provider}, elimine la fuente con el comando <code>email-analytics source delete</code>.`,

    // Programs
    programs: "Programas",
    noPrograms:
      "Ningún programa envía campañas ni eventos: no hay ninguna clave de API con el permiso ingest.",
    createKey: "Crear una clave de API",
    programsCaption:
      "Los programas envían con una clave de API que tiene el permiso ingest. El último uso tiene una precisión de una hora.",
    apiKey: "Clave de API",
    lastUsed: "Último uso",
    notUsedYet: "sin usar todavía",
    programsForViewers: (programs) =>
      format.countOf(programs, { one: "# programa puede enviar.", other: "# programas pueden enviar." }),
    noDataYet: "Todavía no se han enviado datos.",
    lastUsedAt: (time) => `Último uso: ${time}.`,

    // Tracked messages
    trackedMessages: "Mensajes con seguimiento",
    trackingOn:
      "Este servicio puede hacer el seguimiento de los mensajes: el ajuste TRACKING_SECRET está definido.",
    trackingOff:
      "Este servicio no hace el seguimiento de los mensajes: el ajuste TRACKING_SECRET está vacío.",

    // Quarantine
    quarantine: "Eventos que no se pudieron contar",
    noQuarantined: "No hay eventos en cuarentena.",
    quarantined: (events) =>
      format.countOf(events, {
        one: "# evento no se pudo contar y está en cuarentena.",
        other: "# eventos no se pudieron contar y están en cuarentena.",
      }),
    replayHelp:
      "Al volver a procesarlos, se cuentan los que ahora se pueden contar y se conservan los demás.",
    nothingCounts:
      "Ahora no se pueden contar: son ilegibles, o su campaña no está registrada, está cerrada o tiene cifras importadas.",
    quarantineCaption: "Por campaña y motivo",
    otherGroups: (events) =>
      format.countOf(events, {
        one: "Por campaña y motivo. Los grupos más pequeños tienen # evento más",
        other: "Por campaña y motivo. Los grupos más pequeños tienen # eventos más",
      }),
    campaign: "Campaña",
    reason: "Motivo",
    events: "Eventos",
    firstReceived: "Primera recepción",
    lastReceived: "Última recepción",
    firstUnreadable: "Incorrecto o ausente en el primer evento:",
    unknownCampaign: "desconocida",
    replay: "Volver a procesar",
    replayAll: "Volver a procesar todos",
    replayCampaign: (name) => `Volver a procesar los eventos de la campaña ${name}`,
    replayed: ({ accepted, repeated, ignored, quarantined }) =>
      `Procesados de nuevo: ${format.count(accepted)} contados, ${format.count(repeated)} duplicados, ${format.count(ignored)} ignorados (campaña cerrada o destinatario eliminado a petición suya), ${format.count(quarantined)} todavía en cuarentena.`,
    replayIncomplete: (left) =>
      format.countOf(left, {
        one: "Se agotó el tiempo y queda # evento. Vuelva a procesar para continuar.",
        other: "Se agotó el tiempo y quedan # eventos. Vuelva a procesar para continuar.",
      }),
    nothingToReplay: (campaign) => `Campaña: ${campaign} no tiene eventos en cuarentena.`,
    campaignRule:
      'el JSON de un ID de campaña (por ejemplo, 42) o de un ID externo (por ejemplo, "spring-news")',
  },

  keys: {
    title: "API de Analytics",
    baseUrl: "URL base",
    baseUrlIntro: (emailsPath, region) =>
      html`Las herramientas envían sus solicitudes a esta URL, con una de las claves de API de abajo. Registros: <code>GET ${emailsPath}</code>. Región: <code>${region}</code>.`,
    baseUrlLabel: "la URL base",
    keys: "Claves de API",
    noKeys: "Todavía no hay claves de API.",
    keysCaption: (count) =>
      `${format.countOf(count, { one: "# clave", other: "# claves" })}. El último uso tiene una precisión de una hora y puede aparecer con un ligero retraso.`,
    name: "Nombre",
    scope: "Permiso",
    startsWith: "Empieza por",
    created: "Creada",
    lastUsed: "Último uso",
    notUsedYet: "sin usar todavía",
    commandLine: "línea de comandos",
    until: (time) => `hasta el ${time}`,
    delete: "Eliminar",
    deleteKeyNamed: (name) => `Eliminar ${name}`,
    createKey: "Crear una clave de API",
    createKeyIntro:
      "La clave se muestra una sola vez, en la página siguiente. El nombre indica para qué sirve. Use una clave distinta para cada informe y cada programa, de modo que pueda eliminar una sin las demás.",
    create: "Crear clave",
    scopes: {
      read: "read: informes y programas que leen registros",
      ingest: "ingest: programas que envían campañas y eventos",
    },
    nameTaken: (name) =>
      `la clave ${name} ya existe. Elija un nombre que no se distinga solo por las mayúsculas.`,
    justCreated: (name) =>
      `Nombre: la clave ${name} se acaba de crear. Elimínela si no la ha copiado, o elija otro nombre.`,

    // A new key
    newKeyTitle: "Su nueva clave de API",
    copyNow:
      "Copie la clave ahora: no se volverá a mostrar. Quien la tenga puede usarla, así que guárdela como una contraseña.",
    keyWithScope: (scope) => `Clave de API con el permiso ${scope}`,
    keyLabel: "la clave",
    codeLabel: (title) => `el código para ${title}`,
    doneCopying: "He copiado la clave. Volver a todas las claves",
    powerBiHint:
      "En Power BI, elija Obtener datos, Fuente de OData, y pegue esta URL. Cuando Power BI pida las credenciales, elija Básico e introduzca cualquier nombre de usuario, y la clave como contraseña. No elija API web.",
    excelHint:
      "Elija Datos, Obtener datos, De otras fuentes, De fuente de OData, y pegue esta URL. Cuando Excel pida las credenciales, elija Básico e introduzca cualquier nombre de usuario, y la clave como contraseña.",
    ingestHint: "Todavía no envía eventos. Solo comprueba que la clave se acepta.",

    // Delete
    deleteTitle: "Eliminar una clave de API",
    describe: ({ name, prefix, scope, use }) =>
      html`La clave <strong>${name}</strong> empieza por <code>${prefix}…</code> y tiene el permiso <strong>${scope}</strong>. ${use}`,
    neverUsed: "Todavía no se ha usado.",
    lastUsedAt: (time) => `Último uso: ${time}.`,
    consequences: {
      read: "Los informes, las hojas de cálculo y los programas que leen registros con ella dejarán de funcionar: su próxima solicitud fallará con el error 401.",
      "csv-link":
        "Las hojas de cálculo que usan el enlace recibirán un error a partir de su próxima actualización.",
      ingest:
        "Los programas que envían campañas y eventos con ella recibirán el error 401 a partir de la próxima solicitud. Lo que no envíen de nuevo no se contará.",
    },
    cannotUndo:
      "Esta acción no se puede deshacer. Para evitar una interrupción, cree primero una clave nueva y póngala en uso.",
    deleteKey: "Eliminar clave",
    cancel: "Cancelar",
    deleted: (name) => `Se ha eliminado la clave ${name}.`,
    notFound: "La clave no existe. Es posible que se haya eliminado.",
  },

  csvLinks: {
    title: "Enlaces CSV",
    intro:
      "Para hojas de cálculo que no pueden enviar una clave, como IMPORTDATA en Google Sheets: un enlace devuelve las campañas en formato CSV a quien lo tenga. Los enlaces están en la lista de claves, con el permiso csv-link, y dejan de funcionar cuando los elimina allí.",
    allow: "Permitir enlaces CSV",
    refuse: "Desactivar los enlaces CSV",
    allowed: "Los enlaces CSV ya funcionan.",
    refused: "Los enlaces CSV ya no funcionan.",
    notAllowed: "Los enlaces CSV están desactivados.",
    name: "Nombre del enlace",
    days: "Días hasta que caduca",
    daysRule: (max) => `un número entero de 1 a ${max}`,
    sentAfter: "Enviada desde el (opcional)",
    sentBefore: "Enviada hasta el (opcional)",
    dateRule: "una fecha como 2025-01-31",
    endRule: (start) => `${start} o posterior`,
    moreTags: (count) =>
      html`${format.countOf(count, { one: "# etiqueta más no aparece", other: "# etiquetas más no aparecen" })} en la lista. El comando <code>csv-link add</code> acepta cualquier etiqueta.`,
    create: "Crear enlace",
    newTitle: "Su nuevo enlace CSV",
    copyNow:
      "Copie el enlace ahora: no se volverá a mostrar. Quien lo tenga puede leer las campañas, así que comparta la hoja de cálculo, no el enlace.",
    label: "el enlace",
    importData: "Google Sheets",
    done: "He copiado el enlace. Volver a todas las claves",
  },

  tags: {
    title: "Etiquetas",
    addTag: "Añadir una etiqueta",
    add: "Añadir etiqueta",
    noTags: "Todavía no hay etiquetas. Una etiqueta sirve para clasificar campañas.",
    intro: html`El filtro <code>tag_ids</code> de la API acepta estos ID. Al cambiar el nombre, una etiqueta conserva su ID.`,
    caption: (count) => format.countOf(count, { one: "# etiqueta", other: "# etiquetas" }),
    plural: "etiquetas",
    tag: "Etiqueta",
    id: "ID",
    idOf: (name) => `el ID de ${name}`,
    campaigns: "Campañas",
    edit: "Editar",
    editNamed: (name) => `Editar ${name}`,
    name: "Nombre",
    color: "Color",
    colorRule: "un color con la forma #RRGGBB",
    nameTaken: (name, id) =>
      `Nombre: la etiqueta con el ID ${id} ya tiene el nombre ${name}. Elija uno que no se distinga solo por las mayúsculas.`,
    added: (name) => `Se ha añadido la etiqueta ${name}.`,

    // One tag
    tagTitle: (name) => `Etiqueta ${name}`,
    nameAndColor: "Nombre y color",
    idIsFixed: (id) =>
      html`El ID <code>${id}</code> no cambia nunca. La API devuelve los cambios inmediatamente.`,
    save: "Guardar",
    saved: (name) => `Se ha guardado la etiqueta ${name}. La API la devuelve inmediatamente.`,
    delete: "Eliminar",
    deleteTag: "Eliminar esta etiqueta",
    deleteNamed: (name) => `Eliminar ${name}`,
    loss: (campaigns) =>
      campaigns === 0
        ? "Ninguna campaña tiene esta etiqueta."
        : format.countOf(campaigns, {
            one: "# campaña pierde esta etiqueta y conserva todo lo demás.",
            other: "# campañas pierden esta etiqueta y conservan todo lo demás.",
          }),
    deleteWarning: (id) =>
      html`Los informes que filtran por <code>tag_ids=${id}</code> ya no encontrarán nada. Esta acción no se puede deshacer: una etiqueta nueva recibe otro ID.`,
    deleted: (name) => `Se ha eliminado la etiqueta ${name}.`,
    notFound: "La etiqueta no existe. Es posible que se haya eliminado.",
  },

  people: {
    title: "Personas",
    plural: "personas",
    caption: (organization, timeZone) =>
      `Usuarios que pueden iniciar sesión en ${organization}. Las horas siguen la zona horaria ${timeZone}.`,
    email: "Correo electrónico",
    role: "Rol",
    lastVisit: "Última visita",
    never: "Nunca",
    password: "Contraseña",
    invitedUntil: (time) => `Invitación válida hasta el ${time}`,
    passwordSet: "Definida",
    passwordNotSet: "Sin definir",
    actions: "Acciones",
    you: "(usted)",
    yourAccount: "Su cuenta",
    roleOf: (email) => `Rol de ${email}`,
    changeRole: "Cambiar",
    changeRoleOf: (email) => `Cambiar el rol de ${email}`,
    roleChanged: (email, role) => `${email} ahora es ${role}.`,

    // Add
    addUser: "Añadir un usuario",
    add: "Añadir usuario",
    addHint:
      "Los lectores ven cifras, etiquetas y comentarios sin nombres. Los administradores también gestionan las claves de API, las etiquetas, las personas y la configuración. A continuación recibe un enlace de invitación, con el que el usuario elige una contraseña.",
    invalidEmail: (email) =>
      `Correo electrónico: ${email} no es una dirección de correo como ada@example.com.`,
    emailTakenHere: (email) =>
      `Correo electrónico: ya existe un usuario con la dirección ${email}. Para enviar otro enlace de invitación, use Nuevo enlace de invitación o Restablecer contraseña en la tabla.`,
    emailTakenElsewhere: (email) =>
      `Correo electrónico: ya existe un usuario de este servicio con la dirección ${email}. Una dirección solo puede pertenecer a un usuario.`,
    tooManyTaken: (wait) => `Demasiadas direcciones que ya están en uso. Inténtelo de nuevo ${wait}.`,

    // Invite link
    inviteTitle: (email) => `Envíe este enlace de invitación a ${email}`,
    inviteIntro:
      "Con él, el usuario puede elegir una contraseña. No lo envíe a nadie más: funciona una sola vez, durante siete días, y no se volverá a mostrar.",
    inviteLabel: "el enlace de invitación",
    backToPeople: "Volver a personas",

    // Reset and remove
    resetPassword: "Restablecer contraseña",
    newInviteLink: "Nuevo enlace de invitación",
    resetPasswordOf: (email) => `de ${email}`,
    newInviteLinkFor: (email) => `para ${email}`,
    resetButton: "Restablecer contraseña",
    newInviteButton: "Crear enlace de invitación",
    resetWarning: (email) => `La contraseña de ${email} dejará de funcionar y todas sus sesiones terminarán.`,
    sessionsWarning: (email) => `Todas las sesiones de ${email} terminarán.`,
    oldLinkWarning: (email) => `El enlace de invitación anterior de ${email} dejará de funcionar.`,
    resetNext: "Recibirá un enlace de invitación para elegir una nueva contraseña.",
    resetOwn: "Cambie su propia contraseña en la página Su cuenta.",
    remove: "Eliminar",
    removeWarning: (email) =>
      `${email} ya no podrá iniciar sesión y se cerrarán todas sus sesiones. Las claves de API que haya creado seguirán funcionando.`,
    removeUser: "Eliminar usuario",
    removed: (email) => `Se ha eliminado a ${email}.`,
    lastAdmin: (email) => `${email} es el último administrador. Nombre primero administrador a otro usuario.`,
    lastUser: (email) =>
      `${email} es el último usuario. Solo el comando «email-analytics user delete» puede eliminar al último usuario.`,
    notFound: "El usuario no existe. Es posible que se haya eliminado.",
  },

  sessions: {
    title: "Sesiones",
    caption: "Sesiones activas. El último uso tiene una precisión de una hora.",
    user: "Usuario",
    browser: "Navegador",
    since: "Inicio de sesión",
    lastUsed: "Último uso",
    actions: "Acciones",
    current: "Esta sesión",
    end: "Cerrar sesión",
    endOf: (email, browser) => `Cerrar la sesión de ${email} en ${browser}`,
    more: (count) =>
      format.countOf(count, {
        one: "Y # más, usada hace más tiempo.",
        other: "Y # más, usadas hace más tiempo.",
      }),
    ended: "La sesión ha terminado.",
    notFound: "La sesión no existe. Es posible que haya terminado.",
  },

  organization: {
    title: "Organización",
    general: "General",
    name: "Nombre",
    timeZone: "Zona horaria",
    timeZoneHint:
      "Las horas se muestran en esta zona horaria, aquí y en la API. Las diferencias con UTC son las de hoy.",
    timeZoneRule: "una zona horaria con un nombre IANA, como Europe/Madrid o UTC",
    count: "Actividad contada",
    countedTraffic: {
      people: "Solo la actividad humana",
      all: "Toda la actividad, incluida la automática",
    },
    save: "Guardar",
    saved: "Guardado. La API devuelve el cambio inmediatamente.",

    // Auto-close
    autoClose: "Cierre automático de campañas",
    autoCloseIntro:
      "Las cifras de una campaña cerrada ya no cambian, y los datos en que se basan se eliminan: los eventos posteriores no se cuentan, y las respuestas individuales y los comentarios ya no se muestran.",
    closeAfterDays: "Días hasta el cierre de las campañas con destinatarios identificados (Individual)",
    closeNamelessAfterDays:
      "Días hasta el cierre de las campañas sin destinatarios identificados (Anónimo, Global)",
    closeDaysHint: "Desde el envío o el registro, lo que ocurra más tarde.",
    fewerDaysHint: "Si elige menos días, se le pedirá una confirmación antes de eliminar nada.",
    saveDays: "Guardar días",
    daysSaved: "Se ha guardado la configuración del cierre automático.",
    daysRule: "un número entero de 1 a 100000",
    confirmTitle: "¿Cerrar las campañas antes?",
    closesNone: "Ninguna campaña se cierra inmediatamente; las campañas se cerrarán antes que hasta ahora.",
    closesSome: (campaigns) =>
      format.countOf(campaigns, {
        one: "# campaña se cerrará en un minuto. Los datos en que se basan sus cifras se eliminarán.",
        other: "# campañas se cerrarán en un minuto. Los datos en que se basan sus cifras se eliminarán.",
      }),
    cannotUndo:
      "Esta acción no se puede deshacer. Aumentar el número más adelante no recupera los datos eliminados.",
    individual: "Campañas con destinatarios identificados (Individual)",
    nameless: "Campañas sin destinatarios identificados (Anónimo, Global)",
    daysUnchanged: (days) =>
      format.countOf(days, { one: "# día, sin cambios", other: "# días, sin cambios" }),
    daysChanged: (days, before) =>
      `${format.countOf(days, { one: "# día", other: "# días" })} en lugar de ${format.count(before)}`,
    understand: "Entiendo que esto elimina datos de forma definitiva",
    closeSooner: "Cerrar las campañas antes",
    keepDays: "Cancelar",
  },

  account: {
    title: "Su cuenta",
    signedInAs: (email, role, organization) =>
      html`Ha iniciado sesión como <strong>${email}</strong>, con el rol de ${role} en ${organization}.`,
    password: "Contraseña",
    noPasswordCompany: "No tiene contraseña: inicia sesión con la cuenta de su empresa.",
    noPassword: "Todavía no tiene contraseña.",
    askAdmin:
      "¿No tiene contraseña o la ha olvidado? Un administrador de su organización puede crear un enlace de invitación para usted.",
    askOtherAdmin: (peopleUrl, command) =>
      html`¿No tiene contraseña o la ha olvidado? Otro administrador puede crear un enlace de invitación para usted en <a href="${peopleUrl}">Personas</a>. Si es el único administrador, el operador de este servicio ejecuta <code>${command}</code>: el comando cierra sus sesiones y muestra el enlace.`,
    currentPassword: "Contraseña actual",
    signsOutElsewhere: "La sesión sigue abierta aquí y se cierra en todos los demás lugares.",
    changePassword: "Cambiar contraseña",
    passwordChanged: "Su contraseña se ha cambiado. La sesión se ha cerrado en todos los demás lugares.",
    passwordChangedMeanwhile: "Su contraseña se cambió en otra sesión. Inicie sesión de nuevo.",
    wrongPassword: "Contraseña actual: la contraseña es incorrecta. Escríbala de nuevo.",
    sessions: "Sus sesiones",
    language: "Idioma",
    browserLanguage: "Idioma del navegador",
    saveLanguage: "Guardar idioma",
    languageSaved: "Idioma guardado.",
    languageRule: (languages) => `${languages.join(", ")}, o vacío`,
  },
});
