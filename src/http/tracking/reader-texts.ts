// Every text that readers of messages see, in each language, in one place, so that it can be reviewed and translated.

import type { Language } from "../../locale/preferred-language.ts";

/** The `comment` field of an event has the same limit. */
export const maxCommentLength = 10_000;

const english = {
  yourRating: "Your rating",
  lowestRating: "0: not at all likely",
  highestRating: "10: extremely likely",
  yourAnswer: "Your answer:",
  comment: "Is there anything you would like to add?",
  submit: "Send my answer",
  ratingMissing: "Please choose a rating from 0 to 10.",
  commentTooLong: (maxLength: string) =>
    `Your comment is too long. Please shorten it to ${maxLength} characters.`,
  sentFromElsewhere:
    "Your answer was sent from another page. Please choose your answer here and send it again.",
  tooManyAnswers: "Many answers have come from your network. Please try again in an hour.",
  notSaved: "Your answer could not be saved just now. Please try again in a moment.",
  thanks: { title: "Thank you", text: "Your answer has been saved. You can close this page." },
  surveyEnded: {
    title: "This survey has ended",
    text: "We no longer accept answers. Thank you for your interest.",
  },
  brokenLink: {
    title: "This link does not work",
    text: "It is damaged or no longer valid. Please go back to the message and try again from there.",
  },
};

export type ReaderTexts = typeof english;

/** Why an answer was not accepted. */
export type AnswerProblem =
  | "ratingMissing"
  | "commentTooLong"
  | "sentFromElsewhere"
  | "tooManyAnswers"
  | "notSaved";

export const readerTexts: Record<Language, ReaderTexts> = {
  en: english,
  de: {
    yourRating: "Ihre Bewertung",
    lowestRating: "0: sehr unwahrscheinlich",
    highestRating: "10: sehr wahrscheinlich",
    yourAnswer: "Ihre Antwort:",
    comment: "Möchten Sie noch etwas hinzufügen?",
    submit: "Antwort senden",
    ratingMissing: "Bitte wählen Sie eine Bewertung von 0 bis 10.",
    commentTooLong: (maxLength: string) =>
      `Ihr Kommentar ist zu lang. Bitte kürzen Sie ihn auf ${maxLength} Zeichen.`,
    sentFromElsewhere:
      "Ihre Antwort wurde von einer anderen Seite gesendet. Bitte wählen Sie sie hier und senden Sie sie noch einmal.",
    tooManyAnswers:
      "Aus Ihrem Netzwerk sind viele Antworten gekommen. Bitte versuchen Sie es in einer Stunde noch einmal.",
    notSaved:
      "Ihre Antwort konnte gerade nicht gespeichert werden. Bitte versuchen Sie es gleich noch einmal.",
    thanks: {
      title: "Vielen Dank",
      text: "Ihre Antwort wurde gespeichert. Sie können diese Seite schließen.",
    },
    surveyEnded: {
      title: "Diese Umfrage ist beendet",
      text: "Wir nehmen keine Antworten mehr an. Vielen Dank für Ihr Interesse.",
    },
    brokenLink: {
      title: "Dieser Link funktioniert nicht",
      text: "Er ist beschädigt oder nicht mehr gültig. Bitte gehen Sie zurück zur Nachricht und versuchen Sie es von dort noch einmal.",
    },
  },
  fr: {
    yourRating: "Votre note",
    lowestRating: "0 : pas du tout probable",
    highestRating: "10 : très probable",
    yourAnswer: "Votre réponse :",
    comment: "Souhaitez-vous ajouter quelque chose ?",
    submit: "Envoyer ma réponse",
    ratingMissing: "Veuillez choisir une note de 0 à 10.",
    commentTooLong: (maxLength: string) =>
      `Votre commentaire est trop long. Veuillez le limiter à ${maxLength} caractères.`,
    sentFromElsewhere:
      "Votre réponse a été envoyée depuis une autre page. Veuillez la choisir ici et l’envoyer à nouveau.",
    tooManyAnswers:
      "De nombreuses réponses sont arrivées depuis votre réseau. Veuillez réessayer dans une heure.",
    notSaved: "Votre réponse n’a pas pu être enregistrée. Veuillez réessayer dans un instant.",
    thanks: { title: "Merci", text: "Votre réponse a été enregistrée. Vous pouvez fermer cette page." },
    surveyEnded: {
      title: "Cette enquête est terminée",
      text: "Nous n’acceptons plus de réponses. Merci de votre intérêt.",
    },
    brokenLink: {
      title: "Ce lien ne fonctionne pas",
      text: "Il est endommagé ou n’est plus valide. Veuillez revenir au message et réessayer depuis celui-ci.",
    },
  },
  sv: {
    yourRating: "Ditt betyg",
    lowestRating: "0: inte alls troligt",
    highestRating: "10: mycket troligt",
    yourAnswer: "Ditt svar:",
    comment: "Vill du tillägga något?",
    submit: "Skicka mitt svar",
    ratingMissing: "Välj ett betyg från 0 till 10.",
    commentTooLong: (maxLength: string) => `Din kommentar är för lång. Korta den till ${maxLength} tecken.`,
    sentFromElsewhere: "Ditt svar skickades från en annan sida. Välj ditt svar här och skicka det igen.",
    tooManyAnswers: "Många svar har kommit från ditt nätverk. Försök igen om en timme.",
    notSaved: "Ditt svar kunde inte sparas just nu. Försök igen om en stund.",
    thanks: { title: "Tack", text: "Ditt svar har sparats. Du kan stänga den här sidan." },
    surveyEnded: {
      title: "Den här enkäten är avslutad",
      text: "Vi tar inte längre emot svar. Tack för ditt intresse.",
    },
    brokenLink: {
      title: "Den här länken fungerar inte",
      text: "Den är skadad eller gäller inte längre. Gå tillbaka till meddelandet och försök igen därifrån.",
    },
  },
  es: {
    yourRating: "Su puntuación",
    lowestRating: "0: nada probable",
    highestRating: "10: muy probable",
    yourAnswer: "Su respuesta:",
    comment: "¿Desea añadir algo?",
    submit: "Enviar mi respuesta",
    ratingMissing: "Elija una puntuación del 0 al 10.",
    commentTooLong: (maxLength: string) =>
      `Su comentario es demasiado largo. Redúzcalo a ${maxLength} caracteres.`,
    sentFromElsewhere: "Su respuesta se envió desde otra página. Elíjala aquí y envíela de nuevo.",
    tooManyAnswers: "Han llegado muchas respuestas desde su red. Inténtelo de nuevo dentro de una hora.",
    notSaved: "No se ha podido guardar su respuesta. Inténtelo de nuevo en un momento.",
    thanks: { title: "Gracias", text: "Su respuesta se ha guardado. Puede cerrar esta página." },
    surveyEnded: {
      title: "Esta encuesta ha terminado",
      text: "Ya no aceptamos respuestas. Gracias por su interés.",
    },
    brokenLink: {
      title: "Este enlace no funciona",
      text: "Está dañado o ya no es válido. Vuelva al mensaje e inténtelo de nuevo desde allí.",
    },
  },
};
