// Words that headers in the languages of the pages have for fields: German, French, Spanish and Swedish.

import type { ImportField } from "../../../campaign/reported-campaign.ts";

export const headerWords: Partial<Record<ImportField, readonly string[]>> = {
  subject: ["Betreff", "Betreffzeile", "Objet", "Asunto", "Ämne", "Ämnesrad"],
  sent_at: [
    ...["Versanddatum", "Sendedatum", "Versandzeit", "Gesendet am", "Versendet am", "Gesendet"],
    ...["Date d'envoi", "Date d’envoi", "Envoyé le", "Fecha de envío", "Enviado el", "Enviado"],
    ...["Sändningsdatum", "Skickat", "Skickad", "Utskickad"],
  ],
  recipient_count: ["Empfänger", "Anzahl Empfänger", "Destinataires", "Destinatarios", "Mottagare"],
  unique_opens: [
    ...["Eindeutige Öffnungen", "Öffnungen", "Geöffnet", "Ouvertures uniques", "Ouvertures"],
    ...["Aperturas únicas", "Aperturas", "Unika öppningar", "Öppningar"],
  ],
  total_opens: [
    "Gesamtöffnungen",
    "Öffnungen gesamt",
    "Total des ouvertures",
    "Aperturas totales",
    "Totala öppningar",
  ],
  unique_clicks: [
    ...["Eindeutige Klicks", "Klicks", "Geklickt", "Clics uniques", "Clics"],
    ...["Clics únicos", "Unika klick", "Klick"],
  ],
  total_clicks: ["Gesamtklicks", "Klicks gesamt", "Total des clics", "Clics totales", "Totala klick"],
  open_rate: [
    "Öffnungsrate",
    "Taux d'ouverture",
    "Taux d’ouverture",
    "Tasa de apertura",
    "Öppningsgrad",
    "Öppningsfrekvens",
  ],
  click_rate: ["Klickrate", "Taux de clic", "Taux de clics", "Tasa de clics", "Klickgrad", "Klickfrekvens"],
  sent_from: ["Absender", "Expéditeur", "Remitente", "Avsändare"],
  organization_team: ["Abteilung", "Équipe", "Equipo"],
  tags: ["Schlagwörter", "Étiquettes", "Etiquetas", "Taggar"],
};
